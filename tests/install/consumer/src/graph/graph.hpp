// A header of this project, at a path that a header of Breadth has too.
#pragma once

#include <cstddef>

namespace breadth {
struct BfsResult;
}

std::size_t levels_of(const breadth::BfsResult& result);
