#include "validate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace breadth {

// Reports.

void BrokenRules::add(const BrokenRules& other) {
  for (std::size_t rule = 0; rule < rule_count; ++rule) {
    Cases& mine = cases_[rule];
    mine.count += other.cases_[rule].count;
    const auto& examples = other.cases_[rule].examples;
    const std::size_t room = most_examples - mine.examples.size();
    mine.examples.insert(mine.examples.end(), examples.begin(),
                         examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, examples.size())));
  }
}

std::vector<BrokenRule> BrokenRules::gather(const Communicator& ranks) const {
  std::vector<BrokenRule> broken;
  for (std::size_t rule = 0; rule < rule_count; ++rule) {
    const Cases& mine = cases_[rule];
    const std::uint64_t count = ranks.all_reduce(mine.count, Reduction::sum);
    if (count == 0) continue;
    std::string text;
    for (const std::string& example : mine.examples) text += example + '\n';
    const std::vector<char> all = ranks.all_gather_varying(std::span<const char>(text));
    BrokenRule entry{static_cast<Rule>(rule), count, {}};
    for (auto line = all.begin(); line != all.end() && entry.examples.size() < most_examples;) {
      const auto end = std::find(line, all.end(), '\n');
      entry.examples.emplace_back(line, end);
      line = end + 1;
    }
    broken.push_back(std::move(entry));
  }
  return broken;
}

std::string ValidationReport::text() const {
  std::string lines;
  for (const BrokenRule& rule : broken) {
    lines += fmt::format("broken {} times: {}\n", rule.count, name_of(rule.rule));
    for (const std::string& example : rule.examples) lines += "  " + example + '\n';
  }
  return lines;
}

// Texts of broken rules.

std::string edge_outside_text(const Edge& edge, std::uint64_t labels) {
  return fmt::format("edge ({}, {}) has a label outside of the result, which has labels 0 to {}", edge.source.value,
                     edge.target.value, labels - 1);
}

std::string no_root_text(Label root) { return fmt::format("root {} is not a label of the graph", root.value); }

std::string parent_text(Label vertex, Label parent) {
  return fmt::format("vertex {} has parent {}", vertex.value, parent.value);
}

std::string no_way_text(Label vertex, Label parent, Label root) {
  return fmt::format("vertex {} has parent {}, but its parents do not lead to root {}", vertex.value, parent.value,
                     root.value);
}

std::string edge_span_text(const Edge& edge, std::uint64_t source_level, std::uint64_t target_level) {
  return fmt::format("edge ({}, {}) joins levels {} and {}", edge.source.value, edge.target.value, source_level,
                     target_level);
}

std::string one_end_text(const Edge& edge, Label inside) {
  return fmt::format("edge ({}, {}): only {} is in the tree", edge.source.value, edge.target.value, inside.value);
}

std::string no_neighbour_text(Label vertex, Label parent) {
  return fmt::format("vertex {} has parent {}, which is not its neighbour", vertex.value, parent.value);
}

std::string root_distance_text(Label root, float distance) {
  return fmt::format("root {} has distance {}", root.value, distance);
}

std::string tree_distance_text(Label vertex, float distance) {
  return fmt::format("vertex {} in the tree has distance {}", vertex.value, distance);
}

std::string lone_distance_text(Label vertex, float distance) {
  return fmt::format("vertex {} without a parent has distance {}", vertex.value, distance);
}

std::string parent_distance_text(Label vertex, Label parent, float distance) {
  return fmt::format("vertex {} has distance {}; no edge to its parent {} gives that", vertex.value, distance,
                     parent.value);
}

std::string distance_span_text(const Edge& edge, float weight, float source, float target) {
  return fmt::format("edge ({}, {}) of weight {} joins distances {} and {}", edge.source.value, edge.target.value,
                     weight, source, target);
}

std::string weight_text(const Edge& edge, float weight) {
  return fmt::format("edge ({}, {}) has weight {}", edge.source.value, edge.target.value, weight);
}

std::string beyond_text(float weight, float distance) {
  if (!std::isinf(distance + weight)) return {};
  return fmt::format("; with its weight {} the other end's distance goes beyond {:.3g}, the largest that 32 bits hold",
                     weight, std::numeric_limits<float>::max());
}

}  // namespace breadth
