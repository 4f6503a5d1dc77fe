// Generated graphs: the Kronecker graph of Graph500, and others of a known shape, of any size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "core/data/edge_list.hpp"

namespace breadth {

struct KroneckerLanes;

// The Kronecker graph of Graph500.

/// The parameters of a Kronecker graph with 2^scale labels and edgefactor times as many tuples.
struct KroneckerParameters {
  int scale = 20;                 ///< 1 .. Kronecker::max_scale
  std::uint64_t edgefactor = 16;  ///< >= 1
  std::array<std::uint64_t, 2> seed = {2, 3};
};

/// The generator of the Graph500 specification's edge list, bit for bit as release 3.0 of the reference makes it. A
/// pure function of the parameters and the index of a tuple: any thread of any rank can make any part of the list.
class Kronecker {
 public:
  static constexpr int max_scale = 42;

  /// Throws Error for parameters out of range.
  explicit Kronecker(const KroneckerParameters& parameters);

  [[nodiscard]] const KroneckerParameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return std::uint64_t{1} << parameters_.scale; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return vertex_count() * parameters_.edgefactor; }

  /// Generates tuples first, first + 1, … and their weights, which are from 0 to 1, both included; `weights` is empty
  /// or as long as `edges`. Vectorised: consecutive tuples are a fixed jump apart in the random stream, so each lane
  /// continues from its own last tuple. O(scale) per tuple. Throws Error for tuples beyond the last.
  void generate(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const;

  /// The data for generating tuples from `first` on (generate/kronecker_lanes.hpp). Valid as long as the generator
  /// exists.
  [[nodiscard]] KroneckerLanes lanes_from(std::uint64_t first) const;

  /// Generates one tuple with an index below edge_count() by the plain rule of the specification, for tests and for
  /// readers.
  [[nodiscard]] Edge plain_edge(std::uint64_t index, float& weight) const;

 private:
  /// Tables that depend on the parameters only; copies of the generator share them.
  struct Tables;

  KroneckerParameters parameters_;
  std::shared_ptr<const Tables> tables_;
};

/// A part of a Kronecker edge list. It takes no memory, because each read generates its tuples again.
class KroneckerEdgeList final : public EdgeList {
 public:
  /// Tuples [first, last). The generator is copied.
  KroneckerEdgeList(Kronecker kronecker, std::uint64_t first, std::uint64_t last, bool weighted)
      : kronecker_(std::move(kronecker)), first_(first), last_(last), weighted_(weighted) {}

  [[nodiscard]] std::uint64_t size() const override { return last_ - first_; }
  [[nodiscard]] bool weighted() const override { return weighted_; }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    kronecker_.generate(first_ + first, edges, weights);
  }

 private:
  Kronecker kronecker_;
  std::uint64_t first_;
  std::uint64_t last_;
  bool weighted_;
};

// Graphs of a known shape, for tests and measurements.

/// A graph of labels 0 .. vertex_count - 1 and edge_count tuples. Each tuple is a pure function of its index, in O(1),
/// so any thread of any rank can make any part of the edge list. The functions below throw Error if vertex_count would
/// be above 2^48, or edge_count 2^63 or more.
struct SyntheticGraph {
  std::uint64_t vertex_count;
  std::uint64_t edge_count;
  /// The tuple with an index below edge_count.
  std::function<Edge(std::uint64_t index)> edge;
};

/// A grid: vertex row * columns + column is joined to its neighbours to the right and below.
SyntheticGraph grid_graph(std::uint64_t rows, std::uint64_t columns);
/// A random graph: both ends of every tuple are drawn uniformly and independently, so that there are self-loops and
/// duplicates (the G(n, m) of Erdős and Rényi with replacement). Throws Error for edges without vertices.
SyntheticGraph uniform_random_graph(std::uint64_t vertex_count, std::uint64_t edge_count, std::uint64_t seed);

/// A ring on which every vertex is joined to the `reach` vertices after it. One in `one_in` of these edges leads to a
/// vertex drawn uniformly instead (Watts & Strogatz 1998). Throws Error for edges without vertices or one_in of 0.
SyntheticGraph small_world_graph(std::uint64_t vertex_count, std::uint64_t reach, std::uint64_t one_in,
                                 std::uint64_t seed);
/// A uniform random graph (the core) with attached chains, as in the Web: `tails` chains of `tail_length` vertices,
/// each joined at one end to a vertex of the core drawn uniformly. Throws Error for edges without a core.
SyntheticGraph tailed_graph(std::uint64_t core_vertices, std::uint64_t core_edges, std::uint64_t tails,
                            std::uint64_t tail_length, std::uint64_t seed);

/// The same graph with its labels permuted at random.
SyntheticGraph with_mixed_labels(SyntheticGraph graph, std::uint64_t seed);

/// Returns the weight of the tuple with an index; a pure function.
using SyntheticWeights = std::function<float(std::uint64_t index)>;
/// Weights drawn uniformly from 0 to 1, 1 not included.
SyntheticWeights even_weights(std::uint64_t seed);
inline constexpr std::uint32_t max_whole_weight = std::uint32_t{1} << 24;
/// Whole weights drawn uniformly from 1 to `largest`. Throws Error unless `largest` is from 1 to max_whole_weight.
SyntheticWeights whole_weights(std::uint32_t largest, std::uint64_t seed);

/// A part of a synthetic graph's edge list. Each read generates its tuples again.
class SyntheticEdgeList final : public EdgeList {
 public:
  /// Tuples [first, last), with weights if `weights` is not empty.
  SyntheticEdgeList(SyntheticGraph graph, std::uint64_t first, std::uint64_t last, SyntheticWeights weights = {})
      : graph_(std::move(graph)), weights_(std::move(weights)), first_(first), last_(last) {}

  [[nodiscard]] std::uint64_t size() const override { return last_ - first_; }
  [[nodiscard]] bool weighted() const override { return static_cast<bool>(weights_); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = graph_.edge(first_ + first + i);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weights_(first_ + first + i);
  }

 private:
  SyntheticGraph graph_;
  SyntheticWeights weights_;
  std::uint64_t first_;
  std::uint64_t last_;
};

}  // namespace breadth
