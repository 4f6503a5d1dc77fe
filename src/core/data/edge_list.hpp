// The edge list, from which kernel 1 builds a graph and against which validation checks results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// The meaning of the tuples of an edge list. `undirected`: each tuple joins its two ends both ways. `directed`: each
/// tuple leads from its source to its target only.
enum class Directedness { undirected, directed };
constexpr Directedness directed_if(bool directed) {
  return directed ? Directedness::directed : Directedness::undirected;
}

/// This rank's part of an edge list, wherever it is kept: in memory, in a file, or nowhere (generated again for each
/// read). Every tuple of the list is in exactly one rank's part; self-loops and duplicates are kept.
class EdgeList {
 public:
  virtual ~EdgeList() = default;
  /// The number of tuples in this rank's part.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Whether each tuple has a weight.
  [[nodiscard]] virtual bool weighted() const = 0;
  /// Copies tuples first, first + 1, … to `edges`, and their weights to `weights`, which is either empty or as long as
  /// `edges` (and must be empty for a list without weights). All threads may read at once. Throws Error when the list
  /// cannot be read.
  virtual void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const = 0;

  /// The number of labels of the graph, if it is known without reading: all labels are from 0 to below this.
  [[nodiscard]] virtual std::optional<std::uint64_t> label_count() const { return std::nullopt; }

  /// Bytes of memory that this part takes.
  [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }

  /// Whether a tuple may differ when it is read again, because the list is in a file that others can write.
  [[nodiscard]] virtual bool may_change() const { return false; }
  /// Throws Error if the list has changed since it was opened. Call it after each pass over the list, before the
  /// results are used; the loops over blocks below do so. O(1).
  virtual void check_unchanged() const {}
  /// Throws the Error for a changed list. Called by a reader that found other tuples than before.
  virtual void report_change() const;
};

/// The number of tuples that a loop over an edge list reads at a time: they fit the second-level cache.
inline constexpr std::size_t edge_block_size = 4096;

/// A tuple in the format of Graph500's packed file: 12 bytes, two labels of 48 bits, little-endian.
struct PackedEdge {
  std::uint32_t source_low;
  std::uint32_t target_low;
  std::uint32_t high;

  static PackedEdge pack(Edge edge) noexcept {
    const auto source = static_cast<std::uint64_t>(edge.source.value);
    const auto target = static_cast<std::uint64_t>(edge.target.value);
    return {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target),
            static_cast<std::uint32_t>((source >> 32) | ((target >> 32) << 16))};
  }
  [[nodiscard]] Edge unpack() const noexcept {
    return {Label{static_cast<std::int64_t>(source_low | (std::uint64_t{high & 0xFFFFU} << 32))},
            Label{static_cast<std::int64_t>(target_low | (std::uint64_t{high >> 16} << 32))}};
  }
};
static_assert(sizeof(PackedEdge) == 12);

/// An edge list held in memory, 12 bytes per tuple and 4 more with weights.
class MemoryEdgeList final : public EdgeList {
 public:
  MemoryEdgeList() = default;
  /// `weights` is empty or as long as `edges`.
  explicit MemoryEdgeList(Buffer<PackedEdge> edges, Buffer<float> weights = {})
      : edges_(std::move(edges)), weights_(std::move(weights)) {}
  /// Throws Error for another number of weights, and for a label that is negative or needs more than 48 bits.
  explicit MemoryEdgeList(std::span<const Edge> edges, std::span<const float> weights = {});

  [[nodiscard]] std::uint64_t size() const override { return edges_.size(); }
  [[nodiscard]] bool weighted() const override { return !weights_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const override {
    return edges_.size() * sizeof(PackedEdge) + weights_.size() * sizeof(float);
  }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    const auto packed = edges_.span().subspan(first, edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = packed[i].unpack();
    if (!weights.empty()) std::copy_n(weights_.data() + first, weights.size(), weights.begin());
  }

 private:
  Buffer<PackedEdge> edges_;
  Buffer<float> weights_;
};

/// Copies the tuples of any list, and their weights if `weighted`. Throws Error if the list has changed.
MemoryEdgeList copy_to_memory(const EdgeList& list, bool weighted, ThreadTeam& threads);

/// A block of tuples in memory, with their weights if requested.
struct EdgeBlock {
  EdgeBlock(std::size_t size, bool with_weights)
      : edges(size, Edge{no_label, no_label}), weights(with_weights ? size : 0) {}
  /// Tuples first, first + 1, … of a list.
  EdgeBlock(const EdgeList& list, std::uint64_t first, std::size_t size, bool with_weights)
      : EdgeBlock(size, with_weights) {
    list.read(first, edges, weights);
  }

  std::vector<Edge> edges;
  std::vector<float> weights;
};

/// Throws Error unless all labels of a block are below `bound`, the bound that an earlier pass found; `bound` is at
/// least 1. Labels of a list that may change must not be used as indices unchecked. Takes no time for any other list,
/// and about a cycle per tuple for a list that may change: a sign bit marks a label that is negative or too large, so
/// that nothing is compared.
inline void require_labels_below(const EdgeList& list, std::span<const Edge> block, std::uint64_t bound) {
  if (!list.may_change()) return;
  const auto sign = [largest = bound - 1](Label label) { return label.index() | (largest - label.index()); };
  std::uint64_t signs = 0;
  for (const auto& [source, target] : block) signs |= sign(source) | sign(target);
  if (static_cast<std::int64_t>(signs) < 0) list.report_change();
}

/// A loop body that processes a block of tuples on one thread; `weights` may be empty.
using EdgeBlockBody = FunctionRef<void(std::span<const Edge> edges, std::span<const float> weights, int thread)>;

/// Calls body(edges, weights, thread) for blocks of at most edge_block_size tuples that together are [first, last) of
/// the list, in unspecified order, on all threads. `weights` is empty unless `with_weights`. Throws Error if the list
/// has changed.
void parallel_edge_blocks(ThreadTeam& threads, const EdgeList& list, std::uint64_t first, std::uint64_t last,
                          bool with_weights, EdgeBlockBody body);

/// Does the same for the whole list, with a fixed share of the list for every thread, in order, so that a thread sees
/// the same tuples in every pass.
void edge_blocks_by_thread(ThreadTeam& threads, const EdgeList& list, bool with_weights, EdgeBlockBody body);

}  // namespace breadth
