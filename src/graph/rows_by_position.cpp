#include "graph/rows_by_position.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "graph/entry.hpp"

namespace breadth {

namespace {

/// Local ids by label for the blocks of some consecutive ranks.
class LocalIdWindow {
 public:
  LocalIdWindow(const Partition& partition, int first_rank, int last_rank, const Communicator& ranks)
      : distribution_(partition.distribution()), code_(partition.code()), first_(first_rank), last_(last_rank) {
    if (ranks.size() == 1) {
      table_ = partition.local_of_offset();
      return;
    }
    received_ = Buffer<std::uint32_t>(distribution_.block() * static_cast<std::size_t>(last_rank - first_rank));
    for (int rank = first_rank; rank < last_rank; ++rank) {
      const auto place = received_.span().subspan(distribution_.block() * static_cast<std::size_t>(rank - first_rank),
                                                  distribution_.count(rank));
      if (rank == ranks.rank()) std::copy_n(partition.local_of_offset().begin(), place.size(), place.begin());
      ranks.broadcast(place, rank);
    }
    table_ = received_.span();
  }

  /// The window holds labels below this; those below the window were renamed before.
  [[nodiscard]] std::uint64_t end() const { return static_cast<std::uint64_t>(distribution_.first(last_).value); }

  /// The vertex with this label, as PositionCode::order names it.
  [[nodiscard]] std::uint64_t rename(std::uint64_t label) const {
    const Label name{static_cast<std::int64_t>(label)};
    const int owner = distribution_.owner(name);
    const std::size_t index =
        distribution_.offset(name, owner) + distribution_.block() * static_cast<std::size_t>(owner - first_);
    return code_.order(code_.encode(owner, LocalVertex{table_[index]}));
  }

 private:
  const BlockDistribution& distribution_;
  const PositionCode& code_;
  int first_;
  int last_;
  Buffer<std::uint32_t> received_;
  std::span<const std::uint32_t> table_;
};

template <class Neighbour, class Entry>
class PositionBuilder {
 public:
  PositionBuilder(RowsByLabel<Neighbour> rows, const Partition& partition, const Context& context)
      : rows_(std::move(rows)), partition_(partition), context_(context), weighted_(!rows_.weights.empty()) {}

  Adjacency<Neighbour> build() {
    rename_neighbours();
    lay_out();
    move_rows();
    return std::move(adjacency_);
  }

 private:
  using Key = typename Entry::Key;
  /// Tables of local ids that a rank holds at once take no more than this many bytes, or one block's.
  static constexpr std::size_t window_bytes = std::size_t{16} << 20;
  /// Entries that are moved before their old places are given back.
  static constexpr std::size_t slab_entries = std::size_t{1} << 23;
  /// Entries that are sorted together: they fit the second-level cache.
  static constexpr std::size_t batch_entries = std::size_t{1} << 14;

  /// Labels become orders (PositionCode::order), in place, the labels of a few ranks at a time.
  void rename_neighbours() {
    const int ranks = context_.ranks.size();
    const std::size_t table_bytes = partition_.distribution().block() * sizeof(std::uint32_t);
    const int window =
        static_cast<int>(std::clamp<std::size_t>(window_bytes / table_bytes, 1, static_cast<std::size_t>(ranks)));
    std::vector<std::uint32_t> renamed(ranks > window ? rows_.degrees.size() : 0);  // of each row, from its start on
    for (int first = 0; first < ranks; first += window) {
      const LocalIdWindow ids(partition_, first, std::min(first + window, ranks), context_.ranks);
      parallel_blocks(context_.threads, rows_.buckets.size(), 1, [&](IndexRange range, int) {
        const Bucket& bucket = rows_.buckets[range.begin];
        if (renamed.empty()) {
          for (Neighbour& neighbour : entries_of(bucket)) neighbour = static_cast<Neighbour>(ids.rename(neighbour));
        } else {
          rename_window(bucket, ids, renamed);
        }
      });
    }
  }

  /// Neighbours in a row ascend, so the window's are those after the ones renamed before.
  void rename_window(const Bucket& bucket, const LocalIdWindow& ids, std::span<std::uint32_t> renamed) {
    Neighbour* row = rows_.neighbours.data() + bucket.first_entry;
    for (std::size_t i = bucket.first_row; i < bucket.first_row + bucket.row_count; ++i) {
      const std::uint32_t degree = rows_.degrees[i];
      std::uint32_t done = renamed[i];
      for (; done < degree && row[done] < ids.end(); ++done) row[done] = static_cast<Neighbour>(ids.rename(row[done]));
      renamed[i] = done;
      row += degree;
    }
  }

  [[nodiscard]] std::span<Neighbour> entries_of(const Bucket& bucket) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < bucket.row_count; ++i) count += rows_.degrees[bucket.first_row + i];
    return rows_.neighbours.span().subspan(bucket.first_entry, count);
  }

  void lay_out() {
    adjacency_.offsets = Buffer<EdgeOffset>(partition_.local_count() + 1);
    const auto offset_of_local = partition_.offset_of_local();
    parallel_for(context_.threads, offset_of_local.size(), std::size_t{1} << 14,
                 [&](std::size_t local) { adjacency_.offsets[local] = rows_.degrees[offset_of_local[local]]; });
    const EdgeOffset entries = exclusive_prefix_sum(context_.threads, adjacency_.offsets.span());
    adjacency_.neighbours = Buffer<Neighbour>(entries);
    if (weighted_) adjacency_.weights = Buffer<float>(entries);
  }

  void move_rows() {
    std::vector<hwy::Sorter> sorters(static_cast<std::size_t>(context_.threads.size()));
    std::vector<std::vector<Key>> batches(sorters.size());
    const auto& buckets = rows_.buckets;
    for (std::size_t first = 0; first < buckets.size();) {
      std::size_t last = first + 1;
      while (last < buckets.size() && buckets[last].first_entry - buckets[first].first_entry < slab_entries) ++last;
      parallel_blocks(context_.threads, last - first, 1, [&](IndexRange range, int thread) {
        const auto t = static_cast<std::size_t>(thread);
        move_bucket(buckets[first + range.begin], sorters[t], batches[t]);
      });
      const std::size_t end = last < buckets.size() ? buckets[last].first_entry : rows_.neighbours.size();
      rows_.neighbours.discard(buckets[first].first_entry, end);
      if (weighted_) rows_.weights.discard(buckets[first].first_entry, end);
      first = last;
    }
  }

  /// Collects rows until they make a batch, sorts them together and writes each to its place.
  void move_bucket(const Bucket& bucket, const hwy::Sorter& sorter, std::vector<Key>& batch) {
    std::size_t entry = bucket.first_entry;
    const std::size_t end_row = bucket.first_row + bucket.row_count;
    batch.clear();
    for (std::size_t row = bucket.first_row; row < end_row; ++row) {
      for (std::uint32_t i = 0; i < rows_.degrees[row]; ++i, ++entry) {
        batch.push_back(Entry::pack(static_cast<std::uint32_t>(row), rows_.neighbours[entry],
                                    weighted_ ? rows_.weights[entry] : 0));
      }
      if (batch.size() >= batch_entries || row + 1 == end_row) {
        sort_keys(sorter, std::span(batch));
        write_batch(batch);
        batch.clear();
      }
    }
  }

  void write_batch(std::span<const Key> batch) {
    const auto local_of_offset = partition_.local_of_offset();
    EdgeOffset place = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::uint32_t row = Entry::row(batch[i]);
      if (i == 0 || row != Entry::row(batch[i - 1])) place = adjacency_.offsets[local_of_offset[row]];
      adjacency_.neighbours[place] = static_cast<Neighbour>(partition_.code().from_order(Entry::column(batch[i])));
      if (weighted_) adjacency_.weights[place] = Entry::weight(batch[i]);
      ++place;
    }
  }

  RowsByLabel<Neighbour> rows_;
  const Partition& partition_;
  const Context& context_;
  bool weighted_;
  Adjacency<Neighbour> adjacency_;
};

}  // namespace

template <class Neighbour, class Entry>
Adjacency<Neighbour> build_rows_by_position(RowsByLabel<Neighbour> rows, const Partition& partition,
                                            const Context& context) {
  return PositionBuilder<Neighbour, Entry>(std::move(rows), partition, context).build();
}

template Adjacency<std::uint32_t> build_rows_by_position<std::uint32_t, NarrowEntry>(RowsByLabel<std::uint32_t>,
                                                                                     const Partition&, const Context&);
template Adjacency<std::uint32_t> build_rows_by_position<std::uint32_t, WideEntry>(RowsByLabel<std::uint32_t>,
                                                                                   const Partition&, const Context&);
template Adjacency<std::uint64_t> build_rows_by_position<std::uint64_t, WideEntry>(RowsByLabel<std::uint64_t>,
                                                                                   const Partition&, const Context&);

}  // namespace breadth
