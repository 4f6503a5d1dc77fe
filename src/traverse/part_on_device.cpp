#include "traverse/part_on_device.hpp"

namespace breadth {

gpu::NodePlace place_on_node(const Communicator& ranks) {
  const Communicator node = ranks.node();
  return {static_cast<std::uint32_t>(node.rank()), static_cast<std::uint32_t>(node.size())};
}

}  // namespace breadth
