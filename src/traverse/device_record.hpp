// What a search on a device reports beside its levels.
#pragma once

#include <cstdint>
#include <string>

namespace breadth {

/// Of all searches so far.
struct DeviceRecord {
  std::string name;
  std::uint64_t bytes = 0;   ///< of the memory of all ranks' devices, for the graph and its search
  std::uint64_t copies = 0;  ///< of results to the host, one a search
  double copy_seconds = 0;   ///< that they took together; not in the searches' seconds
};

}  // namespace breadth
