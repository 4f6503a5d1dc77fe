// Any bytes as any kind of graph file: reading throws Error or gives a graph that survives writing and reading again.
//
//   cmake --preset debug -B build/fuzz -DCMAKE_CXX_COMPILER=clang++ -DBREADTH_WITH_MPI=OFF
//         -DBREADTH_SANITIZE=fuzzer-no-link,address,undefined
//   cmake --build build/fuzz --target fuzz_readers && build/fuzz/tests/fuzz/fuzz_readers -max_total_time=60
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/context.hpp"
#include "core/errors.hpp"
#include "io/graph_file.hpp"
#include "io/graph_output.hpp"

namespace {
using breadth::Edge;
using breadth::GraphFile;
using breadth::no_label;

const breadth::Communicator& world() {
  static int argc = 0;
  static char** argv = nullptr;
  static const breadth::MessagePassing message_passing(argc, argv);
  static const breadth::Communicator ranks = message_passing.world();
  return ranks;
}

std::vector<Edge> edges_of(const GraphFile& graph) {
  std::vector<Edge> edges(graph.edges->size(), Edge{no_label, no_label});
  std::vector<float> weights(graph.weighted ? edges.size() : 0);
  graph.edges->read(0, edges, weights);
  return edges;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array endings{".txt", ".mtx", ".txt.gz", ".mtx.zst", ".g500", ".breadth"};
  if (size == 0) return 0;
  static const std::string stem =
      (std::filesystem::temp_directory_path() / ("breadth-fuzz-" + std::to_string(::getpid()))).string();
  static breadth::ThreadTeam threads(2);
  const breadth::Context context{world(), threads};
  const std::string path = stem + endings[data[0] % endings.size()];
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data + 1), static_cast<long>(size - 1));
  try {
    const GraphFile graph = read_graph(path, {.block_bytes = 16, .window_bytes = 64}, context);
    const std::string copy = stem + "-copy.breadth";
    breadth::GraphOutput(copy, world()).write(graph, context);
    if (edges_of(read_graph(copy, {}, context)) != edges_of(graph)) std::abort();
  } catch (const breadth::Error&) {  // as it should for most inputs
  }
  std::filesystem::remove(path);
  return 0;
}
