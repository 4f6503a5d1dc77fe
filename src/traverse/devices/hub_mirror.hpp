// What a device has of hubs, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/bitmap.hpp"
#include "gpu/part_search.hpp"
#include "graph/hubs.hpp"

namespace breadth {

/// The hubs' part of a search that a device carries out, as HubReplicas wants to see it: fetched before ranks share
/// it, and brought back afterwards.
class HubMirror {
 public:
  explicit HubMirror(const Hubs& hubs) : visited_(hubs.end()), parents_(hubs.count()) {}

  void fetch(const gpu::PartSearch& part) { part.copy_hubs(visited_.words()); }
  void bring_back(gpu::PartSearch& part) const { part.join_hubs(visited_.words()); }
  void fetch_parents(gpu::PartSearch& part) { part.name_hubs(parents_); }
  void bring_parents_back(gpu::PartSearch& part) const { part.set_hub_parents(parents_); }

  [[nodiscard]] const Bitmap& visited() const { return visited_; }
  [[nodiscard]] std::span<std::uint32_t> parents() { return parents_; }
  void visit_replica(std::uint32_t hub, bool /*listed*/) { visited_.insert(hub); }

 private:
  Bitmap visited_;
  std::vector<std::uint32_t> parents_;  ///< labels
};

}  // namespace breadth
