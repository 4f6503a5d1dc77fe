#include "graph500/report/phase_seconds.hpp"

namespace breadth {

namespace {
constexpr double PhaseSeconds::*every_phase[] = {&PhaseSeconds::push_compute, &PhaseSeconds::push_communicate,
                                                 &PhaseSeconds::pull_compute, &PhaseSeconds::pull_communicate,
                                                 &PhaseSeconds::convert,      &PhaseSeconds::stall};

void add(PhaseSeconds& phases, Direction direction, const LevelSeconds& seconds) {
  const bool push = direction == Direction::push;
  (push ? phases.push_compute : phases.pull_compute) += seconds.compute;
  (push ? phases.push_communicate : phases.pull_communicate) += seconds.communicate;
  phases.convert += seconds.convert;
  phases.stall += seconds.wait;
}
}  // namespace

PhaseSeconds phase_seconds(const SearchRecord& search) {
  PhaseSeconds phases;
  for (const LevelStatistics& level : search.levels) add(phases, level.direction, level.seconds);
  add(phases, Direction::pull, search.leaves.seconds);
  phases.other = search.seconds;
  for (const auto phase : every_phase) phases.other -= phases.*phase;
  return phases;
}

PhaseSeconds mean_phase_seconds(const KernelReport& kernel) {
  PhaseSeconds mean;
  const auto count = static_cast<double>(kernel.searches.size());
  for (const SearchRecord& search : kernel.searches) {
    const PhaseSeconds phases = phase_seconds(search);
    for (const auto phase : every_phase) mean.*phase += phases.*phase / count;
    mean.other += phases.other / count;
  }
  return mean;
}

}  // namespace breadth
