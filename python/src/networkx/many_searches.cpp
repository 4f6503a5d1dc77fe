#include "networkx/many_searches.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

namespace breadth::python {

namespace {
constexpr std::size_t lanes = 64;

/// Searches from up to 64 nodes at once: each has a bit of every word. Between searches, all words but `seen_` are
/// zero.
class SearchBatch {
 public:
  explicit SearchBatch(const Rows& rows) : rows_(rows), seen_(rows.node_count()), next_(rows.node_count()) {}

  /// Calls visit(node, bits, level) for each node and level with the bits of the sources that reach the node there.
  template <class Visit>
  void run(std::span<const std::int32_t> sources, Visit&& visit) {
    std::fill(seen_.begin(), seen_.end(), 0);
    for (std::size_t lane = 0; lane < sources.size(); ++lane) add(sources[lane], std::uint64_t{1} << lane);
    for (std::int64_t level = 0; !found_.empty(); ++level) {
      frontier_.clear();
      for (const std::int32_t node : found_) {
        const std::uint64_t bits = std::exchange(next_[at(node)], 0);
        seen_[at(node)] |= bits;
        frontier_.push_back({node, bits});
        visit(node, bits, level);
      }
      found_.clear();
      for (const auto& [node, bits] : frontier_) {
        for (const std::int32_t head : rows_.row(node)) {
          const std::uint64_t fresh = bits & ~seen_[at(head)];
          if (fresh != 0) add(head, fresh);
        }
      }
    }
  }

 private:
  struct Active {
    std::int32_t node;
    std::uint64_t bits;
  };

  void add(std::int32_t node, std::uint64_t bits) {
    if (next_[at(node)] == 0) found_.push_back(node);
    next_[at(node)] |= bits;
  }

  const Rows& rows_;
  Buffer<std::uint64_t> seen_;
  Buffer<std::uint64_t> next_;
  std::vector<std::int32_t> found_;
  std::vector<Active> frontier_;
};

/// Calls work(batch, first, sources) for each 64 sources. Each thread has a SearchBatch.
template <class Work>
void in_batches(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads, Work&& work) {
  std::vector<std::unique_ptr<SearchBatch>> batches(static_cast<std::size_t>(threads.size()));
  const std::size_t count = (sources.size() + lanes - 1) / lanes;
  parallel_blocks(threads, count, 1, [&](IndexRange range, int thread) {
    auto& batch = batches[static_cast<std::size_t>(thread)];
    if (!batch) batch = std::make_unique<SearchBatch>(rows);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t first = i * lanes;
      work(*batch, first, sources.subspan(first, std::min(lanes, sources.size() - first)));
    }
  });
}

/// The contribution of one source (Brandes 2001, algorithm 1).
class Dependencies {
 public:
  explicit Dependencies(const BetweennessInput& input)
      : input_(input),
        depth_(input.rows.node_count(), -1),
        paths_(input.rows.node_count()),
        dependency_(input.rows.node_count()) {}

  void search(std::int32_t source) {
    for (const std::int32_t node : order_) depth_[at(node)] = -1;
    order_.clear();
    reach(source, 0);
    paths_[at(source)] = 1;
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const std::int32_t node = order_[next];
      const std::int32_t below = depth_[at(node)] + 1;
      for (const std::int32_t head : input_.rows.row(node)) {
        if (depth_[at(head)] < 0) reach(head, below);
        if (depth_[at(head)] == below) paths_[at(head)] += paths_[at(node)];
      }
    }
    accumulate();
  }

  /// Adds the contribution. Called for one source after the other.
  void add_to(Betweenness& sums) const {
    const std::int32_t source = order_.front();
    if (input_.endpoints) sums.nodes[at(source)] += static_cast<double>(order_.size() - 1);
    for (std::size_t i = order_.size(); i-- > 1;) {
      const std::int32_t node = order_[i];
      sums.nodes[at(node)] += input_.endpoints ? dependency_[at(node)] + 1 : dependency_[at(node)];
    }
    for (const auto& [edge, share] : edges_) sums.edges[at(edge)] += share;
  }

 private:
  struct EdgeShare {
    std::int32_t edge;
    double share;
  };

  void reach(std::int32_t node, std::int32_t depth) {
    depth_[at(node)] = depth;
    paths_[at(node)] = 0;
    dependency_[at(node)] = 0;
    order_.push_back(node);
  }

  void accumulate() {
    edges_.clear();
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::int32_t node = order_[i];
      const double share = (1 + dependency_[at(node)]) / paths_[at(node)];
      const std::span<const std::int32_t> row = input_.columns.row(node);
      for (std::size_t j = 0; j < row.size(); ++j) {
        const std::int32_t before = row[j];
        if (depth_[at(before)] < 0 || depth_[at(before)] + 1 != depth_[at(node)]) continue;
        const double part = paths_[at(before)] * share;
        dependency_[at(before)] += part;
        if (input_.edge_of_entry.empty()) continue;
        edges_.push_back({input_.edge_of_entry[input_.columns.first(node) + j], part});
      }
    }
  }

  const BetweennessInput& input_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> depth_;
  std::vector<double> paths_;
  std::vector<double> dependency_;
  std::vector<EdgeShare> edges_;
};
}  // namespace

DistanceCounts distance_counts(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads) {
  std::vector<std::vector<std::int64_t>> of_source(sources.size());
  in_batches(rows, sources, threads, [&](SearchBatch& batch, std::size_t first, std::span<const std::int32_t> some) {
    batch.run(some, [&](std::int32_t, std::uint64_t bits, std::int64_t level) {
      for (; bits != 0; bits &= bits - 1) {
        auto& counts = of_source[first + static_cast<std::size_t>(std::countr_zero(bits))];
        if (counts.size() <= static_cast<std::size_t>(level)) counts.push_back(0);
        ++counts.back();
      }
    });
  });
  DistanceCounts found;
  found.starts.push_back(0);
  for (const auto& counts : of_source) {
    found.counts.insert(found.counts.end(), counts.begin(), counts.end());
    found.starts.push_back(static_cast<std::int64_t>(found.counts.size()));
  }
  return found;
}

Buffer<std::int32_t> distances_from_each(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads) {
  const std::size_t count = rows.node_count();
  Buffer<std::int32_t> distances(sources.size() * count);
  std::fill(distances.begin(), distances.end(), -1);
  in_batches(rows, sources, threads, [&](SearchBatch& batch, std::size_t first, std::span<const std::int32_t> some) {
    batch.run(some, [&](std::int32_t node, std::uint64_t bits, std::int64_t level) {
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t source = first + static_cast<std::size_t>(std::countr_zero(bits));
        distances[source * count + at(node)] = static_cast<std::int32_t>(level);
      }
    });
  });
  return distances;
}

Betweenness betweenness(const BetweennessInput& input, ThreadTeam& threads) {
  Betweenness sums{.nodes = std::vector<double>(input.rows.node_count()),
                   .edges = std::vector<double>(input.edge_count)};
  std::vector<Dependencies> searches(static_cast<std::size_t>(threads.size()), Dependencies(input));
  for (std::size_t first = 0; first < input.sources.size(); first += searches.size()) {
    const std::size_t count = std::min(searches.size(), input.sources.size() - first);
    parallel_for(threads, count, 1, [&](std::size_t i) { searches[i].search(input.sources[first + i]); });
    threads.checkpoint();
    for (std::size_t i = 0; i < count; ++i) searches[i].add_to(sums);
  }
  return sums;
}

}  // namespace breadth::python
