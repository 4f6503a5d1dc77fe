#include "generate/synthetic.hpp"

#include <cmath>

#include "core/errors.hpp"

namespace breadth {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr auto most_vertices = static_cast<std::uint64_t>(label_bound);
constexpr std::uint64_t most_complete_vertices = std::uint64_t{1} << 32;
constexpr std::uint64_t edge_bound = std::uint64_t{1} << 63;

Edge edge(std::uint64_t source, std::uint64_t target) {
  return {Label{static_cast<std::int64_t>(source)}, Label{static_cast<std::int64_t>(target)}};
}

void check_vertices(std::uint64_t vertex_count) {
  if (vertex_count > most_vertices) fail("{} vertices are too many; labels have 48 bits", vertex_count);
}

/// Pairs of different numbers below count.
std::uint64_t pairs(std::uint64_t count) {
  return count == 0 ? 0 : static_cast<std::uint64_t>(Wide{count} * (count - 1) / 2);
}

/// The number t for which pairs(t) <= index < pairs(t + 1).
std::uint64_t triangular_root(std::uint64_t index) {
  auto root = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(index))) / 2);
  while (pairs(root) > index) --root;  // the square root may be off by the rounding of large indices
  while (pairs(root + 1) <= index) ++root;
  return root;
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

}  // namespace

SyntheticGraph path_graph(std::uint64_t vertex_count) {
  check_vertices(vertex_count);
  return {vertex_count, vertex_count == 0 ? 0 : vertex_count - 1, [](std::uint64_t i) { return edge(i, i + 1); }};
}

SyntheticGraph star_graph(std::uint64_t vertex_count) {
  check_vertices(vertex_count);
  return {vertex_count, vertex_count == 0 ? 0 : vertex_count - 1, [](std::uint64_t i) { return edge(0, i + 1); }};
}

SyntheticGraph complete_graph(std::uint64_t vertex_count) {
  if (vertex_count > most_complete_vertices) {
    fail("{} vertices are too many for a complete graph; it has at most 2^32", vertex_count);
  }
  return {vertex_count, pairs(vertex_count), [](std::uint64_t i) {
            const std::uint64_t larger = triangular_root(i);
            return edge(larger, i - pairs(larger));
          }};
}

SyntheticGraph grid_graph(std::uint64_t rows, std::uint64_t columns) {
  if (rows != 0 && columns > most_vertices / rows) {
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
  if (edge_count >= edge_bound) fail("{} edges are too many; there may be up to 2^63 - 1", edge_count);
  if (vertex_count == 0 && edge_count > 0) fail("a graph without vertices cannot have {} edges", edge_count);
  return {vertex_count, edge_count, [=](std::uint64_t i) {
            const auto vertex = [&](std::uint64_t draw) {
              return static_cast<std::uint64_t>(Wide{mix(seed, draw)} * vertex_count >> 64);
            };
            return edge(vertex(2 * i), vertex(2 * i + 1));
          }};
}

}  // namespace breadth
