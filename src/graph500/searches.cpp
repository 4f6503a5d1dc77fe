#include "graph500/searches.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace breadth {

namespace {
std::string describe(const BrokenRule& rule) {
  return fmt::format("broken {} times: {} ({})", rule.count, name_of(rule.rule), joined(rule.examples, "; "));
}

Verification verdict_on(const ValidationReport& found) {
  return {.verdict = found.valid() ? Verdict::valid : Verdict::invalid,
          .edges = found.traversed_edges,
          .violations = texts_of(found.broken, describe)};
}

Verification verdict_on(std::uint64_t traversed_edges) {
  return {.verdict = Verdict::unchecked, .edges = traversed_edges, .violations = {}};
}

/// Appends the verifications of `searches` searches, from the findings of `how`, if there are any searches.
template <class How>
void append_verified(std::size_t searches, How&& how, const Communicator& ranks,
                     std::vector<Verification>& verifications) {
  if (searches == 0) return;
  const Stopwatch stopwatch;
  const auto found = how();
  const double seconds = ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
  for (const auto& one : found) {
    Verification& verification = verifications.emplace_back(verdict_on(one));
    verification.seconds = seconds / static_cast<double>(searches);
    verification.batch = searches;
  }
}
}  // namespace

std::size_t to_validate(ValidationPolicy policy, std::size_t first, std::size_t count) {
  switch (policy) {
    case ValidationPolicy::all:
    case ValidationPolicy::alternate: return count;
    case ValidationPolicy::first: return first == 0 ? 1 : 0;
    case ValidationPolicy::none: break;
  }
  return 0;
}

std::vector<Verification> verify(std::size_t searches, std::size_t validated,
                                 const std::function<std::vector<ValidationReport>()>& validate,
                                 const std::function<std::vector<std::uint64_t>()>& count, const Communicator& ranks) {
  std::vector<Verification> verifications;
  append_verified(validated, validate, ranks, verifications);
  append_verified(searches - validated, count, ranks, verifications);
  return verifications;
}

}  // namespace breadth
