// Text that all ranks write to one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "comm/context.hpp"
#include "core/parallel/parallel.hpp"
#include "io/files/output_file.hpp"

namespace breadth {

/// Makes the lines of this rank's items [first, last); collective, with the same number of calls on every rank, some of
/// them for no items.
using LineMaker = std::function<std::string(std::uint64_t first, std::uint64_t last)>;

/// Writes rank 0's `head`, then the lines of all items in rank order, a bounded number at a time. On several ranks the
/// lines are made twice, the first time to learn where each rank's begin. Throws AgreedError. Collective.
void write_lines(const SharedOutputFile& file, const std::string& head, std::uint64_t items, const LineMaker& lines);

/// The lines of items [0, count), made by all threads: append(item, text) adds that of one. Not collective.
template <class Append>
std::string make_lines(ThreadTeam& threads, std::size_t count, Append&& append) {
  constexpr std::size_t grain = std::size_t{1} << 13;
  std::vector<std::string> parts((count + grain - 1) / grain);
  parallel_blocks(threads, count, grain, [&](IndexRange range, int) {
    std::string& part = parts[range.begin / grain];
    for (std::size_t i = range.begin; i < range.end; ++i) append(i, part);
  });
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

}  // namespace breadth
