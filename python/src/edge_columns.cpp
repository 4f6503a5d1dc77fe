#include "edge_columns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t integers_per_block = std::size_t{1} << 12;

}  // namespace

void EdgeColumns::read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const {
  if (!weights.empty()) weights_.read(first, weights);
  const std::int64_t* const all_sources = sources_.values();
  const std::int64_t* const all_targets = targets_.values();
  if (all_sources != nullptr && all_targets != nullptr) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i] = {Label{all_sources[first + i]}, Label{all_targets[first + i]}};
    }
    return;
  }
  constexpr std::size_t at_a_time = 1024;
  std::array<std::int64_t, at_a_time> sources;
  std::array<std::int64_t, at_a_time> targets;
  for (std::size_t done = 0; done < edges.size(); done += at_a_time) {
    const std::size_t count = std::min(at_a_time, edges.size() - done);
    sources_.read(first + done, std::span(sources).first(count));
    targets_.read(first + done, std::span(targets).first(count));
    for (std::size_t i = 0; i < count; ++i) edges[done + i] = {Label{sources[i]}, Label{targets[i]}};
  }
}

void require_numbers_below(const IntegerColumn& column, std::uint64_t count, const std::string& name,
                           ThreadTeam& threads) {
  const std::size_t wrong = parallel_reduce(
      threads, column.size(), integers_per_block, SIZE_MAX,
      [&](IndexRange range) {
        std::array<std::int64_t, integers_per_block> values;
        column.read(range.begin, std::span(values).first(range.size()));
        for (std::size_t i = 0; i < range.size(); ++i) {
          if (static_cast<std::uint64_t>(values[i]) >= count) return range.begin + i;
        }
        return SIZE_MAX;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  if (wrong == SIZE_MAX) return;
  throw std::out_of_range(fmt::format("{}[{}] is not a vertex: vertices are 0 to {}", name, wrong, count - 1));
}

}  // namespace breadth::python
