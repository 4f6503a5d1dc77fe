// Breadth as a library: graphs from files and generators, searches on them, and the check of what they find.
#pragma once

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/kronecker.hpp"
#include "generate/synthetic.hpp"
#include "graph/graph.hpp"
#include "io/graph_file.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"
#include "validate/validate_bfs.hpp"
#include "validate/validate_sssp.hpp"
