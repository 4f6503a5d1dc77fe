// The vertices nearest to a source.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/replication/replicated_distances.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Delta-stepping from a source outwards for as long as it pays, on one thread of each rank, in rings that are the
/// narrower the more they find, and end where a vertex has given many edges, so that a hub's long row does not come at
/// once. Rows by weight need no classes of edges: a vertex knows its next edge, and of a hub's edges only the lightest
/// are ever seen. All ranks are told whatever comes closer: afterwards each knows the ball whole, by position.
template <class Neighbour>
class DistanceBall {
 public:
  /// All of them outlive the ball. Distances from `limit` on count as infinite. The first ring is `delta` wide.
  DistanceBall(TentativeTree<Neighbour>& tree, ReplicatedDistances& replicas, HubBounds<Neighbour>& hubs,
               const Adjacency<Neighbour>& rows, const Partition& partition, float limit, double delta,
               const Context& context)
      : tree_(tree),
        replicas_(replicas),
        hubs_(hubs),
        rows_(rows),
        partition_(partition),
        limit_(limit),
        delta_(delta),
        context_(context),
        first_position_(static_cast<Neighbour>(partition.position(LocalVertex{0}))) {}

  /// Settles the vertices nearest to the one in `start`, on one rank, whose distance is 0: about `most`, of all ranks.
  /// Collective: one or two messages from each rank to all a round, a few rounds a ring. O(edges seen * rings + what is
  /// found on all ranks).
  void grow(std::span<const std::uint32_t> start, std::size_t most) {
    constexpr std::size_t too_many = 4;  // times as many are not worth the rounds until all are settled
    settled_.clear();
    edges_examined_ = 0;
    bytes_ = 0;
    for (const std::uint32_t vertex : start) settle(vertex, 0);
    float end = 0;
    double width = delta_;
    std::uint64_t settled_before = 0;
    while (true) {
      const Progress progress = exchange(relax_below(end));
      radius_ = progress.nearest;
      end = progress.end;
      if (std::isinf(radius_) || progress.settled >= too_many * most) return;
      if (progress.settled < most) {
        width *= progress.settled < settled_before + most / 16 ? 2 : 0.5;
        settled_before = progress.settled;
        const double next = std::min(radius_ + width, double{std::numeric_limits<float>::max()});
        end = std::max({end, static_cast<float>(next), std::nextafter(radius_, infinity)});
      } else if (progress.found == 0) {
        return;
      }
    }
  }

  /// Relaxes the edges that the ball has not seen, of vertex after vertex, up to the first one with many. Returns a
  /// distance below which all vertices have all their edges relaxed. Collective.
  float push_out() {
    constexpr std::size_t many_edges = std::size_t{1} << 14;
    std::erase_if(settled_, [this](const Settled& one) { return is_stale(one); });
    std::sort(settled_.begin(), settled_.end(),
              [](const Settled& a, const Settled& b) { return a.distance < b.distance; });
    float base = radius_;
    std::size_t edges = 0;
    for (const Settled& one : settled_) {
      edges += rows_.offsets[one.vertex + 1] - one.next;
      if (edges <= many_edges / static_cast<std::size_t>(context_.ranks.size())) continue;
      base = std::min(base, one.distance);
      break;
    }
    base = static_cast<float>(context_.ranks.all_reduce(double{base}, Reduction::minimum));
    const std::size_t count = settled_.size();
    for (std::size_t i = 0; i < count && settled_[i].distance < base; ++i) relax(settled_[i], limit_, false);
    exchange(limit_);
    return base;
  }

  /// No vertex outside is nearer than this, and all that are nearer are settled; +infinity if all that can be reached
  /// are.
  [[nodiscard]] float radius() const noexcept { return radius_; }
  /// This rank's vertices in the ball, of hubs' replicas one rank's.
  [[nodiscard]] std::size_t settled_count() const {
    return static_cast<std::size_t>(std::count_if(
        settled_.begin(), settled_.end(), [this](const Settled& one) { return hubs_.counts_here(one.vertex); }));
  }
  /// By this rank.
  [[nodiscard]] std::uint64_t edges_examined() const noexcept { return edges_examined_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  /// A vertex of this rank, perhaps with a distance that it had once.
  struct Settled {
    float distance;
    float candidate;  ///< of the first of its edges that was not seen, infinite if there is none
    std::uint32_t vertex;
    EdgeOffset next;  ///< that edge
  };
  /// Tells all ranks that a vertex came closer.
  struct Found {
    Neighbour position;
    Neighbour parent;
    float distance;
  };
  /// Where a rank is, or all ranks are.
  struct Progress {
    float nearest = infinity;  ///< no edge that was not seen leads to a nearer vertex
    float end = infinity;      ///< of the ring
    std::uint64_t settled = 0;
    std::uint64_t found = 0;
  };
  /// What a rank tells all others after each round: few have more to tell.
  struct Message {
    Progress progress;
    std::array<Found, 16> found;  ///< the first of them
  };

  [[nodiscard]] bool is_stale(const Settled& one) const { return tree_.distance(one.vertex) < one.distance; }

  void settle(std::uint32_t vertex, float distance) {
    const EdgeOffset first = rows_.offsets[vertex];
    settled_.push_back({distance, candidate(first, rows_.offsets[vertex + 1], distance), vertex, first});
  }
  [[nodiscard]] float candidate(EdgeOffset edge, EdgeOffset end, float distance) const {
    const float sum = edge < end ? distance + rows_.weights[edge] : infinity;
    return sum < limit_ ? sum : infinity;
  }

  /// Of all that is settled, also while this goes on. Returns how far that went: less than to `end` where a vertex has
  /// many edges below it.
  float relax_below(float end) {
    for (std::size_t i = 0; i < settled_.size(); ++i) {
      if (settled_[i].candidate >= end) continue;
      if (is_stale(settled_[i])) {
        settled_[i].candidate = infinity;
        continue;
      }
      Settled one = settled_[i];
      end = std::min(end, end_of_few_edges(one));
      relax(one, end, true);
      settled_[i] = one;
    }
    return end;
  }
  /// A distance below which few edges of a vertex lead that were not seen, or all that are as light as each other.
  [[nodiscard]] float end_of_few_edges(const Settled& one) const {
    constexpr EdgeOffset few = 64;
    const EdgeOffset edge = one.next + few;
    if (edge >= rows_.offsets[one.vertex + 1]) return infinity;
    return std::nextafter(one.distance + rows_.weights[edge], infinity);
  }

  /// The edges of a vertex from the next one on, whose candidates are below `end`.
  void relax(Settled& one, float end, bool settles) {
    const EdgeOffset first = one.next;
    const EdgeOffset row_end = rows_.offsets[one.vertex + 1];
    const auto label = static_cast<Neighbour>(partition_.label(LocalVertex{one.vertex}).value);
    for (; one.candidate < end; one.candidate = candidate(++one.next, row_end, one.distance)) {
      const Neighbour target = rows_.neighbours[one.next];
      if (one.candidate >= tree_.distance_at(target)) continue;
      const Found found{target, label, one.candidate};
      if (!hubs_.contains(target - first_position_)) take(found, settles);  // hubs are told of first, by all ranks
      found_.push_back(found);
    }
    edges_examined_ += one.next - first;
  }

  void take(const Found& found, bool settles) {
    const auto local = static_cast<std::size_t>(found.position - first_position_);
    if (local >= tree_.size()) {
      replicas_.note(found.position, found.distance);
      return;
    }
    tree_.set(local, found.distance, found.parent);
    if (hubs_.contains(local)) hubs_.know(local);
    if (settles) settle(static_cast<std::uint32_t>(local), found.distance);
  }

  /// Tells all ranks what was found here, in a ring up to `end`, and takes what they found. Collective.
  Progress exchange(float end) {
    Message mine{.progress = {.end = end, .settled = settled_.size(), .found = found_.size()}, .found = {}};
    for (const Settled& one : settled_) mine.progress.nearest = std::min(mine.progress.nearest, one.candidate);
    const std::size_t sent = std::min(found_.size(), mine.found.size());
    std::copy_n(found_.begin(), sent, mine.found.begin());
    const std::vector<Message> messages = context_.ranks.all_gather(mine);
    Progress all;
    std::vector<std::size_t> rest;
    for (const auto& [progress, found] : messages) {
      all.nearest = std::min(all.nearest, progress.nearest);
      all.end = std::min(all.end, progress.end);
      all.settled += progress.settled;
      all.found += progress.found;
      rest.push_back(progress.found - std::min(found.size(), progress.found));
    }
    if (messages.size() > 1) {
      bytes_ += (sizeof(Message) + (found_.size() - sent) * sizeof(Found)) * (messages.size() - 1);
      for (const auto& [progress, found] : messages) {
        all.nearest = std::min(all.nearest, take_all(std::span(found).first(std::min(found.size(), progress.found))));
      }
      all.nearest = std::min(all.nearest, exchange_rest(std::span<const Found>(found_).subspan(sent), rest));
    }
    found_.clear();
    return all;
  }
  /// The same for what had no place in messages, so many of each rank. Returns their least distance.
  float exchange_rest(std::span<const Found> mine, std::span<const std::size_t> counts) {
    received_.resize(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    if (received_.empty()) return infinity;
    context_.ranks.all_gather(mine, std::span(received_), counts);
    return take_all(received_);
  }
  /// Returns the least distance of all.
  float take_all(std::span<const Found> received) {
    float nearest = infinity;
    for (Found found : received) {
      nearest = std::min(nearest, found.distance);
      found.position = static_cast<Neighbour>(hubs_.own_position(found.position));
      if (found.distance < tree_.distance_at(found.position)) take(found, true);
    }
    return nearest;
  }

  TentativeTree<Neighbour>& tree_;
  ReplicatedDistances& replicas_;
  HubBounds<Neighbour>& hubs_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  float limit_;
  double delta_;
  Context context_;
  Neighbour first_position_;  ///< of this rank's vertices
  std::vector<Settled> settled_;
  std::vector<Found> found_;
  std::vector<Found> received_;
  float radius_ = 0;
  std::uint64_t edges_examined_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace breadth
