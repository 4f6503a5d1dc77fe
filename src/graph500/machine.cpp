#include "graph500/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "comm/communicator.hpp"

namespace breadth {

namespace {
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}
}  // namespace

std::vector<int> usable_processors() {
  // A set of a fixed size holds 1024 processors; larger machines make the call fail until the set is large enough.
  constexpr int most_processors = 1 << 20;
  for (int bound = 1024; bound <= most_processors; bound *= 4) {
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(bound));
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(static_cast<std::size_t>(bound)),
                                                               [](cpu_set_t* owned) { CPU_FREE(owned); });
    if (set == nullptr) break;
    if (sched_getaffinity(0, bytes, set.get()) != 0) continue;
    std::vector<int> processors;
    for (int processor = 0; processor < bound; ++processor) {
      if (CPU_ISSET_S(static_cast<std::size_t>(processor), bytes, set.get())) processors.push_back(processor);
    }
    return processors;
  }
  return {};
}

Machine this_machine() {
  Machine machine;
  machine.hostname = host_name();
  machine.cpu = processor_model();
  machine.cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  machine.usable_cores = std::max(1, static_cast<int>(usable_processors().size()));
  machine.memory_bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  machine.mpi = MessagePassing::library();
  machine.compiler = BREADTH_COMPILER;
  return machine;
}

}  // namespace breadth
