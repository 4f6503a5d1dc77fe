#include "tune/graph_variants.hpp"

#include <algorithm>
#include <set>

#include "core/stopwatch.hpp"

namespace breadth {

const Graph& GraphVariants::with(const std::string& value) {
  if (const auto there = graphs_.find(value); there != graphs_.end()) return there->second;
  const Stopwatch stopwatch;
  const Graph& graph = graphs_.emplace(value, build_(value)).first->second;
  slowest_seconds_ = std::max(slowest_seconds_, ranks_.all_reduce(stopwatch.seconds(), Reduction::maximum));
  return graph;
}

double GraphVariants::build_seconds(std::span<const Setting> settings) const {
  std::set<std::string> missing;
  for (const Setting& setting : settings) {
    const std::string value = value_of_(setting);
    if (!graphs_.contains(value)) missing.insert(value);
  }
  return static_cast<double>(missing.size()) * slowest_seconds_;
}

}  // namespace breadth
