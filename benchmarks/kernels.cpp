// Measures the gain of vectors, kernel by kernel: the time of each inner loop of src/simd in each instruction set of
// this processor, on data like that of searches. Prints a table in Markdown.
//
//     kernels [ROUNDS [SCALE...]]
//
// Each of the rounds (15) goes through all instruction sets in turn. A figure is the median, in nanoseconds per
// element. The bitmaps and parents of a graph of scale 14 fit into the nearest caches, those of scale 20 do not (the
// default is both). Most neighbours have small numbers, as in graphs that are ordered by degree.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "core/stopwatch.hpp"
#include "simd/compressed_row.hpp"
#include "simd/find_in_frontier.hpp"
#include "simd/frontier.hpp"
#include "simd/instruction_set.hpp"
#include "simd/kernels.hpp"

namespace breadth {
namespace {

using Numbers = Buffer<std::uint32_t>;

/// Rows of one length, back to back.
struct Rows {
  std::size_t length;
  Numbers neighbours;

  [[nodiscard]] std::size_t count() const { return neighbours.size() / length; }
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
    return neighbours.span().subspan(i * length, length);
  }
};

/// Draws random data for a graph of 2^scale vertices.
class Sample {
 public:
  explicit Sample(int scale) : vertices_(std::size_t{1} << scale) {}

  [[nodiscard]] std::size_t vertices() const { return vertices_; }

  double draw() { return std::uniform_real_distribution<double>()(random_); }
  /// Draws small numbers more often than large numbers.
  std::uint32_t draw_neighbour() {
    return static_cast<std::uint32_t>(std::pow(draw(), 3) * static_cast<double>(vertices_));
  }

  Bitmap bitmap(double share) {
    Bitmap bits(vertices_);
    for (std::size_t i = 0; i < vertices_; ++i) {
      if (draw() < share) bits.insert(i);
    }
    return bits;
  }
  /// A bitmap whose words have `count` bits each.
  Bitmap words_of(int count) {
    Bitmap bits(vertices_);
    for (std::uint64_t& word : bits.words()) {
      while (std::popcount(word) < count) word |= std::uint64_t{1} << (random_() % 64);
    }
    return bits;
  }
  Numbers neighbours() {
    Numbers numbers(vertices_);
    for (std::uint32_t& number : numbers) number = draw_neighbour();
    return numbers;
  }
  /// Rows with as many neighbours in all as there are vertices. The neighbours of a row differ and ascend.
  Rows rows(std::size_t length) {
    Rows rows{.length = length, .neighbours = Numbers(vertices_ / length * length)};
    for (std::size_t first = 0; first < rows.neighbours.size(); first += length) {
      std::set<std::uint32_t> row;
      while (row.size() < length) row.insert(draw_neighbour());
      std::copy(row.begin(), row.end(), rows.neighbours.begin() + first);
    }
    return rows;
  }

 private:
  std::size_t vertices_;
  std::mt19937_64 random_{1};
};

void nothing() {}

/// Times kernels and prints their rows.
class Table {
 public:
  Table(int rounds, int scale) : rounds_(rounds), scale_(scale) {}

  void print_head() const {
    fmt::print("| kernel | data | scale");
    for (const InstructionSet set : sets_) fmt::print(" | {}", name_of(set));
    fmt::print(" | scalar / best |\n|---|---|---");
    for (std::size_t i = 0; i < sets_.size(); ++i) fmt::print("|---");
    fmt::print("|---|\n");
  }

  /// Prints one row: times run() in every instruction set, after prepare(), which is not timed. The first round does
  /// not count. Throws Error if the results of run() depend on the instruction set.
  template <class Prepare, class Run>
  void add(std::string_view kernel, std::string_view data, std::size_t elements, Prepare&& prepare, Run&& run) const {
    std::vector<std::vector<double>> seconds(sets_.size());
    std::uint64_t expected = 0;
    for (int round = 0; round <= rounds_; ++round) {
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        use_instruction_set(sets_[i]);
        prepare();
        const Stopwatch stopwatch;
        const std::uint64_t result = run();
        const double passed = stopwatch.seconds();
        if (round == 0 && i == 0) expected = result;
        if (result != expected) fail("{}, {}: {} finds something else", kernel, data, name_of(sets_[i]));
        if (round > 0) seconds[i].push_back(passed);
      }
    }
    use_instruction_set(InstructionSet::automatic);
    print_row(kernel, data, elements, seconds);
  }

 private:
  void print_row(std::string_view kernel, std::string_view data, std::size_t elements,
                 std::vector<std::vector<double>>& seconds) const {
    std::vector<double> medians;
    for (std::vector<double>& of_set : seconds) {
      const auto middle = of_set.begin() + static_cast<std::ptrdiff_t>(of_set.size() / 2);
      std::nth_element(of_set.begin(), middle, of_set.end());
      medians.push_back(1e9 * *middle / static_cast<double>(elements));
    }
    fmt::print("| {} | {} | {}", kernel, data, scale_);
    for (const double median : medians) fmt::print(" | {:.3g}", median);
    fmt::print(" | {:.2f} |\n", medians.back() / *std::min_element(medians.begin(), medians.end()));
  }

  int rounds_;
  int scale_;
  std::vector<InstructionSet> sets_ = usable_instruction_sets();  // scalar last
};

constexpr std::array<std::size_t, 5> row_lengths{4, 8, 16, 32, 64};

void time_columns(const Table& table, Sample& sample) {
  const Bitmap frontier = sample.bitmap(0.5);
  const Numbers global_ids = sample.neighbours();
  const Numbers labels = sample.neighbours();
  Numbers parents(sample.vertices());
  Bitmap found(sample.vertices());
  for (const int wanted_bits : {4, 6, 8, 16, 32, 64}) {
    const Bitmap wanted = sample.words_of(wanted_bits);
    const auto clear = [&] { std::fill(found.words().begin(), found.words().end(), 0); };
    const auto test = [&] {
      constexpr std::size_t words_at_a_time = 256;
      std::uint64_t count = 0;
      for (std::size_t word = 0; word < found.words().size(); word += words_at_a_time) {
        const std::size_t words = std::min(words_at_a_time, found.words().size() - word);
        const std::size_t first = word * bits_per_word;
        test_column<std::uint32_t>(global_ids.data() + first, labels.data() + first, {frontier.words().data()},
                                   wanted.words().subspan(word, words), found.words().subspan(word, words),
                                   parents.data() + first);
        for (const std::uint64_t bits : found.words().subspan(word, words)) {
          count += static_cast<std::uint64_t>(std::popcount(bits));
        }
      }
      return count;
    };
    const std::size_t elements = wanted.words().size() * static_cast<std::size_t>(wanted_bits);
    table.add("test_column", fmt::format("{} of 64 wanted", wanted_bits), elements, clear, test);
  }
}

/// Searches the rows of a few vertices at a time, each up to its first neighbour in a frontier of one vertex in 32.
void time_searches(const Table& table, Sample& sample, const Rows& rows) {
  constexpr std::size_t at_a_time = 2048;
  const Bitmap bits = sample.bitmap(1.0 / 32);
  const Frontier frontier = FrontierBits{bits.words().data()};
  const std::string data = fmt::format("rows of {}", rows.length);

  RowSearch<std::uint32_t> search(at_a_time);
  const auto search_rows = [&] {
    std::uint64_t looked_at = 0;
    for (std::size_t first = 0; first < rows.count(); first += at_a_time) {
      search.start(rows.neighbours.data());
      for (std::size_t i = first; i < std::min(first + at_a_time, rows.count()); ++i) {
        const std::uint32_t* const row = rows.neighbours.data() + i * rows.length;
        (void)search.add(static_cast<std::uint32_t>(i), row, row + rows.length);
      }
      looked_at += search.run(frontier);
    }
    return looked_at;
  };
  const std::size_t looked_at = search_rows();
  table.add("RowSearch", data, looked_at, nothing, search_rows);

  using Code = RowCode<std::uint32_t>;
  Buffer<std::uint8_t> bytes(rows.count() * Code::max_bytes(rows.length) + Code::slack_bytes);
  std::vector<std::size_t> starts;
  std::size_t end = 0;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    starts.push_back(end);
    end += Code::compress(rows.row(i), bytes.data() + end);
  }
  constexpr RotatedBits code{.rank_bits = 0, .local_bits = 31};
  const auto length = static_cast<std::uint32_t>(rows.length);

  CompressedRowSearch<std::uint32_t> compressed(at_a_time);
  const auto search_compressed = [&] {
    std::uint64_t count = 0;
    for (std::size_t first = 0; first < rows.count(); first += at_a_time) {
      compressed.start(code);
      for (std::size_t i = first; i < std::min(first + at_a_time, rows.count()); ++i) {
        compressed.add({.bytes = bytes.data() + starts[i], .vertex = static_cast<std::uint32_t>(i), .count = length});
      }
      count += compressed.run(frontier);
    }
    return count;
  };
  table.add("CompressedRowSearch", data, looked_at, nothing, search_compressed);

  std::array<std::uint32_t, Code::piece> global_ids;
  const auto decompress = [&] {
    std::uint64_t last_ones = 0;
    for (const std::size_t start : starts) {
      decompress_piece(bytes.data() + start, rows.length, 0, code, global_ids.data());
      last_ones += global_ids[rows.length - 1];
    }
    return last_ones;
  };
  table.add("decompress_piece", data, rows.neighbours.size(), nothing, decompress);
}

/// Half of the vertices are visited at first. split_row() separates a rank's own global ids from another's.
void time_rows(const Table& table, Sample& sample, const Rows& rows) {
  const std::string data = fmt::format("rows of {}", rows.length);
  const std::size_t elements = rows.neighbours.size();
  const Bitmap before = sample.bitmap(0.5);
  Bitmap visited(sample.vertices());
  Numbers parents(sample.vertices());
  Numbers copies(rows.length + max_lanes);
  Numbers others(rows.length + max_lanes);

  const auto sum_over_rows = [&](auto&& of_row) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < rows.count(); ++i) total += of_row(rows.row(i));
    return total;
  };
  const auto restart = [&] { std::copy(before.words().begin(), before.words().end(), visited.words().begin()); };
  table.add("claim_unvisited", data, elements, restart, [&] {
    return sum_over_rows([&](std::span<const std::uint32_t> row) {
      return claim_unvisited(row, row.front(), visited.words().data(), parents.data(), copies.data());
    });
  });
  table.add("copy_unvisited", data, elements, nothing, [&] {
    return sum_over_rows(
        [&](std::span<const std::uint32_t> row) { return copy_unvisited(row, before.words().data(), copies.data()); });
  });
  const OwnIds<std::uint32_t> own_ones{.above = 0,
                                       .local_mask = static_cast<std::uint32_t>(sample.vertices() / 16 - 1)};
  table.add("split_row", data, elements, nothing, [&] {
    return sum_over_rows(
        [&](std::span<const std::uint32_t> row) { return split_row(row, own_ones, copies.data(), others.data()); });
  });
}

/// Half of the labels are reached. There are as many streams as bins of degrees.
void time_labels(const Table& table, Sample& sample) {
  const Bitmap reached = sample.bitmap(0.5);
  std::size_t count = 0;
  for (const std::uint64_t word : reached.words()) count += static_cast<std::size_t>(std::popcount(word));
  const Numbers labels = sample.neighbours();
  Buffer<std::uint32_t> values(sample.vertices());
  constexpr std::size_t streams = 32;
  Numbers in_streams(count);
  std::array<std::size_t, streams> met{};
  for (std::uint32_t& index : in_streams) {
    const auto stream = static_cast<std::size_t>(sample.draw() * streams);
    index = static_cast<std::uint32_t>((stream * sample.vertices() / streams + met[stream]++) % sample.vertices());
  }
  Numbers anywhere(count);
  for (std::uint32_t& index : anywhere) {
    index = static_cast<std::uint32_t>(sample.draw() * static_cast<double>(sample.vertices()));
  }

  const auto time = [&](std::string_view data, const Numbers& indices, Store store) {
    table.add("gather_where_set", data, sample.vertices(), nothing, [&] {
      gather_where_set(reached.words(), indices, labels.data(), ~std::uint32_t{0}, values.span(), store);
      return std::uint64_t{values[0]} + values[values.size() / 2] + values[values.size() - 1];
    });
  };
  time("in streams", in_streams, Store::cached);
  time("in streams, past the caches", in_streams, Store::past_cache);
  time("at random, past the caches", anywhere, Store::past_cache);
}

/// Two columns of shortest paths. Half of the vertices are not reached yet.
void time_weighted_columns(const Table& table, Sample& sample) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::array<Numbers, 2> neighbours{sample.neighbours(), sample.neighbours()};
  std::array<Buffer<float>, 2> weights{Buffer<float>(sample.vertices()), Buffer<float>(sample.vertices())};
  Buffer<float> before(sample.vertices());
  for (std::size_t i = 0; i < sample.vertices(); ++i) {
    weights[0][i] = static_cast<float>(0.1 * sample.draw());
    weights[1][i] = weights[0][i] + static_cast<float>(0.1 * sample.draw());
    before[i] = sample.draw() < 0.5 ? infinity : static_cast<float>(sample.draw());
  }
  std::array<WeightedColumn, 2> columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i] = {neighbours[i].data(), neighbours[i].data(), weights[i].data()};
  }
  constexpr SweepBounds bounds{.base = 0.25F, .settled = 0.25F, .limit = infinity};
  Buffer<float> distances(sample.vertices());
  Numbers parents(sample.vertices());
  Numbers improved(sample.vertices() + max_lanes);
  Numbers unfinished(sample.vertices() + max_lanes);
  const auto restart = [&] { std::copy(before.begin(), before.end(), distances.begin()); };
  table.add("pull_from_columns", "two columns", sample.vertices(), restart, [&] {
    PulledVertices pulled{.improved = improved.data(), .unfinished = unfinished.data()};
    pull_from_columns(columns, bounds, 0, sample.vertices(), before.data(), distances.data(), parents.data(), pulled);
    return pulled.edges_examined;
  });
}

void time_all(int rounds, const std::vector<int>& scales) {
  bool is_first = true;
  for (const int scale : scales) {
    const Table table(rounds, scale);
    if (std::exchange(is_first, false)) table.print_head();
    Sample sample(scale);
    time_columns(table, sample);
    for (const std::size_t length : row_lengths) {
      const Rows rows = sample.rows(length);
      time_searches(table, sample, rows);
      time_rows(table, sample, rows);
    }
    time_labels(table, sample);
    time_weighted_columns(table, sample);
  }
}

}  // namespace
}  // namespace breadth

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  std::vector<int> scales;
  for (int i = 2; i < argc; ++i) scales.push_back(std::atoi(argv[i]));
  if (scales.empty()) scales = {14, 20};
  const auto is_outside = [](int scale) { return scale < 8 || scale > 26; };
  if (rounds < 1 || std::any_of(scales.begin(), scales.end(), is_outside)) {
    fmt::print(stderr, "kernels: the arguments are a number of rounds, then scales from 8 to 26\n");
    return 2;
  }
  try {
    breadth::time_all(rounds, scales);
  } catch (const std::exception& error) {
    fmt::print(stderr, "kernels: {}\n", error.what());
    return 1;
  }
  return 0;
}
