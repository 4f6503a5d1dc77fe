#include "graph500/report/rules.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace breadth {

namespace {
constexpr double required_edgefactor = 16;
constexpr std::uint64_t required_keys = 64;

/// Whether each reading of the edge list makes it once more, as nothing keeps it.
bool made_for_each_reading(const BenchmarkOptions& options, int ranks) {
  const bool device_keeps_it =
      stays_on_device(options, ranks) && edge_residence(options, ranks) == EdgeResidence::resident;
  return options.edge_list == EdgeListPlace::regenerate && !device_keeps_it;
}
}  // namespace

std::vector<std::string> rules_broken(const BenchmarkReport& report) {
  const BenchmarkOptions& options = report.options;
  std::vector<std::string> broken;
  const auto add = [&broken](std::string rule) { broken.push_back(std::move(rule)); };

  if (made_for_each_reading(options, report.ranks)) {
    add("the edge list is generated anew whenever it is read, so kernel 1 knows more than the list");
  }
  if (!report.from_generator) {
    add(fmt::format("the edge list of {} is not what the generator makes from seeds {},{}", options.input,
                    options.seed[0], options.seed[1]));
  }
  if (report.edgefactor != required_edgefactor) {
    add(fmt::format("the edge factor is {}, not {}", report.edgefactor, required_edgefactor));
  }
  if (options.keys < required_keys) add(fmt::format("{} search keys, not {}", options.keys, required_keys));
  for (const KernelReport& kernel : report.kernels) {
    if (kernel.preparation_seconds) {
      add(fmt::format("{:.3g} s of preparation for {} searches are in no time: they were made after kernel 1",
                      *kernel.preparation_seconds, kernel.name));
    }
    const std::size_t searches = kernel.searches.size();
    if (!kernel.complete())
      add(fmt::format("cut short after {} of {} {} searches", searches, kernel.keys, kernel.name));
    if (const std::size_t unchecked = kernel.count(Verdict::unchecked); unchecked > 0) {
      add(fmt::format("{} of {} {} searches were not validated", unchecked, searches, kernel.name));
    }
    if (const std::size_t invalid = kernel.count(Verdict::invalid); invalid > 0) {
      add(fmt::format("{} of {} {} searches failed validation", invalid, searches, kernel.name));
    }
  }
  return broken;
}

std::vector<std::string> rules_notes(const BenchmarkReport& report) {
  std::vector<std::string> notes;
  if (report.options.kernels.several()) {
    std::vector<std::string> alone;
    for (const KernelKind kind : report.options.kernels.kinds())
      alone.push_back(fmt::format("--kernels {}", name_of(kind)));
    notes.push_back(fmt::format(
        "each kernel searches a graph of its own; both are built in kernel 1's time and not changed afterwards. The "
        "specification lets kernel 1 make any data structures, but speaks of one graph in a format for all kernels: "
        "{} in runs of their own have one",
        joined(alone, " and ")));
  }
  if (const auto& device = report.construction.device; device && device->reserved_bytes > 0) {
    notes.push_back(fmt::format("{} bytes of the device's memory were taken from its driver before kernel 1's time",
                                device->reserved_bytes));
  }
  for (const KernelReport& kernel : report.kernels) {
    if (const auto& warm_up = kernel.warm_up) {
      notes.push_back(fmt::format(
          "a {} search from vertex {}, which is no search key, came before the timed ones, so that the device had "
          "loaded its program; it took {:.3g} s that no time includes",
          kernel.name, warm_up->vertex.value, warm_up->seconds));
    }
  }
  if (const auto& calibration = report.calibration) {
    notes.push_back(fmt::format(
        "options were chosen by searches from {} vertices at a time, none of them a search key, in {:.1f} s that no "
        "time includes; --calibrate 0 leaves that out",
        calibration->keys, calibration->seconds));
  }
  return notes;
}

}  // namespace breadth
