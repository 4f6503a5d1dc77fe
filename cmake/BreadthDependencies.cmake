# The libraries that Breadth needs, and the compiler flags of its own targets (breadth_flags).
include(GNUInstallDirs)

# breadth_require(package...): finds a package, or fails. The installed Breadth's package file finds it, too.
macro(breadth_require)
  find_package(${ARGV} REQUIRED)
  string(JOIN " " breadth_dependency ${ARGV})
  set_property(GLOBAL APPEND PROPERTY BREADTH_DEPENDENCIES "${breadth_dependency}")
endmacro()

breadth_require(Threads)
breadth_require(fmt)
breadth_require(hwy)
breadth_require(nlohmann_json 3)
find_package(CLI11 2 REQUIRED)  # only the program needs CLI11 and tomlplusplus
find_package(tomlplusplus 3 REQUIRED)

set(BREADTH_IS_SIMULATED FALSE)
set(BREADTH_RANKS_ARE_THREADS FALSE)
if(BREADTH_WITH_MPI STREQUAL "AUTO")
  find_package(MPI 3.0 COMPONENTS CXX)
elseif(BREADTH_WITH_MPI STREQUAL "SIMULATED")
  include(BreadthSimulated)
elseif(BREADTH_WITH_MPI STREQUAL "THREADS")
  set(BREADTH_RANKS_ARE_THREADS TRUE)
elseif(BREADTH_WITH_MPI)
  find_package(MPI 3.0 REQUIRED COMPONENTS CXX)
endif()
set(BREADTH_HAS_MPI ${MPI_CXX_FOUND})
if(NOT BREADTH_WITH_MPI OR BREADTH_RANKS_ARE_THREADS)
  set(BREADTH_HAS_MPI FALSE)
endif()
if(BREADTH_IS_SIMULATED)
  message(STATUS "Breadth: several ranks, simulated by SimGrid")
elseif(BREADTH_RANKS_ARE_THREADS)
  message(STATUS "Breadth: one rank, and in tests several that are threads of one process")
elseif(BREADTH_HAS_MPI)
  set_property(GLOBAL APPEND PROPERTY BREADTH_DEPENDENCIES "MPI 3.0 COMPONENTS CXX")
  message(STATUS "Breadth: several ranks, on MPI")
else()
  message(STATUS "Breadth: one rank, without MPI")
endif()

set(BREADTH_HAS_HWLOC FALSE)
if(BREADTH_WITH_HWLOC)  # AUTO counts as true
  find_path(HWLOC_INCLUDE_DIRECTORY hwloc.h)
  find_library(HWLOC_LIBRARY hwloc)
  if(HWLOC_INCLUDE_DIRECTORY AND HWLOC_LIBRARY)
    set(BREADTH_HAS_HWLOC TRUE)
  elseif(NOT BREADTH_WITH_HWLOC STREQUAL "AUTO")
    message(FATAL_ERROR "hwloc (hwloc.h, libhwloc) was not found, which BREADTH_WITH_HWLOC asks for")
  endif()
endif()
if(BREADTH_HAS_HWLOC)
  message(STATUS "Breadth: binds threads, by hwloc")
else()
  message(STATUS "Breadth: binds no threads, without hwloc")
endif()

add_library(breadth_flags INTERFACE)
set(breadth_warnings
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wno-missing-field-initializers  # designated initialisers leave the rest to their defaults
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
  $<$<BOOL:${BREADTH_WARNINGS_AS_ERRORS}>:-Werror>)
target_compile_options(breadth_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${breadth_warnings}>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # In a unity build gcc warns as if the unnamed namespaces of the sources were in a header, and gcc 12 takes
  # concatenated strings for overlapping ones (its bug 105651).
  set(breadth_together $<AND:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,$<COMPILE_LANGUAGE:CXX>>)
  target_compile_options(breadth_flags INTERFACE "$<${breadth_together}:-Wno-subobject-linkage;-Wno-restrict>")
endif()
if(BREADTH_NATIVE AND NOT CMAKE_CROSSCOMPILING)
  target_compile_options(breadth_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
endif()
if(BREADTH_SANITIZE)
  add_compile_options(-fsanitize=${BREADTH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(BREADTH_SANITIZE MATCHES address)
    # The address sanitizer finds these errors anyway. Checking them twice took a quarter of the compile time.
    add_compile_options(-fno-sanitize=null,object-size)
  endif()
  add_link_options(-fsanitize=${BREADTH_SANITIZE})
endif()
