// The engine of a search for shortest paths.
#pragma once

#include <cstdint>
#include <optional>

#include "traverse/device.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

class ShortestPathSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual SsspResult run(Label source, ShortestPathTree& tree) = 0;
  [[nodiscard]] virtual CommunicationRecord communication() const = 0;
  [[nodiscard]] virtual std::uint64_t borrowed_bytes() const = 0;
  [[nodiscard]] virtual std::optional<DeviceRecord> device() const { return std::nullopt; }
};

}  // namespace breadth
