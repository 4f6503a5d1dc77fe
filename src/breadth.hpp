// Breadth as a library: graphs from files and generators, searches on them, and the check of what they find.
#pragma once

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/generators.hpp"
#include "graph/graph.hpp"
#include "io/graph_file.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"
#include "validate/validate.hpp"
