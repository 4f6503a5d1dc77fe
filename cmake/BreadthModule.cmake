# breadth_module(NAME DEPENDS module... LIBRARIES target... EXCEPT path... SOURCES file...)
#
# One folder of src/ as a static library breadth_NAME (breadth::NAME), with the modules and libraries it may include:
# every .cpp in it and its rooms, but those of EXCEPT (a file or a room, which another configuration has), and SOURCES of
# other kinds. Headers are included by their path below src/, as "core/ids.hpp".
function(breadth_module name)
  cmake_parse_arguments(MODULE "" "" "DEPENDS;LIBRARIES;EXCEPT;SOURCES" ${ARGN})
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  foreach(path IN LISTS MODULE_EXCEPT)
    list(FILTER found EXCLUDE REGEX "^${path}(/|$)")
  endforeach()
  add_library(breadth_${name} STATIC ${found} ${MODULE_SOURCES})
  add_library(breadth::${name} ALIAS breadth_${name})
  target_compile_features(breadth_${name} PUBLIC cxx_std_20)
  target_include_directories(breadth_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/breadth>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM MODULE_DEPENDS PREPEND breadth_)
  target_link_libraries(breadth_${name}
    PUBLIC ${MODULE_DEPENDS} ${MODULE_LIBRARIES}
    PRIVATE $<BUILD_INTERFACE:breadth_flags>)
  set_target_properties(breadth_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY BREADTH_MODULES breadth_${name})
endfunction()

# breadth_dispatched(file...)
#
# Sources that Highway compiles once for each instruction set and picks from at run time: they start from the least
# that Highway has vectors for, whatever BREADTH_NATIVE says.
function(breadth_dispatched)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -march=x86-64-v2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -march=armv8-a+crypto)
  endif()
endfunction()

# breadth_dispatched_or_scalar(file...): the same, and in plain C++ as well, for --simd scalar.
function(breadth_dispatched_or_scalar)
  breadth_dispatched(${ARGN})
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS
    HWY_COMPILE_ALL_ATTAINABLE HWY_DISABLED_TARGETS=HWY_SSSE3)
endfunction()
