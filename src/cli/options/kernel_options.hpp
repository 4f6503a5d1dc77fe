// Which kernels of the benchmark are run.
#pragma once

#include "cli/options/option_set.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

/// --kernels.
void add_kernels_option(OptionSet& options, Kernels& kernels);

/// Throws UsageError for kernels that the chosen partition does not have.
void check_partition(const OptionSet& options, const Kernels& kernels, const GraphLayout& layout);

}  // namespace breadth::cli
