// No MPI library, or one that cannot be asked.
#include "comm/communicator.hpp"

namespace breadth {

bool MessagePassing::reads_device_memory() { return false; }

}  // namespace breadth
