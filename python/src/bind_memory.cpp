// Plans of memory for Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "core/memory/memory.hpp"
#include "memory_plan.hpp"
#include "module.hpp"
#include "search_options.hpp"

namespace breadth::python {

namespace {
/// Bytes by their names in the program's plan.
nb::dict plan_of(const GraphSize& size, int threads) {
  constexpr std::uint64_t result_bytes_per_label = 16;  // a level or a distance, and a parent
  const MemoryPrediction memory = predict(size, threads);
  nb::dict plan;
  plan["graph_bytes"] = memory.graph_bytes;
  plan["construction_bytes"] = memory.scratch_bytes;
  plan["search_bytes"] = memory.search_bytes;
  plan["result_bytes"] = result_bytes_per_label * size.labels;
  plan["peak_bytes"] = peak_bytes(memory);
  plan["available_bytes"] = available_memory_bytes();
  return plan;
}

GraphSize kronecker_size(int scale, std::uint64_t edgefactor, bool weighted, const OptionTexts& layout) {
  GraphSize size = expected_kronecker_size(scale, edgefactor, weighted);
  size.layout = graph_layout(layout);
  return size;
}
}  // namespace

void bind_memory(nb::module_& module) {
  module.def(
      "plan",
      [](std::uint64_t vertices, std::uint64_t edges, bool weighted, bool directed, const OptionTexts& layout,
         int threads) { return plan_of(size_of(vertices, edges, weighted, directed, graph_layout(layout)), threads); },
      nb::arg("vertices"), nb::arg("edges"), nb::arg("weighted"), nb::arg("directed"), nb::arg("layout"),
      nb::arg("threads"),
      nb::sig("def plan(vertices: int, edges: int, weighted: bool, directed: bool, layout: list[tuple[str, str]], "
              "threads: int) -> dict[str, int]"));
  module.def(
      "plan_kronecker",
      [](int scale, std::uint64_t edgefactor, bool weighted, const OptionTexts& layout, int threads) {
        return plan_of(kronecker_size(scale, edgefactor, weighted, layout), threads);
      },
      nb::arg("scale"), nb::arg("edgefactor"), nb::arg("weighted"), nb::arg("layout"), nb::arg("threads"),
      nb::sig("def plan_kronecker(scale: int, edgefactor: int, weighted: bool, layout: list[tuple[str, str]], "
              "threads: int) -> dict[str, int]"));
  module.def(
      "require_memory",
      [](std::uint64_t vertices, std::uint64_t edges, bool weighted, bool directed, const OptionTexts& layout,
         int threads, std::uint64_t beside) {
        require_memory(predict(size_of(vertices, edges, weighted, directed, graph_layout(layout)), threads), beside);
      },
      nb::arg("vertices"), nb::arg("edges"), nb::arg("weighted"), nb::arg("directed"), nb::arg("layout"),
      nb::arg("threads"), nb::arg("beside"));
  module.def(
      "require_memory_for_kronecker",
      [](int scale, std::uint64_t edgefactor, bool weighted, const OptionTexts& layout, int threads) {
        require_memory(predict(kronecker_size(scale, edgefactor, weighted, layout), threads), 0);
      },
      nb::arg("scale"), nb::arg("edgefactor"), nb::arg("weighted"), nb::arg("layout"), nb::arg("threads"));
  module.def("bytes_text", bytes_text, nb::arg("bytes"), "Bytes as people read them.");
}

}  // namespace breadth::python
