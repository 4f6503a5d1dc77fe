#include "io/text/edge_assembler.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
/// Whether labels up to `largest` may be kept: a vertex costs some 40 bytes and an edge 20, so up to eight labels per
/// edge, and a million in any case, are cheaper than a dictionary.
bool dense_enough(std::int64_t largest, std::uint64_t edges) {
  constexpr std::int64_t always_dense = std::int64_t{1} << 20;
  constexpr std::int64_t labels_per_edge = 8;
  return largest < always_dense || static_cast<std::uint64_t>(largest / labels_per_edge) < edges;
}

bool is_label(std::int64_t value) { return value >= 0 && value < label_bound; }
PackedEdge packed(std::int64_t source, std::int64_t target) { return PackedEdge::pack({Label{source}, Label{target}}); }
}  // namespace

std::string_view line_share(std::string_view text, std::size_t part, std::size_t parts) {
  const auto line_start = [&](std::size_t at) {
    if (at == 0) return at;
    const std::size_t end = text.find('\n', at - 1);
    return end == std::string_view::npos ? text.size() : end + 1;
  };
  const IndexRange range = even_share(text.size(), part, parts);
  const std::size_t begin = line_start(range.begin);
  return text.substr(begin, line_start(range.end) - begin);
}

EdgeAssembler::EdgeAssembler(const TextFormat& format, const TextHead& head, std::size_t block_bytes,
                             std::atomic<std::uint64_t>* parsed_bytes, ThreadTeam& threads)
    : format_(format),
      head_(head),
      rules_(head.rules()),
      block_bytes_(block_bytes),
      parsed_bytes_(parsed_bytes),
      threads_(threads),
      workers_(static_cast<std::size_t>(threads.size())) {}

std::size_t EdgeAssembler::blocks_of(std::string_view text) const {
  constexpr std::size_t blocks_per_thread = 4;
  constexpr std::size_t smallest_block = std::size_t{64} << 10;
  const std::size_t even = text.size() / (workers_.size() * blocks_per_thread);
  const std::size_t block_bytes = std::min(block_bytes_, std::max(smallest_block, even));
  return (text.size() + block_bytes - 1) / block_bytes;
}

std::vector<std::uint64_t> EdgeAssembler::first_rows(std::string_view text, std::size_t blocks) {
  std::vector<std::uint64_t> rows(blocks + 1, 0);
  rows[0] = row_;
  if (!format_.counts_rows) return rows;
  parallel_for(threads_, blocks, 1,
               [&](std::size_t i) { rows[i + 1] = rows_in(line_share(text, i, blocks), format_); });
  std::partial_sum(rows.begin(), rows.end(), rows.begin());
  return rows;
}

std::uint64_t EdgeAssembler::balance() const noexcept {
  std::uint64_t sum = 0;
  for (const Worker& worker : workers_) sum += worker.balance;
  return sum;
}

std::optional<BadLine> EdgeAssembler::add(std::string_view text) {
  const std::size_t count = blocks_of(text);
  const std::vector<std::uint64_t> rows = first_rows(text, count);
  row_ = rows.back();
  const std::size_t first = blocks_.size();
  blocks_.resize(first + count);
  std::vector<std::optional<BadLine>> bad(count);
  std::atomic<std::size_t> first_bad{count};
  parallel_blocks(threads_, count, 1, [&](IndexRange range, int thread) {
    const std::size_t i = range.begin;
    if (i > first_bad.load(std::memory_order_relaxed)) return;  // an earlier line will be reported
    const std::string_view lines = line_share(text, i, count);
    bad[i] = parse_block(lines, rows[i], thread, blocks_[first + i]);
    if (parsed_bytes_ != nullptr) parsed_bytes_->fetch_add(lines.size(), std::memory_order_relaxed);
    if (!bad[i]) return;
    bad[i]->offset += static_cast<std::size_t>(lines.data() - text.data());
    lower(first_bad, i);
  });
  if (first_bad != count) return bad[first_bad];
  for (std::size_t i = first; i < blocks_.size(); ++i) size_ += blocks_[i].edges.size();
  return std::nullopt;
}

std::optional<BadLine> EdgeAssembler::parse_block(std::string_view text, std::uint64_t row, int thread, Block& block) {
  Worker& worker = workers_[static_cast<std::size_t>(thread)];
  ParsedLines& lines = worker.lines;
  lines.clear();
  text = worker.text.assign(text);
  const bool words = head_.names == NameKind::strings;
  if (std::optional<BadLine> bad = format_.parse(text, row, rules_, head_.names, lines)) return bad;
  worker.balance += lines.balance;
  block.edges = Buffer<PackedEdge>((lines.integers.size() + lines.words.size()) / 2);
  block.weights = Buffer<float>(lines.weights.size());
  std::ranges::copy(lines.weights, block.weights.begin());
  if (words) {
    number(std::span<const std::string_view>(lines.words), thread, block);
  } else if (head_.names == NameKind::range ||  // the rules checked them; 2^48 may be a row
             std::ranges::all_of(lines.integers, is_label)) {
    keep_labels(worker, block);
  } else {
    number(std::span<const std::int64_t>(lines.integers), thread, block);
  }
  return std::nullopt;
}

void EdgeAssembler::keep_labels(Worker& worker, Block& block) const {
  const std::vector<std::int64_t>& integers = worker.lines.integers;
  const std::int64_t first = head_.names == NameKind::range ? rules_.first_label : 0;
  std::int64_t largest = worker.largest;
  for (std::size_t i = 0; i < block.edges.size(); ++i) {
    largest = std::max({largest, integers[2 * i], integers[2 * i + 1]});
    block.edges[i] = packed(integers[2 * i] - first, integers[2 * i + 1] - first);
  }
  worker.largest = largest;
}

/// Replaces the names of a block's edges by their numbers in a thread's table, to which new names are added.
template <class Name>
void EdgeAssembler::number(std::span<const Name> names, int thread, Block& block) {
  Worker& worker = workers_[static_cast<std::size_t>(thread)];
  worker.numbers.resize(names.size());
  worker.names.insert(names, worker.numbers);
  for (std::size_t i = 0; i < block.edges.size(); ++i) {
    block.edges[i] =
        packed(static_cast<std::int64_t>(worker.numbers[2 * i]), static_cast<std::int64_t>(worker.numbers[2 * i + 1]));
  }
  block.table = thread;
}

/// Numbers the labels of a block whose edges have labels so far.
void EdgeAssembler::number_labels(int thread, Block& block) {
  std::vector<std::int64_t>& integers = workers_[static_cast<std::size_t>(thread)].lines.integers;
  integers.clear();
  for (const PackedEdge& edge : block.edges) {
    integers.push_back(edge.unpack().source.value);
    integers.push_back(edge.unpack().target.value);
  }
  number(std::span<const std::int64_t>(integers), thread, block);
}

std::unique_ptr<MemoryEdgeList> EdgeAssembler::join(const std::vector<std::vector<Label>>& labels) {
  std::vector<std::size_t> starts(blocks_.size());
  std::size_t start = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    starts[i] = start;
    start += blocks_[i].edges.size();
  }
  Buffer<PackedEdge> edges(size_);
  Buffer<float> weights(head_.weighted ? size_ : 0);
  parallel_for(threads_, blocks_.size(), 1, [&](std::size_t i) {
    Block& block = blocks_[i];
    if (head_.weighted) std::ranges::copy(block.weights, weights.data() + starts[i]);
    if (block.table < 0) {
      std::ranges::copy(block.edges, edges.data() + starts[i]);
    } else {
      const std::vector<Label>& label = labels[static_cast<std::size_t>(block.table)];
      std::ranges::transform(block.edges, edges.data() + starts[i], [&](PackedEdge edge) {
        const Edge numbers = edge.unpack();
        return PackedEdge::pack({label[numbers.source.index()], label[numbers.target.index()]});
      });
    }
    block = Block{};  // free its memory while the memory of the result is touched
  });
  blocks_.clear();
  return std::make_unique<MemoryEdgeList>(std::move(edges), std::move(weights));
}

NamedEdgeList EdgeAssembler::finish(std::uint64_t total, const Communicator& ranks) {
  if (head_.names == NameKind::range) {
    return {run_together(ranks, [&] { return join({}); }), VertexNames::range(1, head_.vertices)};
  }
  std::int64_t largest = -1;
  for (const Worker& worker : workers_) largest = std::max(largest, worker.largest);
  largest = ranks.all_reduce(largest, Reduction::maximum);
  const bool numbered_here = std::ranges::any_of(blocks_, [](const Block& block) { return block.table >= 0; });
  const bool any_numbered = ranks.any(numbered_here);
  if (!any_numbered && dense_enough(largest, total)) {
    const auto count = static_cast<std::uint64_t>(largest) + 1;
    return {run_together(ranks, [&] { return join({}); }), VertexNames::range(0, count)};
  }

  SortedNames sorted = run_together(ranks, [&] {
    parallel_blocks(threads_, blocks_.size(), 1, [&](IndexRange range, int thread) {
      if (blocks_[range.begin].table < 0) number_labels(thread, blocks_[range.begin]);
    });
    std::vector<NameList> lists;
    for (Worker& worker : workers_) lists.push_back(worker.names.take());
    workers_.clear();
    return sort_names(lists, threads_);
  });
  NumberedNames numbered = number_names(head_.names, std::exchange(sorted.distinct, {}), {ranks, threads_});
  auto edges = run_together(ranks, [&] {
    std::vector<std::vector<Label>> labels;
    for (const std::vector<std::uint64_t>& places : sorted.places) {
      std::vector<Label>& of_table = labels.emplace_back();
      of_table.reserve(places.size());
      for (const std::uint64_t place : places) of_table.push_back(numbered.labels[place]);
    }
    return join(labels);
  });
  return {std::move(edges), std::move(numbered.names)};
}

}  // namespace breadth
