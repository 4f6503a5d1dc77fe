// What a device found of a tree, as validation reports it.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "gpu/tree_check.hpp"
#include "validate/report.hpp"

namespace breadth {

/// What was checked.
struct TreeShape {
  std::uint64_t labels = 0;
  bool distances = false;  ///< whether it is a tree of shortest paths
};

/// Of a tree with this root, which is a label; in the words of the processors' validation.
ValidationReport report_of(const gpu::TreeFindings& found, Label root, const TreeShape& shape);

}  // namespace breadth
