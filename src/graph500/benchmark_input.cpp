#include "graph500/benchmark_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/kronecker.hpp"
#include "graph/graph.hpp"
#include "graph500/edge_file.hpp"
#include "graph500/search_keys.hpp"
#include "io/graph_file.hpp"

namespace breadth {

Kronecker generator(const BenchmarkOptions& options) {
  return Kronecker({.scale = options.scale,
                    .edgefactor = static_cast<std::int64_t>(options.edgefactor),
                    .seed1 = options.seed[0],
                    .seed2 = options.seed[1]});
}

namespace {
std::unique_ptr<EdgeList> generate(const BenchmarkOptions& options, const Context& context) {
  const Kronecker kronecker = generator(options);
  const IndexRange mine = even_share(kronecker.edge_count(), static_cast<std::size_t>(context.ranks.rank()),
                                     static_cast<std::size_t>(context.ranks.size()));
  const bool weighted = includes_sssp(options.kernels);
  if (!host_keeps_edges(options, context.ranks.size())) {
    auto made_anew = std::make_unique<KroneckerEdgeList>(kronecker, mine.begin, mine.end, weighted);
    if (!makes_edge_file(options)) return made_anew;
    return keep_in_file(*made_anew, options.edge_folder.empty() ? temporary_folder() : options.edge_folder, context);
  }
  return run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    return std::make_unique<MemoryEdgeList>(
        generate_in_memory(kronecker, mine.begin, mine.end, weighted, context.threads));
  });
}

/// The first tuple of this rank's part in the whole list.
std::uint64_t first_tuple(const EdgeList& edges, const Communicator& ranks) {
  const std::vector<std::uint64_t> sizes = ranks.all_gather(edges.size());
  return std::accumulate(sizes.begin(), sizes.begin() + ranks.rank(), std::uint64_t{0});
}

/// Whether a list is the Kronecker graph's, with its weights if `weighted`. Collective; reads all of it.
bool is_kronecker(const EdgeList& edges, const Kronecker& kronecker, bool weighted, const Context& context) {
  const std::uint64_t first = first_tuple(edges, context.ranks);
  std::atomic<bool> same{context.ranks.all_reduce(edges.size(), Reduction::sum) == kronecker.edge_count()};
  if (same) {
    run_together(context.ranks, [&] {
      const KroneckerEdgeList expected(kronecker, first, first + edges.size(), weighted);
      parallel_blocks(context.threads, edges.size(), edge_block_size, [&](IndexRange range, int) {
        if (!same) return;
        std::vector<Edge> found(range.size(), Edge{no_label, no_label});
        std::vector<Edge> made(found);
        std::vector<float> weights(weighted ? range.size() : 0);
        std::vector<float> made_weights(weights);
        edges.read(range.begin, found, weights);
        expected.read(range.begin, made, made_weights);
        if (found != made || weights != made_weights) same = false;
      });
      edges.check_unchanged();
    });
  }
  return context.ranks.all_reduce(std::int64_t{same ? 1 : 0}, Reduction::minimum) == 1;
}

/// A list in memory with the tuples of another, and their weights if `weighted`.
std::unique_ptr<EdgeList> copy_to_memory(const EdgeList& edges, bool weighted, const Context& context) {
  return run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    Buffer<PackedEdge> packed(edges.size());
    Buffer<float> weights(weighted ? edges.size() : 0);
    parallel_blocks(context.threads, edges.size(), edge_block_size, [&](IndexRange range, int) {
      std::vector<Edge> block(range.size(), Edge{no_label, no_label});
      edges.read(range.begin, block, weighted ? weights.span().subspan(range.begin, range.size()) : std::span<float>());
      std::transform(block.begin(), block.end(), packed.begin() + range.begin, PackedEdge::pack);
    });
    edges.check_unchanged();
    return std::make_unique<MemoryEdgeList>(std::move(packed), std::move(weights));
  });
}

BenchmarkInput read_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context) {
  const bool weighted = includes_sssp(options.kernels);
  const ReadOptions how{.weights = weighted ? WeightUse::lengths : WeightUse::optional};
  GraphFile file = read_graph(options.input, how, context);
  const std::uint64_t vertices = discover_vertex_count(*file.edges, context);
  admit({.labels = vertices,
         .tuples = file.edge_count,
         .connected_vertices = std::min(vertices, 2 * file.edge_count),
         .edges = file.edge_count,
         .weighted = file.weighted,
         .layout = options.layout,
         .frontier = {.granularity = options.bfs.summary}});
  BenchmarkInput input{.edges = std::move(file.edges), .scale = options.scale};
  if (input.scale == 0) input.scale = least_scale(vertices);
  const std::uint64_t labels = std::uint64_t{1} << input.scale;
  if (vertices > labels) {
    throw AgreedError(fmt::format("{} has label {}; scale {} has labels 0 to {}", options.input, vertices - 1,
                                  input.scale, labels - 1));
  }
  input.edgefactor = static_cast<double>(file.edge_count) / static_cast<double>(labels);
  const std::uint64_t whole_edgefactor = file.edge_count / labels;
  input.from_generator = false;
  if (whole_edgefactor >= 1 && whole_edgefactor * labels == file.edge_count && input.scale <= 42) {
    const Kronecker kronecker({.scale = input.scale,
                               .edgefactor = static_cast<std::int64_t>(whole_edgefactor),
                               .seed1 = options.seed[0],
                               .seed2 = options.seed[1]});
    input.from_generator = is_kronecker(*input.edges, kronecker, weighted, context);
  }
  if (host_keeps_edges(options, context.ranks.size()) && !is_text(file.kind.format)) {
    input.edges = copy_to_memory(*input.edges, weighted, context);
  }
  return input;
}
}  // namespace

BenchmarkInput prepare_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context) {
  if (!options.input.empty()) return read_input(options, admit, context);
  return {.edges = generate(options, context),
          .scale = options.scale,
          .edgefactor = static_cast<double>(options.edgefactor)};
}

}  // namespace breadth
