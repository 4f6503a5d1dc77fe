// From lines of text to an edge list with labels.
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

/// Part `part` of `parts` of a text, in whole lines: a line is in the part that its first character is in.
std::string_view line_share(std::string_view text, std::size_t part, std::size_t parts);

/// Takes in this rank's pieces of a text and makes edges of them. Integer names that are labels as they are stay so
/// where they are dense enough; otherwise, and for words, they are numbered. Holds 12 bytes an edge (16 with weights);
/// where names are numbered also those of this rank's edges, each once a thread.
class EdgeAssembler {
 public:
  /// Threads take blocks of about block_bytes of text, and add those that they are through with to parsed_bytes, unless
  /// that is null.
  EdgeAssembler(const TextFormat& format, const TextHead& head, std::size_t block_bytes,
                std::atomic<std::uint64_t>* parsed_bytes, ThreadTeam& threads);

  /// Adds the edges of whole lines, in parallel, each block from a copy: a text that changes meanwhile, as that of a
  /// mapped file may, gives other edges, but no harm comes of it. What it returns is the first bad line of `text`;
  /// after that the assembler is of no more use. Not collective.
  std::optional<BadLine> add(std::string_view text);
  /// Passes over the rows of whole lines, in parallel, where the format counts them.
  void skip(std::string_view text) { row_ = first_rows(text, blocks_of(text)).back(); }
  /// The row that what comes next begins with, of which the first is 0: it goes on from what was added or skipped.
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  void go_to_row(std::uint64_t row) noexcept { row_ = row; }
  /// Edges so far, on this rank.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Theirs (ParsedLines::balance).
  [[nodiscard]] std::uint64_t balance() const noexcept;
  /// The edges of all ranks, not none, which are `total`, each rank keeping its own. Collective. To be called once.
  NamedEdgeList finish(std::uint64_t total, const Communicator& ranks);

 private:
  struct Block {
    Buffer<PackedEdge> edges;
    Buffer<float> weights;
    int table = -1;  ///< whose numbers the edges have; none where they have labels
  };
  struct Worker {
    std::string text;
    ParsedLines lines;
    NameTable names;
    std::vector<std::uint64_t> numbers;
    std::int64_t largest = -1;  ///< label of the blocks without a table
    std::uint64_t balance = 0;
  };

  /// How many blocks a text is parsed in, and the row that each begins with and the last one ends with.
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
