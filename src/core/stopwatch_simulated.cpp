// The clock of a machine that SimGrid simulates.
#include "core/stopwatch.hpp"

#include <simgrid/engine.h>

namespace breadth {

double clock_seconds() { return simgrid_get_clock(); }

}  // namespace breadth
