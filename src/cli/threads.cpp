#include "cli/threads.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace breadth::cli {

RankThreads::RankThreads(const CommonSettings& settings, const Communicator& ranks)
    : placement_(place_rank(settings.bind, settings.threads, ranks)), team_(placement_.threads) {
  bind_threads(placement_, team_, ranks);
  if (ranks.rank() == 0 && !placement_.warning.empty()) fmt::print(stderr, "warning: {}\n", placement_.warning);
}

}  // namespace breadth::cli
