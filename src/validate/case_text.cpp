#include "validate/case_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

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

std::string root_distance_text(Label root, float distance) {
  return fmt::format("root {} has distance {}", root.value, distance);
}

std::string tree_distance_text(Label vertex, float distance) {
  return fmt::format("vertex {} in the tree has distance {}", vertex.value, distance);
}

std::string lone_distance_text(Label vertex, float distance) {
  return fmt::format("vertex {} without a parent has distance {}", vertex.value, distance);
}

std::string parent_distance_text(Label vertex, Label parent, float distance) {
  return fmt::format("vertex {} has distance {}; no edge to its parent {} gives that", vertex.value, distance,
                     parent.value);
}

std::string distance_span_text(const Edge& edge, float weight, float source, float target) {
  return fmt::format("edge ({}, {}) of weight {} joins distances {} and {}", edge.source.value, edge.target.value,
                     weight, source, target);
}

std::string weight_text(const Edge& edge, float weight) {
  return fmt::format("edge ({}, {}) has weight {}", edge.source.value, edge.target.value, weight);
}

std::string beyond_text(float weight, float distance) {
  if (!std::isinf(distance + weight)) return {};
  return fmt::format("; by its weight {} the other's distance goes beyond {:.3g}, the largest that 32 bits hold",
                     weight, std::numeric_limits<float>::max());
}

}  // namespace breadth
