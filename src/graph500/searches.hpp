// The timed loop over the search keys, the same for every kernel.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "comm/communicator.hpp"
#include "graph500/observer.hpp"
#include "graph500/report.hpp"

namespace breadth {

/// What a loop over the search keys works with.
struct SearchLoop {
  const Communicator& ranks;
  RunObserver& observer;
  /// Asked before each search, on every rank: whether to stop. One rank's yes stops all.
  const std::function<bool()>& stop;
};

inline bool stop_requested(const SearchLoop& loop) {
  return loop.ranks.all_reduce(std::int64_t{loop.stop() ? 1 : 0}, Reduction::maximum) != 0;
}

/// Runs search(key) for every key, and verify(index, key, result) after each, on every rank. A search's result has its
/// `seconds` and `levels`; verify returns a Verification. Ends early, between two searches, when asked to stop.
template <class Search, class Verify>
KernelReport run_searches(std::string name, std::span<const Label> keys, const SearchLoop& loop, Search&& search,
                          Verify&& verify) {
  KernelReport report{.name = std::move(name), .keys = keys.size(), .searches = {}};
  loop.observer.searches_begin(report.name, keys.size());
  for (std::size_t i = 0; i < keys.size() && !stop_requested(loop); ++i) {
    auto&& result = search(keys[i]);
    SearchRecord record{.key = keys[i], .seconds = result.seconds, .levels = result.levels, .verification = {}};
    record.verification = verify(i, keys[i], result);
    loop.observer.search_done(record.seconds, record.verification.edges);
    report.searches.push_back(std::move(record));
  }
  loop.observer.searches_end();
  return report;
}

}  // namespace breadth
