// What graphs and searches take of memory, for Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <thread>

#include "core/memory/memory.hpp"
#include "graph500/run_prediction.hpp"
#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"
#include "module.hpp"
#include "search_options.hpp"

namespace breadth::python {

namespace {
/// Bytes by their names, as the program's plan has them; of a process that is there already, and of results as numpy
/// has them: the validation of a benchmark, which the prediction counts, takes as much.
nb::dict plan_of(GraphSize size, int threads) {
  constexpr int on_one_rank = 1;
  constexpr bool list_is_the_callers = false;
  constexpr std::uint64_t result_bytes_per_label = 16;  // a level or a distance, and a parent
  const Kernels kernels = size.weighted ? Kernels::sssp : Kernels::bfs;
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const MemoryPrediction memory = predict_run(size, kernels, on_one_rank, threads, list_is_the_callers);
  nb::dict plan;
  plan["graph_bytes"] = memory.graph_bytes;
  plan["construction_bytes"] = memory.scratch_bytes;
  plan["search_bytes"] = memory.search_bytes;
  plan["result_bytes"] = result_bytes_per_label * size.labels;
  plan["peak_bytes"] = memory.peak_bytes - memory.program_bytes;
  return plan;
}

nb::dict plan(std::uint64_t vertices, std::uint64_t edges, bool weighted, bool directed, const OptionTexts& layout,
              int threads) {
  return plan_of({.labels = vertices,
                  .tuples = edges,
                  .connected_vertices = std::min(vertices, 2 * edges),
                  .edges = edges,
                  .weighted = weighted,
                  .directed = directed,
                  .layout = graph_layout(layout)},
                 threads);
}

nb::dict plan_kronecker(int scale, std::uint64_t edgefactor, bool weighted, const OptionTexts& layout, int threads) {
  GraphSize size = expected_kronecker_size(scale, edgefactor, weighted);
  size.layout = graph_layout(layout);
  return plan_of(size, threads);
}
}  // namespace

void bind_memory(nb::module_& module) {
  module.def("plan", plan, nb::arg("vertices"), nb::arg("edges"), nb::arg("weighted"), nb::arg("directed"),
             nb::arg("layout"), nb::arg("threads"),
             nb::sig("def plan(vertices: int, edges: int, weighted: bool, directed: bool, layout: list[tuple[str, "
                     "str]], threads: int) -> dict[str, int]"));
  module.def("plan_kronecker", plan_kronecker, nb::arg("scale"), nb::arg("edgefactor"), nb::arg("weighted"),
             nb::arg("layout"), nb::arg("threads"),
             nb::sig("def plan_kronecker(scale: int, edgefactor: int, weighted: bool, layout: list[tuple[str, str]], "
                     "threads: int) -> dict[str, int]"));
  module.def("available_bytes", available_memory_bytes, "Bytes that this process may still take.");
  module.def("bytes_text", bytes_text, nb::arg("bytes"), "Bytes as people read them.");
}

}  // namespace breadth::python
