// What carries searches out, and the options that go with it.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/option_set.hpp"
#include "core/graph_layout.hpp"
#include "graph500/report.hpp"
#include "traverse/bfs.hpp"

namespace breadth::cli {

/// --device.
void add_device_option(OptionSet& options, Device& device);
/// --device and --device-control.
void add_device_options(OptionSet& options, Device& device, std::optional<DeviceControl>& control);

/// --device-transport.
void add_device_transport_option(OptionSet& options, DeviceTransport& transport);

/// --device-edges and --device-block: how the edge list of the benchmark is there.
void add_device_edges_options(OptionSet& options, std::optional<EdgeResidence>& edges, std::uint64_t& block);

/// Throws UsageError for an option that only searches on processors look at, and for a layout that others cannot have.
void check_device(const OptionSet& options, Device device, const GraphLayout& layout);
/// Throws UsageError that names both for an option whose value only searches on processors can have.
void keep_to_processors(const OptionSet& options, Device device, const char* name, const char* reason);

}  // namespace breadth::cli
