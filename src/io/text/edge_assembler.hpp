// Conversion of lines of text to an edge list with labels.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/edge_list.hpp"
#include "io/files/line_parser.hpp"
#include "io/names/name_list.hpp"
#include "io/names/vertex_names.hpp"
#include "io/text/text_head.hpp"

namespace breadth {

/// An edge list with the names of its vertices.
struct NamedEdgeList {
  std::unique_ptr<MemoryEdgeList> edges;
  VertexNames names;
};

/// Part `part` of `parts` of a text, in whole lines: a line belongs to the part with its first character.
std::string_view line_share(std::string_view text, std::size_t part, std::size_t parts);

/// Collects this rank's pieces of a text and makes edges from them. Integer names that are valid labels are kept as
/// labels if they are dense enough; otherwise they are numbered, and words always are. Holds 12 bytes per edge (16 with
/// weights). If names are numbered, it also holds the names of this rank's edges, once per thread.
class EdgeAssembler {
 public:
  /// Threads parse blocks of about block_bytes of text, and add the parsed bytes to parsed_bytes unless that is
  /// nullptr.
  EdgeAssembler(const TextFormat& format, const TextHead& head, std::size_t block_bytes,
                std::atomic<std::uint64_t>* parsed_bytes, ThreadTeam& threads);

  /// Adds the edges of whole lines, in parallel. Each block is parsed from a copy, so that a text that changes
  /// meanwhile, as that of a mapped file may, gives other edges but does no harm. Returns the first bad line of `text`;
  /// after that the assembler must not be used any more. Not collective.
  std::optional<BadLine> add(std::string_view text);
  /// Skips the rows of whole lines, in parallel, if the format counts rows.
  void skip(std::string_view text) { row_ = first_rows(text, blocks_of(text)).back(); }
  /// The row, from 0, with which the next text begins, after everything that was added or skipped.
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  void go_to_row(std::uint64_t row) noexcept { row_ = row; }
  /// The number of edges so far, on this rank.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// The sum of ParsedLines::balance over the edges so far.
  [[nodiscard]] std::uint64_t balance() const noexcept;
  /// Returns the edges of all ranks, each rank keeping its own. `total` is their number, at least 1. Collective. May be
  /// called once.
  NamedEdgeList finish(std::uint64_t total, const Communicator& ranks);

 private:
  struct Block {
    Buffer<PackedEdge> edges;
    Buffer<float> weights;
    int table = -1;  ///< the table whose numbers the edges have; -1 if they have labels
  };
  struct Worker {
    std::string text;
    ParsedLines lines;
    NameTable names;
    std::vector<std::uint64_t> numbers;
    std::int64_t largest = -1;  ///< largest label in blocks without a table
    std::uint64_t balance = 0;
  };

  /// The number of blocks in which a text is parsed; and the row with which each block begins, followed by the row
  /// after the last block.
  [[nodiscard]] std::size_t blocks_of(std::string_view text) const;
  std::vector<std::uint64_t> first_rows(std::string_view text, std::size_t blocks);
  std::optional<BadLine> parse_block(std::string_view text, std::uint64_t row, int thread, Block& block);
  void keep_labels(Worker& worker, Block& block) const;
  template <class Name>
  void number(std::span<const Name> names, int thread, Block& block);
  void number_labels(int thread, Block& block);
  std::unique_ptr<MemoryEdgeList> join(const std::vector<std::vector<Label>>& labels);

  const TextFormat& format_;
  TextHead head_;
  LineRules rules_;
  std::size_t block_bytes_;
  std::atomic<std::uint64_t>* parsed_bytes_;
  ThreadTeam& threads_;
  std::vector<Worker> workers_;
  std::vector<Block> blocks_;
  std::uint64_t size_ = 0;
  std::uint64_t row_ = 0;
};

}  // namespace breadth
