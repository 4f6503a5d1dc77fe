# Uses SimGrid's SMPI as the MPI library: all ranks of a program run in one process, on a simulated network.
#
# smpirun loads a program as a shared library. Ranks share global variables; Breadth has none that change.
find_path(SMPI_INCLUDE_DIRECTORY smpi/mpi.h)
find_library(SIMGRID_LIBRARY simgrid)
find_program(SMPIRUN_EXECUTABLE smpirun)
foreach(part SMPI_INCLUDE_DIRECTORY SIMGRID_LIBRARY SMPIRUN_EXECUTABLE)
  if(NOT ${part})
    message(FATAL_ERROR "SimGrid (smpi/mpi.h, libsimgrid, smpirun) was not found, which BREADTH_WITH_MPI asks for")
  endif()
endforeach()

add_library(MPI::MPI_CXX INTERFACE IMPORTED)
target_include_directories(MPI::MPI_CXX SYSTEM INTERFACE ${SMPI_INCLUDE_DIRECTORY}/smpi)
target_link_libraries(MPI::MPI_CXX INTERFACE ${SIMGRID_LIBRARY})
set(MPI_CXX_FOUND TRUE)
set(BREADTH_IS_SIMULATED TRUE)

add_compile_options(-fPIC)
set(CMAKE_EXE_LINKER_FLAGS "${CMAKE_EXE_LINKER_FLAGS} -shared")
