// Which kernels of the benchmark are run, and the options that go with them.
#pragma once

#include "cli/option_set.hpp"
#include "graph500/report.hpp"

namespace breadth::cli {

/// --kernels.
void add_kernels_option(OptionSet& options, Kernels& kernels);

/// Throws UsageError for kernels that the chosen partition does not have.
void check_partition(const OptionSet& options, Kernels kernels, const GraphLayout& layout);

/// Throws UsageError for options that only searches look at that are not run.
void check_kernels(const OptionSet& options, Kernels kernels);

}  // namespace breadth::cli
