#include "io/name_merge.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/parallel.hpp"

namespace breadth {

namespace {
struct Reference {
  std::size_t list;
  std::size_t index;
};
}  // namespace

MergedNames merge_names(std::vector<NameList> lists, ThreadTeam& threads) {
  std::vector<std::size_t> starts{0};
  for (const NameList& list : lists) starts.push_back(starts.back() + list.size());
  std::vector<Reference> order(starts.back());
  const auto less = [&](Reference a, Reference b) { return lists[a.list][a.index] < lists[b.list][b.index]; };
  const auto at = [&](std::size_t list) {
    return order.begin() + static_cast<std::ptrdiff_t>(starts[std::min(list, lists.size())]);
  };
  parallel_for(threads, lists.size(), 1, [&](std::size_t list) {
    for (std::size_t i = 0; i < lists[list].size(); ++i) order[starts[list] + i] = {list, i};
    std::sort(at(list), at(list + 1), less);
  });
  for (std::size_t width = 1; width < lists.size(); width *= 2) {
    const std::size_t pairs = (lists.size() + 2 * width - 1) / (2 * width);
    parallel_for(threads, pairs, 1, [&](std::size_t pair) {
      const std::size_t first = pair * 2 * width;
      std::inplace_merge(at(first), at(first + width), at(first + 2 * width), less);
    });
  }

  MergedNames merged;
  for (const NameList& list : lists) merged.places.emplace_back(list.size());
  for (const Reference reference : order) {
    const std::string_view name = lists[reference.list][reference.index];
    if (merged.distinct.empty() || merged.distinct[merged.distinct.size() - 1] != name) merged.distinct.append(name);
    merged.places[reference.list][reference.index] = merged.distinct.size() - 1;
  }
  return merged;
}

}  // namespace breadth
