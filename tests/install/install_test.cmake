# Run by ctest with the variables that tests/install/CMakeLists.txt sets.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${work_directory})
set(prefix ${work_directory}/prefix)
run(${CMAKE_COMMAND} --install ${build_directory} --config ${configuration} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${consumer_directory} -B ${work_directory}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=${configuration})
run(${CMAKE_COMMAND} --build ${work_directory}/build --config ${configuration})
run(${work_directory}/build/consumer)
if(NOT output MATCHES "reached 4 of 5 vertices in [1-9]")
  message(FATAL_ERROR "the consumer printed\n${output}")
endif()
# The headers are found in the same way if Breadth is a part of the project. Its libraries are not built again.
if(generator STREQUAL "Ninja")
  run(${CMAKE_COMMAND} -S ${consumer_directory} -B ${work_directory}/part -G ${generator}
    -D BREADTH_SOURCE=${source_directory} -D BREADTH_WITH_CUDA=OFF -D CMAKE_CXX_COMPILER=${compiler})
  run(${CMAKE_COMMAND} --build ${work_directory}/part
    --target CMakeFiles/consumer.dir/main.cpp.o CMakeFiles/consumer.dir/levels.cpp.o)
endif()
if(EXISTS ${prefix}/bin/breadth)
  run(${prefix}/bin/breadth --version)
endif()
