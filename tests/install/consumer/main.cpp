// A graph of five vertices, searched from vertex 0, by a program outside the project.
#include <breadth/breadth.hpp>
#include <cstdio>

#include "graph/graph.hpp"

int main(int argc, char** argv) {
  const breadth::MessagePassing message_passing(argc, argv);
  const breadth::Communicator ranks = message_passing.world();
  breadth::ThreadTeam threads(2);
  const breadth::Context context{ranks, threads};

  using breadth::Label;
  const std::vector<breadth::Edge> edges{
      {Label{0}, Label{1}}, {Label{1}, Label{2}}, {Label{2}, Label{3}}, {Label{4}, Label{4}}};
  const breadth::Graph graph = breadth::build_graph(breadth::MemoryEdgeList(edges), {}, context);
  breadth::BreadthFirstSearch search(graph, {}, context);
  const breadth::BfsResult result = search.run(Label{0});
  std::printf("reached %d of %d vertices in %d levels\n", static_cast<int>(result.reached),
              static_cast<int>(graph.vertex_count()), static_cast<int>(levels_of(result)));
}
