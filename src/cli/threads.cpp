#include "cli/threads.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "comm/agreement.hpp"
#include "core/memory.hpp"
#include "simd/instruction_set.hpp"

namespace breadth::cli {

RankThreads::RankThreads(const CommonSettings& settings, const Communicator& ranks)
    : placement_(place_rank(settings.bind, settings.threads, ranks)), team_(placement_.threads) {
  run_together(ranks, [&settings] {
    use_instruction_set(settings.simd);
    if (!settings.huge_pages) refuse_huge_pages();
  });
  bind_threads(placement_, team_, ranks);
  if (ranks.rank() == 0 && !placement_.warning.empty()) fmt::print(stderr, "warning: {}\n", placement_.warning);
}

}  // namespace breadth::cli
