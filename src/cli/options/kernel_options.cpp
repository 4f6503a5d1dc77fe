#include "cli/options/kernel_options.hpp"

#include <sstream>
#include <string>

namespace breadth::cli {

namespace {
/// The kernels that a list of names has, in any order and however often.
Kernels parse_kernels(const std::string& text, const std::string& range) {
  bool bfs = false;
  bool sssp = false;
  std::istringstream names(text + ",");  // getline() would not see that nothing follows the last comma
  for (std::string name; std::getline(names, name, ',');) {
    if (name != name_of(Kernels::bfs) && name != name_of(Kernels::sssp)) fail<UsageError>("must be {}", range);
    (name == name_of(Kernels::bfs) ? bfs : sssp) = true;
  }
  if (bfs && sssp) return Kernels::bfs_and_sssp;
  return bfs ? Kernels::bfs : Kernels::sssp;
}
}  // namespace

void add_kernels_option(OptionSet& options, Kernels& kernels) {
  const std::string range = "bfs, sssp, or both with a comma between";
  options.add({.name = "kernels",
               .group = OptionGroup::everyday,
               .meaning = "searches to run: BFS (kernel 2), SSSP (kernel 3), or both",
               .default_text = name_of(kernels),
               .range = range,
               .texts = {.words = {"bfs", "sssp", "bfs,sssp"}},
               .source = "Graph500 specification 2.0",
               .field = &kernels,
               .store = [&kernels, range](const std::string& text) { kernels = parse_kernels(text, range); }});
}

void check_partition(const OptionSet& options, const Kernels& kernels, const GraphLayout& layout) {
  if (!layout.grid || !includes_sssp(kernels)) return;
  fail<UsageError>("{} and {} exclude each other: SSSP needs all edges of a vertex on its rank",
                   options.named_for(layout.grid), options.named_for(kernels));
}

}  // namespace breadth::cli
