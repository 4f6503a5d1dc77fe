#include "traverse/one_rank.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"

namespace breadth {

namespace {
constexpr std::size_t link_grain = 1024;
constexpr std::size_t number_grain = std::size_t{1} << 14;

/// Trees of connected vertices, by local ids: each leads to one that is no larger, a root to itself.
class Trees {
 public:
  Trees(std::size_t vertices, ThreadTeam& threads) : above_(vertices), threads_(threads) {}

  /// The first that is said of a vertex: it goes below another one if that is smaller, else it is a root. Its own
  /// thread alone writes, so that no instruction is atomic.
  void begin(std::uint32_t vertex, std::uint32_t other) { set(vertex, std::min(vertex, other)); }

  /// Joins the trees of two vertices, whatever other threads join: the larger root goes below the smaller.
  void link(std::uint32_t vertex, std::uint32_t other) {
    std::uint32_t a = get(vertex);
    std::uint32_t b = get(other);
    while (a != b) {
      const std::uint32_t high = std::max(a, b);
      const std::uint32_t low = std::min(a, b);
      std::uint32_t above = get(high);
      if (above == low) return;
      if (above == high && std::atomic_ref(above_[high]).compare_exchange_strong(above, low)) return;
      a = get(get(high));
      b = get(low);
    }
  }

  /// Every vertex leads to its root directly.
  void flatten() {
    for_each([&](std::uint32_t vertex) {
      std::uint32_t above = get(vertex);
      for (std::uint32_t next = get(above); next != above; next = get(above)) set(vertex, above = next);
    });
  }

  /// After flatten(): the root that most of a sample of vertices has.
  [[nodiscard]] std::uint32_t largest() const {
    constexpr std::size_t sample = 1024;
    std::unordered_map<std::uint32_t, std::size_t> counts;
    std::uint32_t best = 0;
    const std::size_t step = std::max<std::size_t>(1, above_.size() / sample);
    for (std::size_t vertex = 0; vertex < above_.size(); vertex += step) {
      const std::uint32_t root = above_[vertex];
      if (++counts[root] > counts[best]) best = root;
    }
    return best;
  }

  [[nodiscard]] std::uint32_t root(std::uint32_t vertex) const { return above_[vertex]; }
  [[nodiscard]] std::size_t size() const { return above_.size(); }

  /// Calls body(vertex) for every vertex, on all threads.
  template <class Body>
  void for_each(Body&& body) {
    parallel_for(threads_, above_.size(), link_grain,
                 [&](std::size_t vertex) { body(static_cast<std::uint32_t>(vertex)); });
  }
  /// The way to a root that other threads may be changing.
  [[nodiscard]] std::uint32_t get(std::uint32_t vertex) {
    return std::atomic_ref(above_[vertex]).load(std::memory_order_relaxed);
  }

 private:
  void set(std::uint32_t vertex, std::uint32_t above) {
    std::atomic_ref(above_[vertex]).store(above, std::memory_order_relaxed);
  }

  Buffer<std::uint32_t> above_;
  ThreadTeam& threads_;
};

/// The neighbour at a place of a vertex's row, out of a column where there is one; the vertex itself without such a
/// neighbour.
template <class Adjacencies>
std::uint32_t neighbour_at(std::size_t place, const Adjacencies& adjacencies, std::uint32_t vertex) {
  if (place < adjacencies.leading.size()) {
    return static_cast<std::uint32_t>(adjacencies.leading[place].global_ids[vertex]);
  }
  std::uint32_t found = vertex;
  const auto& rows = adjacencies.pull_rows();
  if (place < rows.degree(LocalVertex{vertex})) {
    rows.for_each_stretch(LocalVertex{vertex}, {place, place + 1},
                          [&](const auto& neighbours) { found = static_cast<std::uint32_t>(*neighbours.begin()); });
  }
  return found;
}

template <class Rows>
void link_row(Trees& trees, const Rows& rows, LocalVertex vertex) {
  rows.for_each_stretch(vertex, {0, rows.degree(vertex)}, [&](const auto& neighbours) {
    for (const auto neighbour : neighbours) trees.link(vertex.value, static_cast<std::uint32_t>(neighbour));
  });
}

template <class Adjacencies>
void link_all(Trees& trees, const Adjacencies& adjacencies) {
  trees.for_each([&](std::uint32_t vertex) { trees.begin(vertex, neighbour_at(0, adjacencies, vertex)); });
  trees.flatten();
  trees.for_each([&](std::uint32_t vertex) { trees.link(vertex, neighbour_at(1, adjacencies, vertex)); });
  trees.flatten();
  const std::uint32_t largest = trees.largest();
  trees.for_each([&](std::uint32_t vertex) {
    if (trees.get(vertex) == largest) return;  // an edge from another tree is seen from its other end
    link_row(trees, adjacencies.out, LocalVertex{vertex});
    if (adjacencies.directed) link_row(trees, adjacencies.in, LocalVertex{vertex});
  });
  trees.flatten();
}

/// Numbers components by the smallest label of each; returns how many there are. On the way there a label has the root
/// of its tree, or, where it is a component by itself, a negative number: each label is looked up once.
std::uint64_t number(const Trees& trees, const Partition& partition, std::span<std::int64_t> of_label,
                     ThreadTeam& threads) {
  constexpr std::int64_t alone = -1;
  const std::size_t labels = of_label.size();
  const auto labels_from = [labels](std::size_t label) { return static_cast<std::int64_t>(labels - label); };
  // Of each root: how many labels there are from its first one on, 0 as long as none is known, so that pages without a
  // root are never touched; later ~number.
  Buffer<std::int64_t> of_root(trees.size());
  const auto place_of = [&](std::int64_t root) { return std::atomic_ref(of_root[static_cast<std::size_t>(root)]); };
  const ConnectedLabels& connected = partition.connected();
  parallel_blocks(threads, connected.words().size(), number_grain / bits_per_word, [&](IndexRange words, int) {
    auto next = connected.locals(words.begin, words.end).begin();
    const std::size_t end = std::min(labels, words.end * bits_per_word);
    for (std::size_t label = words.begin * bits_per_word; label < end; ++label) {
      of_label[label] = test_bit(connected.words(), label) ? std::int64_t{trees.root(*next++)} : alone;
      if (of_label[label] == alone) continue;
      const auto place = place_of(of_label[label]);
      std::int64_t seen = place.load(std::memory_order_relaxed);
      while (seen < labels_from(label) &&
             !place.compare_exchange_weak(seen, labels_from(label), std::memory_order_relaxed)) {
      }
    }
  });

  const auto for_each_first = [&](std::size_t block, auto&& body) {
    const std::size_t end = std::min(labels, (block + 1) * number_grain);
    for (std::size_t label = block * number_grain; label < end; ++label) {
      const std::int64_t root = of_label[label];
      if (root == alone || place_of(root).load(std::memory_order_relaxed) == labels_from(label)) body(label);
    }
  };
  Buffer<std::int64_t> before((labels + number_grain - 1) / number_grain + 1);  // components that begin before a block
  parallel_for(threads, before.size() - 1, 1, [&](std::size_t block) {
    std::int64_t count = 0;
    for_each_first(block, [&](std::size_t) { ++count; });
    before[block] = count;
  });
  const std::int64_t count = exclusive_prefix_sum(threads, before.span());
  parallel_for(threads, before.size() - 1, 1, [&](std::size_t block) {
    std::int64_t next = before[block];
    if (next == before[block + 1]) return;
    for_each_first(block, [&](std::size_t label) {
      std::int64_t& place = of_label[label];
      if (place == alone) {
        place = ~next++;
      } else {
        place_of(place).store(~next++, std::memory_order_relaxed);
      }
    });
  });
  parallel_for(threads, labels, number_grain, [&](std::size_t label) {
    const std::int64_t root = of_label[label];
    of_label[label] = root < 0 ? ~root : ~of_root[static_cast<std::size_t>(root)];
  });
  return static_cast<std::uint64_t>(count);
}
}  // namespace

std::uint64_t find_components(const Graph& graph, std::span<std::int64_t> of_label, const Context& context) {
  if (context.ranks.size() > 1) fail("connected components are found on one rank");
  Trees trees(graph.partition().local_count(), context.threads);
  graph.visit_rows([&](const auto& adjacencies) { link_all(trees, adjacencies); });
  return number(trees, graph.partition(), of_label, context.threads);
}

}  // namespace breadth
