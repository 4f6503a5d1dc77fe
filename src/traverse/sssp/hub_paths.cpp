#include "traverse/sssp/hub_paths.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "comm/communicator.hpp"
#include "gpu/phases/lanes.hpp"
#include "gpu/sssp/path_phases.hpp"

namespace breadth {

namespace {
std::uint64_t rank_count(const Communicator& ranks) { return static_cast<std::uint64_t>(ranks.size()); }
}  // namespace

HubPaths::HubPaths(const Hubs& hubs, Communicator ranks)
    : hubs_(hubs), ranks_(std::move(ranks)), known_(hubs.count()), least_(hubs.count()) {}

LocalVertex HubPaths::start(LocalVertex source) {
  if (hubs_.count() == 0) return source;
  std::fill(known_.begin(), known_.end(), gpu::no_path);
  std::fill(least_.begin(), least_.end(), gpu::no_path);
  const LocalVertex anywhere{
      static_cast<std::uint32_t>(ranks_.all_reduce(std::uint64_t{source.value}, Reduction::minimum))};
  if (!hubs_.contains(anywhere)) return source;
  known_[anywhere.index()] = 0;
  return anywhere;
}

std::span<const gpu::Relaxation> HubPaths::share(std::span<const gpu::Relaxation> found) {
  closer_.clear();
  if (hubs_.count() == 0) return closer_;
  const std::vector<std::size_t> counts = ranks_.all_gather(found.size());
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (total == 0) return closer_;
  if (total * sizeof(gpu::Relaxation) < hubs_.count() * sizeof(std::uint64_t)) {
    gather(found, counts);
  } else {
    reduce_all(found);
  }
  for (const gpu::Relaxation& one : closer_) known_[one.vertex] = one.path();
  return closer_;
}

std::uint64_t HubPaths::take_bytes() { return std::exchange(bytes_, 0); }

void HubPaths::gather(std::span<const gpu::Relaxation> found, std::span<const std::size_t> counts) {
  received_.resize(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  ranks_.all_gather(found, std::span(received_), counts);
  bytes_ += found.size_bytes() * (rank_count(ranks_) - 1);
  for (const gpu::Relaxation& one : received_) least_[one.vertex] = std::min(least_[one.vertex], one.path());
  for (const gpu::Relaxation& one : received_) {
    if (least_[one.vertex] != one.path()) continue;
    if (gpu::HighHalf{}(one.path()) < gpu::HighHalf{}(known_[one.vertex])) closer_.push_back(one);
    least_[one.vertex] = gpu::no_path;  // once, though several may have found the same
  }
}

void HubPaths::reduce_all(std::span<const gpu::Relaxation> found) {
  for (const gpu::Relaxation& one : found) least_[one.vertex] = one.path();
  ranks_.all_reduce(std::span(least_), Reduction::minimum);
  bytes_ += all_reduce_bytes(least_.size() * sizeof(least_[0]), rank_count(ranks_));
  for (std::size_t hub = 0; hub < least_.size(); ++hub) {
    const std::uint64_t path = std::exchange(least_[hub], gpu::no_path);
    if (gpu::HighHalf{}(path) >= gpu::HighHalf{}(known_[hub])) continue;
    closer_.push_back({static_cast<std::uint32_t>(hub), gpu::LowHalf{}(path), gpu::HighHalf{}(path)});
  }
}

}  // namespace breadth
