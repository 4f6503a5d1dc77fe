// Where vertices live: the only place that turns labels into local ids and global ids, and back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"

namespace breadth {

// Which labels of a block have edges, and where those vertices are.

/// From the labels of a rank's block to local ids: a bit for each label, and the local ids of those that have edges
/// side by side, in the order of labels. Labels without edges, half of a Kronecker graph's, cost a bit and no more, and
/// a walk over all labels reads nothing for them.
class ConnectedLabels {
 public:
  ConnectedLabels() = default;
  /// `local_of_offset[i]` is the local id of the block's i-th label, no_local_vertex for one without edges.
  ConnectedLabels(std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads);

  /// The local id of the block's label at `offset`; no_local_vertex if it has no edges.
  [[nodiscard]] LocalVertex local(std::size_t offset) const noexcept {
    const std::size_t word = offset / bits_per_word;
    if (!connected_.contains(offset)) return no_local_vertex;
    const std::uint64_t before = connected_.words()[word] & (bit_in_word(offset) - 1);
    return LocalVertex{locals_[first_in_word_[word] + static_cast<std::size_t>(std::popcount(before))]};
  }

  /// Labels of the block.
  [[nodiscard]] std::size_t size() const noexcept { return connected_.size(); }
  /// Bit i: whether the i-th label has edges.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return connected_.words(); }
  /// The local ids of the labels with edges in words [begin, end) of `words()`.
  [[nodiscard]] std::span<const std::uint32_t> locals(std::size_t begin, std::size_t end) const noexcept {
    return locals_.span().subspan(first_in(begin), first_in(end) - first_in(begin));
  }
  /// Calls body(i, local id) for each of the first `count` labels in these words, in their order; no_local_vertex for
  /// one without edges. In the order of degrees each bin is met in sequence, so that a table by local ids is read in a
  /// few dozen streams.
  template <class Body>
  void for_each(IndexRange words, std::size_t count, Body&& body) const {
    auto next = locals(words.begin, words.end).begin();
    const std::size_t end = std::min(count, words.end * bits_per_word);
    for (std::size_t i = words.begin * bits_per_word; i < end; ++i) {
      body(i, connected_.contains(i) ? LocalVertex{*next++} : no_local_vertex);
    }
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_for(connected_.words().size() * bits_per_word, locals_.size());
  }
  /// Bytes for so many labels, a multiple of 64, of which so many have edges.
  static constexpr std::uint64_t bytes_for(std::uint64_t labels, std::uint64_t connected) noexcept {
    const std::uint64_t words = labels / bits_per_word;
    return words * sizeof(std::uint64_t) + (words + connected) * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::size_t first_in(std::size_t word) const noexcept {
    return word < first_in_word_.size() ? first_in_word_[word] : locals_.size();
  }

  Bitmap connected_;
  Buffer<std::uint32_t> first_in_word_;  ///< of each word, the place in locals_ of its first
  Buffer<std::uint32_t> locals_;
};

// In which order a rank has its vertices.

/// An order of those labels of a block that have edges.
struct LocalOrder {
  Buffer<std::uint32_t> local_of_offset;  ///< place in the order of the i-th label; no_local_vertex without edges
  Buffer<std::uint32_t> offset_of_local;  ///< the reverse
};

/// Orders the labels of a block that have edges, these counted as the caller counts them. By degree they fall into
/// bins (core/degree_bins.hpp). Inside a bin labels keep their order, so that a walk over all labels meets each bin's
/// vertices in sequence (Gan & Zhang 2021, section 4.1, sorts fully; bins keep its locality and make the way back to
/// labels sequential). O(labels).
LocalOrder order_vertices(VertexOrder order, std::span<const std::uint32_t> degrees, ThreadTeam& threads);

/// The first of vertices [first, end) from which on each has at most so many edges; `degree` tells a vertex's. Where
/// the order counted duplicates, single vertices before have as few. O(vertices from there on).
template <class Degree>
std::size_t first_with_at_most(std::size_t edges, IndexRange vertices, Degree&& degree) {
  std::size_t first = vertices.end;
  while (first > vertices.begin && degree(LocalVertex{static_cast<std::uint32_t>(first - 1)}) <= edges) --first;
  return first;
}

/// Whether labels fit 32 bits, no_label included, and global ids 31: vectors look entries up by signed numbers.
bool neighbours_fit_32_bits(const BlockDistribution& distribution);

// Hubs: the vertices of which every rank has a replica.

/// A vertex with many edges (a delegate in Pan et al. 2018, heavy in Checconi & Petrini 2014).
struct Hub {
  Label label;
  std::uint32_t degree;      ///< edges, whichever way they lead, on all ranks
  std::uint32_t out_degree;  ///< those that lead away from it; all of them if undirected
};

/// All hubs, the same on every rank: local id i, there, is hub i. The most connected come first, so that a smaller
/// local id is a heavier hub. O(hubs) memory on every rank.
class Hubs {
 public:
  Hubs() = default;
  /// `all` by falling degree.
  explicit Hubs(std::vector<Hub> all) : all_(std::move(all)) {}

  [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }
  [[nodiscard]] bool contains(LocalVertex vertex) const noexcept { return vertex.index() < all_.size(); }
  [[nodiscard]] const Hub& operator[](LocalVertex hub) const noexcept { return all_[hub.index()]; }
  /// The local id of a rank's first other vertex: hubs have words of a bitmap to themselves. Ids between are nobody's.
  [[nodiscard]] std::size_t end() const noexcept { return end_of(all_.size()); }
  /// The same of so many hubs.
  static constexpr std::size_t end_of(std::size_t count) noexcept { return words_for_bits(count) * bits_per_word; }
  [[nodiscard]] std::size_t bytes() const noexcept { return all_.size() * sizeof(Hub); }

 private:
  std::vector<Hub> all_;
};

// The partition.

/// Local ids that a rank has at the most, where `vertices` are spread evenly and so many of them are hubs.
constexpr std::uint64_t local_ids_for(std::uint64_t vertices, std::uint64_t hubs, std::uint64_t ranks) {
  return (vertices - hubs + ranks - 1) / ranks + Hubs::end_of(hubs);
}

/// Names any vertex of the graph by its owner and its local id there, in one number: the rank above, the local id in
/// the low bits. Bit `global_id` of a replicated bitmap is that vertex, so each rank's part of it starts on a word.
class GlobalIdCode {
 public:
  GlobalIdCode() = default;
  /// For local ids below `local_bound` on each of `ranks` ranks.
  GlobalIdCode(std::uint64_t local_bound, int ranks)
      : local_bits_(bits_for(local_bound)),
        rank_bits_(static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1U))),
        ranks_(ranks) {}

  [[nodiscard]] std::uint64_t encode(int rank, LocalVertex local) const noexcept {
    return (static_cast<std::uint64_t>(rank) << local_bits_) | local.value;
  }
  [[nodiscard]] int rank(std::uint64_t global_id) const noexcept { return static_cast<int>(global_id >> local_bits_); }
  [[nodiscard]] LocalVertex local(std::uint64_t global_id) const noexcept {
    return LocalVertex{static_cast<std::uint32_t>(global_id & (stride() - 1))};
  }
  /// Global ids from one rank's first to the next rank's.
  [[nodiscard]] std::uint64_t stride() const noexcept { return std::uint64_t{1} << local_bits_; }
  /// All global ids are below this.
  [[nodiscard]] std::uint64_t bound() const noexcept { return static_cast<std::uint64_t>(ranks_) << local_bits_; }

  /// The same name with the parts exchanged: sorted by it, vertices come most connected first, whatever their rank.
  [[nodiscard]] std::uint64_t order(std::uint64_t global_id) const noexcept {
    return ((global_id & (stride() - 1)) << rank_bits_) | (global_id >> local_bits_);
  }
  /// The widths of the parts.
  [[nodiscard]] int rank_bits() const noexcept { return rank_bits_; }
  [[nodiscard]] int local_bits() const noexcept { return local_bits_; }
  /// What order() gives is below this.
  [[nodiscard]] std::uint64_t order_bound() const noexcept { return stride() << rank_bits_; }
  /// The global id that order() made this of.
  [[nodiscard]] std::uint64_t from_order(std::uint64_t order) const noexcept {
    return ((order & ((std::uint64_t{1} << rank_bits_) - 1)) << local_bits_) | (order >> rank_bits_);
  }

 private:
  static int bits_for(std::uint64_t bound) {
    constexpr int word_bits = 6;  // whole words a rank
    return std::max(word_bits, static_cast<int>(std::bit_width(bound > 0 ? bound - 1 : 0)));
  }

  int local_bits_ = 6;
  int rank_bits_ = 0;
  int ranks_ = 1;
};

/// One rank's vertices under both their names, and what it knows of the other ranks' names. Hubs, if there are any,
/// have the first local ids on every rank, and each rank names them by these: they are its own wherever their labels
/// are.
class Partition {
 public:
  Partition() = default;
  /// `connected` has the local ids of this rank's block of labels; `offset_of_local[i]` is the place in the block of
  /// the label whose local id is i, and anything where that is no label of the block.
  Partition(BlockDistribution distribution, int rank, GlobalIdCode code, ConnectedLabels connected,
            Buffer<std::uint32_t> offset_of_local, Hubs hubs = {})
      : distribution_(distribution),
        rank_(rank),
        code_(code),
        connected_(std::move(connected)),
        offset_of_local_(std::move(offset_of_local)),
        hubs_(std::move(hubs)) {}

  [[nodiscard]] const BlockDistribution& distribution() const noexcept { return distribution_; }
  [[nodiscard]] const GlobalIdCode& code() const noexcept { return code_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The hubs, of which every rank has a replica.
  [[nodiscard]] const Hubs& hubs() const noexcept { return hubs_; }
  /// Local ids of this rank: vertices that have edges, replicas of hubs first.
  [[nodiscard]] std::size_t local_count() const noexcept { return offset_of_local_.size(); }

  /// The local id of a label that this rank owns; no_local_vertex if it has no edges.
  [[nodiscard]] LocalVertex local(Label own) const noexcept {
    return connected_.local(distribution_.offset(own, rank_));
  }
  [[gnu::always_inline, nodiscard]] Label label(LocalVertex vertex) const noexcept {
    if (hubs_.contains(vertex)) return hubs_[vertex].label;
    return distribution_.label(rank_, offset_of_local_[vertex.index()]);
  }
  [[nodiscard]] std::uint64_t global_id(LocalVertex vertex) const noexcept { return code_.encode(rank_, vertex); }

  /// The tables themselves, for loops over all of them.
  [[nodiscard]] const ConnectedLabels& connected() const noexcept { return connected_; }
  [[nodiscard]] std::span<const std::uint32_t> offset_of_local() const noexcept { return offset_of_local_.span(); }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return connected_.bytes() + bytes_beside_labels(offset_of_local_.size(), hubs_.count());
  }
  /// Bytes for so many local ids and hubs, beside ConnectedLabels.
  static constexpr std::uint64_t bytes_beside_labels(std::uint64_t local_ids, std::uint64_t hubs) noexcept {
    return local_ids * sizeof(std::uint32_t) + hubs * sizeof(Hub);
  }

 private:
  BlockDistribution distribution_;
  int rank_ = 0;
  GlobalIdCode code_;
  ConnectedLabels connected_;
  Buffer<std::uint32_t> offset_of_local_;
  Hubs hubs_;
};

// From global ids back to labels, on any rank.

/// The labels of all hubs and of every rank's most connected other vertices, on every rank: nearly all that a search
/// ever asks for. On up to four ranks they are all vertices, and on more a rank holds about four blocks' worth; the
/// rest is asked for.
class LabelLookup {
 public:
  LabelLookup() = default;
  /// Collective; moves the table once to every rank.
  LabelLookup(const Partition& partition, const Context& context);

  /// Whether it knows the vertex with a global id.
  [[nodiscard]] bool knows(std::uint64_t global_id) const noexcept {
    return (global_id & local_mask_) < hubs_end_ + known_;
  }
  /// Whether it knows every vertex of every rank.
  [[nodiscard]] bool complete() const noexcept { return hubs_end_ + known_ > local_mask_; }
  /// The label of a vertex that it knows.
  [[nodiscard]] Label label(std::uint64_t global_id) const noexcept { return labels_[index(global_id)]; }
  /// Ahead of label().
  [[gnu::always_inline]] void prefetch(std::uint64_t global_id) const noexcept {
    if (knows(global_id)) labels_.prefetch(index(global_id));
  }
  /// The labels of vertices with any global ids, one exchange for all that it does not know. Collective.
  template <class Neighbour>
  void name(std::span<const Neighbour> global_ids, std::span<Neighbour> labels, const Partition& partition,
            const Context& context) const;

  [[nodiscard]] std::size_t bytes() const noexcept { return labels_.bytes(); }
  /// Of each rank the vertices, beside hubs, that it knows the labels of.
  static std::uint64_t known_of_rank(std::uint64_t stride, std::uint64_t hubs_end, std::uint64_t ranks) noexcept;
  /// The labels in one rank's table.
  static std::uint64_t labels_for(std::uint64_t stride, std::uint64_t hubs_end, std::uint64_t ranks) noexcept {
    return hubs_end + known_of_rank(stride, hubs_end, ranks) * ranks;
  }

 private:
  [[nodiscard]] std::size_t index(std::uint64_t global_id) const noexcept {
    const std::uint64_t local = global_id & local_mask_;
    return local < hubs_end_ ? local : (global_id >> local_bits_) * known_ + local;
  }

  int local_bits_ = 0;  ///< of a global id; the rest is the rank
  std::uint64_t local_mask_ = 0;
  std::uint64_t hubs_end_ = 0;  ///< hubs are the same on all ranks, and stand once
  std::uint64_t known_ = 0;     ///< of each rank, the first that are no hubs
  LabelArray labels_;
};

}  // namespace breadth
