// The timed loop over the search keys, common to all kernels, and the verification of each batch of searches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/stopwatch.hpp"
#include "graph500/report/progress.hpp"
#include "graph500/report/report.hpp"
#include "validate/validate.hpp"

namespace breadth {

// Validating the searches of a batch, or only counting their edges.

/// The number of searches to validate in a batch of `count` searches, counted from its first. `first` is the index of
/// the batch's first search in the run.
std::size_t to_validate(ValidationPolicy policy, std::size_t first, std::size_t count);

/// Verifies `searches` searches of a kernel together: `validate()` returns reports on the first `validated` of them,
/// `count()` the number of edges that each of the others traversed. Each is called only if it has searches. Both are
/// timed, and each search gets an equal share of the time. Collective.
std::vector<Verification> verify(std::size_t searches, std::size_t validated,
                                 const std::function<std::vector<ValidationReport>()>& validate,
                                 const std::function<std::vector<std::uint64_t>()>& count, const Communicator& ranks);

// An untimed search before the timed ones.

/// Runs search(vertex) from the first of `others`, which are not search keys. Returns nothing if there are none.
template <class Search>
std::optional<WarmUp> warm_up(const std::vector<Label>& others, Search&& search) {
  if (others.empty()) return {};
  const Stopwatch stopwatch;
  search(others.front());
  return WarmUp{others.front(), stopwatch.seconds()};
}

// The timed loop.

/// The environment of a loop over the search keys.
struct SearchLoop {
  const Communicator& ranks;
  RunObserver& observer;
  /// Called before each search, on every rank; returns whether to stop. All ranks stop if one returns true.
  const std::function<bool()>& stop;
};

/// Makes the record of a search from its result. The result has `seconds`, and may have `levels`, `leaves`, `settled`,
/// `settled_lights` and `device_seconds`.
template <class Result>
SearchRecord record_of(const Result& result) {
  SearchRecord record;
  record.seconds = result.seconds;
  if constexpr (requires { result.levels; }) record.levels = result.levels;
  if constexpr (requires { result.leaves; }) record.leaves = result.leaves;
  if constexpr (requires { result.settled; }) record.settled = result.settled;
  if constexpr (requires { result.settled_lights; }) record.settled_lights = result.settled_lights;
  if constexpr (requires { result.device_seconds; }) record.device_seconds = result.device_seconds;
  return record;
}

/// Runs search(key, place) for every key, in batches. Each search of a batch has a place below `batch` for its result.
/// After each batch, calls verify(first, keys) for all its searches, on every rank; verification after every search
/// would leave its data in the caches for the next one. `search` returns a result for record_of. `verify` gets the
/// index of the batch's first search and the batch's keys, whose results are at places 0, 1, …; it returns a
/// Verification for each. Ends early, between two searches, when asked to stop; the searches done by then are verified.
template <class Search, class Verify>
KernelReport run_searches(std::string name, std::span<const Label> keys, std::size_t batch, const SearchLoop& loop,
                          Search&& search, Verify&& verify) {
  KernelReport report{.name = std::move(name), .keys = keys.size(), .searches = {}};
  loop.observer.searches_begin(report.name, keys.size());
  for (bool stopped = false; !stopped && report.searches.size() < keys.size();) {
    const std::size_t first = report.searches.size();
    for (std::size_t i = first; i < std::min(first + batch, keys.size()); ++i) {
      stopped = loop.ranks.any(loop.stop());
      if (stopped) break;
      report.searches.push_back(record_of(search(keys[i], i - first)));
      report.searches.back().key = keys[i];
    }
    if (report.searches.size() == first) break;
    std::vector<Verification> verified = verify(first, keys.subspan(first, report.searches.size() - first));
    for (std::size_t i = first; i < report.searches.size(); ++i) {
      SearchRecord& record = report.searches[i];
      record.verification = std::move(verified[i - first]);
      loop.observer.search_done(record.seconds, record.verification.edges);
    }
  }
  loop.observer.searches_end();
  return report;
}

}  // namespace breadth
