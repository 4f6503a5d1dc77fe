// The module breadth._engine: graphs and searches of the engine, and the program.
#include "module.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "cli/command.hpp"
#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "traverse/wide_paths.hpp"

namespace breadth::python {

namespace {
/// Translates errors of the engine to Python's exceptions.
void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const OutOfMemory& out) {
    PyErr_SetString(PyExc_MemoryError, out.what());
  } catch (const AgreedOutOfMemory& out) {
    PyErr_SetString(PyExc_MemoryError, out.what());
  } catch (const DistanceOverflow& overflow) {
    PyErr_SetString(PyExc_OverflowError, overflow.what());
  } catch (const Error& other) {
    PyErr_SetString(PyExc_ValueError, other.what());
  }
}

int run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  const auto count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  const WithoutLock released;
  return cli::run_program(count, arguments.data());
}
}  // namespace

}  // namespace breadth::python

NB_MODULE(_engine, module) {
  nanobind::set_leak_warnings(false);  // objects of daemon threads at the end of the process are no leaks
  module.doc() = "The engine: graphs, searches and the program. Not to be used directly; see the package breadth.";
  nanobind::register_exception_translator(breadth::python::translate);
  breadth::python::bind_graph(module);
  breadth::python::bind_memory(module);
  breadth::python::bind_output(module);
  breadth::python::bind_sources(module);
  breadth::python::bind_ranks(module);
  breadth::python::bind_networkx(module);
  module.def("run_program", breadth::python::run_program, nanobind::arg("words"),
             "Run the program with these words, of which the first is its name; return its exit status.");
}
