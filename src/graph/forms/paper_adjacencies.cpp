#include "graph/forms/paper_adjacencies.hpp"

#include <algorithm>
#include <utility>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

// The two-dimensional partition.

namespace {
/// A message of rows along a grid column: for each row the vertex, its number of neighbours, and the neighbours.
template <class Neighbour>
class RowParts {
 public:
  void add(Neighbour vertex, Neighbour target) {
    if (words_.empty() || words_[header_] != vertex) {
      header_ = words_.size();
      words_.insert(words_.end(), {vertex, 0});
    }
    ++words_[header_ + 1];
    words_.push_back(target);
  }
  [[nodiscard]] std::span<const Neighbour> words() const { return words_; }

 private:
  std::vector<Neighbour> words_;
  std::size_t header_ = 0;
};

/// A range of vertices from `first` on whose rows have about `entries_at_a_time` entries together.
template <class Neighbour>
IndexRange next_rows(const Adjacency<Neighbour>& rows, std::size_t first) {
  constexpr EdgeOffset entries = GridAdjacencies<Neighbour>::entries_at_a_time;
  const auto offsets = rows.offsets.span();
  const auto after =
      std::upper_bound(offsets.begin() + static_cast<std::ptrdiff_t>(first), offsets.end(), offsets[first] + entries);
  const auto end = static_cast<std::size_t>(after - offsets.begin()) - 1;
  return {first, std::min(std::max(end, first + 1), offsets.size() - 1)};
}

/// The parts of these rows for each rank of the column, by its row in the grid.
template <class Neighbour>
std::vector<RowParts<Neighbour>> deal_out(const Adjacency<Neighbour>& rows, IndexRange vertices, GridShape shape,
                                          const GlobalIdCode& code) {
  std::vector<RowParts<Neighbour>> parts(static_cast<std::size_t>(shape.rows));
  for (std::size_t i = vertices.begin; i < vertices.end; ++i) {
    const LocalVertex vertex{static_cast<std::uint32_t>(i)};
    for (const Neighbour global_id : rows.row(vertex)) {
      const int grid_row = code.rank(global_id) / shape.columns;
      const std::uint64_t first = code.encode(grid_row * shape.columns, LocalVertex{0});
      parts[static_cast<std::size_t>(grid_row)].add(static_cast<Neighbour>(i),
                                                    static_cast<Neighbour>(global_id - first));
    }
  }
  return parts;
}

template <class Neighbour>
void take(std::span<const Neighbour> words, typename GridAdjacencies<Neighbour>::Sources& sources) {
  while (!words.empty()) {
    const std::size_t count = words[1];
    sources.present.insert(words[0]);
    sources.targets.insert(sources.targets.end(), words.begin() + 2,
                           words.begin() + 2 + static_cast<std::ptrdiff_t>(count));
    sources.offsets.push_back(sources.targets.size());
    words = words.subspan(2 + count);
  }
}
}  // namespace

template <class Neighbour>
GridAdjacencies<Neighbour>::GridAdjacencies(Adjacency<Neighbour> rows, GridShape shape, const Partition& partition,
                                            const Context& context)
    : shape_(shape), degrees_(partition.local_count()), sources_(static_cast<std::size_t>(shape.rows)) {
  const int rank = context.ranks.rank();
  const Communicator column = context.ranks.split(rank % shape.columns, rank / shape.columns);
  const std::vector<std::size_t> vertices = column.all_gather(partition.local_count());
  run_together(context.ranks, [&] {
    for (std::size_t i = 0; i < sources_.size(); ++i) sources_[i].present = Bitmap(vertices[i]);
    for (std::size_t i = 0; i < degrees_.size(); ++i) {
      degrees_[i] = static_cast<std::uint32_t>(rows.degree(LocalVertex{static_cast<std::uint32_t>(i)}));
    }
  });

  for (std::size_t next = 0;;) {
    const bool more = next < partition.local_count();
    if (context.ranks.all_reduce(std::uint64_t{more ? 1U : 0U}, Reduction::maximum) == 0) break;
    const IndexRange some = more ? next_rows(rows, next) : IndexRange{next, next};
    std::vector<Neighbour> send;
    std::vector<std::size_t> counts;
    run_together(context.ranks, [&] {
      for (const RowParts<Neighbour>& part : deal_out(rows, some, shape, partition.code())) {
        counts.push_back(part.words().size());
        send.insert(send.end(), part.words().begin(), part.words().end());
      }
    });
    Received<Neighbour> came = column.all_to_all(std::span<const Neighbour>(send), counts);
    run_together(context.ranks, [&] {
      came.for_each_rank([&](std::size_t source, std::span<const Neighbour> words) { take(words, sources_[source]); });
    });
    next = some.end;
  }

  for (Sources& one : sources_) {
    std::uint32_t rows_before = 0;
    for (const std::uint64_t word : std::as_const(one.present).words()) {
      one.earlier.push_back(rows_before);
      rows_before += static_cast<std::uint32_t>(std::popcount(word));
    }
  }
}

template class GridAdjacencies<std::uint32_t>;
template class GridAdjacencies<std::uint64_t>;

// Pairs of vertices and skip lists.

namespace {

/// Where the rows of each 64 vertices begin in their skip list; the last element is the end of the list.
template <class Neighbour>
Buffer<EdgeOffset> index_of(const Adjacency<Neighbour>& rows) {
  const std::size_t vertices = rows.offsets.size() - 1;
  Buffer<EdgeOffset> index(words_for_bits(vertices) + 1);
  for (std::size_t word = 0; word < index.size(); ++word) {
    index[word] = SkipList<Neighbour>::place(rows, std::min(word * bits_per_word, vertices));
  }
  return index;
}

}  // namespace

template <class Neighbour>
SkipList<Neighbour>::SkipList(Adjacency<Neighbour> rows, ThreadTeam& threads) {
  constexpr std::size_t slab_entries = std::size_t{1} << 23;
  constexpr std::size_t grain = 64;
  const std::size_t vertices = rows.offsets.size() - 1;
  words_ = Buffer<Neighbour>(place(rows, vertices));
  find_starts(rows);
  for (std::size_t first = 0; first < vertices;) {
    const auto beyond = std::upper_bound(rows.offsets.begin() + first + 1, rows.offsets.begin() + vertices,
                                         rows.offsets[first] + slab_entries);
    const auto last = static_cast<std::size_t>(beyond - rows.offsets.begin());
    parallel_for(threads, last - first, grain,
                 [&](std::size_t i) { write_row(rows, LocalVertex{static_cast<std::uint32_t>(first + i)}); });
    rows.neighbours.discard(rows.offsets[first], rows.offsets[last]);
    first = last;
  }
}

template <class Neighbour>
void SkipList<Neighbour>::find_starts(const Adjacency<Neighbour>& rows) {
  starts_ = Buffer<EdgeOffset>((words_.size() + section_words - 1) / section_words);
  std::size_t vertex = 0;
  for (std::size_t section = 0; section < starts_.size(); ++section) {
    while (place(rows, vertex + 1) <= section * section_words) ++vertex;
    starts_[section] = place(rows, vertex);
  }
}

template <class Neighbour>
void SkipList<Neighbour>::write_row(const Adjacency<Neighbour>& rows, LocalVertex vertex) {
  const auto row = rows.row(vertex);
  const Header header{vertex.value, static_cast<std::uint32_t>(row.size())};
  Neighbour* words = words_.data() + place(rows, vertex.index());
  std::memcpy(words, &header, sizeof header);
  std::copy(row.begin(), row.end(), words + header_words);
}

template <class Neighbour>
IndexedSkipList<Neighbour>::IndexedSkipList(Adjacency<Neighbour> rows, ThreadTeam& threads)
    : index_(index_of(rows)), list_(std::move(rows), threads) {}

template class SkipList<std::uint32_t>;
template class SkipList<std::uint64_t>;
template class IndexedSkipList<std::uint32_t>;
template class IndexedSkipList<std::uint64_t>;

}  // namespace breadth
