// An edge list on a device, and what is made of it there: a graph, and the check of trees of searches.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/data/edge_list.hpp"
#include "generate/generators.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

// What checking a tree finds.

/// The rules of the specification, under the names of validate/report.hpp; what a distance can be wrong by are rules of
/// their own here. Distances and weights are given by their bits.
enum TreeRule : std::uint32_t {
  covers_edge_list,  ///< a case is source, target
  root,              ///< label, parent
  parent_range,      ///< label, parent
  leads_to_root,     ///< label, parent
  edge_span,         ///< source, target, and their levels
  spanning,          ///< source, target, the one of them in the tree; of shortest paths, the weight and its distance
  tree_edge,         ///< label, parent
  root_distance,     ///< the root, distance
  tree_distance,     ///< label in the tree, distance
  lone_distance,     ///< label without a parent, distance
  parent_distance,   ///< label, parent, distance: no edge between them gives that
  distance_span,     ///< source, target, weight, and their distances
  weight,            ///< source, target, weight
  tree_rules
};

/// Cases of each rule that are kept, and the numbers of each.
inline constexpr std::uint32_t most_cases = 5;
inline constexpr std::uint32_t case_numbers = 5;

/// The level of a label outside the tree.
inline constexpr std::uint32_t no_tree_level = ~std::uint32_t{0};

/// Broken rules as phases count them.
struct CaseView {
  ArrayView<std::uint64_t> counts;   ///< one a rule
  ArrayView<std::uint32_t> numbers;  ///< of most_cases cases a rule, case_numbers each
};

/// What was found of one search.
struct TreeFindings {
  struct Broken {
    std::uint64_t count = 0;
    std::vector<std::array<std::uint32_t, case_numbers>> cases;  ///< the first ones, most_cases at the most
  };
  std::array<Broken, tree_rules> broken;
  std::uint64_t reached = 0;          ///< vertices in the tree, the root among them
  std::uint64_t depth = 0;            ///< the deepest level
  std::uint64_t traversed_edges = 0;  ///< tuples with both ends in the tree
};

// Edge lists.

/// Tuples that come to a device together where it is not to hold them all: 128 MiB.
inline constexpr std::uint64_t default_block_tuples = std::uint64_t{1} << 24;

/// Where a device has its tuples from. What it points to outlives the edge list that is made of it.
struct TupleSource {
  const EdgeList* list = nullptr;        ///< in the memory of the host or a file: copied
  const Kronecker* kronecker = nullptr;  ///< where given: made on the device, bit for bit as processors make them
  bool weighted = false;
  /// Tuples that the device holds at a time, >= 1. Where it is not all of them, they come anew in blocks for each
  /// reading.
  std::uint64_t held = ~std::uint64_t{0};

  [[nodiscard]] std::uint64_t size() const { return kronecker != nullptr ? kronecker->edge_count() : list->size(); }
};

/// How a graph is built.
struct BuildSettings {
  bool leaves_last = true;                         ///< whether searches leave vertices of one edge to their last pass
  std::uint64_t slab_entries = ~std::uint64_t{0};  ///< sorted together at the most; fewer where memory is short. >= 1
};

/// What building a graph took.
struct BuildRecord {
  std::uint64_t ends = 0;   ///< of tuples that are no self-loops, duplicates counted
  std::uint64_t slabs = 0;  ///< in which rows were sorted, by label and by vertex
};

/// The arrays of a graph in the memory of the host, as GraphView and LabelView have them.
struct GraphCopy {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> neighbours;
  std::vector<std::uint32_t> first_neighbours;
  std::vector<std::uint32_t> word_degrees;
  std::vector<std::uint32_t> first_pieces;
  std::vector<std::uint32_t> piece_rows;
  std::vector<std::uint32_t> labels;
  std::vector<std::uint32_t> connected;
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> vertices;
  RowBounds bounds;
};

/// A graph that was built on a device and is searched there.
class BuiltGraph {
 public:
  virtual ~BuiltGraph() = default;
  [[nodiscard]] virtual DeviceGraphSize size() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual const BuildRecord& record() const = 0;
  /// A bit a label: whether it has edges.
  [[nodiscard]] virtual std::vector<std::uint32_t> connected() const = 0;
  /// For tests: everything, copied to the host.
  [[nodiscard]] virtual GraphCopy copy() const = 0;
  /// Searches of this graph, which they share. Throws OutOfMemory where there is no room for one.
  [[nodiscard]] virtual std::unique_ptr<Search> search(const SearchSettings& settings) const = 0;
};

/// An edge list in the memory of a device, or that comes to it in blocks.
class Edges {
 public:
  virtual ~Edges() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Bytes of the device's memory that it takes.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// For tests: copies all tuples to the host; `weights` is empty or as long as the others.
  virtual void copy_tuples(std::span<std::uint32_t> sources, std::span<std::uint32_t> targets,
                           std::span<float> weights) = 0;
  /// Has the device's memory at hand for kernel 1 of at most so many labels, so that its time is not the driver's: as
  /// much as it is expected to take at its peak, at most what is free. How many bytes; none where memory does not come
  /// from a pool.
  virtual std::uint64_t reserve(std::uint64_t labels) = 0;
  /// Kernel 1, on the device: the same graph, array by array, as processors build (graph/graph.hpp), without weights.
  /// Rows are sorted in slabs, as many as the memory wants; each slab reads the edge list once. Throws Error for an
  /// empty list, OutOfMemory where the graph does not fit.
  virtual std::unique_ptr<BuiltGraph> build(const BuildSettings& settings) = 0;
  /// Whether these parents, one a label in the memory of the device, are a breadth-first search tree of this edge list:
  /// by the rules of the specification, and nothing else. `root` is a label, or their number where it is none. Keeps
  /// its memory for the next. Throws OutOfMemory where there is no room.
  virtual TreeFindings check_tree(const ArrayView<const std::uint32_t>& parents, std::uint32_t root) = 0;
  /// The same of parents in the memory of the host.
  virtual TreeFindings check_tree(std::span<const std::uint32_t> parents, std::uint32_t root) = 0;
  /// And with a distance for each label, infinity for none: whether it is a tree of shortest paths. The list has
  /// weights, else throws Error.
  virtual TreeFindings check_paths(std::span<const std::uint32_t> parents, std::span<const float> distances,
                                   std::uint32_t root) = 0;
};

/// On the processor. Throws Error where the list has labels that do not fit, OutOfMemory where there is no room.
/// The device has so much memory, or the machine's.
std::unique_ptr<Edges> make_simulated_edges(const TupleSource& source, ThreadTeam& threads,
                                            std::optional<std::uint64_t> memory_bytes = {});
/// On the first GPU that this process may use. Throws as require_cuda, too.
std::unique_ptr<Edges> make_cuda_edges(const TupleSource& source, ThreadTeam& threads);

}  // namespace breadth::gpu
