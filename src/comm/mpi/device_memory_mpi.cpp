// What the MPI library says of messages in the memory of GPUs.
#include <mpi.h>
#if __has_include(<mpi-ext.h>)  // Open MPI declares it there, MPICH in mpi.h
#include <mpi-ext.h>
#endif

#include "comm/communicator.hpp"

namespace breadth {

bool MessagePassing::reads_device_memory() { return MPIX_Query_cuda_support() == 1; }

}  // namespace breadth
