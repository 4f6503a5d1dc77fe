#include "graph/build/direct_rows.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/build/entry.hpp"
#include "graph/build/row_buckets.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/partition.hpp"

namespace breadth {

namespace {

using Neighbour = std::uint32_t;
using Entry = NarrowEntry;

DegreeCounter count_degrees(const EdgeList& list, std::size_t labels, ThreadTeam& threads) {
  DegreeCounter counter(labels, threads);
  edge_blocks_by_thread(threads, list, false,
                        [&](std::span<const Edge> edges, std::span<const float> /*none*/, int thread) {
                          require_labels_below(list, edges, labels);
                          DegreeCounter::OfThread degrees = counter.of_thread(thread);
                          for (const auto& [source, target] : edges) {
                            if (source == target) continue;
                            degrees.count(source.index());
                            degrees.count(target.index());
                          }
                        });
  return counter;
}

/// The number of rows that keys can distinguish, with columns below `global_id_bound`.
std::uint64_t rows_of_keys(std::uint64_t global_id_bound) {
  return std::min(Entry(global_id_bound).row_bound(), std::uint64_t{1} << bucket_row_bits);
}

/// The place of an entry, by the label of its row: the bucket, and the row in the bucket.
class BucketOfLabel {
 public:
  /// Makes buckets of consecutive global ids, with about `entries` entries or at most `rows` rows each.
  BucketOfLabel(std::span<const std::uint32_t> degrees, const LocalOrder& order, std::uint64_t entries,
                std::uint64_t rows, ThreadTeam& threads)
      : places_(degrees.size()) {
    const std::span<const std::uint32_t> labels = order.offset_of_local.span();
    std::size_t first_entry = 0;
    const Buffer<std::uint64_t> sums = sums_of_groups(degrees, labels, threads);
    for (std::size_t first = 0; first < labels.size();) {
      std::size_t filled = 0;
      std::size_t last = first;
      while (last < labels.size() && last - first < rows && filled < entries) {
        const bool whole = last % group == 0 && last + group <= std::min(labels.size(), first + rows);
        if (whole && filled + sums[last / group] <= entries) {
          filled += sums[last / group];
          last += group;
        } else {
          filled += degrees[labels[last++]];
        }
      }
      buckets_.push_back({first, last - first, first_entry});
      first_entry += filled;
      first = last;
    }
    entries_ = first_entry;
    parallel_for(threads, buckets_.size(), 1, [&](std::size_t bucket) {
      for (std::size_t row = 0; row < buckets_[bucket].row_count; ++row) {
        places_[labels[buckets_[bucket].first_row + row]] = static_cast<std::uint32_t>(bucket << bucket_row_bits | row);
      }
    });
    for (const RowBucket& bucket : buckets_) first_ids_.push_back(static_cast<Neighbour>(bucket.first_row));
  }

  /// A bucket and a row in one number.
  using Place = std::uint32_t;
  [[nodiscard]] Place operator[](Label label) const { return places_[label.index()]; }
  [[nodiscard]] static std::size_t bucket(Place place) { return place >> bucket_row_bits; }
  [[nodiscard]] static BucketRow row(Place place) { return static_cast<BucketRow>(place); }
  [[nodiscard]] Neighbour global_id(Place place) const { return first_ids_[bucket(place)] + row(place); }

  [[nodiscard]] std::size_t labels() const { return places_.size(); }
  [[nodiscard]] const std::vector<RowBucket>& buckets() const { return buckets_; }
  /// The number of entries in all buckets.
  [[nodiscard]] std::size_t entries() const { return entries_; }
  [[nodiscard]] std::size_t entries(std::size_t bucket) const {
    return (bucket + 1 < buckets_.size() ? buckets_[bucket + 1].first_entry : entries_) - buckets_[bucket].first_entry;
  }

 private:
  /// The number of consecutive global ids that a bucket mostly takes in one step.
  static constexpr std::size_t group = 64;

  /// The sum of the degrees in each group.
  static Buffer<std::uint64_t> sums_of_groups(std::span<const std::uint32_t> degrees,
                                              std::span<const std::uint32_t> labels, ThreadTeam& threads) {
    Buffer<std::uint64_t> sums((labels.size() + group - 1) / group);
    parallel_for(threads, sums.size(), std::size_t{1} << 8, [&](std::size_t i) {
      for (const std::uint32_t label : labels.subspan(i * group, std::min(group, labels.size() - i * group))) {
        sums[i] += degrees[label];
      }
    });
    return sums;
  }

  std::vector<RowBucket> buckets_;
  std::vector<Neighbour> first_ids_;
  std::size_t entries_ = 0;
  Buffer<Place> places_;
};

/// Builds rows from the list. Buckets are sized with duplicates, so there are gaps between their rows at the end. Row
/// is BucketRow or RowInColumn.
template <class Row>
class DirectBuilder {
 public:
  DirectBuilder(const EdgeList& list, const BucketOfLabel& places, std::uint64_t global_id_bound, std::size_t vertices,
                ThreadTeam& threads)
      : list_(list), places_(places), code_(global_id_bound), global_id_bound_(global_id_bound), threads_(threads) {
    rows_.buckets = places.buckets();
    rows_.degrees = Buffer<std::uint32_t>(vertices);
    rows_.neighbours = Buffer<Neighbour>(places.entries());
    if constexpr (row_beside_column<Row>) names_ = Buffer<Row>(places.entries());
  }

  RowsByLabel<Neighbour> build(const DegreeCounter& counter) {
    move_entries(counter);
    sort_buckets();
    return std::move(rows_);
  }

 private:
  using Spans = EntrySpans<Neighbour, Row>;
  using Writer = BucketWriter<Neighbour, Row>;
  using Sorter = BucketSorterOf<Neighbour, Entry, Row>;
  using Place = BucketOfLabel::Place;

  [[nodiscard]] Spans entries() { return {rows_.neighbours.span(), names_.span(), {}}; }

  /// For each thread its part of each bucket, after the parts of the threads before it.
  [[nodiscard]] std::vector<std::vector<IndexRange>> parts(const DegreeCounter& counter) const {
    std::vector<std::vector<IndexRange>> parts(static_cast<std::size_t>(threads_.size()),
                                               std::vector<IndexRange>(places_.buckets().size()));
    threads_.run([&](int thread) {
      auto& counts = parts[static_cast<std::size_t>(thread)];
      counter.for_each_count(thread, [&](std::size_t label, std::uint32_t count) {
        counts[BucketOfLabel::bucket(places_[Label{static_cast<std::int64_t>(label)}])].end += count;
      });
    });
    for (std::size_t bucket = 0; bucket < places_.buckets().size(); ++bucket) {
      std::size_t next = places_.buckets()[bucket].first_entry;
      for (auto& of_thread : parts) {
        const std::size_t count = of_thread[bucket].end;
        of_thread[bucket] = {next, next + count};
        next += count;
      }
    }
    return parts;
  }

  void move_entries(const DegreeCounter& counter) {
    if (places_.buckets().empty()) return;  // nothing but self-loops
    struct Ends {
      std::vector<Place> sources = std::vector<Place>(edge_block_size);
      std::vector<Place> targets = std::vector<Place>(edge_block_size);
    };
    std::vector<Ends> ends(static_cast<std::size_t>(threads_.size()));
    take_pages(threads_, entries());
    std::vector<Writer> writers;
    writers.reserve(ends.size());
    for (auto& of_thread : parts(counter)) writers.emplace_back(std::move(of_thread), entries());
    edge_blocks_by_thread(threads_, list_, false,
                          [&](std::span<const Edge> edges, std::span<const float> /*none*/, int thread) {
                            require_labels_below(list_, edges, places_.labels());
                            auto& [sources, targets] = ends[static_cast<std::size_t>(thread)];
                            // Separate loops, so that many of these look-ups are in flight at once.
                            for (std::size_t i = 0; i < edges.size(); ++i) sources[i] = places_[edges[i].source];
                            for (std::size_t i = 0; i < edges.size(); ++i) targets[i] = places_[edges[i].target];
                            Writer& writer = writers[static_cast<std::size_t>(thread)];
                            for (std::size_t i = 0; i < edges.size(); ++i) {
                              const Place source = sources[i];
                              const Place target = targets[i];
                              if (source == target) continue;  // a self-loop: no two labels have one place
                              append(writer, source, places_.global_id(target));
                              append(writer, target, places_.global_id(source));
                            }
                          });
    finish_all(writers, list_, threads_);
  }

  void append(Writer& writer, Place row, Neighbour column) const {
    const std::size_t bucket = BucketOfLabel::bucket(row);
    if constexpr (row_beside_column<Row>) {
      writer.append(bucket, column, BucketOfLabel::row(row), 0, true);
    } else {
      writer.append(bucket, code_.pack(BucketOfLabel::row(row), column, 0), {}, 0, true);
    }
  }

  void sort_buckets() {
    std::vector<Sorter> sorters(static_cast<std::size_t>(threads_.size()), Sorter(global_id_bound_));
    const auto& buckets = places_.buckets();
    parallel_blocks(threads_, buckets.size(), 1, [&](IndexRange range, int thread) {
      const RowBucket& bucket = buckets[range.begin];
      const Spans piece = entries().subspan(bucket.first_entry, places_.entries(range.begin));
      sorters[static_cast<std::size_t>(thread)].sort(std::span(&piece, 1), bucket, rows_);
    });
  }

  const EdgeList& list_;
  const BucketOfLabel& places_;
  Entry code_;
  std::uint64_t global_id_bound_;
  ThreadTeam& threads_;
  RowsByLabel<Neighbour> rows_;  ///< by global id
  Buffer<Row> names_;            ///< the row of each entry, unless it is in the column
};

/// Moves each bucket's rows down to the end of the rows before them. Buckets whose new places overlap no old place of
/// another bucket move at the same time.
void close_gaps(Buffer<Neighbour>& neighbours, std::span<const RowBucket> buckets, std::span<const EdgeOffset> offsets,
                ThreadTeam& threads) {
  const auto end_of = [&](const RowBucket& bucket) { return offsets[bucket.first_row + bucket.row_count]; };
  for (std::size_t first = 0; first < buckets.size();) {
    std::size_t last = first + 1;
    while (last < buckets.size() && end_of(buckets[last]) <= buckets[first].first_entry) ++last;
    parallel_for(threads, last - first, 1, [&](std::size_t i) {
      const RowBucket& bucket = buckets[first + i];
      const EdgeOffset place = offsets[bucket.first_row];
      if (place == bucket.first_entry) return;
      std::memmove(neighbours.data() + place, neighbours.data() + bucket.first_entry,
                   (end_of(bucket) - place) * sizeof(Neighbour));
    });
    first = last;
  }
  neighbours.shrink(offsets.back());
}

}  // namespace

DirectRows build_directly(const EdgeList& edges, VertexOrder order, const BlockDistribution& distribution,
                          const Context& context) {
  ThreadTeam& threads = context.threads;
  const DegreeCounter counter = count_degrees(edges, distribution.count(0), threads);
  const Buffer<std::uint32_t> degrees = counter.sums();
  DirectRows direct{order_vertices(order, degrees.span(), threads), {}};
  const std::size_t vertices = direct.order.offset_of_local.size();
  const std::uint64_t bound = GlobalIdCode(vertices, 1).bound();
  const auto build = [&]<class Row>(Row /*kind*/, std::uint64_t rows) {
    const std::uint64_t wanted = std::max(entries_per_bucket<Row>, 2 * edges.size() / max_buckets);
    const BucketOfLabel places(degrees.span(), direct.order, wanted, rows, threads);
    return DirectBuilder<Row>(edges, places, bound, vertices, threads).build(counter);
  };
  const std::uint64_t rows = rows_of_keys(bound);
  RowsByLabel<Neighbour> by_global_id = vertices <= rows * max_buckets
                                            ? build(RowInColumn{}, rows)
                                            : build(BucketRow{}, std::uint64_t{1} << bucket_row_bits);
  direct.rows.offsets = Buffer<EdgeOffset>(vertices + 1);
  parallel_for(threads, vertices, std::size_t{1} << 14,
               [&](std::size_t i) { direct.rows.offsets[i] = by_global_id.degrees[i]; });
  exclusive_prefix_sum(threads, direct.rows.offsets.span());
  direct.rows.neighbours = std::move(by_global_id.neighbours);
  close_gaps(direct.rows.neighbours, by_global_id.buckets, direct.rows.offsets.span(), threads);
  return direct;
}

}  // namespace breadth
