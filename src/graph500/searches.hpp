// The timed loop over the search keys, the same for every kernel, and the verification of each batch of searches.
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

/// How many of `count` searches, from the first on, are validated; `first` is the index of that one.
std::size_t to_validate(ValidationPolicy policy, std::size_t first, std::size_t count);

/// Verifies `searches` searches of a kernel together: `validate()` gives reports on the first `validated` of them,
/// `count()` how many edges each of the others traversed; each is called where it has searches. Both are timed, and
/// every search gets an equal share. Collective.
std::vector<Verification> verify(std::size_t searches, std::size_t validated,
                                 const std::function<std::vector<ValidationReport>()>& validate,
                                 const std::function<std::vector<std::uint64_t>()>& count, const Communicator& ranks);

// An untimed search before the timed ones.

/// Runs search(vertex) from the first of these vertices, which are no search keys; nothing where there is none.
template <class Search>
std::optional<WarmUp> warm_up(const std::vector<Label>& others, Search&& search) {
  if (others.empty()) return {};
  const Stopwatch stopwatch;
  search(others.front());
  return WarmUp{others.front(), stopwatch.seconds()};
}

// The timed loop.

/// What a loop over the search keys works with.
struct SearchLoop {
  const Communicator& ranks;
  RunObserver& observer;
  /// Asked before each search, on every rank: whether to stop. One rank's yes stops all.
  const std::function<bool()>& stop;
};

/// What a search did, of a result that has its `seconds`, and may have `levels` with `leaves`, what it `settled` and
/// `device_seconds`.
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

/// Runs search(key, place) for every key, `batch` of them one after the other, each with a place below `batch` for its
/// result, and then verify(first, keys) for all of these together, on every rank: what verification leaves in the
/// caches is not what a search starts from. A search's result is one for record_of; verify gets the index of the
/// batch's first search and the keys, whose results are at places 0, 1, …, and returns a Verification for each. Ends
/// early, between two searches, when asked to stop; what was run is verified.
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
