// What a device found of a tree, as validation reports it.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "gpu/tree_check.hpp"
#include "validate/report.hpp"

namespace breadth {

/// Of a tree with this root, which is a label, among so many labels; in the words of the processors' validation.
ValidationReport report_of(const gpu::TreeFindings& found, Label root, std::uint64_t labels);

}  // namespace breadth
