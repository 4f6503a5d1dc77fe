#include "cli/threads.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "comm/agreement.hpp"
#include "core/memory/memory.hpp"
#include "simd/instruction_set.hpp"

namespace breadth::cli {

namespace {
/// How many threads a rank has, 0 for its share of the processors: what was asked for, or, with an MPI library that
/// supports none but the one that communicates, that one. Throws AgreedError where that is not enough. Collective.
int permitted_threads(const CommonSettings& settings, const Communicator& ranks) {
  const bool supported = MessagePassing::supports_threads();
  run_together(ranks, [&] {
    if (supported || (settings.threads <= 1 && settings.watchdog == 0)) return;
    fail(
        "{}: this MPI library, {}, supports only one thread a rank (MPI_THREAD_SINGLE); use --threads 1 and no "
        "--watchdog, or another build of it",
        settings.threads > 1 ? fmt::format("--threads {}", settings.threads) : "--watchdog", MessagePassing::library());
  });
  return supported ? settings.threads : 1;
}

std::unique_ptr<Watchdog> watch(const CommonSettings& settings, const Communicator& ranks) {
  return settings.watchdog > 0 ? std::make_unique<Watchdog>(ranks, settings.watchdog) : nullptr;
}
}  // namespace

RankThreads::RankThreads(const CommonSettings& settings, const Communicator& ranks)
    : threads_(permitted_threads(settings, ranks)),
      watchdog_(watch(settings, ranks)),
      placement_(place_rank(settings.bind, threads_, ranks)) {
  run_together(ranks, [&] {
    team_.emplace(placement_.threads);
    use_instruction_set(settings.simd);
    if (!settings.huge_pages) refuse_huge_pages();
  });
  bind_threads(placement_, *team_, ranks);
  if (ranks.rank() == 0 && !placement_.warning.empty()) fmt::print(stderr, "warning: {}\n", placement_.warning);
}

}  // namespace breadth::cli
