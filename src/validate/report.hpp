// What a validation found.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"

namespace breadth {

/// The rules of the Graph500 specification (section on validation), and what they take for granted.
enum class Rule {
  covers_edge_list,  ///< every label of the edge list has a place in the result
  root,              ///< the root is its own parent, and no other vertex is
  parent_range,      ///< every parent is a label of the graph
  leads_to_root,     ///< parents lead from every vertex of the tree to the root: there is no cycle
  level,             ///< claimed levels are those of the tree: one more than the parent's
  edge_span,         ///< the levels of the ends of every input edge differ by at most one
  distance,          ///< every distance is the parent's plus the weight of an edge between them, the root's 0
  distance_span,     ///< the distances of the ends of every input edge differ by at most its weight
  weight,            ///< every weight is a finite number that is not negative
  spanning,          ///< every input edge has both ends in the tree or none: it spans the component
  tree_edge          ///< every edge of the tree is an input edge
};
inline constexpr std::size_t rule_count = 11;

/// The rule as a sentence.
std::string_view sentence(Rule rule);

/// How often a rule was broken, with the first cases.
struct BrokenRule {
  Rule rule;
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< at most BrokenRules::most_examples
};

/// Collects cases on one thread.
class BrokenRules {
 public:
  static constexpr std::size_t most_examples = 5;

  /// Counts a case; `describe` makes its text and is only called for the first few.
  template <class Describe>
  void add(Rule rule, Describe&& describe) {
    auto& [count, examples] = cases_[static_cast<std::size_t>(rule)];
    if (count++ < most_examples) examples.push_back(describe());
  }
  /// Adds another thread's cases.
  void add(const BrokenRules& other);
  /// The broken rules of all ranks, the same on each. Collective.
  [[nodiscard]] std::vector<BrokenRule> gather(const Communicator& ranks) const;

 private:
  struct Cases {
    std::uint64_t count = 0;
    std::vector<std::string> examples;
  };
  std::array<Cases, rule_count> cases_;
};

/// The verdict on one search, the same on every rank.
struct ValidationReport {
  std::vector<BrokenRule> broken;
  std::uint64_t reached = 0;          ///< vertices in the tree, the root among them
  std::uint64_t depth = 0;            ///< the deepest level
  std::uint64_t traversed_edges = 0;  ///< input tuples with both ends in the tree, each once: m of the TEPS

  [[nodiscard]] bool valid() const { return broken.empty(); }
  /// The broken rules as lines of text; empty when valid.
  [[nodiscard]] std::string text() const;
};

}  // namespace breadth
