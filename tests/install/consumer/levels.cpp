#include <breadth/traverse/bfs.hpp>

#include "graph/graph.hpp"

std::size_t levels_of(const breadth::BfsResult& result) { return result.levels.size(); }
