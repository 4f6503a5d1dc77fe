#include "io/files/line_output.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/agreement.hpp"

namespace breadth {

void write_lines(const SharedOutputFile& file, const std::string& head, std::uint64_t items, const LineMaker& lines) {
  constexpr std::uint64_t round_items = std::uint64_t{1} << 18;
  const Communicator& ranks = file.ranks();
  const std::uint64_t rounds = ranks.all_reduce((items + round_items - 1) / round_items, Reduction::maximum);
  const auto for_each_round = [&](auto&& body) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t first = std::min(items, round * round_items);
      body(lines(first, std::min(items, first + round_items)));
    }
  };

  std::uint64_t at = head.size();
  if (ranks.size() > 1) {
    std::uint64_t own_bytes = 0;
    for_each_round([&](const std::string& text) { own_bytes += text.size(); });
    const std::vector<std::uint64_t> sizes = ranks.all_gather(own_bytes);
    at = std::accumulate(sizes.begin(), sizes.begin() + ranks.rank(), at);
  }
  run_together(ranks, [&] {
    if (ranks.rank() == 0) file.write_at(0, head);
  });
  for_each_round([&](const std::string& text) {
    run_together(ranks, [&] { file.write_at(at, text); });
    at += text.size();
  });
}

}  // namespace breadth
