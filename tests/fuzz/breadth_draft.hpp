// A .breadth file taken apart, so that it can be changed and put together again with correct checksums.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/edge_list.hpp"
#include "io/binary/breadth_file.hpp"

namespace breadth::fuzz {

struct BreadthDraft {
  breadth_format::Header header;  ///< put_together() sets its counts and checksums
  std::vector<PackedEdge> edges;
  std::vector<float> weights;
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint8_t> name_bytes;
};

/// Splits any bytes into the parts of a .breadth file, as far as the bytes go. Checksums are ignored.
BreadthDraft take_apart(std::span<const std::uint8_t> bytes);
/// Makes a file of the parts, with correct counts, magic bytes and checksums.
std::vector<std::uint8_t> put_together(const BreadthDraft& draft);

/// Replaces labels that have no name by labels that have one.
void repair_labels(BreadthDraft& draft);
/// Makes the names rise strictly, and their ends match.
void repair_names(BreadthDraft& draft);

}  // namespace breadth::fuzz
