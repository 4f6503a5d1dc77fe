#include "io/names/near_name.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "io/files/line_parser.hpp"

namespace breadth {

namespace {
constexpr std::uint64_t too_far = ~std::uint64_t{0};
constexpr std::size_t most_letters = 2;

/// Letters to insert, delete or replace to turn one word into the other; too_far beyond most_letters.
std::uint64_t letters_apart(std::string_view a, std::string_view b) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > most_letters || longer <= most_letters) return too_far;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, diagonal + 1, replaced});
    }
    if (*std::min_element(row.begin(), row.end()) > most_letters) return too_far;
  }
  return row.back() <= most_letters ? row.back() : too_far;
}

std::uint64_t distance_between(NameKind kind, std::string_view stored, std::string_view text, std::int64_t integer) {
  if (kind == NameKind::strings) return letters_apart(stored, text);
  const std::int64_t value = decode_integer(stored);
  const auto high = static_cast<std::uint64_t>(std::max(value, integer));
  return high - static_cast<std::uint64_t>(std::min(value, integer));
}
}  // namespace

NearNames find_near_names(const VertexNames& names, std::string_view text, const Communicator& ranks) {
  const NameList& own = names.own();
  const std::int64_t integer = parse_integer(text).value_or(0);
  std::uint64_t least = too_far;
  std::string nearest;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::uint64_t distance = distance_between(names.kind(), own[i], text, integer);
    if (distance >= least) continue;
    least = distance;
    nearest = displayed(names.kind(), own[i]);
  }
  const std::uint64_t best = ranks.all_reduce(least, Reduction::minimum);
  const auto finder =
      static_cast<int>(ranks.all_reduce(std::int64_t{least == best ? ranks.rank() : ranks.size()}, Reduction::minimum));
  // Blocks are in rising order, and only trailing ones are empty.
  const int last_rank = names.distribution().owner(Label{static_cast<std::int64_t>(names.count()) - 1});
  const std::string first = own.empty() ? "" : displayed(names.kind(), own[0]);
  const std::string last = own.empty() ? "" : displayed(names.kind(), own[own.size() - 1]);
  return {.first = ranks.broadcast(first, 0),
          .last = ranks.broadcast(last, last_rank),
          .nearest = ranks.broadcast(nearest, finder)};
}

}  // namespace breadth
