#include "graph500/tree_findings.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "gpu/name_parents.hpp"
#include "validate/case_text.hpp"

namespace breadth {

namespace {
Rule rule_of(gpu::TreeRule rule) {
  constexpr std::array<Rule, gpu::tree_rules> rules = {Rule::covers_edge_list, Rule::root,      Rule::parent_range,
                                                       Rule::leads_to_root,    Rule::edge_span, Rule::spanning,
                                                       Rule::tree_edge};
  return rules[rule];
}

/// A case in words, in a tree of this root and so many labels.
std::string case_text(gpu::TreeRule rule, const std::array<std::uint32_t, gpu::case_numbers>& found, Label root,
                      std::uint64_t labels) {
  const auto label = [](std::uint32_t number) { return number == gpu::no_parent ? no_label : Label{number}; };
  const Edge edge{label(found[0]), label(found[1])};
  switch (rule) {
    case gpu::covers_edge_list: return edge_outside_text(edge, labels);
    case gpu::root:
    case gpu::parent_range: return parent_text(edge.source, edge.target);
    case gpu::leads_to_root: return no_way_text(edge.source, edge.target, root);
    case gpu::edge_span: return edge_span_text(edge, found[2], found[3]);
    case gpu::spanning: return one_end_text(edge, label(found[2]));
    case gpu::tree_edge: return no_neighbour_text(edge.source, edge.target);
    case gpu::tree_rules: break;
  }
  return {};
}
}  // namespace

ValidationReport report_of(const gpu::TreeFindings& found, Label root, std::uint64_t labels) {
  ValidationReport report{
      .broken = {}, .reached = found.reached, .depth = found.depth, .traversed_edges = found.traversed_edges};
  for (std::uint32_t i = 0; i < gpu::tree_rules; ++i) {
    const auto rule = static_cast<gpu::TreeRule>(i);
    if (found.broken[rule].count == 0) continue;
    BrokenRule& broken = report.broken.emplace_back(BrokenRule{rule_of(rule), found.broken[rule].count, {}});
    for (const auto& one : found.broken[rule].cases) broken.examples.push_back(case_text(rule, one, root, labels));
  }
  return report;
}

}  // namespace breadth
