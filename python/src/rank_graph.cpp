#include "rank_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "cli/commands/graph_files.hpp"
#include "cli/options/rank_options.hpp"
#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "graph500/kernel_list.hpp"
#include "io/names/vertex_names.hpp"
#include "traverse/components.hpp"
#include "validate/tree_levels.hpp"

namespace breadth::python {

namespace {
/// Throws AgreedError if the sum of as many weights as there are vertices might not fit into 32 bits.
void require_sums_in_32_bits(const GraphFile& file, std::uint64_t vertices, const Context& context) {
  const double here = run_together(context.ranks, [&] {
    std::vector<float> most(static_cast<std::size_t>(context.threads.size()));
    parallel_edge_blocks(context.threads, *file.edges, 0, file.edges->size(), true,
                         [&](auto, std::span<const float> weights, int thread) {
                           float& own = most[static_cast<std::size_t>(thread)];
                           for (const float weight : weights) own = std::max(own, weight);
                         });
    return double{*std::max_element(most.begin(), most.end())};
  });
  const double heaviest = context.ranks.all_reduce(here, Reduction::maximum);
  if (heaviest * static_cast<double>(vertices) < double{std::numeric_limits<float>::max()}) return;
  throw AgreedError(
      fmt::format("with weights up to {:.3g} and {} vertices, distances may not fit in 32 bits: make the "
                  "weights smaller",
                  heaviest, vertices));
}

GraphLayout layout_of(const OptionTexts& texts, const Context& context) {
  return run_together(context.ranks, [&] {
    GraphLayout layout = graph_layout(texts, SearchedBy::ranks);
    cli::settle_hub_rule(layout.hubs, BfsOptions{});
    return layout;
  });
}
}  // namespace

RankGraph::RankGraph(std::unique_ptr<Workers> workers, const std::string& path, bool directed,
                     const OptionTexts& layout)
    : workers_(std::move(workers)),
      context_(workers_->context()),
      layout_(layout_of(layout, context_)),
      file_(cli::read_fitting_graph(path, layout_, 0, {.weights = WeightUse::lengths_if_any}, context_)),
      directedness_(cli::directedness_of(file_, directed)) {
  build({});
  if (file_.weighted) require_sums_in_32_bits(file_, vertex_count_, context_);
}

RankGraph::RankGraph(std::unique_ptr<Workers> workers, RankEdges edges, const OptionTexts& layout)
    : workers_(std::move(workers)),
      context_(workers_->context()),
      layout_(layout_of(layout, context_)),
      file_(std::move(edges.file)),
      directedness_(file_.directedness.value_or(Directedness::undirected)),
      plan_(edges.plan) {
  const KernelKind kernel = file_.weighted ? KernelKind::sssp : KernelKind::bfs;
  cli::require_memory_for_graph(file_, layout_, 0, kernel, context_);
  build(edges.wide);
  rounds_ = plan_.exact_below == 0;
}

void RankGraph::build(const WideList& wide) {
  if (wide.index() != 0) {
    build_wide(wide);
  } else if (file_.weighted) {
    GraphLayout layout = about(KernelKind::sssp).layout(layout_);
    if (plan_.kind == WeightKind::narrow) layout.hubs = {};  // searches with 64-bit distances have no replicas
    by_weight_ = built(layout);
  } else {
    by_hops_ = built(layout_);
  }
  const BlockDistribution& distribution = graph().distribution();
  const int rank = context_.ranks.rank();
  if (!file_.every_label_is_vertex) occurs_ = occurring_labels(*file_.edges, distribution, context_);
  run_together(context_.ranks, [&] {
    for (std::size_t i = 0; i < distribution.count(rank); ++i) {
      if (file_.every_label_is_vertex || occurs_.contains(i)) held_.push_back(distribution.label(rank, i));
    }
  });
  vertex_count_ = context_.ranks.all_reduce(std::uint64_t{held_.size()}, Reduction::sum);
  if (!by_weight_) file_.edges.reset();
}

/// Builds the weights beside a graph of their own, unless the graph for searches without weights has the form needed.
void RankGraph::build_wide(const WideList& wide) {
  GraphLayout layout = layout_;
  layout.adjacency = AdjacencyForm::rows;
  layout.neighbours = NeighbourOrder::vertices;
  layout.hubs = {};
  const bool serves_both = layout_.adjacency == layout.adjacency && layout_.neighbours == layout.neighbours &&
                           layout_.hubs.rule == HubRule::none;
  (serves_both ? by_hops_ : by_weight_) = built(layout);
  std::visit(
      [&]<class Weights>(const Weights& column) {
        if constexpr (!std::is_same_v<Weights, std::monostate>) {
          using Weight = std::remove_cvref_t<decltype(column[0])>;
          const auto read = [&](std::uint64_t first, std::span<Weight> some) {
            std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(first), some.size(), some.begin());
          };
          wide_ = weights_beside_rows<Weight>(graph(), *file_.edges, read, context_);
        }
      },
      wide);
}

std::unique_ptr<const Graph> RankGraph::built(const GraphLayout& layout, bool keeps_weights) const {
  const GraphOptions options{.directedness = directedness_,
                             .layout = layout,
                             .min_vertex_count = file_.every_label_is_vertex ? file_.names.count() : 0,
                             .keeps_weights = keeps_weights};
  return std::make_unique<const Graph>(build_graph(*file_.edges, options, context_));
}

const Graph& RankGraph::hops() {
  if (!by_hops_) {
    by_hops_ = built(layout_, false);
    file_.edges.reset();
  }
  return *by_hops_;
}

std::uint64_t RankGraph::bytes() const {
  std::uint64_t here = (by_hops_ ? by_hops_->bytes() : 0) + (by_weight_ ? by_weight_->bytes() : 0);
  if (file_.edges) here += file_.edges->bytes();
  if (const auto* reals = std::get_if<WideWeights<double>>(&wide_)) here += reals->bytes();
  if (const auto* integers = std::get_if<WideWeights<std::int64_t>>(&wide_)) here += integers->bytes();
  here += held_.size() * sizeof(Label) + file_.names.own().bytes().size() +
          file_.names.own().size() * sizeof(std::uint64_t);
  return context_.ranks.all_reduce(here, Reduction::sum);
}

VertexList RankGraph::names(const std::vector<Label>& labels) const {
  const NamesOfLabels names(file_.names, labels, context_.ranks);
  if (!named_by_words()) {
    Buffer<std::int64_t> integers(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) integers[i] = names.integer(i);
    return integers;
  }
  std::vector<std::optional<std::string>> words(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != no_label) words[i] = names.text(i);
  }
  return words;
}

VertexList RankGraph::vertices() const { return names(held_); }

std::optional<Label> RankGraph::find(const std::string& name) const {
  const std::optional<Label> label = file_.names.find(name, context_.ranks);
  const BlockDistribution& distribution = graph().distribution();
  if (!label || label->index() >= distribution.vertex_count()) return std::nullopt;
  const int owner = distribution.owner(*label);
  const int rank = context_.ranks.rank();
  std::uint8_t is_there = rank == owner && std::binary_search(held_.begin(), held_.end(), *label) ? 1 : 0;
  context_.ranks.broadcast(std::span(&is_there, 1), owner);
  return is_there != 0 ? label : std::nullopt;
}

template <class Column, class ValueOf>
Column RankGraph::by_row(ValueOf&& value_of) const {
  return run_together(context_.ranks, [&] {
    Column column(held_.size());
    parallel_for(context_.threads, held_.size(), std::size_t{1} << 14,
                 [&](std::size_t row) { column[row] = value_of(place(row)); });
    return column;
  });
}

VertexList RankGraph::names_at(const LabelArray& labels) const {
  return names(by_row<std::vector<Label>>([&](std::size_t i) { return labels[i]; }));
}

template <class Value, class ValueOf>
void RankGraph::write(RankAnswer& answer, ValueOf&& value_of) const {
  answer.values = by_row<Buffer<Value>>(value_of);
  answer.parents = names_at(answer.tree);
}

template <class Search, class Make>
Search& RankGraph::kept(Kept<Search>& kept, const OptionTexts& texts, const std::string& limit, Make&& make) {
  std::string key = limit;
  for (const auto& [name, text] : texts) key += " " + name + "=" + text;
  if (!kept.search || kept.key != key) {
    kept.search.reset();  // two searches might not fit
    kept.search = make();
    kept.key = std::move(key);
  }
  return *kept.search;
}

BreadthFirstSearch& RankGraph::bfs_search(bool to_targets, std::int64_t max_depth, const OptionTexts& texts) {
  return kept(bfs_, texts, fmt::format("{} {}", to_targets, max_depth), [&] {
    BfsOptions options = run_together(context_.ranks, [&] { return bfs_options(texts, layout_, SearchedBy::ranks); });
    options.max_depth = max_depth;
    options.leaves_last = options.leaves_last && !to_targets;
    options.messages.route.ranks_per_node = options.replication.ranks_per_node;
    cli::load_route_files(options.messages.route, context_.ranks);
    return std::make_unique<BreadthFirstSearch>(hops(), options, context_);
  });
}

namespace {
/// A level as Python returns it.
std::int64_t level_or_none(std::uint32_t level) { return level == no_level ? -1 : static_cast<std::int64_t>(level); }

/// The result of a search without its levels, which are written with the parents.
RankAnswer without_levels(BfsResult&& found, LabelArray tree) {
  return {.tree = std::move(tree),
          .reached = found.reached,
          .seconds = found.seconds,
          .statistics = std::move(found.levels),
          .leaves = found.leaves};
}
}  // namespace

RankAnswer RankGraph::bfs(Label source, std::span<const Label> targets, std::int64_t max_depth,
                          const OptionTexts& texts) {
  BreadthFirstSearch& search = bfs_search(!targets.empty(), max_depth, texts);
  LabelArray tree = search.empty_result();
  BfsResult found = search.run_to(targets, source, tree);
  RankAnswer answer = without_levels(std::move(found), std::move(tree));
  const TreeLevels levels = tree_levels(answer.tree, source, hops().distribution(), context_);
  write<std::int64_t>(answer, [&](std::size_t i) { return level_or_none(levels[i]); });
  return answer;
}

RankAnswer RankGraph::nearest_sources(std::span<const Label> sources, std::int64_t max_depth,
                                      const OptionTexts& texts) {
  BreadthFirstSearch& search = bfs_search(false, max_depth, texts);
  LabelArray tree = search.empty_result();
  BfsResult found = search.run_from(sources, NearestSource::any, tree);
  RankAnswer answer = without_levels(std::move(found), std::move(tree));
  const TreeRoots trees = tree_roots(answer.tree, hops().distribution(), context_);
  write<std::int64_t>(answer, [&](std::size_t i) { return level_or_none(trees.levels[i]); });
  answer.sources = names_at(trees.roots);
  return answer;
}

VertexList RankGraph::near_to(std::span<const Label> sources, std::int64_t max_depth, const OptionTexts& texts) {
  BreadthFirstSearch& search = bfs_search(false, max_depth, texts);
  const BfsResult found = search.run_from(sources, NearestSource::any);
  std::vector<Label> near;
  run_together(context_.ranks, [&] {
    for (std::size_t row = 0; row < held_.size(); ++row) {
      if (found.parents[place(row)] != no_label) near.push_back(held_[row]);
    }
  });
  return names(near);
}

SsspOptions RankGraph::with_routes(SsspOptions options) const {
  cli::load_route_files(options.messages.route, context_.ranks);
  return options;
}

std::optional<RankAnswer> RankGraph::narrow_sssp(Label source, std::span<const Label> targets, double cutoff,
                                                 const OptionTexts& texts) {
  const bool exact = plan_.kind == WeightKind::narrow;
  if (exact && (std::isfinite(cutoff) ? cutoff >= plan_.exact_below : rounds_)) return std::nullopt;
  const float limit = rounded_down(cutoff);
  ShortestPathSearch& search = kept(sssp_, texts, fmt::format("{} {}", targets.empty(), limit), [&] {
    SsspOptions options = with_routes(
        run_together(context_.ranks, [&] { return sssp_options(texts, by_weight_->layout(), SearchedBy::ranks); }));
    options.max_distance = limit;
    options.sweeps = options.sweeps && targets.empty();
    return std::make_unique<ShortestPathSearch>(*by_weight_, options, context_);
  });
  ShortestPathTree tree = search.empty_result();
  SsspResult found = search.run_to(targets, source, tree);
  if (exact && context_.ranks.any(largest_finite(tree.distances.span(), context_.threads) >= plan_.exact_below)) {
    rounds_ = true;
    return std::nullopt;
  }
  RankAnswer answer{.tree = std::move(tree.parents), .reached = found.reached, .seconds = found.seconds};
  answer.statistics = std::move(found.levels);
  const auto distance = [&](std::size_t i) { return tree.distances[i]; };
  exact ? write<double>(answer, distance) : write<float>(answer, distance);
  return answer;
}

template <class Weight, class Distance>
RankAnswer RankGraph::wide_sssp(std::span<const Weight> weights, Label source, std::span<const Label> targets,
                                Distance cutoff, const OptionTexts& texts) {
  using Search = WidePathSearch<Weight, Distance>;
  Search& search = kept(std::get<Kept<Search>>(wide_sssp_), texts, fmt::format("{}", cutoff), [&] {
    const bool always = plan_.kind != WeightKind::narrow;
    WidePathOptions<Distance> options{.max_distance = cutoff};
    options.engine = with_routes(run_together(context_.ranks, [&] {
      return always ? wide_sssp_options(texts, graph().layout(), SearchedBy::ranks)
                    : sssp_options(texts, graph().layout(), SearchedBy::ranks);
    }));
    options.engine.messages.packets = PacketFormat::runs;
    return std::make_unique<Search>(graph(), weights, nullptr, options, context_);
  });
  WidePaths<Distance> found = search.run_to(targets, source);
  RankAnswer answer{.reached = found.reached, .seconds = found.seconds, .statistics = std::move(found.steps)};
  run_together(context_.ranks, [&] {
    answer.tree = LabelArray(found.parents.size(), graph().vertex_count());
    for (std::size_t i = 0; i < found.parents.size(); ++i) answer.tree.set(i, Label{found.parents[i]});
  });
  write<Distance>(answer, [&](std::size_t i) { return found.distances[i]; });
  return answer;
}

RankAnswer RankGraph::sssp(Label source, std::span<const Label> targets, const Cutoff& cutoff,
                           const OptionTexts& texts) {
  if (!weighted()) fail<UsageError>("the graph has no weights; bfs() counts edges");
  if (const auto* reals = std::get_if<WideWeights<double>>(&wide_)) {
    return wide_sssp<double, double>(reals->of_rows.span(), source, targets, cutoff.real, texts);
  }
  if (const auto* integers = std::get_if<WideWeights<std::int64_t>>(&wide_)) {
    return wide_sssp<std::int64_t, std::int64_t>(integers->of_rows.span(), source, targets, cutoff.integer, texts);
  }
  if (auto answer = narrow_sssp(source, targets, cutoff.real, texts)) return std::move(*answer);
  return wide_sssp<float, double>(row_weights(*by_weight_), source, targets, cutoff.real, texts);
}

std::pair<Buffer<std::int64_t>, std::uint64_t> RankGraph::components() const {
  auto of_label = run_together(
      context_.ranks, [&] { return Buffer<std::int64_t>(graph().distribution().count(context_.ranks.rank())); });
  const Bitmap* const vertices = file_.every_label_is_vertex ? nullptr : &occurs_;
  const std::uint64_t count = find_components(graph(), of_label.span(), context_, vertices);
  if (vertices == nullptr) return {std::move(of_label), count};
  return {by_row<Buffer<std::int64_t>>([&](std::size_t i) { return of_label[i]; }), count};
}

VertexList RankGraph::path(const LabelArray& tree, Label target) const {
  return names(tree_path(tree, target, graph().distribution(), context_.ranks));
}

}  // namespace breadth::python
