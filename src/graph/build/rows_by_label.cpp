#include "graph/build/rows_by_label.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/build/entry.hpp"
#include "graph/build/row_buckets.hpp"
#include "graph/forms/compressed_adjacency.hpp"

namespace breadth {

namespace {

/// Memory for entries.
template <class Neighbour, class Row>
struct EntryBuffers {
  Buffer<Neighbour> columns;
  Buffer<Row> rows;
  Buffer<float> weights;

  /// Resizes to `count` entries, in the present memory if it is large enough.
  void hold(std::size_t count, bool weighted) {
    if (columns.size() >= count) {
      columns.shrink(count);
      if constexpr (row_beside_column<Row>) rows.shrink(count);
      if (weighted) weights.shrink(count);
      return;
    }
    *this = {};  // releases the old memory first
    columns = Buffer<Neighbour>(count);
    if constexpr (row_beside_column<Row>) rows = Buffer<Row>(count);
    if (weighted) weights = Buffer<float>(count);
  }
  [[nodiscard]] EntrySpans<Neighbour, Row> spans() { return {columns.span(), rows.span(), weights.span()}; }
};

/// Calls body(thread, row, column, weight) for each entry of the list's tuples. Every thread has a fixed share of the
/// tuples, so that counting and moving see the same entries on the same thread. Throws Error if a label is not below
/// `labels`.
template <class Body>
void for_each_entry(ThreadTeam& threads, const EdgeList& list, std::uint64_t labels, RowDirection direction,
                    bool with_weights, Body&& body) {
  edge_blocks_by_thread(threads, list, with_weights,
                        [&](std::span<const Edge> edges, std::span<const float> weights, int thread) {
                          require_labels_below(list, edges, labels);
                          for (std::size_t i = 0; i < edges.size(); ++i) {
                            const auto [source, target] = edges[i];
                            if (source == target) continue;
                            const float weight = with_weights ? weights[i] : 0;
                            if (direction != RowDirection::backward) body(thread, source, target, weight);
                            if (direction != RowDirection::forward) body(thread, target, source, weight);
                          }
                        });
}

/// One construction, from counting to finished rows. Row is BucketRow or RowInColumn.
template <class Neighbour, class Entry, class Row>
class RowBuilder {
 public:
  RowBuilder(const EdgeList& list, bool weighted, RowDirection direction, LabelRows form,
             const BlockDistribution& distribution, const Context& context)
      : list_(list),
        labels_(distribution.vertex_count()),
        direction_(direction),
        context_(context),
        ranks_(static_cast<std::size_t>(context.ranks.size())),
        self_(static_cast<std::size_t>(context.ranks.rank())),
        weighted_(weighted),
        compressed_(form == LabelRows::compressed),
        map_(distribution, average_entries() / entries_per_bucket<Row>, row_bits<Entry, Row>(distribution)),
        code_(distribution.vertex_count()),
        counts_(static_cast<std::size_t>(context.threads.size()), std::vector<std::uint64_t>(map_.total())),
        sorters_(counts_.size(), Sorter(distribution.vertex_count())),
        writers_(counts_.size()) {
    const std::size_t rows = distribution.count(context.ranks.rank());
    run_together(context.ranks, [&] { rows_.degrees = Buffer<std::uint32_t>(rows); });
  }

  RowsByLabel<Neighbour> build() {
    count_entries();
    run_together(context_.ranks, [&] { lay_out_rows(); });
    if (ranks_ == 1) {
      sort_in_place();
      return std::move(rows_);
    }
    for (std::size_t first = 0; first < map_.per_rank();) {
      const std::size_t last = end_of_round(first);
      exchange_and_sort(first, last);
      first = last;
    }
    return std::move(rows_);
  }

 private:
  using Spans = EntrySpans<Neighbour, Row>;
  using Writer = BucketWriter<Neighbour, Row>;
  using Sorter = BucketSorterOf<Neighbour, Entry, Row>;

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
    run_together(context_.ranks, [&] {
      for_each_entry(context_.threads, list_, labels_, direction_, false, [&](int thread, Label row, Label, float) {
        const auto place = map_.place(row);
        ++count(thread, place.rank, place.bucket);
      });
    });
    totals_.assign(map_.total(), 0);
    for (const auto& counts : counts_) {
      for (std::size_t i = 0; i < totals_.size(); ++i) totals_[i] += counts[i];
    }
    context_.ranks.all_reduce(std::span(totals_), Reduction::sum);
  }

  void lay_out_rows() {
    std::size_t round_end = 0;
    std::size_t first_entry = 0;
    std::size_t room = 0;
    for (std::size_t bucket = 0; bucket < map_.per_rank(); ++bucket) {
      if (bucket == round_end) {
        round_end = compressed_ ? end_of_compressed_round(bucket) : map_.per_rank();
        first_entry = 0;
      }
      const std::size_t first_row = std::min(bucket * map_.rows_per_bucket(), rows_.degrees.size());
      const std::size_t last_row = std::min(first_row + map_.rows_per_bucket(), rows_.degrees.size());
      rows_.buckets.push_back({first_row, last_row - first_row, first_entry});
      first_entry += totals_[self_ * map_.per_rank() + bucket];
      room = std::max(room, first_entry);
    }
    rows_.neighbours = Buffer<Neighbour>(room);
    if (weighted_) rows_.weights = Buffer<float>(room);
  }

  /// Builds the rows of one rank. Entries go straight to the place of their bucket's rows; only their rows, if
  /// separate, are stored elsewhere. Each round of compressed rows reuses the place of the round before.
  void sort_in_place() {
    rows_.spare = Buffer<Neighbour>(rows_.neighbours.size());
    std::span<Row> names;
    if constexpr (row_beside_column<Row>) {
      static_assert(sizeof(Row) <= sizeof(Neighbour));
      names = {reinterpret_cast<Row*>(rows_.spare.data()), rows_.spare.size()};
    }
    const Spans entries{rows_.neighbours.span(), names, rows_.weights.span()};
    if (compressed_) rows_.compressed.resize(map_.per_rank());
    for (std::size_t first = 0; first < map_.per_rank();) {
      const std::size_t last = compressed_ ? end_of_compressed_round(first) : map_.per_rank();
      partition_entries(first, last, entries);
      sort_buckets(first, last, entries, std::span(totals_).subspan(first, last - first));
      first = last;
    }
    if (!compressed_) return;
    rows_.neighbours = {};
    rows_.spare = {};
  }

  /// The end of the buckets from `first` on that a round of one rank with compressed rows takes: at least one, and as
  /// many as fit beside the compressed rows of the rounds before.
  [[nodiscard]] std::size_t end_of_compressed_round(std::size_t first) const {
    constexpr std::size_t room_per_tuple = 8;
    constexpr std::size_t bytes_per_entry = 3;  // of compressed rows, seldom more
    constexpr std::size_t scratch_per_entry = sizeof(Neighbour) + row_bytes<Row>;
    const auto before = std::span(totals_).first(first);
    const std::size_t room = std::max(min_scratch_bytes, list_.size() * room_per_tuple);
    const std::size_t taken = std::min(room, std::reduce(before.begin(), before.end()) * bytes_per_entry);
    const std::size_t most = std::max(min_scratch_bytes, room - taken) / scratch_per_entry;
    std::size_t filled = totals_[first];
    std::size_t end = first + 1;
    while (end < map_.per_rank() && filled + totals_[end] <= most) filled += totals_[end++];
    return end;
  }

  /// Compresses a bucket's sorted rows and releases the places of the rows and of the row numbers beside them.
  void compress_bucket(std::size_t bucket, CompressedRowsWriter<Neighbour>& writer) {
    const auto [first_row, row_count, first_entry] = rows_.buckets[bucket];
    const Neighbour* row = rows_.neighbours.data() + first_entry;
    for (const std::uint32_t degree : rows_.degrees.span().subspan(first_row, row_count)) {
      if (degree > 0) writer.append({row, degree});
      row += degree;
    }
    rows_.compressed[bucket] = writer.take();
    const std::size_t end = first_entry + totals_[bucket];
    rows_.neighbours.discard(first_entry, end);
    rows_.spare.discard(first_entry * row_bytes<Row> / sizeof(Neighbour), end * row_bytes<Row> / sizeof(Neighbour));
  }

  /// The end of the buckets from `first` on that a round takes: at least one, and as many as fit the scratch memory of
  /// every rank. Memory that the rows of later rounds will take counts as scratch until then.
  [[nodiscard]] std::size_t end_of_round(std::size_t first) const {
    constexpr std::size_t copies = 2;  // outgoing and incoming
    const std::size_t kept_bytes = sizeof(Neighbour) + (weighted_ ? sizeof(float) : 0);
    const std::size_t entry_bytes = copies * (kept_bytes + row_bytes<Row>)+kept_bytes;
    const std::size_t scratch_bytes = max_scratch_bytes(average_tuples());
    std::size_t last = map_.per_rank();
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      const auto to_come = std::span(totals_).subspan(rank * map_.per_rank(), map_.per_rank()).subspan(first);
      const std::uint64_t all = std::reduce(to_come.begin(), to_come.end());
      std::uint64_t filled = to_come[0];
      std::size_t end = first + 1;
      for (; end < last; ++end) {
        filled += to_come[end - first];
        if (filled * entry_bytes > scratch_bytes + all * kept_bytes) break;
      }
      last = end;
    }
    return last;
  }

  void exchange_and_sort(std::size_t first, std::size_t last) {
    const std::size_t buckets = last - first;
    const std::vector<std::size_t> outgoing_counts = counts_of_round(first, last);
    const std::vector<std::size_t> incoming_counts =  // from each rank, by bucket
        context_.ranks.exchange_counts(outgoing_counts);
    const std::vector<std::size_t> send_counts = sums(outgoing_counts, buckets);
    const std::vector<std::size_t> receive_counts = sums(incoming_counts, buckets);
    run_together(context_.ranks, [&] {
      outgoing_.hold(std::reduce(send_counts.begin(), send_counts.end()), weighted_);
      incoming_.hold(std::reduce(receive_counts.begin(), receive_counts.end()), weighted_);
    });
    const Spans out = outgoing_.spans();
    const Spans in = incoming_.spans();
    partition_entries(first, last, out);
    const Communicator& ranks = context_.ranks;
    ranks.all_to_all(std::span<const Neighbour>(out.columns), send_counts, in.columns, receive_counts);
    if constexpr (row_beside_column<Row>) {
      ranks.all_to_all(std::span<const Row>(out.rows), send_counts, in.rows, receive_counts);
    }
    if (weighted_) ranks.all_to_all(std::span<const float>(out.weights), send_counts, in.weights, receive_counts);
    run_together(context_.ranks, [&] { sort_buckets(first, last, in, incoming_counts); });
  }

  /// This rank's entries for buckets [first, last) of every rank, by rank, then bucket.
  [[nodiscard]] std::vector<std::size_t> counts_of_round(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> counts;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      for (std::size_t bucket = first; bucket < last; ++bucket) {
        std::size_t sum = 0;
        for (const auto& of_thread : counts_) sum += of_thread[rank * map_.per_rank() + bucket];
        counts.push_back(sum);
      }
    }
    return counts;
  }

  /// The sum of each `length` consecutive numbers.
  static std::vector<std::size_t> sums(std::span<const std::size_t> numbers, std::size_t length) {
    std::vector<std::size_t> result(numbers.size() / length);
    for (std::size_t i = 0; i < numbers.size(); ++i) result[i / length] += numbers[i];
    return result;
  }

  /// Puts this rank's entries for buckets [first, last) of every rank into `to`, ordered by rank, then bucket.
  /// Collective.
  void partition_entries(std::size_t first, std::size_t last, const Spans& to) {
    const std::size_t buckets = last - first;
    const std::size_t other = ranks_ * buckets;  // for entries of other rounds
    std::vector<Writer> writers;
    // An entry of another round is written to a place that is never read: this costs less than an unpredictable branch.
    const auto append = [&](int thread, Label row, Label column, float weight) {
      const auto place = map_.place(row);
      const std::size_t bucket = place.bucket - first;
      const bool this_round = bucket < buckets;
      Writer& writer = writers[static_cast<std::size_t>(thread)];
      const std::size_t to_bucket = this_round ? place.rank * buckets + bucket : other;
      const auto number = static_cast<std::uint64_t>(column.value);
      if constexpr (row_beside_column<Row>) {
        writer.append(to_bucket, static_cast<Neighbour>(number), place.row, weight, this_round);
      } else {
        writer.append(to_bucket, code_.pack(place.row, number, weight), {}, weight, this_round);
      }
    };
    run_together(context_.ranks, [&] {
      take_pages(context_.threads, to);
      writers.reserve(counts_.size());
      for (auto& of_thread : parts_of_round(first, last)) writers.emplace_back(std::move(of_thread), to);
      for_each_entry(context_.threads, list_, labels_, direction_, weighted_, append);
      finish_all(writers, list_, context_.threads);
    });
  }

  /// For each thread the places of its entries for buckets [first, last) of every rank, by rank, then bucket, followed
  /// by an empty range for all other entries.
  [[nodiscard]] std::vector<std::vector<IndexRange>> parts_of_round(std::size_t first, std::size_t last) {
    const std::size_t buckets = last - first;
    std::vector<std::vector<IndexRange>> parts(counts_.size(), std::vector<IndexRange>(ranks_ * buckets + 1));
    std::size_t next = 0;
    for (std::size_t i = 0; i < ranks_ * buckets; ++i) {
      for (std::size_t thread = 0; thread < counts_.size(); ++thread) {
        const std::size_t size = count(static_cast<int>(thread), i / buckets, first + i % buckets);
        parts[thread][i] = {next, next + size};
        next += size;
      }
    }
    return parts;
  }

  /// `counts` has one number for each source rank and bucket, in the order in which the entries lie.
  void sort_buckets(std::size_t first, std::size_t last, const Spans& entries, std::span<const std::size_t> counts) {
    const std::size_t buckets = last - first;
    std::vector<std::size_t> starts(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), std::size_t{0});
    parallel_blocks(context_.threads, buckets, 1, [&](IndexRange range, int thread) {
      std::vector<Spans> pieces;
      for (std::size_t i = range.begin; i < counts.size(); i += buckets) {
        pieces.push_back(entries.subspan(starts[i], counts[i]));
      }
      const std::size_t bucket = first + range.begin;
      sorters_[static_cast<std::size_t>(thread)].sort(pieces, rows_.buckets[bucket], rows_);
      if (compressed_) compress_bucket(bucket, writers_[static_cast<std::size_t>(thread)]);
    });
  }

  const EdgeList& list_;
  std::uint64_t labels_;
  RowDirection direction_;
  const Context& context_;
  std::size_t ranks_;
  std::size_t self_;
  bool weighted_;
  bool compressed_;
  BucketMap map_;
  Entry code_;
  std::vector<std::vector<std::uint64_t>> counts_;        // by thread, then rank and bucket: entries from this rank
  std::vector<std::uint64_t> totals_;                     // by rank and bucket: entries from all ranks
  std::vector<Sorter> sorters_;                           // by thread
  std::vector<CompressedRowsWriter<Neighbour>> writers_;  // by thread
  EntryBuffers<Neighbour, Row> outgoing_;
  EntryBuffers<Neighbour, Row> incoming_;
  RowsByLabel<Neighbour> rows_;
};

}  // namespace

template <class Neighbour, class Entry>
RowsByLabel<Neighbour> build_rows_by_label(const EdgeList& edges, bool weighted, RowDirection direction, LabelRows form,
                                           const BlockDistribution& distribution, const Context& context) {
  if constexpr (std::is_same_v<Neighbour, typename Entry::Key>) {
    if (rows_fit_keys<Entry>(distribution)) {
      return RowBuilder<Neighbour, Entry, RowInColumn>(edges, weighted, direction, form, distribution, context).build();
    }
  }
  return RowBuilder<Neighbour, Entry, BucketRow>(edges, weighted, direction, form, distribution, context).build();
}

template <class Neighbour>
using BuildRowsByLabel = RowsByLabel<Neighbour>(const EdgeList&, bool, RowDirection, LabelRows,
                                                const BlockDistribution&, const Context&);
template BuildRowsByLabel<std::uint32_t> build_rows_by_label<std::uint32_t, NarrowEntry>;
template BuildRowsByLabel<std::uint32_t> build_rows_by_label<std::uint32_t, WideEntry>;
template BuildRowsByLabel<std::uint64_t> build_rows_by_label<std::uint64_t, WideEntry>;

}  // namespace breadth
