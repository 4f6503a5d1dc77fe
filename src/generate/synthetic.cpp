#include "generate/generators.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "core/errors.hpp"

namespace breadth {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr auto max_vertices = static_cast<std::uint64_t>(label_bound);
constexpr std::uint64_t edge_bound = std::uint64_t{1} << 63;

Edge edge(std::uint64_t source, std::uint64_t target) {
  return {Label{static_cast<std::int64_t>(source)}, Label{static_cast<std::int64_t>(target)}};
}

void check_vertices(std::uint64_t vertex_count) {
  if (vertex_count > max_vertices) fail("{} vertices are too many; labels have 48 bits", vertex_count);
}

void check_edges(std::uint64_t vertex_count, Wide edge_count) {
  if (edge_count >= edge_bound) {
    fail("{} times 2^62 edges or more are too many; there may be up to 2^63 - 1",
         static_cast<std::uint64_t>(edge_count >> 62));
  }
  if (vertex_count == 0 && edge_count > 0) {
    fail("a graph without vertices cannot have {} edges", static_cast<std::uint64_t>(edge_count));
  }
}

/// A random number for each pair of seed and index (the output function of Steele, Lea & Flood 2014, SplitMix).
std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  const auto finish = [](std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31);
  };
  return finish(finish(seed + 0x9E3779B97F4A7C15U) + (index + 1) * 0x9E3779B97F4A7C15U);
}

/// The draw with this index from uniformly distributed numbers below `bound`.
std::uint64_t draw_below(std::uint64_t bound, std::uint64_t seed, std::uint64_t index) {
  return static_cast<std::uint64_t>(Wide{mix(seed, index)} * bound >> 64);
}

/// A permutation of the numbers below `bound`: a permutation of all numbers with as many bits, applied until the result
/// is below `bound`.
class LabelMixer {
 public:
  LabelMixer(std::uint64_t bound, std::uint64_t seed)
      : bound_(bound),
        mask_(std::bit_ceil(bound) - 1),
        shift_(static_cast<int>(std::bit_width(mask_)) / 2 + 1),
        factor_(mix(seed, 0) | 1),
        term_(mix(seed, 1)) {}
  [[nodiscard]] std::uint64_t operator()(std::uint64_t label) const {
    do {
      for (int round = 0; round < 3; ++round) {
        label = (label * factor_ + term_) & mask_;
        label ^= label >> shift_;
      }
    } while (label >= bound_);
    return label;
  }

 private:
  std::uint64_t bound_;
  std::uint64_t mask_;
  int shift_;
  std::uint64_t factor_;
  std::uint64_t term_;
};

}  // namespace

SyntheticGraph grid_graph(std::uint64_t rows, std::uint64_t columns) {
  if (rows != 0 && columns > max_vertices / rows) {
    fail("a grid of {} rows and {} columns has too many vertices; labels have 48 bits", rows, columns);
  }
  if (rows == 0 || columns == 0) return {0, 0, {}};
  const std::uint64_t across = rows * (columns - 1);  // edges inside rows come first
  return {rows * columns, across + (rows - 1) * columns, [=](std::uint64_t i) {
            if (i >= across) return edge(i - across, i - across + columns);
            const std::uint64_t vertex = i / (columns - 1) * columns + i % (columns - 1);
            return edge(vertex, vertex + 1);
          }};
}

SyntheticGraph uniform_random_graph(std::uint64_t vertex_count, std::uint64_t edge_count, std::uint64_t seed) {
  check_vertices(vertex_count);
  check_edges(vertex_count, edge_count);
  return {vertex_count, edge_count, [=](std::uint64_t i) {
            return edge(draw_below(vertex_count, seed, 2 * i), draw_below(vertex_count, seed, 2 * i + 1));
          }};
}

SyntheticGraph small_world_graph(std::uint64_t vertex_count, std::uint64_t reach, std::uint64_t one_in,
                                 std::uint64_t seed) {
  check_vertices(vertex_count);
  check_edges(vertex_count, Wide{vertex_count} * reach);
  if (one_in == 0) fail("one_in is 0; it must be at least 1: one edge in that many leads to a random vertex");
  return {vertex_count, vertex_count * reach, [=](std::uint64_t i) {
            const std::uint64_t source = i / reach;
            if (draw_below(one_in, seed, 2 * i) == 0) return edge(source, draw_below(vertex_count, seed, 2 * i + 1));
            return edge(source, (source + i % reach + 1) % vertex_count);
          }};
}

SyntheticGraph tailed_graph(std::uint64_t core_vertices, std::uint64_t core_edges, std::uint64_t tails,
                            std::uint64_t tail_length, std::uint64_t seed) {
  if (tail_length != 0 && tails > max_vertices / tail_length) {
    fail("{} tails of {} vertices are too many; labels have 48 bits", tails, tail_length);
  }
  const std::uint64_t tail_vertices = tails * tail_length;
  check_vertices(core_vertices);
  check_vertices(core_vertices + tail_vertices);
  check_edges(core_vertices, Wide{core_edges} + tail_vertices);
  const SyntheticGraph core = uniform_random_graph(core_vertices, core_edges, seed);
  return {core_vertices + tail_vertices, core_edges + tail_vertices, [=](std::uint64_t i) {
            if (i < core_edges) return core.edge(i);
            const std::uint64_t link = i - core_edges;
            const std::uint64_t vertex = core_vertices + link;
            const bool at_core = link % tail_length == 0;
            return edge(at_core ? draw_below(core_vertices, seed, core_edges + i) : vertex - 1, vertex);
          }};
}

SyntheticGraph with_mixed_labels(SyntheticGraph graph, std::uint64_t seed) {
  if (graph.vertex_count == 0) return graph;
  const LabelMixer mixer(graph.vertex_count, seed);
  return {graph.vertex_count, graph.edge_count, [mixer, plain = std::move(graph.edge)](std::uint64_t i) {
            const Edge old = plain(i);
            return edge(mixer(old.source.index()), mixer(old.target.index()));
          }};
}

SyntheticWeights even_weights(std::uint64_t seed) {
  constexpr int bits = 24;  // of a float's fraction
  return [seed](std::uint64_t i) {
    return std::ldexp(static_cast<float>(draw_below(std::uint64_t{1} << bits, seed, i)), -bits);
  };
}

SyntheticWeights whole_weights(std::uint32_t largest, std::uint64_t seed) {
  if (largest < 1 || largest > max_whole_weight) {
    fail("the largest weight is {}; it must be from 1 to {}", largest, max_whole_weight);
  }
  return [=](std::uint64_t i) { return static_cast<float>(1 + draw_below(largest, seed, i)); };
}

}  // namespace breadth
