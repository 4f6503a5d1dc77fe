# What `cmake --install` installs: the program, and the modules below it as a package for find_package(breadth).
#
# Users link breadth::breadth and include <breadth/breadth.hpp>, or only some of the headers that it includes. A project
# that takes Breadth by add_subdirectory() does the same.
include(CMakePackageConfigHelpers)

get_property(breadth_modules GLOBAL PROPERTY BREADTH_MODULES)
list(REMOVE_ITEM breadth_modules breadth_cli)  # a part of the program

add_library(breadth_all INTERFACE)
add_library(breadth::breadth ALIAS breadth_all)
target_link_libraries(breadth_all INTERFACE ${breadth_modules})
set_target_properties(breadth_all PROPERTIES EXPORT_NAME breadth)

set(breadth_package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/breadth)
install(TARGETS ${breadth_modules} breadth_all EXPORT breadth ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT breadth NAMESPACE breadth:: FILE breadthTargets.cmake DESTINATION ${breadth_package_directory})

# Copies <breadth/breadth.hpp> and all headers that it includes, directly or not, into the build folder, and installs
# the copies. Users need no others. A copy has <breadth/core/ids.hpp> for "core/ids.hpp", which could be another header
# in a user's project.
set(ahead breadth.hpp)
set(headers "")
while(ahead)
  list(POP_FRONT ahead header)
  list(APPEND headers ${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} includes REGEX "^#include \"")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${include}")
    if(NOT included IN_LIST headers AND NOT included IN_LIST ahead)
      list(APPEND ahead ${included})
    endif()
  endforeach()
endwhile()
set(breadth_headers ${PROJECT_BINARY_DIR}/include)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  file(READ ${PROJECT_SOURCE_DIR}/src/${header} text)
  string(REGEX REPLACE "\n#include \"([^\"]+)\"" "\n#include <breadth/\\1>" text "${text}")
  file(CONFIGURE OUTPUT ${breadth_headers}/breadth/${header} CONTENT "${text}" @ONLY)
  install(FILES ${breadth_headers}/breadth/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/breadth/${folder})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/${header})
endforeach()
target_include_directories(breadth_all INTERFACE $<BUILD_INTERFACE:${breadth_headers}>)

get_property(breadth_dependencies GLOBAL PROPERTY BREADTH_DEPENDENCIES)
list(TRANSFORM breadth_dependencies PREPEND "find_dependency(")
list(TRANSFORM breadth_dependencies APPEND ")")
list(JOIN breadth_dependencies "\n" BREADTH_FIND_DEPENDENCIES)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/breadthConfig.cmake.in
  ${PROJECT_BINARY_DIR}/breadthConfig.cmake INSTALL_DESTINATION ${breadth_package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/breadthConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/breadthConfig.cmake ${PROJECT_BINARY_DIR}/breadthConfigVersion.cmake
  DESTINATION ${breadth_package_directory})

if(TARGET breadth)
  install(TARGETS breadth RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
