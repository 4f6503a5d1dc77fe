#include "graph500/report/report.hpp"
#include "core/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace breadth {

bool KernelReport::valid() const noexcept { return count(Verdict::invalid) == 0; }

std::size_t KernelReport::count(Verdict verdict) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(searches.begin(), searches.end(),
                    [verdict](const SearchRecord& search) { return search.verification.verdict == verdict; }));
}

bool BenchmarkReport::complete() const noexcept {
  return std::all_of(kernels.begin(), kernels.end(), [](const KernelReport& kernel) { return kernel.complete(); });
}

bool BenchmarkReport::valid() const noexcept {
  return std::all_of(kernels.begin(), kernels.end(), [](const KernelReport& kernel) { return kernel.valid(); });
}

std::string describe(const CalibrationReport& calibration) {
  std::vector<std::string> chosen;
  for (const auto& [option, value] : calibration.chosen) chosen.push_back(fmt::format("{} {}", option, value));
  const std::string why = calibration.speedup > 1
                              ? fmt::format("{:.2f} times as fast as the defaults", calibration.speedup)
                              : std::string("the defaults, since nothing was proved to be faster");
  return fmt::format("{}: {}, from {} keys in {:.1f} s", joined(chosen, ", "), why, calibration.keys,
                     calibration.seconds);
}

std::string describe(const LinkHubs& why) {
  return fmt::format(
      "{}, since they save {:.3g} ms of a search at {:.3g} MB/s between nodes, {} than a round of {:.3g} ms",
      why.chosen ? "auto" : "none", 1e3 * why.saved_seconds, 1e-6 * why.bytes_per_second,
      why.chosen ? "more" : "no more", 1e3 * why.round_seconds);
}

std::string describe(const UsedProfile& profile) {
  std::vector<std::string> values;
  for (const auto& [option, value] : profile.options) values.push_back(fmt::format("{} {}", option, value));
  return fmt::format("{} ({})", profile.path, values.empty() ? "sets nothing" : joined(values, ", "));
}

const char* name_of(EdgeResidence residence) { return residence == EdgeResidence::resident ? "resident" : "streamed"; }

const char* name_of(EdgeListPlace place) {
  switch (place) {
    case EdgeListPlace::memory: return "memory";
    case EdgeListPlace::file: return "file";
    case EdgeListPlace::regenerate: return "regenerate";
  }
  return "";
}

const char* name_of(ValidationPolicy policy) {
  switch (policy) {
    case ValidationPolicy::all: return "all";
    case ValidationPolicy::alternate: return "alternate";
    case ValidationPolicy::first: return "first";
    case ValidationPolicy::none: return "none";
  }
  return "";
}

const char* name_of(Kernels kernels) {
  switch (kernels) {
    case Kernels::bfs: return "bfs";
    case Kernels::sssp: return "sssp";
    case Kernels::bfs_and_sssp: return "bfs,sssp";
  }
  return "";
}

const char* name_of(AdjacencyForm form) {
  switch (form) {
    case AdjacencyForm::rows: return "rows";
    case AdjacencyForm::compressed: return "compressed";
    case AdjacencyForm::full_scan: return "full-scan";
    case AdjacencyForm::skip_list: return "skip-list";
    case AdjacencyForm::coarse_index: return "coarse-index";
  }
  return "";
}

std::string name_of(const HubChoice& hubs) {
  switch (hubs.rule) {
    case HubRule::none: return "none";
    case HubRule::automatic: return "auto";
    case HubRule::pan: return "pan";
    case HubRule::degree: return std::to_string(hubs.degree);
  }
  return "";
}

std::string name_of(const std::optional<GridShape>& grid) {
  if (!grid) return "1d";
  return *grid == GridShape{} ? "auto-2d" : fmt::format("{}x{}", grid->rows, grid->columns);
}

const char* name_of(VertexOrder order) { return order == VertexOrder::degree ? "degree" : "label"; }

const char* name_of(NeighbourOrder order) {
  switch (order) {
    case NeighbourOrder::vertices: return "vertices";
    case NeighbourOrder::labels: return "labels";
    case NeighbourOrder::weights: return "weights";
  }
  return "";
}

const char* name_of(DirectionPolicy policy) {
  switch (policy) {
    case DirectionPolicy::automatic: return "auto";
    case DirectionPolicy::push: return "push";
    case DirectionPolicy::pull: return "pull";
  }
  return "";
}

const char* name_of(PullPolicy policy) {
  switch (policy) {
    case PullPolicy::replicated: return "replicated";
    case PullPolicy::messages: return "messages";
  }
  return "";
}

const char* name_of(ExchangePolicy policy) {
  switch (policy) {
    case ExchangePolicy::asynchronous: return "asynchronous";
    case ExchangePolicy::bulk: return "bulk";
  }
  return "";
}

const char* name_of(std::optional<Termination> ending) {
  if (!ending) return "auto";
  switch (*ending) {
    case Termination::marks: return "marks";
    case Termination::consensus: return "consensus";
    case Termination::counts: return "counts";
  }
  return "";
}

const char* name_of(PacketFormat format) {
  switch (format) {
    case PacketFormat::runs: return "runs";
    case PacketFormat::pairs: return "pairs";
    case PacketFormat::compressed: return "compressed";
  }
  return "";
}

const char* name_of(RoutePolicy policy) {
  switch (policy) {
    case RoutePolicy::direct: return "direct";
    case RoutePolicy::local: return "local";
    case RoutePolicy::monitor: return "monitor";
  }
  return "";
}

const char* name_of(MonitorPolicy policy) {
  switch (policy) {
    case MonitorPolicy::random: return "random";
    case MonitorPolicy::heaviest: return "heaviest";
    case MonitorPolicy::orchestra: return "orchestra";
  }
  return "";
}

const char* name_of(HubMasks how) {
  switch (how) {
    case HubMasks::blocking: return "blocking";
    case HubMasks::two_phase: return "two-phase";
    case HubMasks::nonblocking: return "nonblocking";
    case HubMasks::two_phase_nonblocking: return "two-phase-nonblocking";
  }
  return "";
}

const char* name_of(SubgraphPolicy policy) { return policy == SubgraphPolicy::apart ? "apart" : "together"; }

const char* name_of(LightParents when) { return when == LightParents::in_the_end ? "end" : "with"; }

const char* name_of(Replication how) {
  switch (how) {
    case Replication::allgather: return "allgather";
    case Replication::leader: return "leader";
    case Replication::shared_in: return "shared-in";
    case Replication::shared: return "shared";
    case Replication::subgroups: return "subgroups";
  }
  return "";
}

const char* name_of(SharedBits bits) {
  switch (bits) {
    case SharedBits::automatic: return "auto";
    case SharedBits::all: return "all";
    case SharedBits::unvisited: return "unvisited";
  }
  return "";
}

const char* name_of(Direction direction) { return direction == Direction::push ? "push" : "pull"; }

}  // namespace breadth
