#include "graph500/report/tree_findings.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "gpu/phases/name_parents.hpp"
#include "validate/case_text.hpp"

namespace breadth {

namespace {
using Case = std::array<std::uint32_t, gpu::case_numbers>;

Rule rule_of(gpu::TreeRule rule) {
  constexpr std::array<Rule, gpu::tree_rules> rules = {
      Rule::covers_edge_list, Rule::root,          Rule::parent_range, Rule::leads_to_root, Rule::edge_span,
      Rule::spanning,         Rule::tree_edge,     Rule::distance,     Rule::distance,      Rule::distance,
      Rule::distance,         Rule::distance_span, Rule::weight};
  return rules[rule];
}

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// A case in words, in a tree of this root and so many labels.
std::string case_text(gpu::TreeRule rule, const Case& found, Label root, const TreeShape& shape) {
  const auto label = [](std::uint32_t number) { return number == gpu::no_parent ? no_label : Label{number}; };
  const Edge edge{label(found[0]), label(found[1])};
  switch (rule) {
    case gpu::covers_edge_list: return edge_outside_text(edge, shape.labels);
    case gpu::root:
    case gpu::parent_range: return parent_text(edge.source, edge.target);
    case gpu::leads_to_root: return no_way_text(edge.source, edge.target, root);
    case gpu::edge_span: return edge_span_text(edge, found[2], found[3]);
    case gpu::spanning:
      return one_end_text(edge, label(found[2])) +
             (shape.distances ? beyond_text(as_float(found[3]), as_float(found[4])) : std::string());
    case gpu::tree_edge: return no_neighbour_text(edge.source, edge.target);
    case gpu::root_distance: return root_distance_text(edge.source, as_float(found[1]));
    case gpu::tree_distance: return tree_distance_text(edge.source, as_float(found[1]));
    case gpu::lone_distance: return lone_distance_text(edge.source, as_float(found[1]));
    case gpu::parent_distance: return parent_distance_text(edge.source, edge.target, as_float(found[2]));
    case gpu::distance_span:
      return distance_span_text(edge, as_float(found[2]), as_float(found[3]), as_float(found[4]));
    case gpu::weight: return weight_text(edge, as_float(found[2]));
    case gpu::tree_rules: break;
  }
  return {};
}
}  // namespace

ValidationReport report_of(const gpu::TreeFindings& found, Label root, const TreeShape& shape) {
  std::array<BrokenRule, rule_count> by_rule;
  for (std::size_t i = 0; i < rule_count; ++i) by_rule[i].rule = static_cast<Rule>(i);
  for (std::uint32_t i = 0; i < gpu::tree_rules; ++i) {
    const auto rule = static_cast<gpu::TreeRule>(i);
    auto& [name, count, examples] = by_rule[static_cast<std::size_t>(rule_of(rule))];
    count += found.broken[rule].count;
    for (const Case& one : found.broken[rule].cases) {
      if (examples.size() < BrokenRules::most_examples) examples.push_back(case_text(rule, one, root, shape));
    }
  }
  ValidationReport report{
      .broken = {}, .reached = found.reached, .depth = found.depth, .traversed_edges = found.traversed_edges};
  for (BrokenRule& broken : by_rule) {
    if (broken.count > 0) report.broken.push_back(std::move(broken));
  }
  return report;
}

}  // namespace breadth
