#include "placement/placement.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

namespace breadth {

// The processors of a thread.

namespace {
/// A set of processors with numbers below `bound`.
class ProcessorSet {
 public:
  explicit ProcessorSet(int bound)
      : bytes_(CPU_ALLOC_SIZE(static_cast<std::size_t>(bound))),
        set_(CPU_ALLOC(static_cast<std::size_t>(bound)), [](cpu_set_t* owned) { CPU_FREE(owned); }) {
    if (set_ != nullptr) CPU_ZERO_S(bytes_, set_.get());
  }
  [[nodiscard]] bool has(int processor) const {
    return CPU_ISSET_S(static_cast<std::size_t>(processor), bytes_, set_.get()) != 0;
  }
  void insert(int processor) { CPU_SET_S(static_cast<std::size_t>(processor), bytes_, set_.get()); }

  [[nodiscard]] bool read_own() { return set_ != nullptr && sched_getaffinity(0, bytes_, set_.get()) == 0; }
  [[nodiscard]] bool make_own() const { return set_ != nullptr && sched_setaffinity(0, bytes_, set_.get()) == 0; }

 private:
  std::size_t bytes_;
  std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set_;
};
}  // namespace

std::vector<int> usable_processors() {
  // The system refuses to fill a set that its processors do not fit into; most machines fit into 1024.
  constexpr int max_processors = 1 << 20;
  for (int bound = 1024; bound <= max_processors; bound *= 4) {
    ProcessorSet set(bound);
    if (!set.read_own()) continue;
    std::vector<int> processors;
    for (int processor = 0; processor < bound; ++processor) {
      if (set.has(processor)) processors.push_back(processor);
    }
    return processors;
  }
  return {};
}

bool bind_this_thread(std::span<const int> processors) {
  if (processors.empty()) return false;
  ProcessorSet set(*std::max_element(processors.begin(), processors.end()) + 1);
  for (const int processor : processors) set.insert(processor);
  return set.make_own();
}

// Threads of the ranks on a machine.

namespace {
/// The number of processors in the control group of this process; if that is unknown, all of the machine.
std::size_t allowed_processors(const Topology& topology) {
  if (topology.empty()) return static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return static_cast<std::size_t>(
      std::count_if(topology.begin(), topology.end(), [](const Processor& processor) { return processor.allowed; }));
}

/// Exchanges the threads and processors of the ranks on this machine, in rank order.
std::vector<RankOnMachine> ranks_here(const Placement& placement, int threads, const Communicator& node) {
  const bool narrowed = placement.usable.size() < allowed_processors(placement.topology);
  const std::vector<std::size_t> counts = node.all_gather(placement.usable.size());
  const std::vector<int> usable = node.all_gather_varying(std::span<const int>(placement.usable));
  const std::vector<int> are_narrowed = node.all_gather(narrowed ? 1 : 0);
  std::vector<RankOnMachine> ranks(counts.size());
  auto next = usable.begin();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto end = next + static_cast<std::ptrdiff_t>(counts[rank]);
    ranks[rank] = {.threads = threads, .usable = {next, end}, .narrowed = are_narrowed[rank] != 0};
    next = end;
  }
  if (threads > 0) return ranks;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].threads = fair_threads(ranks, rank);
  return ranks;
}

/// What is wrong with the launcher's binding of this rank; empty if nothing is.
std::string launcher_complaint(const Placement& placement, std::span<const RankOnMachine> ranks, std::size_t self,
                               bool idle_is_meant) {
  if (!ranks[self].narrowed) return {};
  const std::size_t usable = ranks[self].usable.size();
  const std::size_t allowed = allowed_processors(placement.topology);
  const int threads = ranks[self].threads;
  if (usable < static_cast<std::size_t>(threads)) {
    return fmt::format(
        "{} threads run on {} of {} processors, to which their rank was bound before it started: start it unbound "
        "(mpiexec --bind-to none) or with room for its threads (mpiexec --map-by slot:PE={}, srun --cpus-per-task={})",
        threads, usable, allowed, threads, threads);
  }
  std::set<int> used;
  for (const RankOnMachine& rank : ranks) used.insert(rank.usable.begin(), rank.usable.end());
  if (idle_is_meant || used.size() == allowed) return {};
  return fmt::format(
      "the ranks of a machine use {} of its {} processors, to which they were bound before they started: start them "
      "unbound (mpiexec --bind-to none) to use all, or give --threads",
      used.size(), allowed);
}

/// The complaint if the user chose a binding by name and it is not done; else empty.
std::string plan_complaint(const Placement& placement) {
  const bool by_name = placement.policy == BindingPolicy::core || placement.policy == BindingPolicy::numa;
  if (!by_name || placement.plan.reason.empty()) return {};
  return fmt::format("--bind {} has no effect: {}", name_of(placement.policy), placement.plan.reason);
}

/// The text of the lowest rank that has one, on every rank.
std::string first_text(const std::string& text, const Communicator& ranks) {
  const int first = ranks.first_with(!text.empty());
  return first == ranks.size() ? std::string() : ranks.broadcast(text, first);
}
}  // namespace

Placement place_rank(BindingPolicy policy, int threads, const Communicator& ranks) {
  Placement placement{.policy = policy, .topology = this_topology(), .usable = usable_processors()};
  const Communicator node = ranks.node();
  const std::vector<RankOnMachine> here = ranks_here(placement, threads, node);
  const auto self = static_cast<std::size_t>(node.rank());
  placement.threads = here[self].threads;
  placement.plan = plan_binding(placement.topology, here, self, policy);
  const bool idle_is_meant = threads > 0 || ranks.size() == 1;  // a single process was bound by hand
  placement.warning = first_text(launcher_complaint(placement, here, self, idle_is_meant), ranks);
  if (placement.warning.empty()) placement.warning = first_text(plan_complaint(placement), ranks);
  return placement;
}

void bind_threads(Placement& placement, ThreadTeam& threads, const Communicator& ranks) {
  const std::vector<std::vector<int>>& processors = placement.plan.processors;
  std::atomic<std::int64_t> refused{0};
  if (!processors.empty()) {
    threads.run([&](int thread) {
      if (!bind_this_thread(processors[static_cast<std::size_t>(thread)])) ++refused;
    });
  }
  if (ranks.all_reduce(refused.load(), Reduction::sum) == 0) return;
  if (!processors.empty()) threads.run([&](int) { bind_this_thread(placement.usable); });
  placement.plan = {.reason = "the system refused"};
}

}  // namespace breadth
