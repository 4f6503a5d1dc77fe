#include "traverse/one_rank.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"

namespace breadth {

// The nearest of several sources.

namespace {
constexpr std::size_t claim_grain = 256;
constexpr std::size_t answer_grain = std::size_t{1} << 14;
constexpr std::uint64_t nobody = UINT64_MAX;

/// A source's index and a parent's local id in one number: the least is the first source, and its first parent.
constexpr std::uint64_t claim_of(std::uint64_t source, std::uint32_t parent) { return source << 32 | parent; }
constexpr std::uint64_t source_of(std::uint64_t claim) { return claim >> 32; }
constexpr std::uint32_t parent_of(std::uint64_t claim) { return static_cast<std::uint32_t>(claim); }

template <class Adjacencies>
class SearchFromMany {
 public:
  SearchFromMany(const Adjacencies& adjacencies, std::size_t vertices, ThreadTeam& threads)
      : adjacencies_(adjacencies),
        threads_(threads),
        levels_(vertices),
        claims_(vertices),
        found_(static_cast<std::size_t>(threads.size())) {
    parallel_fill(threads, levels_.span(), unreached);
    parallel_fill(threads, claims_.span(), nobody);
    unvisited_edges_ = adjacencies.pull_rows().entries();
  }

  void add_source(std::uint32_t vertex, std::uint64_t source) {
    if (levels_[vertex] == unreached) found_.front().vertices.push_back(vertex);
    levels_[vertex] = 0;
    claims_[vertex] = std::min(claims_[vertex], claim_of(source, vertex));
  }

  void run(std::int64_t max_depth) {
    for (std::int32_t level = 0; level < max_depth && take_frontier(); ++level) {
      threads_.checkpoint();
      if (frontier_edges_ > unvisited_edges_ / pull_above) {
        pull(level);
      } else {
        push(level);
      }
    }
  }

  [[nodiscard]] std::int32_t level(std::uint32_t vertex) const { return levels_[vertex]; }
  [[nodiscard]] std::uint64_t claim(std::uint32_t vertex) const { return claims_[vertex]; }

 private:
  static constexpr std::int32_t unreached = -1;
  static constexpr std::uint64_t pull_above = 8;  ///< pull once the frontier has more than an 8th of the edges left

  struct alignas(64) Found {
    std::vector<std::uint32_t> vertices;
  };

  /// What was found becomes the frontier. Whether there is anything in it.
  bool take_frontier() {
    frontier_.clear();
    for (Found& found : found_) {
      frontier_.insert(frontier_.end(), found.vertices.begin(), found.vertices.end());
      found.vertices.clear();
    }
    frontier_edges_ = parallel_sum(threads_, frontier_.size(), claim_grain, [&](std::size_t i) {
      return adjacencies_.push_rows().degree(LocalVertex{frontier_[i]});
    });
    unvisited_edges_ -= std::min(unvisited_edges_, frontier_edges_);
    return !frontier_.empty();
  }

  void push(std::int32_t level) {
    const auto& rows = adjacencies_.push_rows();
    parallel_blocks(threads_, frontier_.size(), claim_grain, [&](IndexRange range, int thread) {
      auto& found = found_[static_cast<std::size_t>(thread)].vertices;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const LocalVertex vertex{frontier_[i]};
        const std::uint64_t claim = claim_of(source_of(claims_[vertex.index()]), vertex.value);
        rows.for_each_stretch(vertex, {0, rows.degree(vertex)}, [&](const auto& neighbours) {
          for (const auto neighbour : neighbours) visit(static_cast<std::uint32_t>(neighbour), level + 1, claim, found);
        });
      }
    });
  }

  void visit(std::uint32_t vertex, std::int32_t level, std::uint64_t claim, std::vector<std::uint32_t>& found) {
    std::atomic_ref its_level(levels_[vertex]);
    std::int32_t seen = its_level.load(std::memory_order_relaxed);
    if (seen == unreached && its_level.compare_exchange_strong(seen, level, std::memory_order_relaxed)) {
      found.push_back(vertex);
      seen = level;
    }
    if (seen != level) return;
    std::atomic_ref least(claims_[vertex]);
    std::uint64_t before = least.load(std::memory_order_relaxed);
    while (claim < before && !least.compare_exchange_weak(before, claim, std::memory_order_relaxed)) {
    }
  }

  void pull(std::int32_t level) {
    const auto& rows = adjacencies_.pull_rows();
    parallel_blocks(threads_, levels_.size(), claim_grain, [&](IndexRange range, int thread) {
      auto& found = found_[static_cast<std::size_t>(thread)].vertices;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (levels_[i] != unreached) continue;
        const LocalVertex vertex{static_cast<std::uint32_t>(i)};
        std::uint64_t least = nobody;
        rows.for_each_stretch(vertex, {0, rows.degree(vertex)}, [&](const auto& neighbours) {
          for (const auto global_id : neighbours) {
            const auto neighbour = static_cast<std::uint32_t>(global_id);
            if (std::atomic_ref(levels_[neighbour]).load(std::memory_order_relaxed) != level) continue;
            least = std::min(least, claim_of(source_of(claims_[neighbour]), neighbour));
          }
        });
        if (least == nobody) continue;
        claims_[i] = least;
        std::atomic_ref(levels_[i]).store(level + 1, std::memory_order_relaxed);
        found.push_back(vertex.value);
      }
    });
  }

  const Adjacencies& adjacencies_;
  ThreadTeam& threads_;
  Buffer<std::int32_t> levels_;
  Buffer<std::uint64_t> claims_;
  std::vector<Found> found_;  ///< one for each thread
  std::vector<std::uint32_t> frontier_;
  std::uint64_t frontier_edges_ = 0;
  std::uint64_t unvisited_edges_ = 0;  ///< of vertices that no source has reached, and of those in the frontier before
};

/// From vertices to labels, of which those without edges are reached only where they are sources.
template <class Search>
NearestSources by_label(const Search& search, const Graph& graph, std::span<const Label> sources, ThreadTeam& threads) {
  const Partition& partition = graph.partition();
  const std::size_t labels = graph.vertex_count();
  NearestSources result{.levels = Buffer<std::int64_t>(labels),
                        .parents = Buffer<std::int64_t>(labels),
                        .sources = Buffer<std::int64_t>(labels)};
  const auto set = [&](std::size_t label, std::int64_t level, std::int64_t parent, std::int64_t source) {
    result.levels[label] = level;
    result.parents[label] = parent;
    result.sources[label] = source;
  };
  result.reached = parallel_sum(threads, labels, answer_grain, [&](std::size_t label) {
    const LocalVertex vertex = partition.local(Label{static_cast<std::int64_t>(label)});
    const bool reached = vertex != no_local_vertex && search.claim(vertex.value) != nobody;
    if (!reached) {
      set(label, -1, -1, -1);
      return std::uint64_t{0};
    }
    const std::uint64_t claim = search.claim(vertex.value);
    set(label, search.level(vertex.value), partition.label(LocalVertex{parent_of(claim)}).value,
        static_cast<std::int64_t>(source_of(claim)));
    return std::uint64_t{1};
  });
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (result.levels[sources[i].index()] != -1) continue;
    set(sources[i].index(), 0, sources[i].value, static_cast<std::int64_t>(i));
    ++result.reached;
  }
  return result;
}
}  // namespace

NearestSources find_nearest_sources(const Graph& graph, std::span<const Label> sources, std::int64_t max_depth,
                                    const Context& context) {
  if (context.ranks.size() > 1) fail("a search from several sources at once runs on one rank");
  if (sources.size() >= UINT32_MAX) fail("{} sources are too many: there may be up to 2^32 - 2", sources.size());
  for (const Label source : sources) graph.require(source);
  NearestSources result;
  graph.visit_rows([&](const auto& adjacencies) {
    const Partition& partition = graph.partition();
    SearchFromMany search(adjacencies, partition.local_count(), context.threads);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const LocalVertex vertex = partition.local(sources[i]);
      if (vertex != no_local_vertex) search.add_source(vertex.value, i);
    }
    search.run(max_depth);
    result = by_label(search, graph, sources, context.threads);
  });
  return result;
}

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

// The depths of a tree.

namespace {
constexpr std::size_t depth_grain = std::size_t{1} << 13;
constexpr std::int64_t not_known = -2;

template <class Entry>
class TreeDepths {
 public:
  TreeDepths(std::span<const Entry> parents, std::span<std::int64_t> depths) : parents_(parents), depths_(depths) {}

  // Which vertices are reached is no pattern that a processor could foresee: sums take the place of branches.

  /// Before any is settled: 0 for one that is its own parent, -1 for one without.
  void start(IndexRange vertices) {
    for (std::size_t vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      const Entry parent = parents_[vertex];
      depths_[vertex] = not_known * std::int64_t{parent != vertex} + std::int64_t{parent == none};
    }
  }

  /// Most of them have a parent whose depth is known by then.
  void settle(IndexRange vertices) {
    for (std::size_t vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      const Entry parent = parents_[vertex];
      const Entry missing = Entry{0} - Entry{parent == none};  // all bits or none
      const std::size_t above = (parent & ~missing) | (static_cast<Entry>(vertex) & missing);
      std::int64_t depth = get(above);
      if (depth == not_known) depth = depth_of(above);
      set(vertex, depth + std::int64_t{above != vertex});
    }
  }

 private:
  static constexpr auto none = static_cast<Entry>(no_label.value);

  /// Goes up to the first vertex whose depth is known, and up once more to set those on the way. Another thread may set
  /// the same meanwhile, to the same.
  [[gnu::noinline]] std::int64_t depth_of(std::size_t vertex) {
    std::int64_t steps = 0;
    std::size_t above = vertex;
    std::int64_t known = get(above);
    for (; known == not_known; known = get(above)) {
      above = static_cast<std::size_t>(parents_[above]);
      ++steps;
    }
    const std::int64_t depth = known + steps;
    for (; steps > 0; --steps) {
      set(vertex, known + steps);
      vertex = static_cast<std::size_t>(parents_[vertex]);
    }
    return depth;
  }

  [[nodiscard]] std::int64_t get(std::size_t vertex) const {
    return std::atomic_ref(depths_[vertex]).load(std::memory_order_relaxed);
  }
  void set(std::size_t vertex, std::int64_t depth) {
    std::atomic_ref(depths_[vertex]).store(depth, std::memory_order_relaxed);
  }

  std::span<const Entry> parents_;
  std::span<std::int64_t> depths_;
};

template <class Entry>
void write_depths(std::span<const Entry> parents, std::span<std::int64_t> depths, ThreadTeam& threads) {
  TreeDepths<Entry> tree(parents, depths);
  parallel_blocks(threads, parents.size(), depth_grain, [&](IndexRange vertices, int) { tree.start(vertices); });
  parallel_blocks(threads, parents.size(), depth_grain, [&](IndexRange vertices, int) { tree.settle(vertices); });
}
}  // namespace

void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads) {
  if (parents.wide()) {
    write_depths(parents.entries<std::uint64_t>(), depths, threads);
  } else {
    write_depths(parents.entries<std::uint32_t>(), depths, threads);
  }
}

}  // namespace breadth
