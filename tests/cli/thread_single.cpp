// A library to preload that makes the MPI library one without support for threads.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

extern "C" {
int MPI_Init_thread(int* argc, char*** argv, int /*required*/, int* provided) {
  *provided = MPI_THREAD_SINGLE;
  return PMPI_Init(argc, argv);
}

int MPI_Query_thread(int* provided) {
  *provided = MPI_THREAD_SINGLE;
  return MPI_SUCCESS;
}
}
