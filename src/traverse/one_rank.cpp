#include "traverse/one_rank.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"

namespace breadth {

// A path between two vertices.

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
  /// The number of edges that the next level looks at.
  [[nodiscard]] std::uint64_t edges() const { return edges_; }

  /// Visits the next level, up to the first vertex that `other` has visited. Returns that vertex, or no_local_vertex.
  template <class Other>
  LocalVertex advance(const Other& other) {
    std::vector<std::uint32_t> found;
    LocalVertex meeting = no_local_vertex;
    edges_ = 0;
    for (const std::uint32_t vertex : frontier_) {
      const LocalVertex from{vertex};
      rows_.for_each_span(from, {0, rows_.degree(from)}, [&](const auto& neighbours) {
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

  /// Returns the path from a visited vertex to the start, both included.
  [[nodiscard]] std::vector<std::uint32_t> way_from(std::uint32_t vertex) const {
    std::vector<std::uint32_t> way{vertex};
    while (next_[way.back()] != way.back() + 1) way.push_back(next_[way.back()] - 1);
    return way;
  }

 private:
  const Rows& rows_;
  Buffer<std::uint32_t> next_;  ///< the next vertex towards the start, plus one; 0 if not visited
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
  if (context.ranks.size() > 1) fail("a path between two vertices can be searched for only on one rank");
  graph.require(source);
  graph.require(target);
  if (source == target) return {source};
  const Partition& partition = graph.partition();
  const LocalVertex from = partition.local(source);
  const LocalVertex to = partition.local(target);
  std::vector<Label> path;
  if (from == no_local_vertex || to == no_local_vertex) return path;
  visit_rows(graph, [&](const auto& adjacencies) {
    for (const std::uint32_t vertex :
         meet(adjacencies, partition.local_count(), from.value, to.value, context.threads)) {
      path.push_back(partition.label(LocalVertex{vertex}));
    }
  });
  return path;
}

// The depths and roots of a tree.

namespace {
constexpr std::size_t tree_grain = std::size_t{1} << 13;
constexpr std::int64_t not_known = -2;

// Sums and masks replace branches here, because no processor could predict which vertices are reached.

/// The depth of a vertex: 0 for a root, else one more than the parent's depth.
struct Depths {
  static constexpr std::int64_t step = 1;
  /// The first value of a vertex: 0 for a root, -1 for a vertex without a parent, else not_known.
  static std::int64_t at_first(std::size_t, bool is_root, bool is_alone) {
    return not_known * std::int64_t{!is_root} + std::int64_t{is_alone};
  }
};
/// The root of a vertex: the vertex itself for a root, else the parent's root.
struct Roots {
  static constexpr std::int64_t step = 0;
  static std::int64_t at_first(std::size_t vertex, bool is_root, bool is_alone) {
    const std::int64_t mask = -std::int64_t{is_root};  // all bits or none
    return (static_cast<std::int64_t>(vertex) & mask) | ((not_known + std::int64_t{is_alone}) & ~mask);
  }
};

/// Values that follow from the parent's value. Kind is Depths or Roots.
template <class Kind, class Entry>
class TreeValues {
 public:
  TreeValues(std::span<const Entry> parents, std::span<std::int64_t> values) : parents_(parents), values_(values) {}

  /// Sets first values. To be called for all vertices before any is settled.
  void start(IndexRange vertices) {
    for (std::size_t vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      const Entry parent = parents_[vertex];
      values_[vertex] = Kind::at_first(vertex, parent == vertex, parent == none);
    }
  }

  /// Computes the values of vertices. Most have a parent whose value is already known.
  void settle(IndexRange vertices) {
    constexpr std::size_t ahead = 32;
    std::array<Climb, 32> climbs;
    std::size_t count = 0;
    for (std::size_t vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      if (vertex + ahead < vertices.end) __builtin_prefetch(&values_[above_of(vertex + ahead)], 1);
      const std::size_t above = above_of(vertex);
      const std::int64_t value = get(above);
      if (value != not_known) {
        set(vertex, value + Kind::step * std::int64_t{above != vertex});
        continue;
      }
      climbs[count++] = {vertex, above};
      if (count == climbs.size()) settle(std::span(climbs).first(std::exchange(count, 0)));
    }
    settle(std::span(climbs).first(count));
  }

 private:
  static constexpr auto none = static_cast<Entry>(no_label.value);

  /// The parent of a vertex, or the vertex itself if it has none.
  [[nodiscard]] std::size_t above_of(std::size_t vertex) const {
    const Entry parent = parents_[vertex];
    const Entry missing = Entry{0} - Entry{parent == none};  // all bits or none
    return (parent & ~missing) | (static_cast<Entry>(vertex) & missing);
  }
  /// A walk from a vertex up to its first ancestor whose value is known.
  struct Climb {
    std::size_t vertex = 0;
    std::size_t above = 0;  ///< the ancestor that the walk has reached
    std::int64_t steps = 1;
  };
  /// Takes a few steps of all climbs side by side, because each step waits for memory. Then finishes one climb after
  /// the other, because later ones may end where an earlier one has been.
  [[gnu::noinline]] void settle(std::span<Climb> climbs) {
    constexpr int steps_together = 16;
    bool all_known = false;
    for (int step = 0; step < steps_together && !all_known; ++step) {
      all_known = true;
      for (Climb& climb : climbs) {
        if (get(climb.above) != not_known) continue;
        all_known = false;
        go_up(climb);
        __builtin_prefetch(&parents_[climb.above]);
        __builtin_prefetch(&values_[climb.above], 1);
      }
    }
    for (Climb& climb : climbs) {
      while (get(climb.above) == not_known) go_up(climb);
      set_along(climb);
    }
  }
  void go_up(Climb& climb) const {
    climb.above = static_cast<std::size_t>(parents_[climb.above]);
    ++climb.steps;
  }
  /// Walks up again and sets all values on the path. Another thread may set the same values meanwhile.
  void set_along(const Climb& climb) {
    const std::int64_t known = get(climb.above);
    std::size_t vertex = climb.vertex;
    for (std::int64_t steps = climb.steps; steps > 0; --steps) {
      set(vertex, known + Kind::step * steps);
      vertex = static_cast<std::size_t>(parents_[vertex]);
    }
  }

  [[nodiscard]] std::int64_t get(std::size_t vertex) const {
    return std::atomic_ref(values_[vertex]).load(std::memory_order_relaxed);
  }
  void set(std::size_t vertex, std::int64_t value) {
    std::atomic_ref(values_[vertex]).store(value, std::memory_order_relaxed);
  }

  std::span<const Entry> parents_;
  std::span<std::int64_t> values_;
};

template <class Kind>
void write_tree(const LabelArray& parents, std::span<std::int64_t> values, ThreadTeam& threads) {
  const auto write = [&]<class Entry>(std::span<const Entry> entries) {
    TreeValues<Kind, Entry> tree(entries, values);
    parallel_blocks(threads, entries.size(), tree_grain, [&](IndexRange vertices, int) { tree.start(vertices); });
    parallel_blocks(threads, entries.size(), tree_grain, [&](IndexRange vertices, int) { tree.settle(vertices); });
  };
  parents.wide() ? write(parents.entries<std::uint64_t>()) : write(parents.entries<std::uint32_t>());
}
}  // namespace

void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads) {
  write_tree<Depths>(parents, depths, threads);
}

void write_tree_roots(const LabelArray& parents, std::span<std::int64_t> roots, ThreadTeam& threads) {
  write_tree<Roots>(parents, roots, threads);
}

}  // namespace breadth
