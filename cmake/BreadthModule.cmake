# breadth_module(NAME DEPENDS module... LIBRARIES target... EXCEPT path... SOURCES file...)
#
# Makes the current folder of src/ a static library breadth_NAME (breadth::NAME) that uses the modules of DEPENDS and
# the LIBRARIES. The library has every .cpp of the folder and its subfolders, except the files and subfolders of EXCEPT,
# which belong to other configurations, and SOURCES of other kinds. Headers are included by their path below src/, as
# "core/ids.hpp".
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
# Sets the options of sources that Highway compiles once for each instruction set and chooses from at run time. They are
# compiled for the least instruction set that Highway has vectors for, whatever BREADTH_NATIVE says.
function(breadth_dispatched)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -march=x86-64-v2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -march=armv8-a+crypto)
  endif()
endfunction()

# breadth_dispatched_or_scalar(file...): like breadth_dispatched, and also compiled as plain C++, for --simd scalar: with
# g++ 12.3 and later, Highway would compile vectors of 16 bytes in their place (EMU128). The numbers are the bits of
# HWY_SSE2 and HWY_AVX3_SPR, which Highway 1.0.3 does not name.
function(breadth_dispatched_or_scalar)
  breadth_dispatched(${ARGN})
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS
    HWY_COMPILE_ALL_ATTAINABLE HWY_BROKEN_EMU128=1 "HWY_DISABLED_TARGETS=(HWY_SSSE3|0x4000|0x10)")
endfunction()
