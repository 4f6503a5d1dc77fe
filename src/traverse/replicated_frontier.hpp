// Every rank's visited vertices, on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/bitmap.hpp"
#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "graph/partition.hpp"
#include "simd/frontier.hpp"

namespace breadth {

/// The visited vertices of all ranks, as each last shared them: a bitmap over positions on every rank (Cui et al. 2012,
/// section II). A pull takes them for the frontier: a vertex that is not visited has no neighbour among those of
/// earlier levels.
class ReplicatedFrontier {
 public:
  /// Vertices with local ids below `searched`, on every rank. The context outlives this. Collective.
  ReplicatedFrontier(const Partition& partition, std::size_t searched, const Context& context);
  virtual ~ReplicatedFrontier() = default;
  ReplicatedFrontier(const ReplicatedFrontier&) = delete;
  ReplicatedFrontier& operator=(const ReplicatedFrontier&) = delete;

  /// Begins a search.
  virtual void clear() {}
  /// Brings every rank's visited vertices to every rank. Returns the bytes that this rank sent. Collective.
  virtual std::uint64_t share(const Bitmap& visited);
  /// What pulls look vertices up in.
  [[nodiscard]] virtual Frontier view() const { return FrontierBits{bits_.data()}; }
  /// Memory that it takes on this rank.
  [[nodiscard]] virtual std::uint64_t bytes() const { return bits_.span().size_bytes(); }
  /// The bitmap alone.
  [[nodiscard]] std::span<const std::uint64_t> bits() const { return bits_.span(); }
  /// What this rank last shared.
  [[nodiscard]] std::span<const std::uint64_t> own() const {
    const IndexRange words = words_of(own_rank());
    return bits_.span().subspan(words.begin, words.size());
  }

 protected:
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] std::size_t rank_count() const { return word_counts_.size(); }
  [[nodiscard]] std::size_t own_rank() const { return static_cast<std::size_t>(context_.ranks.rank()); }
  [[nodiscard]] std::span<std::uint64_t> writable_bits() { return bits_.span(); }
  /// Where a rank's vertices lie in the bitmap.
  [[nodiscard]] IndexRange words_of(std::size_t rank) const {
    return {word_places_[rank], word_places_[rank] + word_counts_[rank]};
  }

 private:
  const Context& context_;
  Buffer<std::uint64_t> bits_;
  std::vector<std::size_t> word_counts_;  ///< of each rank
  std::vector<std::size_t> word_places_;
};

/// The same with a summary: a bit for each group of positions, set where the group is not empty (Cui et al. 2012,
/// section III-C). Ranks send each other only the groups that have changed since they last did, and a bit for each
/// group to tell which. On several ranks it takes the memory of the bitmap once more.
class SummarizedFrontier final : public ReplicatedFrontier {
 public:
  /// `granularity`: positions in a group, a power of two, 64 or more.
  SummarizedFrontier(const Partition& partition, std::size_t searched, std::size_t granularity, const Context& context);

  void clear() override;
  std::uint64_t share(const Bitmap& visited) override;
  [[nodiscard]] Frontier view() const override { return SummarizedBits{bits().data(), summary_.data(), group_log2_}; }
  [[nodiscard]] std::uint64_t bytes() const override {
    return ReplicatedFrontier::bytes() +
           sizeof(std::uint64_t) * (summary_.size() + changes_.size() + changed_bits_.size());
  }

 private:
  [[nodiscard]] std::size_t words_per_group() const { return (std::size_t{1} << group_log2_) / bits_per_word; }
  [[nodiscard]] std::span<std::uint64_t> changes_of(std::size_t rank) {
    return std::span(changes_).subspan(rank * change_words_, change_words_);
  }
  /// For a word of the bitmap that holds something.
  void insert_into_summary(std::size_t word) {
    const std::size_t group = word * bits_per_word >> group_log2_;
    summary_[group / bits_per_word] |= bit_in_word(group);
  }
  void take_changes(std::span<const std::uint64_t> visited);
  /// Brings one of this rank's groups up to date. Returns whether it has changed.
  bool take_group(std::size_t group, std::span<const std::uint64_t> visited);
  std::uint64_t exchange_changes();
  /// Calls body(words of the bitmap) for each of a rank's groups that have changed.
  template <class Body>
  void for_each_change(std::size_t rank, Body&& body);

  int group_log2_;
  Buffer<std::uint64_t> summary_;
  std::size_t change_words_;            ///< of each rank
  std::vector<std::uint64_t> changes_;  ///< of all ranks: a bit for each of a rank's groups
  Buffer<std::uint64_t> changed_bits_;  ///< the groups that have changed, one after the other
};

/// With a summary unless `granularity` is 0. Collective.
std::unique_ptr<ReplicatedFrontier> make_replicated_frontier(const Partition& partition, std::size_t searched,
                                                             std::size_t granularity, const Context& context);

}  // namespace breadth
