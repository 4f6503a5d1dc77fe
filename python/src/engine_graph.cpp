#include "engine_graph.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/wide_weights.hpp"
#include "graph500/kernel_list.hpp"
#include "traverse/components.hpp"
#include "traverse/one_rank.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t labels_per_block = std::size_t{1} << 14;

/// Builds a graph. An empty list is replaced by a self-loop, which is not an edge of the graph, because the engine does
/// not build a graph of no tuples.
std::unique_ptr<const Graph> build(const EdgeList& edges, const GraphSettings& settings, const GraphLayout& layout,
                                   const Context& context, bool keeps_weights = true) {
  if (edges.size() == 0) {
    const Edge loop{Label{0}, Label{0}};
    const float weight = 0;
    const std::span weights(&weight, edges.weighted() ? 1 : 0);
    return build(MemoryEdgeList(std::span(&loop, 1), weights), settings, layout, context, keeps_weights);
  }
  const GraphOptions options{.directedness = settings.directedness,
                             .layout = layout,
                             .min_vertex_count = std::max<std::uint64_t>(1, settings.vertex_count),
                             .keeps_weights = keeps_weights};
  return std::make_unique<const Graph>(build_graph(edges, options, context));
}

ResultArray<std::int64_t> widened(const LabelArray& labels, const std::shared_ptr<ResultMemory>& memory,
                                  ThreadTeam& threads) {
  ResultArray<std::int64_t> wide(labels.size(), memory);
  const auto widen = [&]<class Entry>(std::span<const Entry> entries) {
    std::int64_t* const to = wide.data();
    parallel_blocks(threads, entries.size(), labels_per_block, [&](IndexRange range, int) {
      // no_label has all bits set, so that no_label + 1 is 0. This avoids a branch on whether a vertex is reached.
      for (std::size_t i = range.begin; i < range.end; ++i) {
        to[i] = static_cast<std::int64_t>(static_cast<Entry>(entries[i] + 1)) - 1;
      }
    });
  };
  labels.wide() ? widen(labels.entries<std::uint64_t>()) : widen(labels.entries<std::uint32_t>());
  return wide;
}

template <class To>
ResultArray<To> copied(std::span<const float> values, const std::shared_ptr<ResultMemory>& memory,
                       ThreadTeam& threads) {
  ResultArray<To> copy(values.size(), memory);
  parallel_for(threads, values.size(), labels_per_block, [&](std::size_t i) { copy[i] = values[i]; });
  return copy;
}

/// Writes the only source, if there is one, for each vertex with a level.
void fill_reached(std::span<std::int64_t> of_vertex, std::span<const std::int64_t> levels,
                  std::span<const Label> source, ThreadTeam& threads) {
  const std::int64_t value = source.empty() ? no_label.value : source.front().value;
  parallel_for(threads, levels.size(), labels_per_block, [&](std::size_t i) {
    of_vertex[i] = value | levels[i] >> 63;  // a level of -1 sets all bits: no source
  });
}

/// The key of a kept search with these options. Searches with targets have keys of their own.
std::string key_of(const OptionTexts& options, const Workers& workers, std::span<const Label> targets,
                   const std::string& limit) {
  std::string key = fmt::format("{} {} {}", static_cast<const void*>(&workers), targets.empty(), limit);
  for (const auto& [name, text] : options) key += " " + name + "=" + text;
  return key;
}
/// The part of a breadth-first search's key with its depth limit and, for a weighted graph, which of its two graphs.
std::string limit_of(std::int64_t max_depth, const Graph& graph) {
  return fmt::format("{} {}", max_depth, static_cast<const void*>(&graph));
}
}  // namespace

/// A search and the threads that it works with.
template <class Search>
struct EngineGraph::Kept {
  std::shared_ptr<Workers> workers;
  Context context;
  Search search;

  /// Searched is a graph, or a graph and weights.
  template <class... Searched, class Options>
  Kept(std::shared_ptr<Workers> its_workers, const Options& options, const Searched&... searched)
      : workers(std::move(its_workers)), context(workers->context()), search(searched..., options, context) {}
};

EngineGraph::EngineGraph(const EdgeList& edges, const WideColumn& wide, const GraphSettings& settings, Workers& workers)
    : vertex_count_(settings.vertex_count), threads_(settings.threads), hop_layout_(settings.layout) {
  GraphLayout layout = edges.weighted() ? about(KernelKind::sssp).layout(settings.layout) : settings.layout;
  if (wide.index() != 0) {  // required by weights beside rows
    layout.adjacency = AdjacencyForm::rows;
    layout.neighbours = NeighbourOrder::vertices;
  }
  graph_ = build(edges, settings, layout, workers.context());
  if (settings.weights) {
    plan_ = *settings.weights;
  } else if (graph_->weighted()) {
    plan_ = plan_for(*graph_, vertex_count_, workers.context().threads);
  }
  rounds_ = plan_.exact_below == 0;
  threads_ = Workers::threads_for(threads_, graph_->edge_count());
  std::visit(
      [&]<class Weights>(const Weights& column) {
        if constexpr (!std::is_same_v<Weights, std::monostate>) {
          using Weight = typename Weights::Number;
          const auto read = [&](std::uint64_t first, std::span<Weight> some) { column.read(first, some); };
          wide_ = weights_beside_rows<Weight>(*graph_, edges, read, workers.context());
        }
      },
      wide);
}

std::uint64_t EngineGraph::bytes() const {
  const auto bytes_of = []<class Weights>(const Weights& weights) -> std::uint64_t {
    if constexpr (std::is_same_v<Weights, std::monostate>) {
      return 0;
    } else {
      return weights.bytes();
    }
  };
  return graph_->bytes() + hops_bytes_ + std::visit(bytes_of, wide_);
}

std::shared_ptr<Workers> EngineGraph::workers(int threads) const {
  return Workers::of(threads == 0 ? threads_ : threads);
}

const Graph& EngineGraph::hops(const Context& context) {
  if (!graph_->weighted()) return *graph_;
  const std::lock_guard lock(building_);
  if (!hops_) {
    const GraphSettings settings{.vertex_count = vertex_count_, .directedness = graph_->directedness()};
    hops_ = build(GraphEdges(*graph_), settings, hop_layout_, context, false);
    hops_bytes_ = hops_->bytes();
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
  constexpr std::size_t most = 4;  // each search takes memory for every vertex
  const std::lock_guard lock(keeping_);
  if (kept.size() >= most) kept.clear();
  kept.insert_or_assign(key, std::move(search));
}

std::shared_ptr<EngineGraph::Kept<BreadthFirstSearch>> EngineGraph::take_bfs(const std::string& key, const Graph& graph,
                                                                             const OptionTexts& texts, bool to_targets,
                                                                             std::int64_t max_depth,
                                                                             const std::shared_ptr<Workers>& workers) {
  return take(bfs_, key, [&] {
    BfsOptions options = bfs_options(texts, graph.layout());
    options.max_depth = max_depth;
    options.keep_depths = true;
    options.leaves_last = options.leaves_last && !to_targets;
    return std::make_shared<Kept<BreadthFirstSearch>>(workers, options, graph);
  });
}

BfsAnswer EngineGraph::bfs(Label source, std::span<const Label> targets, std::int64_t max_depth, bool with_parents,
                           const OptionTexts& texts, int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  const Context context = its_workers->context();
  const Graph& graph = hops(context);
  const std::string key = key_of(texts, *its_workers, targets, limit_of(max_depth, graph));
  const auto kept = take_bfs(key, graph, texts, !targets.empty(), max_depth, its_workers);
  BfsAnswer answer{.levels = ResultArray<std::int64_t>(graph.vertex_count(), results_)};
  const auto search = [&] {
    if (!with_parents) return kept->search.run_for_depths(std::span(&source, 1), targets, answer.levels.span());
    BfsResult found = kept->search.run_to(targets, source);
    kept->search.write_depths(found.parents, answer.levels.span());
    answer.parents = widened(found.parents, results_, context.threads);
    return found;
  };
  BfsResult found = search();
  answer.reached = found.reached;
  answer.seconds = found.seconds;
  answer.statistics = std::move(found.levels);
  answer.leaves = found.leaves;
  keep(bfs_, key, kept);
  return answer;
}

std::optional<SsspAnswer> EngineGraph::narrow_sssp(Label source, std::span<const Label> targets, double cutoff,
                                                   const OptionTexts& texts,
                                                   const std::shared_ptr<Workers>& its_workers) {
  const bool exact = plan_.kind == WeightKind::narrow;
  const bool limited = std::isfinite(cutoff);
  if (exact && (limited ? cutoff >= plan_.exact_below : rounds_.load())) return std::nullopt;
  const float limit = rounded_down(cutoff);
  const std::string key = key_of(texts, *its_workers, targets, fmt::format("{}", limit));
  const auto kept = take(sssp_, key, [&] {
    SsspOptions options = sssp_options(texts, graph_->layout());
    options.max_distance = limit;
    options.sweeps = options.sweeps && targets.empty();
    return std::make_shared<Kept<ShortestPathSearch>>(its_workers, options, *graph_);
  });
  ThreadTeam& team = its_workers->context().threads;
  SsspResult found = kept->search.run_to(targets, source);
  const std::span<const float> distances = found.tree.distances.span();
  if (exact && largest_finite(distances, team) >= plan_.exact_below) {
    rounds_ = true;
    return std::nullopt;
  }
  SsspAnswer answer{.parents = widened(found.tree.parents, results_, team),
                    .reached = found.reached,
                    .seconds = found.seconds,
                    .statistics = std::move(found.levels)};
  if (exact) {
    answer.distances = copied<double>(distances, results_, team);
  } else {
    answer.distances = copied<float>(distances, results_, team);
  }
  keep(sssp_, key, kept);
  return answer;
}

template <class Weight, class Distance>
SsspAnswer EngineGraph::wide_sssp(std::span<const Weight> weights, const LightestEdges<Weight>* lightest, Label source,
                                  std::span<const Label> targets, Distance cutoff, const OptionTexts& texts,
                                  const std::shared_ptr<Workers>& its_workers) {
  using Search = WidePathSearch<Weight, Distance>;
  auto& kept_searches = std::get<KeptSearches<Search>>(wide_sssp_);
  const std::string key = key_of(texts, *its_workers, {}, fmt::format("{}", cutoff));
  const auto kept = take(kept_searches, key, [&] {
    const bool always = plan_.kind != WeightKind::narrow;
    const WidePathOptions<Distance> options{
        .engine = always ? wide_sssp_options(texts, graph_->layout()) : sssp_options(texts, graph_->layout()),
        .max_distance = cutoff};
    return std::make_shared<Kept<Search>>(its_workers, options, *graph_, weights, lightest);
  });
  WidePaths<Distance> found = kept->search.run_to(targets, source);
  keep(kept_searches, key, kept);
  return {.distances = std::move(found.distances),
          .parents = std::move(found.parents),
          .reached = found.reached,
          .seconds = found.seconds,
          .statistics = std::move(found.steps)};
}

SsspAnswer EngineGraph::sssp(Label source, std::span<const Label> targets, const Cutoff& cutoff,
                             const OptionTexts& texts, int threads) {
  if (!weighted()) fail<UsageError>("the graph has no weights; bfs() counts edges");
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  if (const auto* reals = std::get_if<WideWeights<double>>(&wide_)) {
    return wide_sssp<double, double>(reals->of_rows.span(), &reals->lightest, source, targets, cutoff.real, texts,
                                     its_workers);
  }
  if (const auto* integers = std::get_if<WideWeights<std::int64_t>>(&wide_)) {
    return wide_sssp<std::int64_t, std::int64_t>(integers->of_rows.span(), &integers->lightest, source, targets,
                                                 cutoff.integer, texts, its_workers);
  }
  if (auto answer = narrow_sssp(source, targets, cutoff.real, texts, its_workers)) return std::move(*answer);
  return wide_sssp<float, double>(row_weights(*graph_), nullptr, source, targets, cutoff.real, texts, its_workers);
}

template <class Answer>
void EngineGraph::with_row_search(std::int64_t max_depth, int threads, Answer&& answer) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  const std::string key = key_of({}, *its_workers, {}, limit_of(max_depth, *graph_));
  const auto kept = take_bfs(key, *graph_, {}, false, max_depth, its_workers);
  answer(kept->search, kept->context.threads);
  keep(bfs_, key, kept);
}

NearestAnswer EngineGraph::nearest_sources(std::span<const Label> sources, std::int64_t max_depth, int threads) {
  NearestAnswer answer;
  const NearestSource nearest = sources.size() > 1 ? NearestSource::first : NearestSource::any;
  with_row_search(max_depth, threads, [&](auto& search, ThreadTeam& team) {
    const BfsResult found = search.run_from(sources, nearest);
    answer.levels = ResultArray<std::int64_t>(found.parents.size(), results_);
    answer.sources = ResultArray<std::int64_t>(found.parents.size(), results_);
    search.write_depths(found.parents, answer.levels.span());
    if (sources.size() > 1) {
      write_tree_roots(found.parents, answer.sources.span(), team);
    } else {
      fill_reached(answer.sources.span(), answer.levels.span(), sources, team);
    }
    answer.parents = widened(found.parents, results_, team);
    answer.reached = found.reached;
  });
  return answer;
}

ResultArray<std::int64_t> EngineGraph::nearest_levels(std::span<const Label> sources, std::int64_t max_depth,
                                                      int threads) {
  ResultArray<std::int64_t> levels(graph_->vertex_count(), results_);
  with_row_search(max_depth, threads,
                  [&](auto& search, ThreadTeam&) { search.run_for_depths(sources, {}, levels.span()); });
  return levels;
}

std::vector<Label> EngineGraph::short_path(Label source, Label target, int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  return find_short_path(*graph_, source, target, its_workers->context());
}

ComponentsAnswer EngineGraph::components(int threads) {
  const std::shared_ptr<Workers> its_workers = workers(threads);
  const Workers::Turn turn(*its_workers);
  ComponentsAnswer answer{.of_label = ResultArray<std::int64_t>(graph_->vertex_count(), results_)};
  answer.count = find_components(*graph_, answer.of_label.span(), its_workers->context());
  return answer;
}

ResultArray<std::int64_t> EngineGraph::degrees() {
  const std::shared_ptr<Workers> its_workers = workers(0);
  const Workers::Turn turn(*its_workers);
  ResultArray<std::int64_t> degrees(graph_->vertex_count(), results_);
  parallel_for(its_workers->context().threads, degrees.span().size(), labels_per_block, [&](std::size_t i) {
    const Label label{static_cast<std::int64_t>(i)};
    degrees[i] = static_cast<std::int64_t>(graph_->degree(label));
  });
  return degrees;
}

std::vector<std::int64_t> EngineGraph::neighbours(Label label) const {
  std::vector<std::int64_t> labels;
  const Partition& partition = graph_->partition();
  const LocalVertex vertex = partition.local(label);
  if (vertex == no_local_vertex) return labels;
  visit_rows(*graph_, [&](const auto& adjacencies) {
    const auto& rows = adjacencies.push_rows();
    rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](const auto& global_ids) {
      for (const auto id : global_ids) labels.push_back(partition.label(partition.code().local(id)).value);
    });
  });
  std::ranges::sort(labels);
  return labels;
}

EngineGraph::Edges EngineGraph::edges(bool both_ways) {
  const std::shared_ptr<Workers> its_workers = workers(0);
  const Workers::Turn turn(*its_workers);
  const GraphEdges list(*graph_);
  Edges all;
  std::vector<Edge> block(edge_block_size);
  std::vector<float> narrow(graph_->weighted() ? edge_block_size : 0);
  const std::uint64_t expected = directed() || both_ways ? list.size() : list.size() / 2;
  all.sources.reserve(expected);
  all.targets.reserve(expected);
  const auto copy_with = [&](auto& weights, auto&& weight_of) {
    if (weighted()) weights.reserve(expected);
    for (std::uint64_t first = 0; first < list.size(); first += edge_block_size) {
      its_workers->context().threads.checkpoint();
      const std::size_t count = std::min<std::uint64_t>(edge_block_size, list.size() - first);
      list.read(first, std::span(block).first(count), std::span(narrow).first(narrow.empty() ? 0 : count));
      for (std::size_t i = 0; i < count; ++i) {
        if (!directed() && !both_ways && block[i].source < block[i].target) continue;
        all.sources.push_back(block[i].source.value);
        all.targets.push_back(block[i].target.value);
        if (weighted()) weights.push_back(weight_of(first, i));
      }
    }
  };
  if (const auto* reals = std::get_if<WideWeights<double>>(&wide_)) {
    copy_with(all.weights.emplace<std::vector<double>>(),
              [&](auto first, auto i) { return reals->of_rows[first + i]; });
  } else if (const auto* integers = std::get_if<WideWeights<std::int64_t>>(&wide_)) {
    copy_with(all.weights.emplace<std::vector<std::int64_t>>(),
              [&](auto first, auto i) { return integers->of_rows[first + i]; });
  } else {
    copy_with(std::get<std::vector<float>>(all.weights), [&](auto, auto i) { return narrow[i]; });
  }
  return all;
}

}  // namespace breadth::python
