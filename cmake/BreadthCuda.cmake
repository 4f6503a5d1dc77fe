# Decides whether the GPU half of the program is built (BREADTH_HAS_CUDA, from BREADTH_WITH_CUDA), and for which GPUs.

# breadth_find_nvcc(): makes CMake look for nvcc also where CUDA's installer puts it. By itself CMake looks only on the
# PATH.
function(breadth_find_nvcc)
  if(CMAKE_CUDA_COMPILER OR DEFINED ENV{CUDACXX})
    return()
  endif()
  find_program(BREADTH_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(BREADTH_NVCC)
  if(BREADTH_NVCC)
    set(ENV{CUDACXX} ${BREADTH_NVCC})
  endif()
endfunction()

# breadth_present_gpus(VARIABLE): lists the compute capabilities of this machine's GPUs, without a point: 90. The list
# is empty if there are no GPUs or if nvidia-smi does not answer.
function(breadth_present_gpus variable)
  set(capabilities "")
  find_program(BREADTH_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(BREADTH_NVIDIA_SMI)
  if(BREADTH_NVIDIA_SMI)
    execute_process(COMMAND ${BREADTH_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE told ERROR_QUIET TIMEOUT 20)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${told}")
    list(TRANSFORM capabilities REPLACE "\\." "")
    list(REMOVE_DUPLICATES capabilities)
    list(SORT capabilities COMPARE NATURAL)
  endif()
  set(${variable} "${capabilities}" PARENT_SCOPE)
endfunction()

# breadth_known_gpus(VARIABLE): lists the compute capabilities that nvcc can compile for, least first.
function(breadth_known_gpus variable)
  set(nvcc "${CMAKE_CUDA_COMPILER}")
  set(known "")
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE told ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+" known "${told}")
  list(SORT known COMPARE NATURAL)
  set(${variable} "${known}" PARENT_SCOPE)
endfunction()

# breadth_choose_architectures(VARIABLE): chooses what to compile for if CMAKE_CUDA_ARCHITECTURES is not given: the
# compute capabilities of this machine's GPUs that nvcc knows. If there are none, machine code for Ampere, Ada and
# Hopper, and PTX for Turing (75) and for later GPUs, which the driver compiles when the program starts. Each further
# architecture would add a third to the compile time, and for 100 nvcc 13.0 spills the program of a search, which nobody
# has looked into.
function(breadth_choose_architectures variable)
  breadth_known_gpus(known)
  breadth_present_gpus(present)
  set(chosen "")
  foreach(capability IN LISTS present)
    if(capability IN_LIST known)
      list(APPEND chosen ${capability})
    endif()
  endforeach()
  if(NOT chosen)
    foreach(capability 80 90)
      if(NOT known OR capability IN_LIST known)
        list(APPEND chosen ${capability})
      endif()
    endforeach()
    list(POP_BACK chosen last)
    list(TRANSFORM chosen APPEND -real)
    list(APPEND chosen ${last})
    if(75 IN_LIST known)
      list(PREPEND chosen 75-virtual)
    endif()
  endif()
  set(${variable} "${chosen}" PARENT_SCOPE)
endfunction()

set(BREADTH_HAS_CUDA FALSE)
if(BREADTH_WITH_CUDA)  # AUTO counts as true
  set(BREADTH_LEAST_CUDA 12.9)  # the first version whose CUB counts in 64 bits (gpu/cuda/cub_version.cuh)
  breadth_find_nvcc()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # Set before the language is enabled, because CMake would otherwise take nvcc's default.
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      breadth_choose_architectures(breadth_architectures)
      set(CMAKE_CUDA_ARCHITECTURES ${breadth_architectures} CACHE STRING "GPUs to build for, by compute capability")
    endif()
    enable_language(CUDA)
    # Given by its path, because a project that links an installed Breadth need not enable the language CUDA.
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
  message(STATUS "Breadth: searches on GPUs, by CUDA, compiled for compute capability ${CMAKE_CUDA_ARCHITECTURES}")
else()
  find_program(BREADTH_NVIDIA_SMI nvidia-smi)
  if(BREADTH_WITH_CUDA AND (BREADTH_NVIDIA_SMI OR EXISTS /dev/nvidia0 OR EXISTS /proc/driver/nvidia/version))
    message(WARNING "This machine has an NVIDIA GPU, but no CUDA ${BREADTH_LEAST_CUDA} or later (a working nvcc and "
                    "libcudart_static.a) was found: the program will not use the GPU. Install the CUDA toolkit, or name "
                    "its compiler by -DCMAKE_CUDA_COMPILER=.../nvcc; -DBREADTH_WITH_CUDA=OFF silences this.")
  endif()
  message(STATUS "Breadth: searches on no GPUs, without CUDA")
endif()

# breadth_gpu_resources(target): reports what each kernel of the target takes of a GPU. Whenever a CUDA source is
# compiled, its table is written to gpu_resources in the build folder.
function(breadth_gpu_resources target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER
    "${Python3_EXECUTABLE};${PROJECT_SOURCE_DIR}/tools/gpu_resources.py;${PROJECT_BINARY_DIR}/gpu_resources")
endfunction()
