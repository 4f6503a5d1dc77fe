# Whether there is a GPU's half of the program (BREADTH_HAS_CUDA), by BREADTH_WITH_CUDA.
#
# The architectures are named before the language is enabled, since CMake would otherwise ask the machine's GPU, which
# the machine that compiles need not have.
set(BREADTH_HAS_CUDA FALSE)
if(BREADTH_WITH_CUDA)  # so is AUTO
  set(CMAKE_CUDA_ARCHITECTURES 75 80 86 89 90 100 120 CACHE STRING "GPUs to build for, by compute capability")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(BREADTH_HAS_CUDA TRUE)
  elseif(NOT BREADTH_WITH_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "no CUDA compiler (nvcc) was found, which BREADTH_WITH_CUDA asks for")
  endif()
endif()
if(BREADTH_HAS_CUDA)
  message(STATUS "Breadth: searches on GPUs of compute capability ${CMAKE_CUDA_ARCHITECTURES}, by CUDA")
else()
  message(STATUS "Breadth: searches on no GPUs, without CUDA")
endif()

# breadth_gpu_resources(target): what each kernel takes of a GPU, in gpu_resources.txt of the build folder, written as
# the target's one CUDA source is compiled.
function(breadth_gpu_resources target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER
    "${Python3_EXECUTABLE};${PROJECT_SOURCE_DIR}/tools/gpu_resources.py;${PROJECT_BINARY_DIR}/gpu_resources.txt")
endfunction()
