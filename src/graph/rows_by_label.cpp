#include "graph/rows_by_label.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>

#include "core/parallel.hpp"
#include "graph/entry.hpp"

namespace breadth {

namespace {

/// Entries that a bucket holds on average: its sort stays in the second-level cache.
constexpr std::uint64_t entries_per_bucket = std::uint64_t{1} << 16;
/// Counters kept for all ranks' buckets together, on each thread.
constexpr std::uint64_t most_counters = std::uint64_t{1} << 20;
constexpr std::size_t least_scratch_bytes = std::size_t{1} << 20;

/// Which bucket of which rank a row belongs to, for every label of the graph.
class BucketMap {
 public:
  BucketMap(const BlockDistribution& distribution, std::uint64_t entries_per_rank) : distribution_(&distribution) {
    const auto ranks = static_cast<std::uint64_t>(distribution.ranks());
    const std::uint64_t wanted = std::clamp<std::uint64_t>(entries_per_rank / entries_per_bucket, 1,
                                                           std::max<std::uint64_t>(most_counters / ranks, 1));
    while (((distribution.block() - 1) >> shift_) + 1 > wanted) ++shift_;
    per_rank_ = static_cast<std::size_t>(((distribution.block() - 1) >> shift_) + 1);
  }

  [[nodiscard]] std::size_t per_rank() const { return per_rank_; }
  [[nodiscard]] std::size_t total() const { return per_rank_ * static_cast<std::size_t>(distribution_->ranks()); }
  [[nodiscard]] std::size_t rows_per_bucket() const { return std::size_t{1} << shift_; }
  /// The rank, the label's offset there, and the bucket there.
  struct Place {
    std::size_t rank;
    std::uint32_t offset;
    std::size_t bucket;
  };
  [[nodiscard]] Place place(Label row) const {
    const int owner = distribution_->owner(row);
    const std::size_t offset = distribution_->offset(row, owner);
    return {static_cast<std::size_t>(owner), static_cast<std::uint32_t>(offset), offset >> shift_};
  }

 private:
  const BlockDistribution* distribution_;
  int shift_ = 0;
  std::size_t per_rank_ = 1;
};

/// Calls body(thread, row, column, weight) for each entry that the list's tuples give, every thread for its own fixed
/// share of the tuples, so that counting and moving see the same entries on the same thread.
template <class Body>
void for_each_entry(ThreadTeam& threads, const EdgeList& list, RowDirection direction, bool with_weights, Body&& body) {
  threads.run([&](int thread) {
    const IndexRange share =
        even_share(list.size(), static_cast<std::size_t>(thread), static_cast<std::size_t>(threads.size()));
    std::vector<Edge> edges(std::min(edge_block_size, share.size()), Edge{no_label, no_label});
    std::vector<float> weights(with_weights ? edges.size() : 0);
    for (std::size_t first = share.begin; first < share.end; first += edge_block_size) {
      const std::size_t count = std::min(edge_block_size, share.end - first);
      list.read(first, std::span(edges).first(count), std::span(weights).first(with_weights ? count : 0));
      for (std::size_t i = 0; i < count; ++i) {
        const auto [source, target] = edges[i];
        if (source == target) continue;
        const float weight = with_weights ? weights[i] : 0;
        if (direction != RowDirection::backward) body(thread, source, target, weight);
        if (direction != RowDirection::forward) body(thread, target, source, weight);
      }
    }
  });
}

/// One construction, from counting to finished rows.
template <class Neighbour, class Entry>
class RowBuilder {
 public:
  RowBuilder(const EdgeList& list, bool weighted, RowDirection direction, const BlockDistribution& distribution,
             const Context& context)
      : list_(list),
        direction_(direction),
        context_(context),
        ranks_(static_cast<std::size_t>(context.ranks.size())),
        self_(static_cast<std::size_t>(context.ranks.rank())),
        weighted_(weighted),
        map_(distribution, average_entries()),
        counts_(static_cast<std::size_t>(context.threads.size()), std::vector<std::uint64_t>(map_.total())) {
    rows_.degrees = Buffer<std::uint32_t>(distribution.count(context.ranks.rank()));
  }

  RowsByLabel<Neighbour> build() {
    count_entries();
    lay_out_rows();
    for (std::size_t first = 0; first < map_.per_rank();) {
      const std::size_t last = end_of_round(first);
      move_and_sort(first, last);
      first = last;
    }
    return std::move(rows_);
  }

 private:
  using Key = typename Entry::Key;

  [[nodiscard]] std::uint64_t average_tuples() const {
    return context_.ranks.all_reduce(list_.size(), Reduction::sum) / ranks_;
  }
  [[nodiscard]] std::uint64_t average_entries() const {
    return average_tuples() * (direction_ == RowDirection::both ? 2 : 1);
  }
  [[nodiscard]] std::uint64_t& count(int thread, std::size_t rank, std::size_t bucket) {
    return counts_[static_cast<std::size_t>(thread)][rank * map_.per_rank() + bucket];
  }

  void count_entries() {
    for_each_entry(context_.threads, list_, direction_, false, [&](int thread, Label row, Label, float) {
      const auto place = map_.place(row);
      ++count(thread, place.rank, place.bucket);
    });
    totals_.assign(map_.total(), 0);
    for (const auto& counts : counts_) {
      for (std::size_t i = 0; i < totals_.size(); ++i) totals_[i] += counts[i];
    }
    context_.ranks.all_reduce(std::span(totals_), Reduction::sum);
  }

  void lay_out_rows() {
    std::size_t first_entry = 0;
    for (std::size_t bucket = 0; bucket < map_.per_rank(); ++bucket) {
      const std::size_t first_row = std::min(bucket * map_.rows_per_bucket(), rows_.degrees.size());
      const std::size_t last_row = std::min(first_row + map_.rows_per_bucket(), rows_.degrees.size());
      rows_.buckets.push_back({first_row, last_row - first_row, first_entry});
      first_entry += totals_[self_ * map_.per_rank() + bucket];
    }
    rows_.neighbours = Buffer<Neighbour>(first_entry);
    if (weighted_) rows_.weights = Buffer<float>(first_entry);
    round_entries_ = construction_scratch_bytes(average_tuples()) / sizeof(Key) / (ranks_ > 1 ? 2 : 1);
  }

  /// The buckets from `first` on that a round takes: as many as no rank's scratch overflows by, at least one.
  [[nodiscard]] std::size_t end_of_round(std::size_t first) const {
    std::vector<std::uint64_t> filled(ranks_);
    std::size_t last = first;
    for (bool fits = true; last < map_.per_rank(); ++last) {
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        filled[rank] += totals_[rank * map_.per_rank() + last];
        fits = fits && filled[rank] <= round_entries_;
      }
      if (!fits && last > first) break;
    }
    return last;
  }

  void move_and_sort(std::size_t first, std::size_t last) {
    const std::size_t buckets = last - first;
    std::vector<std::size_t> send_counts(ranks_);  // entries to each rank
    std::vector<std::size_t> bucket_counts;        // the same by bucket
    partition_entries(first, last, send_counts, bucket_counts);
    if (ranks_ == 1) {
      sort_buckets(first, last, outgoing_.span(), bucket_counts);
      return;
    }
    const std::vector<std::size_t> each(ranks_, buckets);
    std::vector<std::size_t> incoming_counts(ranks_ * buckets);  // from each rank, by bucket
    context_.ranks.all_to_all(std::span<const std::size_t>(bucket_counts), each, std::span(incoming_counts), each);
    std::vector<std::size_t> receive_counts(ranks_);
    for (std::size_t i = 0; i < incoming_counts.size(); ++i) receive_counts[i / buckets] += incoming_counts[i];
    const std::size_t sent = std::reduce(send_counts.begin(), send_counts.end());
    const std::size_t received = std::reduce(receive_counts.begin(), receive_counts.end());
    hold(incoming_, received);
    context_.ranks.all_to_all(std::span<const Key>(outgoing_.span()).first(sent), send_counts,
                              incoming_.span().first(received), receive_counts);
    sort_buckets(first, last, incoming_.span(), incoming_counts);
  }

  /// Makes room for that many keys, in the memory of the round before where it suffices.
  static void hold(Buffer<Key>& keys, std::size_t count) {
    if (keys.size() >= count) return;
    keys = {};  // before the new one is there
    keys = Buffer<Key>(count);
  }

  /// Puts this rank's entries for buckets [first, last) of every rank into outgoing_, ordered by rank, then bucket.
  void partition_entries(std::size_t first, std::size_t last, std::vector<std::size_t>& send_counts,
                         std::vector<std::size_t>& bucket_counts) {
    const std::size_t buckets = last - first;
    const auto thread_count = static_cast<std::size_t>(context_.threads.size());
    // Where each thread's next entry of a rank's bucket goes, and that of all buckets that are not this round's: they
    // all go to one place that is never read, which is cheaper than a branch that is taken now and then.
    const std::size_t other = ranks_ * buckets;
    std::vector<std::vector<std::size_t>> cursors(thread_count, std::vector<std::size_t>(other + 1));
    bucket_counts.assign(ranks_ * buckets, 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < bucket_counts.size(); ++i) {
      const std::size_t start = next;
      for (std::size_t thread = 0; thread < thread_count; ++thread) {
        cursors[thread][i] = next;
        next += count(static_cast<int>(thread), i / buckets, first + i % buckets);
      }
      bucket_counts[i] = next - start;
      send_counts[i / buckets] += next - start;
    }
    constexpr std::size_t keys_per_line = 64 / sizeof(Key);
    hold(outgoing_, next + keys_per_line * (thread_count + 1));
    for (std::size_t thread = 0; thread < thread_count; ++thread) {
      cursors[thread][other] = next + keys_per_line * (thread + 1);
    }
    Key* entries = outgoing_.data();
    for_each_entry(context_.threads, list_, direction_, weighted_,
                   [&](int thread, Label row, Label column, float weight) {
                     const auto place = map_.place(row);
                     const std::size_t bucket = place.bucket - first;
                     const bool this_round = bucket < buckets;
                     std::size_t& cursor =
                         cursors[static_cast<std::size_t>(thread)][this_round ? place.rank * buckets + bucket : other];
                     entries[cursor] = Entry::pack(place.offset, static_cast<std::uint64_t>(column.value), weight);
                     cursor += static_cast<std::size_t>(this_round);
                   });
  }

  /// `counts` has one number for each source rank and bucket, in the order in which the entries lie.
  void sort_buckets(std::size_t first, std::size_t last, std::span<Key> entries, std::span<const std::size_t> counts) {
    const std::size_t buckets = last - first;
    std::vector<std::size_t> starts(counts.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      starts[i] = next;
      next += counts[i];
    }
    std::vector<hwy::Sorter> sorters(static_cast<std::size_t>(context_.threads.size()));
    parallel_blocks(context_.threads, buckets, 1, [&](IndexRange range, int thread) {
      const std::size_t bucket = range.begin;
      std::span<Key> keys = entries.subspan(starts[bucket], counts[bucket]);
      std::vector<Key> gathered;
      if (ranks_ > 1) {
        for (std::size_t i = bucket; i < counts.size(); i += buckets) {
          const auto piece = entries.subspan(starts[i], counts[i]);
          gathered.insert(gathered.end(), piece.begin(), piece.end());
        }
        keys = gathered;
      }
      sort_keys(sorters[static_cast<std::size_t>(thread)], keys);
      write_rows(rows_.buckets[first + bucket], keys);
    });
  }

  /// Sorted entries of one bucket become its rows; of equal edges the first, which is the lightest, stays.
  void write_rows(const Bucket& bucket, std::span<const Key> keys) {
    std::size_t written = bucket.first_entry;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0 && Entry::same_edge(keys[i - 1], keys[i])) continue;
      ++rows_.degrees[Entry::row(keys[i])];
      rows_.neighbours[written] = static_cast<Neighbour>(Entry::column(keys[i]));
      if (weighted_) rows_.weights[written] = Entry::weight(keys[i]);
      ++written;
    }
  }

  const EdgeList& list_;
  RowDirection direction_;
  const Context& context_;
  std::size_t ranks_;
  std::size_t self_;
  bool weighted_;
  BucketMap map_;
  std::vector<std::vector<std::uint64_t>> counts_;  // by thread, then rank and bucket: entries from this rank
  std::vector<std::uint64_t> totals_;               // by rank and bucket: entries from all ranks
  std::size_t round_entries_ = 0;
  Buffer<Key> outgoing_;
  Buffer<Key> incoming_;
  RowsByLabel<Neighbour> rows_;
};

}  // namespace

std::size_t construction_scratch_bytes(std::uint64_t tuples) {
  constexpr std::size_t bytes_per_tuple = 4;
  return std::max(least_scratch_bytes, static_cast<std::size_t>(tuples) * bytes_per_tuple);
}

template <class Neighbour, class Entry>
RowsByLabel<Neighbour> build_rows_by_label(const EdgeList& edges, bool weighted, RowDirection direction,
                                           const BlockDistribution& distribution, const Context& context) {
  return RowBuilder<Neighbour, Entry>(edges, weighted, direction, distribution, context).build();
}

template RowsByLabel<std::uint32_t> build_rows_by_label<std::uint32_t, NarrowEntry>(const EdgeList&, bool, RowDirection,
                                                                                    const BlockDistribution&,
                                                                                    const Context&);
template RowsByLabel<std::uint32_t> build_rows_by_label<std::uint32_t, WideEntry>(const EdgeList&, bool, RowDirection,
                                                                                  const BlockDistribution&,
                                                                                  const Context&);
template RowsByLabel<std::uint64_t> build_rows_by_label<std::uint64_t, WideEntry>(const EdgeList&, bool, RowDirection,
                                                                                  const BlockDistribution&,
                                                                                  const Context&);

}  // namespace breadth
