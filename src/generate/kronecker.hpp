// The Kronecker graph of Graph500.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/data/edge_list.hpp"
#include "generate/kronecker_lanes.hpp"
#include "generate/recurrence.hpp"

namespace breadth {

/// Which Kronecker graph: 2^scale labels and edgefactor times as many tuples.
struct KroneckerParameters {
  int scale = 20;                 ///< 1 .. Kronecker::most_scale
  std::uint64_t edgefactor = 16;  ///< >= 1
  std::array<std::uint64_t, 2> seed = {2, 3};
};

/// The edge list of the Graph500 specification, bit for bit as release 3.0 of its reference makes it. A pure function
/// of the parameters and the index of a tuple: any thread of any rank can make any part of it.
class Kronecker {
 public:
  static constexpr int most_scale = 42;

  /// Throws Error for parameters out of range.
  explicit Kronecker(const KroneckerParameters& parameters);

  [[nodiscard]] const KroneckerParameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return std::uint64_t{1} << parameters_.scale; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return vertex_count() * parameters_.edgefactor; }

  /// Tuples first, first + 1, … and their weights, from 0 to 1, both included; `weights` is empty or as long as
  /// `edges`. Vectorised: neighbouring tuples lie a fixed jump apart in the random stream, so each lane goes on from
  /// its own last tuple. O(scale) a tuple. Throws Error for tuples beyond the last.
  void generate(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const;

  /// What making tuples from `first` on needs; holds as long as the generator does.
  [[nodiscard]] KroneckerLanes stream(std::uint64_t first) const {
    return {.scramble = scramble_, .start = start_of(first), .powers = powers_};
  }

  /// The same for one tuple with an index below edge_count(), as the specification puts it. For tests and for readers.
  [[nodiscard]] Edge plain_edge(std::uint64_t index, float& weight) const;

 private:
  /// Where in the random stream a tuple starts. O(log index).
  [[nodiscard]] Recurrence::State start_of(std::uint64_t index) const;

  KroneckerParameters parameters_;
  Recurrence::State seed_;
  /// powers_[k] leads from the numbers of one tuple to those of the 2^k-th after it: 2^(64 + k) steps.
  std::array<Recurrence::Jump, 63> powers_;
  LabelScramble scramble_;
};

/// A part of a Kronecker edge list that is made anew whenever it is read, and takes no memory.
class KroneckerEdgeList final : public EdgeList {
 public:
  /// Tuples [first, last). The generator is copied.
  KroneckerEdgeList(const Kronecker& kronecker, std::uint64_t first, std::uint64_t last, bool weighted)
      : kronecker_(kronecker), first_(first), last_(last), weighted_(weighted) {}

  [[nodiscard]] std::uint64_t size() const override { return last_ - first_; }
  [[nodiscard]] bool weighted() const override { return weighted_; }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    kronecker_.generate(first_ + first, edges, weights);
  }

 private:
  Kronecker kronecker_;
  std::uint64_t first_;
  std::uint64_t last_;
  bool weighted_;
};

/// The candidates for search keys in the order of the reference: labels below `vertex_count`, duplicates and vertices
/// without edges among them, which the caller passes over.
class SearchKeyStream {
 public:
  SearchKeyStream(std::uint64_t vertex_count, const std::array<std::uint64_t, 2>& seed);
  Label next();

 private:
  double uniform();

  std::uint64_t vertex_count_;
  Recurrence numbers_;
};

}  // namespace breadth
