#include "engine_graph.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph_edges.hpp"
#include "graph500/run_prediction.hpp"
#include "traverse/one_rank.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t labels_per_block = std::size_t{1} << 14;

/// The engine builds no graph of nothing, and a self-loop is no edge of it: an empty list is built as one of these.
std::unique_ptr<const Graph> build(const EdgeList& edges, const GraphSettings& settings, const GraphLayout& layout,
                                   const Context& context) {
  if (edges.size() == 0) {
    const Edge loop{Label{0}, Label{0}};
    const float weight = 0;
    const std::span weights(&weight, edges.weighted() ? 1 : 0);
    return build(MemoryEdgeList(std::span(&loop, 1), weights), settings, layout, context);
  }
  const GraphOptions options{.directedness = settings.directedness,
                             .layout = layout,
                             .least_vertex_count = std::max<std::uint64_t>(1, settings.vertex_count)};
  return std::make_unique<const Graph>(build_graph(edges, options, context));
}

ResultArray<std::int64_t> widened(const LabelArray& labels, const std::shared_ptr<ResultMemory>& memory,
                                  ThreadTeam& threads) {
  ResultArray<std::int64_t> wide(labels.size(), memory);
  const auto widen = [&]<class Entry>(std::span<const Entry> entries) {
    std::int64_t* const to = wide.data();
    parallel_blocks(threads, entries.size(), labels_per_block, [&](IndexRange range, int) {
      // no_label is all bits set, so that one more is 0: no branch that depends on which vertices are reached.
      for (std::size_t i = range.begin; i < range.end; ++i) {
        to[i] = static_cast<std::int64_t>(static_cast<Entry>(entries[i] + 1)) - 1;
      }
    });
  };
  labels.wide() ? widen(labels.entries<std::uint64_t>()) : widen(labels.entries<std::uint32_t>());
  return wide;
}

/// Of a search with options that is kept. Searches to targets are others than those of everything.
std::string key_of(const OptionTexts& options, const Workers& workers, std::span<const Label> targets,
                   const std::string& limit) {
  std::string key = fmt::format("{} {} {}", static_cast<const void*>(&workers), targets.empty(), limit);
  for (const auto& [name, text] : options) key += " " + name + "=" + text;
  return key;
}
}  // namespace

/// A search and the threads that it works with.
template <class Search>
struct EngineGraph::Kept {
  std::shared_ptr<Workers> workers;
  Context context;
  Search search;

  template <class Options>
  Kept(const Graph& graph, const Options& options, std::shared_ptr<Workers> its_workers)
      : workers(std::move(its_workers)), context(workers->context()), search(graph, options, context) {}
};

EngineGraph::EngineGraph(const EdgeList& edges, const GraphSettings& settings, Workers& workers)
    : vertex_count_(settings.vertex_count),
      exact_below_(settings.exact_below),
      threads_(settings.threads),
      hop_layout_(settings.layout) {
  const GraphLayout layout = edges.weighted() ? sssp_layout(settings.layout) : settings.layout;
  graph_ = build(edges, settings, layout, workers.context());
  threads_ = Workers::threads_for(threads_, graph_->edge_count());
}

std::uint64_t EngineGraph::bytes() const {
  const std::lock_guard lock(building_);
  return graph_->bytes() + (hops_ ? hops_->bytes() : 0);
}

std::shared_ptr<Workers> EngineGraph::workers(int threads) const {
  return Workers::of(threads == 0 ? threads_ : threads);
}

const Graph& EngineGraph::hops(const Context& context) {
  if (!graph_->weighted()) return *graph_;
  const std::lock_guard lock(building_);
  if (!hops_) {
    const GraphEdges edges(*graph_);
    const EdgesWithoutWeights list(edges);
    const GraphSettings settings{.vertex_count = vertex_count_, .directedness = graph_->directedness()};
    hops_ = build(list, settings, hop_layout_, context);
  }
  return *hops_;
}

template <class Search, class Make>
std::shared_ptr<EngineGraph::Kept<Search>> EngineGraph::take(KeptSearches<Search>& kept, const std::string& key,
                                                             Make&& make) {
  {
    const std::lock_guard lock(keeping_);
    if (auto found = kept.extract(key)) return std::move(found.mapped());
  }
  return make();
}

template <class Search>
void EngineGraph::keep(KeptSearches<Search>& kept, const std::string& key, std::shared_ptr<Kept<Search>> search) {
  constexpr std::size_t most = 4;  // each takes memory for every vertex
  const std::lock_guard lock(keeping_);
  if (kept.size() >= most) kept.clear();
  kept.insert_or_assign(key, std::move(search));
}

BfsAnswer EngineGraph::bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, bool with_parents,
                           const OptionTexts& texts, int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  const Context context = its_workers->context();
  const std::string key = key_of(texts, *its_workers, targets, std::to_string(max_depth));
  const auto kept = take(bfs_, key, [&] {
    const Graph& graph = hops(context);
    BfsOptions options = bfs_options(texts, graph.layout());
    options.max_depth = max_depth;
    options.leaves_last = options.leaves_last && targets.empty();
    return std::make_shared<Kept<BreadthFirstSearch>>(graph, options, its_workers);
  });
  BfsResult found = targets.empty() ? kept->search.run(source) : kept->search.run_to(targets, source);
  BfsAnswer answer{.levels = ResultArray<std::int64_t>(found.parents.size(), results_),
                   .reached = found.reached,
                   .seconds = found.seconds,
                   .statistics = std::move(found.levels)};
  write_tree_depths(found.parents, answer.levels.span(), context.threads);
  if (with_parents) answer.parents = widened(found.parents, results_, context.threads);
  keep(bfs_, key, kept);
  return answer;
}

void EngineGraph::require_exact(std::span<const float> distances, ThreadTeam& threads) const {
  if (!exact()) return;
  const float farthest = parallel_reduce(
      threads, distances.size(), labels_per_block, 0.0F,
      [&](IndexRange range) {
        float most = 0;
        for (const float distance : distances.subspan(range.begin, range.size())) {
          if (std::isfinite(distance)) most = std::max(most, distance);
        }
        return most;
      },
      [](float a, float b) { return std::max(a, b); });
  if (farthest < exact_below_) return;
  fail<UsageError>(
      "distances go up to {}, and from {} on, sums of these weights are rounded in 32-bit floating point; pass "
      "exact=False when the graph is made to accept that",
      farthest, exact_below_);
}

SsspAnswer EngineGraph::sssp(Label source, std::span<const Label> targets, float cutoff, const OptionTexts& texts,
                             int threads) {
  if (!weighted()) fail<UsageError>("the graph has no weights; bfs() counts edges");
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  ThreadTeam& team = its_workers->context().threads;
  const std::string key = key_of(texts, *its_workers, targets, fmt::format("{}", cutoff));
  const auto kept = take(sssp_, key, [&] {
    SsspOptions options = sssp_options(texts, graph_->layout());
    options.max_distance = cutoff;
    options.sweeps = options.sweeps && targets.empty();
    return std::make_shared<Kept<ShortestPathSearch>>(*graph_, options, its_workers);
  });
  SsspResult found = targets.empty() ? kept->search.run(source) : kept->search.run_to(targets, source);
  const std::span<const float> distances = found.tree.distances.span();
  require_exact(distances, team);
  SsspAnswer answer{.distances = ResultArray<float>(distances.size(), results_),
                    .parents = widened(found.tree.parents, results_, team),
                    .reached = found.reached,
                    .seconds = found.seconds,
                    .statistics = std::move(found.levels)};
  parallel_for(team, distances.size(), labels_per_block, [&](std::size_t i) { answer.distances[i] = distances[i]; });
  keep(sssp_, key, kept);
  return answer;
}

NearestSources EngineGraph::nearest_sources(std::span<const Label> sources, std::int64_t max_depth, int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  return find_nearest_sources(*graph_, sources, max_depth, its_workers->context());
}

std::vector<Label> EngineGraph::short_path(Label source, Label target, int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  return find_short_path(*graph_, source, target, its_workers->context());
}

Components EngineGraph::components(int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  return connected_components(*graph_, its_workers->context());
}

EngineGraph::Edges EngineGraph::edges(bool both_ways) {
  const GraphEdges list(*graph_);
  Edges all;
  std::vector<Edge> block(edge_block_size);
  std::vector<float> weights(weighted() ? edge_block_size : 0);
  const std::uint64_t expected = directed() || both_ways ? list.size() : list.size() / 2;
  all.sources.reserve(expected);
  all.targets.reserve(expected);
  if (weighted()) all.weights.reserve(expected);
  for (std::uint64_t first = 0; first < list.size(); first += edge_block_size) {
    const std::size_t count = std::min<std::uint64_t>(edge_block_size, list.size() - first);
    list.read(first, std::span(block).first(count), std::span(weights).first(weighted() ? count : 0));
    for (std::size_t i = 0; i < count; ++i) {
      if (!directed() && !both_ways && block[i].source < block[i].target) continue;
      all.sources.push_back(block[i].source.value);
      all.targets.push_back(block[i].target.value);
      if (weighted()) all.weights.push_back(weights[i]);
    }
  }
  return all;
}

}  // namespace breadth::python
