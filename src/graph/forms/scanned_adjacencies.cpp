#include "graph/forms/scanned_adjacencies.hpp"

#include <utility>

namespace breadth {

namespace {

/// Where the rows of each 64 vertices begin in their skip list, and where it ends.
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
