# Whether there is a GPU's half of the program (BREADTH_HAS_CUDA), by BREADTH_WITH_CUDA.
#
# The architectures are named before the language is enabled, since CMake would otherwise ask the machine's GPU, which
# the machine that compiles need not have. Two are enough for all from 75 on: for GPUs that came later than an
# architecture, CUDA's driver translates what is compiled for it when the program starts.
set(BREADTH_HAS_CUDA FALSE)
if(BREADTH_WITH_CUDA)  # so is AUTO
  set(CMAKE_CUDA_ARCHITECTURES 75 90 CACHE STRING "GPUs to build for, by compute capability")
  set(BREADTH_LEAST_CUDA 12.9)  # the first whose CUB counts in 64 bits all that it is asked to (gpu/cub_version.cuh)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # Named, for those who link an installed Breadth and have no CUDA among their languages.
    find_library(BREADTH_CUDART cudart_static HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES})
    mark_as_advanced(BREADTH_CUDART)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS BREADTH_LEAST_CUDA)
      message(WARNING "${CMAKE_CUDA_COMPILER} is of CUDA ${CMAKE_CUDA_COMPILER_VERSION}, which miscounts the rows of "
                      "large graphs; for GPUs Breadth needs CUDA ${BREADTH_LEAST_CUDA} or later")
    elseif(BREADTH_CUDART)
      set(BREADTH_HAS_CUDA TRUE)
    endif()
  endif()
  if(NOT BREADTH_HAS_CUDA AND NOT BREADTH_WITH_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "no CUDA ${BREADTH_LEAST_CUDA} (a working nvcc and libcudart_static.a) was found, which "
                        "BREADTH_WITH_CUDA asks for")
  endif()
endif()
if(BREADTH_HAS_CUDA)
  message(STATUS "Breadth: searches on GPUs of compute capability ${CMAKE_CUDA_ARCHITECTURES} and later, by CUDA")
else()
  message(STATUS "Breadth: searches on no GPUs, without CUDA")
endif()

# breadth_gpu_resources(target): what each kernel takes of a GPU, in gpu_resources of the build folder, a table for each
# CUDA source of the target, written as that is compiled.
function(breadth_gpu_resources target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER
    "${Python3_EXECUTABLE};${PROJECT_SOURCE_DIR}/tools/gpu_resources.py;${PROJECT_BINARY_DIR}/gpu_resources")
endfunction()
