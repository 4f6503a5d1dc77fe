#include "traverse/one_rank.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"

namespace breadth {

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

}  // namespace breadth
