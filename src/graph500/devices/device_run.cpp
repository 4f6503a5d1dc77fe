#include "graph500/devices/device_run.hpp"

#include <cstddef>

#include "comm/phase.hpp"
#include "core/data/label_array.hpp"
#include "core/memory/buffer.hpp"
#include "core/memory/memory.hpp"
#include "core/stopwatch.hpp"
#include "graph500/searches.hpp"
#include "traverse/bfs.hpp"
#include "traverse/devices/gpu_search.hpp"

namespace breadth {

DeviceRun::DeviceRun(const BenchmarkOptions& options, const BenchmarkInput& input, const Context& context)
    : options_(options), context_(context), edges_(options, *input.edges, false, context) {}

void DeviceRun::reserve() {
  const Phase phase(context_.ranks, "taking memory on the device");
  reserved_bytes_ = edges_->reserve(std::uint64_t{1} << options_.scale);
}

ConstructionReport DeviceRun::construct() {
  const Phase phase(context_.ranks, "kernel 1 on the device");
  const Stopwatch stopwatch;
  graph_ = edges_->build({.leaves_last = options_.bfs.leaves_last});
  search_ = graph_->search({.control = control_on(options_.bfs.device.control, context_.ranks.size())});
  return {.seconds = stopwatch.seconds(),
          .peak_bytes = peak_resident_bytes(),
          .graph_bytes = graph_->bytes(),
          .device = DeviceConstruction{
              .edge_list_bytes = edges_->bytes(), .slabs = graph_->record().slabs, .reserved_bytes = reserved_bytes_}};
}

std::vector<Label> DeviceRun::draw_search_keys(const SearchKeySeed& seed, std::uint64_t count,
                                               const std::unordered_set<Label>& excluded) const {
  const std::vector<std::uint32_t> connected = graph_->connected();
  const gpu::DeviceGraphSize size = graph_->size();
  const auto has_edges = [&](Label label) {
    const bool bit = (connected[label.index() / gpu::bits_per_word] >> label.index() % gpu::bits_per_word & 1U) != 0;
    return bit && !excluded.contains(label);
  };
  return choose_search_keys({.draw = candidates_of(seed),
                             .connected = has_edges,
                             .distribution = BlockDistribution(size.labels, 1),
                             .connected_vertices = size.vertices - excluded.size()},
                            count, context_.ranks);
}

ValidationReport DeviceRun::check(Label key) {
  const gpu::TreeFindings found = edges_->check_tree(search_->parents(), static_cast<std::uint32_t>(key.value));
  return report_of(found, key, {.labels = graph_->size().labels});
}

gpu::SearchRecord DeviceRun::search(Label key) {
  return search_->run({.source = search_->vertex_of(static_cast<std::uint32_t>(key.value)),
                       .direction = options_.bfs.direction,
                       .max_levels = static_cast<std::uint64_t>(options_.bfs.max_depth)});
}

KernelReport DeviceRun::run_bfs_kernel(std::span<const Label> keys, const SearchKeySeed& seed,
                                       const BenchmarkSurroundings& surroundings) {
  const Phase phase(context_.ranks, "kernel 2 on the device");
  Buffer<std::uint32_t> parents(graph_->size().labels);
  DeviceRecord record{.name = search_->device_name(), .bytes = search_->device_bytes()};

  const std::optional<WarmUp> before =
      warm_up(draw_search_keys(seed, 1, {keys.begin(), keys.end()}), [&](Label vertex) { (void)search(vertex); });
  const auto run = [&](Label key, std::size_t /*place*/) {
    const Stopwatch stopwatch;
    const gpu::SearchRecord found = search(key);
    const double seconds = stopwatch.seconds();
    copy_result(record, [&] { search_->copy_parents(parents.span()); });
    return SearchRecord{.seconds = seconds,
                        .levels = levels_of(found),
                        .leaves = leaves_of(found),
                        .device_seconds = device_seconds_of(found)};
  };
  const auto verify_one = [&](std::size_t first, std::span<const Label> key) {
    const std::size_t validated = to_validate(options_.validation, first, key.size());
    return verify(
        key.size(), validated, [&] { return std::vector{check(key.front())}; },
        [&] { return std::vector{check(key.front()).traversed_edges}; }, context_.ranks);
  };
  KernelReport report =
      run_searches("bfs", keys, 1, {context_.ranks, surroundings.observer, surroundings.stop}, run, verify_one);
  report.device = record;
  report.validated_on_device = true;
  report.warm_up = before;
  return report;
}

}  // namespace breadth
