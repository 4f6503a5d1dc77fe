#include "traverse/one_rank.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"

namespace breadth {

namespace {
constexpr std::size_t link_grain = 1024;
constexpr std::size_t number_grain = std::size_t{1} << 14;
constexpr std::size_t sampled_edges = 2;  ///< of each vertex, for the first trees

/// Trees of connected vertices, by local ids: each leads to one that is no larger, a root to itself.
class Trees {
 public:
  Trees(std::size_t vertices, ThreadTeam& threads) : above_(vertices), threads_(threads) {
    for_each([&](std::uint32_t vertex) { set(vertex, vertex); });
  }

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
      while (get(vertex) != get(get(vertex))) set(vertex, get(get(vertex)));
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

/// Links a vertex with its neighbours at places [begin, end) of its row.
template <class Rows>
void link_row(Trees& trees, const Rows& rows, LocalVertex vertex, IndexRange places) {
  const std::size_t end = std::min(places.end, rows.degree(vertex));
  if (places.begin >= end) return;
  rows.for_each_stretch(vertex, {places.begin, end}, [&](const auto& neighbours) {
    for (const auto neighbour : neighbours) trees.link(vertex.value, static_cast<std::uint32_t>(neighbour));
  });
}

template <class Adjacencies>
void link_all(Trees& trees, const Adjacencies& adjacencies) {
  for (std::size_t place = 0; place < sampled_edges; ++place) {
    trees.for_each([&](std::uint32_t vertex) {
      link_row(trees, adjacencies.out, LocalVertex{vertex}, {place, place + 1});
    });
    trees.flatten();
  }
  const std::uint32_t largest = trees.largest();
  trees.for_each([&](std::uint32_t vertex) {
    if (trees.get(vertex) == largest) return;  // an edge from another tree is seen from its other end
    link_row(trees, adjacencies.out, LocalVertex{vertex}, {sampled_edges, SIZE_MAX});
    if (adjacencies.directed) link_row(trees, adjacencies.in, LocalVertex{vertex}, {0, SIZE_MAX});
  });
  trees.flatten();
}

/// Numbers components by the smallest label of each. On the way there a label has the root of its tree, or, where it is
/// a component by itself, a negative number: each label is looked up once.
Components number(const Trees& trees, const Partition& partition, ThreadTeam& threads) {
  constexpr std::int64_t alone = -1;
  const std::size_t labels = partition.distribution().count(partition.rank());
  Components found{.of_label = Buffer<std::int64_t>(labels)};
  const std::span<std::int64_t> of_label = found.of_label.span();
  Buffer<std::int64_t> first_label(trees.size());  // of each root; later its number
  const auto first_of = [&](std::int64_t root) { return std::atomic_ref(first_label[static_cast<std::size_t>(root)]); };
  parallel_fill(threads, first_label.span(), std::int64_t{INT64_MAX});
  parallel_for(threads, labels, number_grain, [&](std::size_t label) {
    const auto mine = static_cast<std::int64_t>(label);
    const LocalVertex vertex = partition.local(Label{mine});
    of_label[label] = vertex == no_local_vertex ? alone : std::int64_t{trees.root(vertex.value)};
    if (vertex == no_local_vertex) return;
    const auto first = first_of(of_label[label]);
    std::int64_t seen = first.load(std::memory_order_relaxed);
    while (mine < seen && !first.compare_exchange_weak(seen, mine, std::memory_order_relaxed)) {
    }
  });

  // A number is at most the first label, so none is taken for the first label of a later one.
  const auto begins_one = [&](std::size_t label) {
    return of_label[label] == alone ||
           first_of(of_label[label]).load(std::memory_order_relaxed) == static_cast<std::int64_t>(label);
  };
  const auto for_each_first = [&](std::size_t block, auto&& body) {
    const std::size_t end = std::min(labels, (block + 1) * number_grain);
    for (std::size_t label = block * number_grain; label < end; ++label) {
      if (begins_one(label)) body(label);
    }
  };
  Buffer<std::int64_t> before((labels + number_grain - 1) / number_grain);  // components that begin before a block
  parallel_for(threads, before.size(), 1, [&](std::size_t block) {
    std::int64_t count = 0;
    for_each_first(block, [&](std::size_t) { ++count; });
    before[block] = count;
  });
  found.count = static_cast<std::uint64_t>(exclusive_prefix_sum(threads, before.span()));
  parallel_for(threads, before.size(), 1, [&](std::size_t block) {
    std::int64_t next = before[block];
    for_each_first(block, [&](std::size_t label) {
      std::int64_t& place = of_label[label];
      if (place == alone) {
        place = ~next++;
      } else {
        first_of(place).store(next++, std::memory_order_relaxed);
      }
    });
  });
  parallel_for(threads, labels, number_grain, [&](std::size_t label) {
    std::int64_t& place = of_label[label];
    place = place < 0 ? ~place : first_label[static_cast<std::size_t>(place)];
  });
  return found;
}
}  // namespace

Components connected_components(const Graph& graph, const Context& context) {
  if (context.ranks.size() > 1) fail("connected components are found on one rank");
  Trees trees(graph.partition().local_count(), context.threads);
  graph.visit_rows([&](const auto& adjacencies) { link_all(trees, adjacencies); });
  return number(trees, graph.partition(), context.threads);
}

}  // namespace breadth
