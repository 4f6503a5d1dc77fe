// Where kernel 1 puts rows when they are finished, one store for each form of rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/build/hub_rows.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/forms/compressed_adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// Takes the rows of buckets, in any order, from several threads at a time, each bucket from one; blocks of hubs
/// (HubRows) are buckets too, after the others. Kernel 1 gives the entries of a row as sorted keys
/// (graph/build/entry.hpp) whose columns are PositionCode::order.
template <class Rows>
class RowStore;

/// How long the rows of vertices become, in `degrees`: those of hubs have an end of their own.
template <class Number>
void order_degrees(std::span<const std::uint32_t> by_offset, const HubRows& hub_rows, const Partition& partition,
                   std::span<Number> degrees, ThreadTeam& threads) {
  const auto offset_of_local = partition.offset_of_local();
  const std::size_t hubs = hub_rows.size();
  for (std::size_t hub = 0; hub < hubs; ++hub) degrees[hub] = static_cast<Number>(hub_rows.row(hub).size());
  parallel_for(threads, offset_of_local.size() - hubs, std::size_t{1} << 14,
               [&](std::size_t i) { degrees[hubs + i] = by_offset[offset_of_local[hubs + i]]; });
}

/// Degrees tell where each row goes before the first is there.
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
    if (!rows.weights.empty() || hub_rows.weighted()) adjacency_.weights = Buffer<float>(entries);
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
  PositionCode code_;
  Adjacency<Neighbour> adjacency_;
};

/// How long a row becomes is known once it is compressed: each bucket's rows wait in memory of its own until all are.
/// The buckets go back to the system as their rows find their places.
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
  /// Rows, one after the other, and whose they are.
  struct Bucket {
    Buffer<std::uint8_t> bytes;
    Buffer<std::uint32_t> vertices;
  };
  /// A thread's bucket while it is made.
  struct Draft {
    std::vector<Neighbour> row;
    CompressedRowsWriter<Neighbour> rows;
    std::vector<std::uint32_t> vertices;
  };

  const Partition& partition_;
  ThreadTeam& threads_;
  Buffer<std::uint32_t> degrees_;
  Buffer<EdgeOffset> offsets_;  ///< lengths of rows until all are known
  std::vector<Bucket> buckets_;
  std::vector<Draft> drafts_;  ///< one a thread
};

}  // namespace breadth
