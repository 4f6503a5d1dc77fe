#include "validate/report.hpp"

#include <algorithm>
#include <span>

namespace breadth {

void BrokenRules::add(const BrokenRules& other) {
  for (std::size_t rule = 0; rule < rule_count; ++rule) {
    Cases& mine = cases_[rule];
    mine.count += other.cases_[rule].count;
    const auto& examples = other.cases_[rule].examples;
    const std::size_t room = max_examples - mine.examples.size();
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
    for (auto line = all.begin(); line != all.end() && entry.examples.size() < max_examples;) {
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

}  // namespace breadth
