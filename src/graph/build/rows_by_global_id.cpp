#include "graph/build/rows_by_global_id.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/build/entry.hpp"
#include "graph/build/hub_rows.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/forms/compressed_adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

// The stores of finished rows, one for each form of rows.

namespace {
/// Stores the rows of buckets, in any order, from several threads at a time, each bucket from one thread. Blocks of
/// hubs (HubRows) are buckets too, after the others. The entries of a row are sorted keys (graph/build/entry.hpp) whose
/// columns are GlobalIdCode::order.
template <class Rows>
class RowStore;

/// Writes the length of each vertex's row to `degrees`, by local id: first the rows of `hub_rows`, then the others.
template <class Number>
void order_degrees(std::span<const std::uint32_t> by_offset, const HubRows& hub_rows, const Partition& partition,
                   std::span<Number> degrees, ThreadTeam& threads) {
  const auto offset_of_local = partition.offset_of_local();
  const std::size_t hubs = hub_rows.blocks() * HubRows::block;
  for (std::uint32_t hub = 0; hub < hubs; ++hub) degrees[hub] = static_cast<Number>(hub_rows.degree(LocalVertex{hub}));
  parallel_for(threads, offset_of_local.size() - hubs, std::size_t{1} << 14,
               [&](std::size_t i) { degrees[hubs + i] = by_offset[offset_of_local[hubs + i]]; });
}

/// The store for plain rows. Degrees determine the place of each row before the first row is written.
template <class Neighbour>
class RowStore<Adjacency<Neighbour>> {
 public:
  RowStore(RowsByLabel<Neighbour>& rows, const HubRows& hub_rows, const Partition& partition, const Context& context)
      : code_(partition.code()) {
    adjacency_.offsets = Buffer<EdgeOffset>(partition.local_count() + 1);
    order_degrees(rows.degrees.span(), hub_rows, partition, adjacency_.offsets.span(), context.threads);
    const EdgeOffset entries = exclusive_prefix_sum(context.threads, adjacency_.offsets.span());
    const bool spare_suffices = !rows.spare.empty() && rows.spare.size() >= entries;
    adjacency_.neighbours = spare_suffices ? std::move(rows.spare) : Buffer<Neighbour>(entries);
    adjacency_.neighbours.shrink(entries);
    if (!rows.weights.empty() || !hub_rows.weights.empty()) adjacency_.weights = Buffer<float>(entries);
  }

  template <class Entry>
  void write(LocalVertex vertex, std::span<const typename Entry::Key> keys, const Entry& entry, int /*thread*/) {
    const EdgeOffset place = adjacency_.offsets[vertex.index()];
    for (std::size_t i = 0; i < keys.size(); ++i) {
      adjacency_.neighbours[place + i] = static_cast<Neighbour>(code_.from_order(entry.column(keys[i])));
    }
    if (adjacency_.weights.empty()) return;
    for (std::size_t i = 0; i < keys.size(); ++i) adjacency_.weights[place + i] = entry.weight(keys[i]);
  }
  void end_bucket(std::size_t /*bucket*/, int /*thread*/) {}

  Adjacency<Neighbour> finish() { return std::move(adjacency_); }

 private:
  GlobalIdCode code_;
  Adjacency<Neighbour> adjacency_;
};

/// The store for compressed rows. The length of a row is known only after its compression, so each bucket's rows wait
/// in memory of their own until all rows are compressed. A bucket's memory is released when its rows have been copied
/// to their final place.
template <class Neighbour>
class RowStore<CompressedAdjacency<Neighbour>> {
 public:
  RowStore(RowsByLabel<Neighbour>& rows, const HubRows& hub_rows, const Partition& partition, const Context& context)
      : partition_(partition),
        threads_(context.threads),
        degrees_(partition.local_count()),
        offsets_(partition.local_count() + 1),
        buckets_(rows.buckets.size() + hub_rows.blocks()),
        drafts_(static_cast<std::size_t>(context.threads.size())) {
    rows.spare = {};
    order_degrees(rows.degrees.span(), hub_rows, partition, degrees_.span(), threads_);
  }

  template <class Entry>
  void write(LocalVertex vertex, std::span<const typename Entry::Key> keys, const Entry& entry, int thread) {
    Draft& draft = drafts_[static_cast<std::size_t>(thread)];
    draft.row.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) draft.row[i] = static_cast<Neighbour>(entry.column(keys[i]));
    draft.vertices.push_back(vertex.value);
    offsets_[vertex.index()] = draft.rows.append(draft.row);
  }
  void end_bucket(std::size_t bucket, int thread) {
    Draft& draft = drafts_[static_cast<std::size_t>(thread)];
    buckets_[bucket] = {draft.rows.take(), Buffer<std::uint32_t>(draft.vertices.size())};
    std::copy(draft.vertices.begin(), draft.vertices.end(), buckets_[bucket].vertices.begin());
    draft.vertices.clear();
  }

  CompressedAdjacency<Neighbour> finish() {
    drafts_.clear();
    const EdgeOffset total = exclusive_prefix_sum(threads_, offsets_.span());
    Buffer<std::uint8_t> bytes(total + Code::slack_bytes);
    parallel_blocks(threads_, buckets_.size(), 1, [&](IndexRange range, int) {
      const Bucket bucket = std::move(buckets_[range.begin]);
      const std::uint8_t* next = bucket.bytes.data();
      for (const std::uint32_t vertex : bucket.vertices.span()) {
        const std::size_t length = offsets_[vertex + 1] - offsets_[vertex];
        std::memcpy(bytes.data() + offsets_[vertex], next, length);
        next += length;
      }
    });
    const std::uint64_t entries =
        parallel_sum(threads_, degrees_.size(), std::size_t{1} << 16, [&](std::size_t i) { return degrees_[i]; });
    return {partition_.code(), std::move(degrees_), std::move(offsets_), std::move(bytes), entries};
  }

 private:
  using Code = RowCode<Neighbour>;
  /// Consecutive rows and the vertices that they belong to.
  struct Bucket {
    Buffer<std::uint8_t> bytes;
    Buffer<std::uint32_t> vertices;
  };
  /// The bucket that a thread is filling.
  struct Draft {
    std::vector<Neighbour> row;
    CompressedRowsWriter<Neighbour> rows;
    std::vector<std::uint32_t> vertices;
  };

  const Partition& partition_;
  ThreadTeam& threads_;
  Buffer<std::uint32_t> degrees_;
  Buffer<EdgeOffset> offsets_;  ///< lengths of rows until all are known, then offsets
  std::vector<Bucket> buckets_;
  std::vector<Draft> drafts_;  ///< one per thread
};

/// Reads one bucket's rows by label, plain or compressed, from the first on.
template <class Neighbour>
class LabelReader {
 public:
  /// The rows must outlive it.
  LabelReader(const RowsByLabel<Neighbour>& rows, std::size_t bucket)
      : degrees_(rows.degrees.span()), rows_(first_of(rows, bucket)) {}

  /// Returns the `count` neighbours of the next rows, valid until the next call.
  const Neighbour* read(IndexRange rows, std::size_t count) {
    if (auto* const plain = std::get_if<const Neighbour*>(&rows_)) return std::exchange(*plain, *plain + count);
    auto& compressed = std::get<CompressedRowsReader<Neighbour>>(rows_);
    labels_.resize(count + RowCode<Neighbour>::group - 1);
    Neighbour* next = labels_.data();
    for (const std::uint32_t degree : degrees_.subspan(rows.begin, rows.size())) {
      compressed.read(degree, next);
      next += degree;
    }
    return labels_.data();
  }

 private:
  /// The next plain rows, or the reader of compressed rows.
  using NextRows = std::variant<const Neighbour*, CompressedRowsReader<Neighbour>>;

  static NextRows first_of(const RowsByLabel<Neighbour>& rows, std::size_t bucket) {
    if (rows.compressed.empty()) return rows.neighbours.data() + rows.buckets[bucket].first_entry;
    return CompressedRowsReader<Neighbour>(rows.compressed[bucket].span());
  }

  std::span<const std::uint32_t> degrees_;
  NextRows rows_;
  std::vector<Neighbour> labels_;  ///< decompressed
};

/// A table from label to GlobalIdCode::order for the vertices of some consecutive ranks.
template <class Neighbour>
class OrderWindow {
 public:
  OrderWindow(const Partition& partition, std::span<const std::uint32_t> local_of_offset, int first_rank, int last_rank,
              const Context& context)
      : first_(label_number(partition, first_rank)),
        end_(label_number(partition, last_rank)),
        orders_(
            run_together(context.ranks, [&] { return Buffer<Neighbour>(static_cast<std::size_t>(end_ - first_)); })) {
    const BlockDistribution& distribution = partition.distribution();
    const GlobalIdCode& code = partition.code();
    Buffer<std::uint32_t> received = run_together(
        context.ranks, [&] { return Buffer<std::uint32_t>(context.ranks.size() > 1 ? distribution.block() : 0); });
    for (int rank = first_rank; rank < last_rank; ++rank) {
      std::span<const std::uint32_t> locals = local_of_offset;
      if (context.ranks.size() > 1) {
        const auto table = received.span().first(distribution.count(rank));
        if (rank == context.ranks.rank()) std::copy_n(locals.begin(), table.size(), table.begin());
        context.ranks.broadcast(table, rank);
        locals = table;
      }
      const auto orders = orders_.span().subspan(label_number(partition, rank) - first_, locals.size());
      parallel_for(context.threads, locals.size(), std::size_t{1} << 16, [&](std::size_t i) {
        const LocalVertex vertex{locals[i]};
        const int at = partition.hubs().contains(vertex) ? partition.rank() : rank;
        orders[i] = static_cast<Neighbour>(code.order(code.encode(at, vertex)));
      });
    }
  }

  /// The bound of the window's labels. Labels below the window's first were renamed before.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] Neighbour rename(std::uint64_t label) const { return orders_[label - first_]; }

 private:
  static std::uint64_t label_number(const Partition& partition, int rank) {
    return static_cast<std::uint64_t>(partition.distribution().first(rank).value);
  }

  std::uint64_t first_;
  std::uint64_t end_;
  Buffer<Neighbour> orders_;
};

template <class Rows, class Entry>
class GlobalIdBuilder {
  using Neighbour = typename Rows::Neighbour;

 public:
  GlobalIdBuilder(RowsByLabel<Neighbour> rows, HubRows hub_rows, NeighbourOrder neighbours, const Partition& partition,
                  std::span<const std::uint32_t> local_of_offset, const Context& context)
      : rows_(std::move(rows)),
        hub_rows_(std::move(hub_rows)),
        neighbours_(neighbours),
        partition_(partition),
        local_of_offset_(local_of_offset),
        context_(context),
        weighted_(!rows_.weights.empty()),
        code_(partition.code().order_bound()) {}

  Rows build() {
    const Window last = rename_all_but_last();
    return run_together(context_.ranks, [&] {
      RowStore<Rows> store(rows_, hub_rows_, partition_, context_);
      move_rows(last, store);
      write_hub_rows(store);
      return store.finish();
    });
  }

 private:
  using Key = typename Entry::Key;
  using Window = OrderWindow<Neighbour>;
  /// A thread's sorter and its memory.
  struct Sorting {
    KeySorter<Key> sorter;
    std::vector<Key> keys;
  };
  /// The most bytes of tables of local ids that a rank holds at once, unless one block's table takes more.
  static constexpr std::size_t window_bytes = std::size_t{16} << 20;
  /// The number of entries that are sorted together: they fit the first-level cache.
  static constexpr std::size_t batch_entries = std::size_t{1} << 12;

  /// Renames labels to GlobalIdCode::order in place, the labels of a few ranks at a time. Returns the last window: its
  /// labels (on few ranks, all labels) are renamed on their way to their final place.
  Window rename_all_but_last() {
    const int ranks = context_.ranks.size();
    const std::size_t table_bytes = partition_.distribution().block() * sizeof(Neighbour);
    const int window =
        static_cast<int>(std::clamp<std::size_t>(window_bytes / table_bytes, 1, static_cast<std::size_t>(ranks)));
    if (ranks > window) {
      run_together(context_.ranks, [&] { renamed_ = Buffer<std::uint32_t>(rows_.degrees.size()); });
    }
    int first = 0;
    for (; first + window < ranks; first += window) {
      const Window orders(partition_, local_of_offset_, first, first + window, context_);
      parallel_blocks(context_.threads, rows_.buckets.size(), 1,
                      [&](IndexRange range, int) { rename_window(rows_.buckets[range.begin], orders); });
    }
    return Window(partition_, local_of_offset_, first, ranks, context_);
  }

  /// Renames the labels of one window. Neighbours in a row ascend, so the window's labels follow those renamed before.
  void rename_window(const RowBucket& bucket, const Window& orders) {
    Neighbour* row = rows_.neighbours.data() + bucket.first_entry;
    for (std::size_t i = bucket.first_row; i < bucket.first_row + bucket.row_count; ++i) {
      const std::uint32_t degree = rows_.degrees[i];
      std::uint32_t done = renamed_[i];
      for (; done < degree && row[done] < orders.end(); ++done) row[done] = orders.rename(row[done]);
      renamed_[i] = done;
      row += degree;
    }
  }

  /// Moves all rows but those of hubs. The rows by label are consumed: their memory is released as it is used up.
  void move_rows(const Window& orders, RowStore<Rows>& store) {
    std::vector<Sorting> sortings(static_cast<std::size_t>(context_.threads.size()));
    for (std::size_t first = 0; first < rows_.buckets.size();) {
      const std::size_t last = end_of_slab(first);
      parallel_blocks(context_.threads, last - first, 1, [&](IndexRange range, int thread) {
        const std::size_t bucket = first + range.begin;
        move_bucket(bucket, orders, sortings[static_cast<std::size_t>(thread)], store, thread);
        store.end_bucket(bucket, thread);
        if (!rows_.compressed.empty()) rows_.compressed[bucket] = {};
      });
      if (rows_.compressed.empty()) give_back(first, last);
      first = last;
    }
  }

  /// The end of the buckets from `first` on whose plain rows are released together. Each bucket of compressed rows has
  /// memory of its own.
  [[nodiscard]] std::size_t end_of_slab(std::size_t first) const {
    const auto& buckets = rows_.buckets;
    if (!rows_.compressed.empty()) return buckets.size();
    std::size_t last = first + 1;
    while (last < buckets.size() && buckets[last].first_entry - buckets[first].first_entry < moved_entries) ++last;
    return last;
  }
  /// Releases the plain rows of these buckets.
  void give_back(std::size_t first, std::size_t last) {
    const auto& buckets = rows_.buckets;
    const std::size_t begin = buckets[first].first_entry;
    const std::size_t end = last < buckets.size() ? buckets[last].first_entry : rows_.neighbours.size();
    rows_.neighbours.discard(begin, end);
    if (!rows_.weights.empty()) rows_.weights.discard(begin, end);
  }

  /// Collects rows until they make a batch, sorts them together and writes each to its place. In NeighbourOrder::labels
  /// they are not sorted.
  void move_bucket(std::size_t bucket, const Window& orders, Sorting& sorting, RowStore<Rows>& store, int thread) {
    LabelReader<Neighbour> reader(rows_, bucket);
    std::size_t entry = rows_.buckets[bucket].first_entry;
    std::size_t row = rows_.buckets[bucket].first_row;
    const std::size_t end_row = row + rows_.buckets[bucket].row_count;
    while (row < end_row) {
      const std::size_t first_row = row;
      const std::size_t last_row = std::min(end_row, row + code_.row_bound());
      std::size_t size = 0;
      for (; row < last_row && size < batch_entries; ++row) size += rows_.degrees[row];
      if (sorting.keys.size() < size) sorting.keys.resize(size);
      const std::span<Key> keys = std::span(sorting.keys).first(size);
      rename_batch({first_row, row}, reader.read({first_row, row}, size), entry, orders, keys);
      write_batch({first_row, row}, sorted_batch({first_row, row}, keys, sorting), store, thread);
      entry += size;
    }
  }

  void rename_batch(IndexRange rows, const Neighbour* labels, std::size_t entry, const Window& orders,
                    std::span<Key> keys) const {
    std::size_t next = 0;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const auto number = static_cast<std::uint32_t>(row - rows.begin);
      const std::size_t done = next + (renamed_.empty() ? 0 : renamed_[row]);
      const std::size_t end = next + rows_.degrees[row];
      for (; next < done; ++next, ++entry) keys[next] = code_.pack(number, labels[next], weight(entry));
      for (; next < end; ++next, ++entry) {
        keys[next] = code_.pack(number, orders.rename(labels[next]), weight(entry));
      }
    }
  }

  /// Sorts the keys of rows, which are stored row by row, into NeighbourOrder.
  std::span<const Key> sorted_batch(IndexRange rows, std::span<Key> keys, Sorting& sorting) const {
    if (neighbours_ == NeighbourOrder::labels) return keys;
    if (!have_few_entries(rows.size(), keys.size())) return sorting.sorter.sorted(keys);
    std::size_t next = 0;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      sort_row(keys.subspan(next, rows_.degrees[row]));
      next += rows_.degrees[row];
    }
    return keys;
  }

  void write_batch(IndexRange rows, std::span<const Key> keys, RowStore<Rows>& store, int thread) const {
    std::size_t next = 0;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const std::uint32_t degree = rows_.degrees[row];
      if (degree == 0) continue;
      store.write(LocalVertex{local_of_offset_[row]}, keys.subspan(next, degree), code_, thread);
      next += degree;
    }
  }

  /// The neighbours of hubs are all local ids of this rank, so rows in ascending order of local ids are also in
  /// ascending order of GlobalIdCode::order.
  void write_hub_rows(RowStore<Rows>& store) const {
    std::vector<std::vector<Key>> keys(static_cast<std::size_t>(context_.threads.size()));
    parallel_blocks(context_.threads, hub_rows_.blocks(), 1, [&](IndexRange range, int thread) {
      auto& of_row = keys[static_cast<std::size_t>(thread)];
      const auto first = static_cast<std::uint32_t>(range.begin * HubRows::block);
      for (LocalVertex hub{first}; hub.value < first + HubRows::block; ++hub.value) {
        of_row.clear();
        EdgeOffset entry = hub_rows_.offsets[hub.index()];
        for (const std::uint32_t neighbour : hub_rows_.row(hub)) {
          const std::uint64_t global_id = partition_.global_id(LocalVertex{neighbour});
          const float weight = hub_rows_.weights.empty() ? 0 : hub_rows_.weights[entry++];
          of_row.push_back(code_.pack(0, partition_.code().order(global_id), weight));
        }
        if (!of_row.empty()) store.write(hub, of_row, code_, thread);
      }
      store.end_bucket(rows_.buckets.size() + range.begin, thread);
    });
  }

  [[nodiscard]] float weight(std::size_t entry) const {
    if constexpr (Entry::has_weight) return weighted_ ? rows_.weights[entry] : 0;
    return 0;
  }

  RowsByLabel<Neighbour> rows_;
  HubRows hub_rows_;
  NeighbourOrder neighbours_;
  const Partition& partition_;
  std::span<const std::uint32_t> local_of_offset_;
  const Context& context_;
  bool weighted_;
  Entry code_;
  Buffer<std::uint32_t> renamed_;  // the number of renamed neighbours of each row; empty if one window holds all labels
};

}  // namespace

template <class Rows, class Entry>
Rows build_rows_by_global_id(RowsByLabel<typename Rows::Neighbour> rows, HubRows hub_rows, NeighbourOrder neighbours,
                             const Partition& partition, std::span<const std::uint32_t> local_of_offset,
                             const Context& context) {
  return GlobalIdBuilder<Rows, Entry>(std::move(rows), std::move(hub_rows), neighbours, partition, local_of_offset,
                                      context)
      .build();
}

template <class Rows>
using BuildRowsByGlobalId = Rows(RowsByLabel<typename Rows::Neighbour>, HubRows, NeighbourOrder, const Partition&,
                                 std::span<const std::uint32_t>, const Context&);
using NarrowRows = Adjacency<std::uint32_t>;
using WideRows = Adjacency<std::uint64_t>;
using NarrowCompressedRows = CompressedAdjacency<std::uint32_t>;
using WideCompressedRows = CompressedAdjacency<std::uint64_t>;
template BuildRowsByGlobalId<NarrowRows> build_rows_by_global_id<NarrowRows, NarrowEntry>;
template BuildRowsByGlobalId<NarrowRows> build_rows_by_global_id<NarrowRows, WideEntry>;
template BuildRowsByGlobalId<NarrowRows> build_rows_by_global_id<NarrowRows, LightestFirstEntry>;
template BuildRowsByGlobalId<WideRows> build_rows_by_global_id<WideRows, WideEntry>;
template BuildRowsByGlobalId<WideRows> build_rows_by_global_id<WideRows, LightestFirstEntry>;
template BuildRowsByGlobalId<NarrowCompressedRows> build_rows_by_global_id<NarrowCompressedRows, NarrowEntry>;
template BuildRowsByGlobalId<NarrowCompressedRows> build_rows_by_global_id<NarrowCompressedRows, WideEntry>;
template BuildRowsByGlobalId<WideCompressedRows> build_rows_by_global_id<WideCompressedRows, WideEntry>;

}  // namespace breadth
