#include "traverse/one_rank.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "graph/partition.hpp"

namespace breadth {

namespace {
/// The search from one end.
template <class Rows>
class HalfSearch {
 public:
  HalfSearch(const Rows& rows, std::size_t vertices, std::uint32_t start)
      : rows_(rows), next_(vertices), frontier_{start}, edges_(rows.degree(LocalVertex{start})) {
    next_[start] = start + 1;
  }

  [[nodiscard]] bool has_visited(std::uint32_t vertex) const { return next_[vertex] != 0; }
  [[nodiscard]] bool is_over() const { return frontier_.empty(); }
  /// That its next level looks at.
  [[nodiscard]] std::uint64_t edges() const { return edges_; }

  /// Visits the next level, up to the first vertex that `other` has visited. Returns that, or no_local_vertex.
  template <class Other>
  LocalVertex advance(const Other& other) {
    std::vector<std::uint32_t> found;
    LocalVertex meeting = no_local_vertex;
    edges_ = 0;
    for (const std::uint32_t vertex : frontier_) {
      const LocalVertex from{vertex};
      rows_.for_each_stretch(from, {0, rows_.degree(from)}, [&](const auto& neighbours) {
        for (const auto global_id : neighbours) {
          const auto neighbour = static_cast<std::uint32_t>(global_id);
          if (has_visited(neighbour)) continue;
          next_[neighbour] = vertex + 1;
          if (other.has_visited(neighbour)) meeting = LocalVertex{neighbour};
          found.push_back(neighbour);
          edges_ += rows_.degree(LocalVertex{neighbour});
        }
      });
      if (meeting != no_local_vertex) break;
    }
    frontier_ = std::move(found);
    return meeting;
  }

  /// From a visited vertex to the start, both included.
  [[nodiscard]] std::vector<std::uint32_t> way_from(std::uint32_t vertex) const {
    std::vector<std::uint32_t> way{vertex};
    while (next_[way.back()] != way.back() + 1) way.push_back(next_[way.back()] - 1);
    return way;
  }

 private:
  const Rows& rows_;
  Buffer<std::uint32_t> next_;  ///< towards the start, plus one; 0 where not visited
  std::vector<std::uint32_t> frontier_;
  std::uint64_t edges_;
};

template <class Adjacencies>
std::vector<std::uint32_t> meet(const Adjacencies& adjacencies, std::size_t vertices, std::uint32_t source,
                                std::uint32_t target, const ThreadTeam& threads) {
  HalfSearch forward(adjacencies.push_rows(), vertices, source);
  HalfSearch backward(adjacencies.pull_rows(), vertices, target);
  while (!forward.is_over() && !backward.is_over()) {
    threads.checkpoint();
    const LocalVertex meeting =
        forward.edges() <= backward.edges() ? forward.advance(backward) : backward.advance(forward);
    if (meeting == no_local_vertex) continue;
    std::vector<std::uint32_t> path = forward.way_from(meeting.value);
    std::reverse(path.begin(), path.end());
    const std::vector<std::uint32_t> rest = backward.way_from(meeting.value);
    path.insert(path.end(), rest.begin() + 1, rest.end());
    return path;
  }
  return {};
}
}  // namespace

std::vector<Label> find_short_path(const Graph& graph, Label source, Label target, const Context& context) {
  if (context.ranks.size() > 1) fail("a path between two vertices is found on one rank");
  graph.require(source);
  graph.require(target);
  if (source == target) return {source};
  const Partition& partition = graph.partition();
  const LocalVertex from = partition.local(source);
  const LocalVertex to = partition.local(target);
  std::vector<Label> path;
  if (from == no_local_vertex || to == no_local_vertex) return path;
  graph.visit_rows([&](const auto& adjacencies) {
    for (const std::uint32_t vertex :
         meet(adjacencies, partition.local_count(), from.value, to.value, context.threads)) {
      path.push_back(partition.label(LocalVertex{vertex}));
    }
  });
  return path;
}

}  // namespace breadth
