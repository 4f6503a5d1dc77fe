# Breadth for 64-bit ARM, built on another machine: Debian's cross compiler, the libraries that `tools/setup arm` lays
# below build/arm64, and an emulator that runs the tests.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Header-only libraries, and their CMake files, are those of this machine.
get_filename_component(breadth_arm_libraries ${CMAKE_CURRENT_LIST_DIR}/../build/arm64 ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${breadth_arm_libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${breadth_arm_libraries}/usr/include/aarch64-linux-gnu)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
