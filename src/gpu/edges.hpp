// An edge list on a device, the graph that is built of it there, and the check of search trees against it.
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

// The findings of a check.

/// The rules of the specification, under the names of validate/report.hpp. Each way in which a distance can be wrong is
/// a rule of its own here. Each comment lists the numbers of a case. Distances and weights are given by their bits.
enum TreeRule : std::uint32_t {
  covers_edge_list,  ///< source, target
  root,              ///< label, parent
  parent_range,      ///< label, parent
  leads_to_root,     ///< label, parent
  edge_span,         ///< source, target, and their levels
  spanning,          ///< source, target, the end that is in the tree; for shortest paths also weight and distance
  tree_edge,         ///< label, parent
  root_distance,     ///< the root, distance
  tree_distance,     ///< label in the tree, distance
  lone_distance,     ///< label without a parent, distance
  parent_distance,   ///< label, parent, distance: no edge between them gives this distance
  distance_span,     ///< source, target, weight, and their distances
  weight,            ///< source, target, weight
  tree_rules
};

/// The number of cases kept for each rule, and the count of numbers in a case.
inline constexpr std::uint32_t max_cases = 5;
inline constexpr std::uint32_t case_numbers = 5;

/// The level of a label outside the tree.
inline constexpr std::uint32_t no_tree_level = ~std::uint32_t{0};

/// Broken rules as phases count them.
struct CaseView {
  ArrayView<std::uint64_t> counts;   ///< one per rule
  ArrayView<std::uint32_t> numbers;  ///< max_cases cases per rule, with case_numbers numbers each
};

/// The findings for one search.
struct TreeFindings {
  struct Broken {
    std::uint64_t count = 0;
    std::vector<std::array<std::uint32_t, case_numbers>> cases;  ///< the first ones, at most max_cases
  };
  std::array<Broken, tree_rules> broken;
  std::uint64_t reached = 0;          ///< vertices in the tree, the root included
  std::uint64_t depth = 0;            ///< the deepest level
  std::uint64_t traversed_edges = 0;  ///< tuples with both ends in the tree
};

// Edge lists.

/// Tuples in a block, if the device does not hold all tuples at once: 128 MiB.
inline constexpr std::uint64_t default_block_tuples = std::uint64_t{1} << 24;

/// The source of a device's tuples. The pointers must outlive the edge list that is made of it.
struct TupleSource {
  const EdgeList* list = nullptr;        ///< copied from the memory of the host or a file
  const Kronecker* kronecker = nullptr;  ///< if given: generated on the device, bit for bit as on processors
  bool weighted = false;
  /// Tuples that the device holds at a time, >= 1. If these are not all tuples, each reading of the list copies or
  /// generates them again, block by block.
  std::uint64_t held = ~std::uint64_t{0};

  [[nodiscard]] std::uint64_t size() const { return kronecker != nullptr ? kronecker->edge_count() : list->size(); }
};

/// How a graph is built.
struct BuildSettings {
  bool leaves_last = true;                         ///< whether searches leave vertices of one edge to their last pass
  std::uint64_t slab_entries = ~std::uint64_t{0};  ///< most entries sorted together; fewer if memory is short. >= 1
};

/// The record of building a graph.
struct BuildRecord {
  std::uint64_t ends = 0;   ///< ends of tuples other than self-loops, with duplicates
  std::uint64_t slabs = 0;  ///< number of slabs in which rows were sorted, by label and by vertex
};

/// The arrays of GraphView and LabelView in the memory of the host.
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
  /// One bit per label: whether it has edges.
  [[nodiscard]] virtual std::vector<std::uint32_t> connected() const = 0;
  /// For tests: copies all arrays to the host.
  [[nodiscard]] virtual GraphCopy copy() const = 0;
  /// A search that shares this graph. Throws OutOfMemory if there is no room for it.
  [[nodiscard]] virtual std::unique_ptr<Search> search(const SearchSettings& settings) const = 0;
};

/// An edge list in the memory of a device, or read by the device in blocks.
class Edges {
 public:
  virtual ~Edges() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Bytes of the device's memory that the edge list takes.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// For tests: copies all tuples to the host. `weights` is empty or as long as the other spans.
  virtual void copy_tuples(std::span<std::uint32_t> sources, std::span<std::uint32_t> targets,
                           std::span<float> weights) = 0;
  /// Fills the device's memory pool before kernel 1 of at most this many labels, so that its time does not include the
  /// driver's allocations. Takes the expected peak of kernel 1, at most the free memory. Returns the bytes; 0 if memory
  /// does not come from a pool.
  virtual std::uint64_t reserve(std::uint64_t labels) = 0;
  /// Runs kernel 1 on the device. Builds the same graph as processors do (graph/graph.hpp), array by array, without
  /// weights. Sorts rows in as many slabs as the memory requires; each slab reads the edge list once. Throws Error for
  /// an empty list, OutOfMemory if the graph does not fit.
  virtual std::unique_ptr<BuiltGraph> build(const BuildSettings& settings) = 0;
  /// Checks whether these parents, one per label in the memory of the device, are a breadth-first search tree of this
  /// edge list by the rules of the specification. `root` is a label, or the number of labels if it is none. Keeps its
  /// memory for the next check. Throws OutOfMemory if there is no room.
  virtual TreeFindings check_tree(const ArrayView<const std::uint32_t>& parents, std::uint32_t root) = 0;
  /// The same for parents in the memory of the host.
  virtual TreeFindings check_tree(std::span<const std::uint32_t> parents, std::uint32_t root) = 0;
  /// Checks whether parents and distances, one of each per label, are a tree of shortest paths. The distance of an
  /// unreached label is infinity. Throws Error if the list has no weights.
  virtual TreeFindings check_paths(std::span<const std::uint32_t> parents, std::span<const float> distances,
                                   std::uint32_t root) = 0;
};

/// An edge list on a simulated device. Throws Error if labels do not fit into 32 bits, OutOfMemory if there is no room.
/// The device has `memory_bytes` of memory, or the machine's.
std::unique_ptr<Edges> make_simulated_edges(const TupleSource& source, ThreadTeam& threads,
                                            std::optional<std::uint64_t> memory_bytes = {});
/// An edge list on the first GPU that this process may use. Throws as make_simulated_edges and require_cuda.
std::unique_ptr<Edges> make_cuda_edges(const TupleSource& source, ThreadTeam& threads);

}  // namespace breadth::gpu
