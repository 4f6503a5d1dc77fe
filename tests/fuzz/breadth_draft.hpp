// A .breadth file taken apart, so that it can be changed and put together again with checksums that are right.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/edge_list.hpp"
#include "io/binary/breadth_file.hpp"

namespace breadth::fuzz {

struct BreadthDraft {
  breadth_format::Header header;  ///< whose counts and checksums are those of the parts once it is put together
  std::vector<PackedEdge> edges;
  std::vector<float> weights;
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint8_t> name_bytes;
};

/// The parts that any bytes have as a .breadth file, as far as they are there; no checksum counts.
BreadthDraft take_apart(std::span<const std::uint8_t> bytes);
/// A file of these parts, with the counts of the header, its magic bytes and all checksums as they belong there.
std::vector<std::uint8_t> put_together(const BreadthDraft& draft);

/// Labels that have names.
void repair_labels(BreadthDraft& draft);
/// Names that rise strictly, and where they end.
void repair_names(BreadthDraft& draft);

}  // namespace breadth::fuzz
