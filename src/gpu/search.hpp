// Breadth-first search on a device, in coarse steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/thread_team.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// An undirected graph of one rank in the memory of the host, vertices by falling degree.
struct HostGraph {
  std::span<const std::uint64_t> offsets;     ///< where each row starts, and the end of the last
  std::span<const std::uint32_t> neighbours;  ///< all rows
  std::span<const std::uint32_t> labels;      ///< of each vertex
  std::span<const std::uint64_t> connected;   ///< a bit a label: whether it has edges
  std::span<const std::uint32_t> vertices;    ///< of the labels that have edges, in the order of labels
  std::uint32_t label_count = 0;
  RowBounds bounds;
};

/// What one level or pass did.
struct LevelCounts {
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;        ///< vertices that got a parent
  std::uint64_t claimed_edges = 0;  ///< about so many edges they have: 32 vertices side by side count as alike
};

/// The steps of a search, each complete when it returns. One search at a time.
class Search {
 public:
  virtual ~Search() = default;
  /// Forgets the last search: nothing is visited. O(vertices / 8) bytes.
  virtual void clear() = 0;
  /// The same, and then the source, a vertex, is visited and the frontier.
  virtual void start(std::uint32_t source) = 0;
  /// From the frontier along its edges, to vertices before `visit_before`: those become the frontier.
  virtual LevelCounts push(std::uint32_t visit_before) = 0;
  /// From the unvisited vertices before bounds.searched back to the visited ones. Those found become the frontier.
  virtual LevelCounts pull() = 0;
  /// Visits the vertices from bounds.searched on whose only neighbour is visited.
  virtual LevelCounts visit_leaves() = 0;
  /// Writes the labels of parents in the order of labels, in the memory of the device. O(labels).
  virtual void name_parents() = 0;
  /// Copies these to the host: one a label, all bits set for none.
  virtual void copy_parents(std::span<std::uint32_t> parents) const = 0;

  /// What the device is called.
  [[nodiscard]] virtual std::string device_name() const = 0;
  /// Bytes of its memory that graph and search take.
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

/// On the processor, warps one after the other, lanes in lock step: for tests, and to try without a GPU. Shares at most
/// `hub_words` words of bits in a block.
std::unique_ptr<Search> make_simulated_search(const HostGraph& graph, ThreadTeam& threads,
                                              std::uint32_t hub_words = 32768);

/// On the first GPU that this process may use. Throws as require_cuda, and OutOfMemory where the graph does not fit.
std::unique_ptr<Search> make_cuda_search(const HostGraph& graph, ThreadTeam& threads);
/// Throws Error where there is no GPU, or this program was built without CUDA.
void require_cuda();

}  // namespace breadth::gpu
