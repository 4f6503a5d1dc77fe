// What a result has to say of the machine it was measured on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace breadth {

struct Machine {
  std::string hostname;
  std::string cpu;                 ///< the processor's model name
  int cores = 1;                   ///< logical processors of the machine
  int usable_cores = 1;            ///< those that this process may run on
  std::uint64_t memory_bytes = 0;  ///< of the machine
  std::string mpi;                 ///< library and version
  std::string compiler;            ///< with version
};

/// The machine that this process runs on. Fields that the system does not tell are empty or 0.
Machine this_machine();

/// The logical processors that the scheduler lets this process use; empty where the system does not tell.
std::vector<int> usable_processors();

}  // namespace breadth
