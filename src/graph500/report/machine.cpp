#include "graph500/report/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "comm/communicator.hpp"
#include "core/memory/memory.hpp"
#include "simd/instruction_set.hpp"

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

/// How many different values a property has among the processors of a machine.
int count_different(const Topology& topology, int Processor::*property) {
  std::set<int> values;
  for (const Processor& processor : topology) values.insert(processor.*property);
  return static_cast<int>(values.size());
}
}  // namespace

Machine describe_machine(const Placement& placement) {
  Machine machine;
  machine.hostname = host_name();
  machine.cpu = processor_model();
  machine.sockets = count_different(placement.topology, &Processor::socket);
  machine.numa_domains = count_different(placement.topology, &Processor::numa_domain);
  machine.cores = count_different(placement.topology, &Processor::core);
  machine.processors = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  machine.usable_processors = std::max(1, static_cast<int>(placement.usable.size()));
  machine.bind = placement.policy;
  machine.binding = placement.plan.binding;
  machine.binding_reason = placement.plan.reason;
  machine.simd = name_of(instruction_set());
  machine.huge_pages = huge_pages_possible();
  machine.memory_bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  machine.mpi = MessagePassing::library();
  machine.compiler = BREADTH_COMPILER;
  return machine;
}

}  // namespace breadth
