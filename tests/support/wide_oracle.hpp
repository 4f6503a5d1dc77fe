// Weights of 64 bits, and the shortest paths that follow from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "graph/graph.hpp"
#include "support/edge_lists.hpp"
#include "traverse/wide_paths.hpp"

namespace breadth::test {

/// A named way to draw weights.
template <class Weight>
struct WideDraw {
  const char* name;
  std::function<Weight(std::mt19937_64&)> draw;
};

inline double even_double(std::mt19937_64& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

inline std::vector<WideDraw<double>> draws_of(double) {
  return {{"even", even_double},
          {"zero", [](auto&) { return 0.0; }},
          {"equal", [](auto&) { return 0.1; }},
          {"zero or a third", [](auto& random) { return random() % 2 == 0 ? 0.0 : 1.0 / 3; }},
          {"small integers", [](auto& random) { return static_cast<double>(1 + random() % 5); }},
          {"from 1e-200 to 1e200", [](auto& random) { return std::pow(10.0, 400 * even_double(random) - 200); }},
          {"vanishing", [](auto& random) { return random() % 3 == 0 ? 1.0 : 1e-18; }},
          {"negative zero", [](auto& random) { return random() % 2 == 0 ? -0.0 : 1.0; }},
          {"subnormal", [](auto& random) { return std::ldexp(even_double(random), -1050); }}};
}

inline std::vector<WideDraw<std::int64_t>> draws_of(std::int64_t) {
  return {{"zero", [](auto&) { return std::int64_t{0}; }},
          {"zero or one", [](auto& random) { return static_cast<std::int64_t>(random() % 2); }},
          {"small", [](auto& random) { return static_cast<std::int64_t>(1 + random() % 255); }},
          {"huge", [](auto& random) { return static_cast<std::int64_t>((std::uint64_t{1} << 49) + random() % 3); }},
          {"of every size", [](auto& random) { return static_cast<std::int64_t>(random() >> (14 + random() % 50)); }}};
}

/// The distances that a search must find, by Dijkstra's algorithm from the tuples alone.
template <class Weight, class Distance>
class WideOracle {
 public:
  WideOracle(const NamedEdges& list, const std::vector<Weight>& weights, Directedness directedness) {
    for (const auto& [source, target] : list.edges) {
      size_ = std::max({size_, source.index() + 1, target.index() + 1});
    }
    rows_.resize(size_);
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const auto [source, target] = list.edges[i];
      add(source.index(), target.index(), weights[i]);
      if (directedness == Directedness::undirected) add(target.index(), source.index(), weights[i]);
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The weight of the lightest edge; throws if there is no edge.
  [[nodiscard]] Weight weight(std::size_t from, std::size_t to) const { return rows_[from].at(to); }
  [[nodiscard]] std::vector<Distance> distances(std::size_t source, Distance most) const {
    std::vector<Distance> found(size_, wide_unreached<Distance>);
    using Entry = std::pair<Distance, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    found[source] = 0;
    for (queue.push({0, source}); !queue.empty();) {
      const auto [distance, vertex] = queue.top();
      queue.pop();
      if (distance > found[vertex]) continue;
      for (const auto& [target, weight] : rows_[vertex]) {
        if constexpr (std::is_integral_v<Distance>) {
          if (weight > std::numeric_limits<Distance>::max() - distance)
            throw std::overflow_error("the test's own sums");
        }
        const Distance candidate = distance + static_cast<Distance>(weight);
        if (candidate >= found[target] || candidate > most) continue;
        found[target] = candidate;
        queue.push({candidate, target});
      }
    }
    return found;
  }

 private:
  void add(std::size_t from, std::size_t to, Weight weight) {
    const auto [place, is_new] = rows_[from].emplace(to, weight);
    if (!is_new) place->second = std::min(place->second, weight);
  }

  std::size_t size_ = 0;
  std::vector<std::map<std::size_t, Weight>> rows_;
};

/// Whether every chain of parents ends at the source.
inline bool chains_end_at(const std::vector<std::int64_t>& parents, std::size_t source) {
  std::vector<bool> ends(parents.size());
  ends[source] = true;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    std::vector<std::size_t> chain;
    for (std::size_t vertex = i; parents[vertex] >= 0 && !ends[vertex];) {
      chain.push_back(vertex);
      if (chain.size() > parents.size()) return false;
      vertex = static_cast<std::size_t>(parents[vertex]);
    }
    for (const std::size_t vertex : chain) ends[vertex] = true;
  }
  return true;
}

}  // namespace breadth::test
