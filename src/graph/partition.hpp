// Where vertices live: the only place that turns labels into local ids and global ids, and back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "simd/kernels.hpp"

namespace breadth {

// The labels of a block that have edges, and their local ids.

/// Maps the labels of a rank's block to local ids: a bit for each label, and an array of the local ids of the labels
/// that have edges, in the order of labels. A label without edges (half of those in a Kronecker graph) takes one bit,
/// and a loop over all labels reads nothing else for it.
class ConnectedLabels {
 public:
  ConnectedLabels() = default;
  /// `local_of_offset[i]` is the local id of the block's i-th label; no_local_vertex for a label without edges.
  ConnectedLabels(std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads);

  /// The local id of the block's label at `offset`; no_local_vertex if it has no edges.
  [[nodiscard]] LocalVertex local(std::size_t offset) const noexcept {
    const std::size_t word = offset / bits_per_word;
    if (!connected_.contains(offset)) return no_local_vertex;
    const std::uint64_t before = connected_.words()[word] & (bit_in_word(offset) - 1);
    return LocalVertex{locals_[first_in_word_[word] + static_cast<std::size_t>(std::popcount(before))]};
  }

  /// The number of labels in the block.
  [[nodiscard]] std::size_t size() const noexcept { return connected_.size(); }
  /// Bit i: whether the i-th label has edges.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return connected_.words(); }
  /// The local ids of the labels with edges in words [begin, end) of `words()`.
  [[nodiscard]] std::span<const std::uint32_t> locals(std::size_t begin, std::size_t end) const noexcept {
    return locals_.span().subspan(first_in(begin), first_in(end) - first_in(begin));
  }
  /// Calls body(i, local id) for each of the first `count` labels in these words, in order; the local id is
  /// no_local_vertex for a label without edges. In the order of degrees the local ids of each bin are visited in
  /// sequence, so that a table by local ids is read in a few dozen streams.
  template <class Body>
  void for_each(IndexRange words, std::size_t count, Body&& body) const {
    auto next = locals(words.begin, words.end).begin();
    const std::size_t end = std::min(count, words.end * bits_per_word);
    for (std::size_t i = words.begin * bits_per_word; i < end; ++i) {
      body(i, connected_.contains(i) ? LocalVertex{*next++} : no_local_vertex);
    }
  }
  /// Writes table[local id] for each label, and `none` for labels without edges. `entries` has size() places. O(labels)
  /// work.
  template <class Value, class Entry>
  void write_in_label_order(const Value* table, Entry none, std::span<Entry> entries, ThreadTeam& threads) const {
    constexpr std::size_t words_per_block = 256;
    constexpr std::size_t cached_bytes = std::size_t{1} << 18;  // of a thread's share that stays in its cache
    const std::size_t share_bytes = entries.size_bytes() / static_cast<std::size_t>(threads.size());
    const Store store = share_bytes > cached_bytes ? Store::past_cache : Store::cached;
    parallel_blocks(threads, words().size(), words_per_block, [&](IndexRange some, int) {
      if constexpr (sizeof(Entry) == 4 && std::is_same_v<Entry, Value>) {
        const std::size_t first = some.begin * bits_per_word;
        gather_where_set(words().subspan(some.begin, some.size()), locals(some.begin, some.end), table, none,
                         entries.subspan(first, std::min(entries.size() - first, some.size() * bits_per_word)), store);
      } else {
        for_each(some, entries.size(), [&](std::size_t i, LocalVertex vertex) {
          entries[i] = vertex == no_local_vertex ? none : static_cast<Entry>(table[vertex.index()]);
        });
      }
    });
  }
  /// Writes a table of labels. An entry with all bits set is no_label, in either width.
  template <class Neighbour>
  void write_in_label_order(std::span<const Neighbour> table, LabelArray& labels, ThreadTeam& threads) const {
    if (labels.wide()) {
      write_in_label_order(table.data(), ~std::uint64_t{0}, labels.entries<std::uint64_t>(), threads);
    } else {
      write_in_label_order(table.data(), ~std::uint32_t{0}, labels.entries<std::uint32_t>(), threads);
    }
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_for(connected_.words().size() * bits_per_word, locals_.size());
  }
  /// Bytes for `labels` labels, a multiple of 64, of which `connected` have edges.
  static constexpr std::uint64_t bytes_for(std::uint64_t labels, std::uint64_t connected) noexcept {
    const std::uint64_t words = labels / bits_per_word;
    return words * sizeof(std::uint64_t) + (words + connected) * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::size_t first_in(std::size_t word) const noexcept {
    return word < first_in_word_.size() ? first_in_word_[word] : locals_.size();
  }

  Bitmap connected_;
  Buffer<std::uint32_t> first_in_word_;  ///< for each word: the place in locals_ of its first local id
  Buffer<std::uint32_t> locals_;
};

// The order of a rank's vertices.

/// An order of the labels of a block that have edges.
struct LocalOrder {
  Buffer<std::uint32_t> local_of_offset;  ///< place of the i-th label in the order; no_local_vertex without edges
  Buffer<std::uint32_t> offset_of_local;  ///< the reverse
};

/// Orders the labels of a block that have edges. The caller decides what `degrees` counts. VertexOrder::degree puts
/// labels into bins (core/degree_bins.hpp). Inside a bin labels keep their order, so that a loop over all labels visits
/// each bin's vertices in sequence (Gan & Zhang 2021, section 4.1, sorts fully; bins keep its locality and make the
/// mapping back to labels sequential). O(labels).
LocalOrder order_vertices(VertexOrder order, std::span<const std::uint32_t> degrees, ThreadTeam& threads);

/// The first vertex in `vertices` from which on every vertex has at most `edges` edges; degree(vertex) returns a
/// vertex's number of edges. Where the order counted duplicates, single vertices before it may have as few. O(vertices
/// from the result on).
template <class Degree>
std::size_t first_with_at_most(std::size_t edges, IndexRange vertices, Degree&& degree) {
  std::size_t first = vertices.end;
  while (first > vertices.begin && degree(LocalVertex{static_cast<std::uint32_t>(first - 1)}) <= edges) --first;
  return first;
}

/// Whether labels, no_label included, fit 32 bits, and global ids 31: vector gathers take signed indices.
bool neighbours_fit_32_bits(const BlockDistribution& distribution);

// Hubs: vertices with a replica on every rank.

/// A vertex with many edges (a delegate in Pan et al. 2018, heavy in Checconi & Petrini 2014).
struct Hub {
  Label label;
  std::uint32_t degree;      ///< out-edges and in-edges on all ranks
  std::uint32_t out_degree;  ///< out-edges; all edges if undirected
};

/// All hubs, the same on every rank. Hub i has local id i on every rank. The most connected come first, so that a hub
/// with a smaller local id is heavier. O(hubs) memory on every rank.
class Hubs {
 public:
  Hubs() = default;
  /// `all` must be in descending order of degree.
  explicit Hubs(std::vector<Hub> all) : all_(std::move(all)) {}

  [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }
  [[nodiscard]] bool contains(LocalVertex vertex) const noexcept { return vertex.index() < all_.size(); }
  [[nodiscard]] const Hub& operator[](LocalVertex hub) const noexcept { return all_[hub.index()]; }
  /// The local id of a rank's first vertex that is not a hub. It is a multiple of 64, so that hubs have words of a
  /// bitmap to themselves; local ids from count() to end() are unused.
  [[nodiscard]] std::size_t end() const noexcept { return end_of(all_.size()); }
  /// end() for `count` hubs.
  static constexpr std::size_t end_of(std::size_t count) noexcept { return words_for_bits(count) * bits_per_word; }
  [[nodiscard]] std::size_t bytes() const noexcept { return all_.size() * sizeof(Hub); }

 private:
  std::vector<Hub> all_;
};

// The partition.

/// The largest number of local ids on a rank, if `vertices` are spread evenly and `hubs` of them are hubs.
constexpr std::uint64_t local_ids_for(std::uint64_t vertices, std::uint64_t hubs, std::uint64_t ranks) {
  return (vertices - hubs + ranks - 1) / ranks + Hubs::end_of(hubs);
}

/// The code of global ids: one number for the owner of a vertex and its local id there, with the rank in the high bits
/// and the local id in the low bits. Bit `global_id` of a replicated bitmap stands for this vertex, so each rank's part
/// of the bitmap starts on a word.
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
  /// The distance between the first global ids of two consecutive ranks.
  [[nodiscard]] std::uint64_t stride() const noexcept { return std::uint64_t{1} << local_bits_; }
  /// All global ids are below this.
  [[nodiscard]] std::uint64_t bound() const noexcept { return static_cast<std::uint64_t>(ranks_) << local_bits_; }

  /// The global id with rank and local id exchanged: sorted by this number, the most connected vertices come first,
  /// whatever their rank.
  [[nodiscard]] std::uint64_t order(std::uint64_t global_id) const noexcept {
    return ((global_id & (stride() - 1)) << rank_bits_) | (global_id >> local_bits_);
  }
  /// The widths of the two parts of a global id.
  [[nodiscard]] int rank_bits() const noexcept { return rank_bits_; }
  [[nodiscard]] int local_bits() const noexcept { return local_bits_; }
  /// All results of order() are below this.
  [[nodiscard]] std::uint64_t order_bound() const noexcept { return stride() << rank_bits_; }
  /// The inverse of order().
  [[nodiscard]] std::uint64_t from_order(std::uint64_t order) const noexcept {
    return ((order & ((std::uint64_t{1} << rank_bits_) - 1)) << local_bits_) | (order >> rank_bits_);
  }

 private:
  static int bits_for(std::uint64_t bound) {
    constexpr int word_bits = 6;  // each rank has whole words of a bitmap
    return std::max(word_bits, static_cast<int>(std::bit_width(bound > 0 ? bound - 1 : 0)));
  }

  int local_bits_ = 6;
  int rank_bits_ = 0;
  int ranks_ = 1;
};

/// The vertices of one rank by label, local id and global id. Hubs, if there are any, have the first local ids on every
/// rank, and each rank uses its own global ids for them, whichever rank owns their labels.
class Partition {
 public:
  Partition() = default;
  /// `connected` has the local ids of this rank's block of labels. `offset_of_local[i]` is the place in the block of
  /// the label with local id i; its value does not matter where local id i has no label of the block.
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
  [[nodiscard]] const Hubs& hubs() const noexcept { return hubs_; }
  /// The number of local ids of this rank: replicas of hubs first, then vertices with edges.
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
  /// Bytes for `local_ids` local ids and `hubs` hubs, without ConnectedLabels.
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

// Labels of global ids, on any rank.

/// A table on every rank of the labels of all hubs and of the most connected other vertices of each rank, which are
/// nearly all that a search looks up. On up to four ranks the table has all vertices. On more ranks it has about four
/// blocks of labels, and look_up() asks the owners for the others.
class LabelLookup {
 public:
  LabelLookup() = default;
  /// Collective. Sends the table to every rank once.
  LabelLookup(const Partition& partition, const Context& context);

  /// Whether the table has the vertex with this global id.
  [[nodiscard]] bool contains(std::uint64_t global_id) const noexcept {
    return (global_id & local_mask_) < hubs_end_ + known_;
  }
  /// Whether the table has every vertex of every rank.
  [[nodiscard]] bool complete() const noexcept { return hubs_end_ + known_ > local_mask_; }
  /// The label of a vertex that the table has.
  [[nodiscard]] Label label(std::uint64_t global_id) const noexcept { return labels_[index(global_id)]; }
  /// Prefetches what label() reads.
  [[gnu::always_inline]] void prefetch(std::uint64_t global_id) const noexcept {
    if (contains(global_id)) labels_.prefetch(index(global_id));
  }
  /// Looks up the labels of vertices with any global ids, with one exchange for those that the table lacks. Collective.
  template <class Neighbour>
  void look_up(std::span<const Neighbour> global_ids, std::span<Neighbour> labels, const Partition& partition,
               const Context& context) const;

  [[nodiscard]] std::size_t bytes() const noexcept { return labels_.bytes(); }
  /// The number of vertices of each rank, without hubs, that the table has.
  static std::uint64_t known_of_rank(std::uint64_t stride, std::uint64_t hubs_end, std::uint64_t ranks) noexcept;
  /// The number of labels in one rank's table.
  static std::uint64_t labels_for(std::uint64_t stride, std::uint64_t hubs_end, std::uint64_t ranks) noexcept {
    return hubs_end + known_of_rank(stride, hubs_end, ranks) * ranks;
  }

 private:
  [[nodiscard]] std::size_t index(std::uint64_t global_id) const noexcept {
    const std::uint64_t local = global_id & local_mask_;
    return local < hubs_end_ ? local : (global_id >> local_bits_) * known_ + local;
  }

  int local_bits_ = 0;  ///< width of the local id in a global id
  std::uint64_t local_mask_ = 0;
  std::uint64_t hubs_end_ = 0;  ///< hubs are the same on all ranks and are stored once
  std::uint64_t known_ = 0;     ///< of each rank: how many of the first vertices after the hubs are stored
  LabelArray labels_;
};

}  // namespace breadth
