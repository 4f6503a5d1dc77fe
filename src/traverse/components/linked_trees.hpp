// What the rows of one rank connect, and how components get their numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"

namespace breadth {

// Trees.

inline constexpr std::size_t link_grain = 1024;

/// Trees of connected vertices, by local ids: each leads to one that is no larger, a root to itself.
class Trees {
 public:
  Trees(std::size_t vertices, ThreadTeam& threads) : above_(vertices), threads_(threads) {}

  /// The first that is said of a vertex: it goes below another one if that is smaller, else it is a root. Its own
  /// thread alone writes, so that no instruction is atomic.
  void begin(std::uint32_t vertex, std::uint32_t other) { set(vertex, std::min(vertex, other)); }

  /// Joins the trees of two vertices, whatever other threads join: the larger root goes below the smaller. Both lead to
  /// their roots directly then, so that no way up grows long where most vertices are linked.
  void link(std::uint32_t vertex, std::uint32_t other) {
    std::uint32_t a = flatten(vertex);
    std::uint32_t b = flatten(other);
    while (a != b) {
      const std::uint32_t high = std::max(a, b);
      const std::uint32_t low = std::min(a, b);
      std::uint32_t above = high;
      if (std::atomic_ref(above_[high]).compare_exchange_strong(above, low)) return;
      a = flatten(high);  // another thread was first
      b = flatten(low);
    }
  }

  /// Lets a vertex lead to its root directly, whatever other threads do; returns the root.
  std::uint32_t flatten(std::uint32_t vertex) {
    std::uint32_t above = get(vertex);
    for (std::uint32_t next = get(above); next != above; next = get(above)) set(vertex, above = next);
    return above;
  }

  /// The root that most of a sample of vertices has, while nothing is linked.
  [[nodiscard]] std::uint32_t largest() {
    constexpr std::size_t sample = 1024;
    std::unordered_map<std::uint32_t, std::size_t> counts;
    std::uint32_t best = 0;
    const std::size_t step = std::max<std::size_t>(1, above_.size() / sample);
    for (std::size_t vertex = 0; vertex < above_.size(); vertex += step) {
      const std::uint32_t root = flatten(static_cast<std::uint32_t>(vertex));
      if (++counts[root] > counts[best]) best = root;
    }
    return best;
  }

  /// Of a vertex that leads to its root directly.
  [[nodiscard]] std::uint32_t root(std::uint32_t vertex) const { return above_[vertex]; }
  [[nodiscard]] std::size_t size() const { return above_.size(); }

  /// Calls body(vertex) for every vertex, on all threads.
  template <class Body>
  void for_each(Body&& body) {
    parallel_for(threads_, above_.size(), link_grain,
                 [&](std::size_t vertex) { body(static_cast<std::uint32_t>(vertex)); });
  }

 private:
  [[nodiscard]] std::uint32_t get(std::uint32_t vertex) {
    return std::atomic_ref(above_[vertex]).load(std::memory_order_relaxed);
  }
  void set(std::uint32_t vertex, std::uint32_t above) {
    std::atomic_ref(above_[vertex]).store(above, std::memory_order_relaxed);
  }

  Buffer<std::uint32_t> above_;
  ThreadTeam& threads_;
};

// Which neighbours a rank can link.

/// All of them, on one rank.
struct AllVertices {
  static constexpr bool contains(std::uint64_t) { return true; }
  static constexpr std::uint32_t local(std::uint64_t global_id) { return static_cast<std::uint32_t>(global_id); }
};
/// Those that the rank owns, and hubs, of which it has replicas.
class OwnVertices {
 public:
  explicit OwnVertices(const Partition& partition)
      : code_(partition.code()), rank_(partition.rank()), hubs_(partition.hubs().count()) {}

  [[nodiscard]] bool contains(std::uint64_t global_id) const {
    return code_.rank(global_id) == rank_ || code_.local(global_id).index() < hubs_;
  }
  [[nodiscard]] std::uint32_t local(std::uint64_t global_id) const { return code_.local(global_id).value; }
  [[nodiscard]] int owner(std::uint64_t global_id) const { return code_.rank(global_id); }

 private:
  GlobalIdCode code_;
  int rank_;
  std::size_t hubs_;
};

/// Calls body(global id) for every neighbour of a vertex, whichever way the edge leads.
template <class Adjacencies, class Body>
void for_each_neighbour(const Adjacencies& adjacencies, LocalVertex vertex, Body&& body) {
  const auto walk = [&](const auto& rows) {
    rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](const auto& neighbours) {
      for (const auto neighbour : neighbours) body(std::uint64_t{neighbour});
    });
  };
  walk(adjacencies.out);
  if (adjacencies.directed) walk(adjacencies.in);
}

/// Calls body(global id) for the neighbour at a place of a vertex's row, if it has one: out of a column where there is
/// one for that place.
template <class Adjacencies, class Body>
void with_neighbour(const Adjacencies& adjacencies, LocalVertex vertex, std::size_t place, Body&& body) {
  const auto& rows = adjacencies.pull_rows();
  if (place < adjacencies.leading.size()) {
    body(std::uint64_t{adjacencies.leading[place].global_ids[vertex.index()]});
  } else if (place < rows.degree(vertex)) {
    rows.for_each_span(vertex, {place, place + 1},
                       [&](const auto& neighbours) { body(std::uint64_t{*neighbours.begin()}); });
  }
}

/// The same neighbour by its local id; the vertex itself where there is none or it is another rank's.
template <class Adjacencies, class Own>
std::uint32_t own_neighbour(const Adjacencies& adjacencies, const Own& own, std::uint32_t vertex, std::size_t place) {
  std::uint32_t found = vertex;
  with_neighbour(adjacencies, LocalVertex{vertex}, place, [&](std::uint64_t neighbour) {
    if (own.contains(neighbour)) found = own.local(neighbour);
  });
  return found;
}

/// Links what a rank's rows connect; every vertex leads to its root directly then.
template <class Adjacencies, class Own>
void link_all(Trees& trees, const Adjacencies& adjacencies, const Own& own) {
  trees.for_each([&](std::uint32_t vertex) { trees.begin(vertex, own_neighbour(adjacencies, own, vertex, 0)); });
  trees.for_each([&](std::uint32_t vertex) { trees.link(vertex, own_neighbour(adjacencies, own, vertex, 1)); });
  const std::uint32_t largest = trees.largest();
  std::atomic<bool> several = false;
  trees.for_each([&](std::uint32_t vertex) {
    if (trees.flatten(vertex) == largest) return;  // an edge from another tree is seen from its other end
    several.store(true, std::memory_order_relaxed);
    for_each_neighbour(adjacencies, LocalVertex{vertex}, [&](std::uint64_t neighbour) {
      if (own.contains(neighbour)) trees.link(vertex, own.local(neighbour));
    });
  });
  if (several) trees.for_each([&](std::uint32_t vertex) { trees.flatten(vertex); });
}

// Numbers, by the smallest label of each component.

inline constexpr std::size_t number_grain = std::size_t{1} << 14;

/// Calls body(offset, local id) for every label that a rank holds, no_local_vertex for one without edges.
template <class Body>
void for_each_label(const Partition& partition, std::size_t labels, ThreadTeam& threads, Body&& body) {
  const ConnectedLabels& connected = partition.connected();
  parallel_blocks(threads, connected.words().size(), number_grain / bits_per_word,
                  [&](IndexRange words, int) { connected.for_each(words, labels, body); });
}

/// Numbers the labels of which each is the first of a component, in their order on all ranks: calls set(label, number)
/// for each bit of `firsts`, of this rank's labels. Returns how many there are on all ranks. Collective.
template <class Set>
std::uint64_t number_firsts(const Bitmap& firsts, const Context& context, Set&& set) {
  constexpr std::size_t words_a_block = number_grain / bits_per_word;
  const std::span<const std::uint64_t> words = firsts.words();
  std::vector<std::int64_t> before((words.size() + words_a_block - 1) / words_a_block + 1);  // a block's first
  parallel_blocks(context.threads, words.size(), words_a_block, [&](IndexRange block, int) {
    for (const std::uint64_t word : words.subspan(block.begin, block.size())) {
      before[block.begin / words_a_block] += std::popcount(word);
    }
  });
  const std::int64_t here = exclusive_prefix_sum(context.threads, std::span(before));
  const auto before_rank = static_cast<std::int64_t>(context.ranks.sum_before(static_cast<std::uint64_t>(here)));
  parallel_blocks(context.threads, words.size(), words_a_block, [&](IndexRange block, int) {
    std::int64_t next = before_rank + before[block.begin / words_a_block];
    for (std::size_t word = block.begin; word < block.end; ++word) {
      for_each_set_bit(words[word], word * bits_per_word, [&](std::size_t label) { set(label, next++); });
    }
  });
  return static_cast<std::uint64_t>(context.ranks.all_reduce(here, Reduction::sum));
}

inline constexpr std::int64_t no_vertex = -1;

inline bool is_vertex(const Bitmap* vertices, std::size_t label) {
  return vertices == nullptr || vertices->contains(label);
}

}  // namespace breadth
