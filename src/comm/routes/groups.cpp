#include "comm/routes/groups.hpp"

#include <algorithm>
#include <map>

namespace breadth {

Groups::Groups(std::span<const int> names) {
  std::map<int, std::size_t> numbers;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    const std::size_t group = numbers.try_emplace(names[rank], numbers.size()).first->second;
    if (group == members_.size()) members_.emplace_back();
    group_of_.push_back(group);
    lane_.push_back(members_[group].size());
    members_[group].push_back(static_cast<int>(rank));
    largest_ = std::max(largest_, members_[group].size());
  }
}

Groups groups_of_size(int ranks, int size) {
  std::vector<int> names;
  names.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) names.push_back(rank / size);
  return Groups(names);
}

Groups groups_of_nodes(const Nodes& nodes) {
  std::vector<int> names(static_cast<std::size_t>(nodes.all().size()));
  for (std::size_t node = 0; node < nodes.count(); ++node) {
    for (const std::size_t rank : nodes.members(node)) names[rank] = static_cast<int>(node);
  }
  return Groups(names);
}

}  // namespace breadth
