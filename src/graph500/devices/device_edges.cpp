#include "graph500/devices/device_edges.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/write_parents.hpp"
#include "gpu/search.hpp"
#include "graph500/benchmark_input.hpp"
#include "validate/report.hpp"

namespace breadth {

// The edge list on the device.

void require_edges_on_one_rank(EdgeResidence asked, int ranks) {
  if (ranks == 1) return;
  fail("--device-edges {} and {} ranks exclude each other: with several ranks, processors read the edge list",
       name_of(asked), ranks);
}

DeviceEdgeList::DeviceEdgeList(const BenchmarkOptions& options, const EdgeList& edges, bool weighted,
                               const Context& context) {
  const int ranks = context.ranks.size();
  gpu::TupleSource source{.list = &edges, .weighted = weighted, .held = device_tuples(options, ranks)};
  if (options.input.empty() && !makes_edge_file(options) && !host_keeps_edges(options, ranks)) {
    source.kronecker = &kronecker_.emplace(KroneckerParameters{options.scale, options.edgefactor, options.seed});
  }
  edges_ = options.bfs.device.kind == Device::gpu ? gpu::make_cuda_edges(source, context.threads)
                                                  : gpu::make_simulated_edges(source, context.threads);
}

// A device's findings about a tree, as validation reports them.

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

/// The text of a case in a tree with this root and shape.
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
      if (examples.size() < BrokenRules::max_examples) examples.push_back(case_text(rule, one, root, shape));
    }
  }
  ValidationReport report{
      .broken = {}, .reached = found.reached, .depth = found.depth, .traversed_edges = found.traversed_edges};
  for (BrokenRule& broken : by_rule) {
    if (broken.count > 0) report.broken.push_back(std::move(broken));
  }
  return report;
}

// Validation on the device.

namespace {
std::uint32_t narrow(Label label) { return static_cast<std::uint32_t>(label.value); }
}  // namespace

std::vector<ValidationReport> DeviceValidation::validate(std::span<const SearchResult> results) const {
  std::vector<ValidationReport> reports;
  for (const SearchResult& result : results) {
    const auto found = edges_->check_tree(result.parents.entries<std::uint32_t>(), narrow(result.root));
    reports.push_back(report_of(found, result.root, {.labels = result.parents.size()}));
  }
  return reports;
}

std::vector<ValidationReport> DeviceValidation::validate(std::span<const ShortestPathResult> results) const {
  std::vector<ValidationReport> reports;
  for (const auto& [root, parents, distances] : results) {
    const auto found = edges_->check_paths(parents.entries<std::uint32_t>(), distances, narrow(root));
    reports.push_back(report_of(found, root, {.labels = parents.size(), .distances = true}));
  }
  return reports;
}

std::vector<std::uint64_t> DeviceValidation::count_traversed_edges(std::span<const SearchResult> results) const {
  std::vector<std::uint64_t> counts;
  for (const ValidationReport& report : validate(results)) counts.push_back(report.traversed_edges);
  return counts;
}

std::unique_ptr<DeviceValidation> validation_on_device(const BenchmarkOptions& options, const EdgeList& edges,
                                                       std::uint64_t labels, bool weighted, const Context& context) {
  const Device device = options.bfs.device.kind;
  const int ranks = context.ranks.size();
  if (device == Device::cpu || ranks > 1) return nullptr;
  const gpu::DeviceMemory there = device == Device::gpu ? gpu::cuda_memory() : gpu::simulated_memory();
  const std::uint64_t held = std::min(edges.size(), device_tuples(options, ranks));
  if (gpu::edge_bytes(held, weighted) + gpu::result_check_bytes(labels, weighted) > there.free_bytes) return nullptr;
  return std::make_unique<DeviceValidation>(options, edges, weighted, context);
}

}  // namespace breadth
