#include "validate/case_text.hpp"

#include <fmt/format.h>

namespace breadth {

std::string edge_outside_text(const Edge& edge, std::uint64_t labels) {
  return fmt::format("edge ({}, {}): the result has labels 0 to {}", edge.source.value, edge.target.value, labels - 1);
}

std::string no_root_text(Label root) { return fmt::format("root {} is not a label of the graph", root.value); }

std::string parent_text(Label vertex, Label parent) {
  return fmt::format("vertex {} has parent {}", vertex.value, parent.value);
}

std::string no_way_text(Label vertex, Label parent, Label root) {
  return fmt::format("from vertex {} with parent {} there is no way to root {}", vertex.value, parent.value,
                     root.value);
}

std::string edge_span_text(const Edge& edge, std::uint64_t source_level, std::uint64_t target_level) {
  return fmt::format("edge ({}, {}) joins levels {} and {}", edge.source.value, edge.target.value, source_level,
                     target_level);
}

std::string one_end_text(const Edge& edge, Label inside) {
  return fmt::format("edge ({}, {}): only {} is in the tree", edge.source.value, edge.target.value, inside.value);
}

std::string no_neighbour_text(Label vertex, Label parent) {
  return fmt::format("vertex {} has parent {}, which is not its neighbour", vertex.value, parent.value);
}

}  // namespace breadth
