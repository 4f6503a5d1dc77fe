// What a search on one rank finds out beside parents, level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/search.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/first_sources.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/vertex_depths.hpp"

namespace breadth {

/// Which source is the first of the nearest, in the searches that ask for it, and how deep vertices are, if depths are
/// kept. Nothing, unless one of them is asked for.
template <class Rows>
class LevelFollowers {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All of them outlive this.
  LevelFollowers(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Graph& graph,
                 ThreadTeam& threads)
      : state_(state), adjacencies_(adjacencies), graph_(graph), threads_(threads) {}

  /// From now on searches keep depths.
  void keep_depths() { depths_.emplace(state_, adjacencies_, graph_, threads_); }

  /// A search begins from these sources, which are listed. Where the first of the nearest is asked for, what it finds
  /// gets a parent that leads there.
  void start(std::span<const Label> sources, NearestSource nearest) {
    if (depths_) depths_->start(sources);
    follows_sources_ = nearest == NearestSource::first;
    if (!follows_sources_) return;
    if (!first_sources_) first_sources_.emplace(state_, adjacencies_, graph_.partition(), threads_);
    first_sources_->start(sources);
  }

  /// After a level on its own.
  void end_level(Direction direction) {
    const bool pushed = direction == Direction::push;
    if (follows_sources_) pushed ? first_sources_->follow_push() : first_sources_->follow_pull();
    if (depths_) pushed ? depths_->follow_push() : depths_->follow_pull();
  }
  /// While threads push level after level (FusedLevels): what a thread pushed from in the first, second and so on, and
  /// what it found, while others do the same.
  void follow_fused(std::span<const std::uint32_t> frontier, std::span<const std::uint32_t> found, std::int64_t level) {
    if (follows_sources_) first_sources_->follow_push(frontier);
    if (depths_) depths_->follow_fused(found, level);
  }
  /// And after the last of so many.
  void end_fused(std::size_t levels) {
    if (depths_) depths_->end_fused(levels);
  }

  /// Before and after the pass over these leaves.
  void start_leaves(IndexRange leaves) {
    if (depths_) depths_->start_leaves(leaves.begin);
  }
  void end_leaves(IndexRange leaves) {
    if (follows_sources_) first_sources_->follow_leaves(leaves);
    if (depths_) depths_->follow_leaves(leaves);
  }

  /// A search ends: sources that were followed are the parents' too.
  void settle_parents() {
    if (follows_sources_) first_sources_->settle_parents();
  }
  /// Writes the depths that the last search kept (VertexDepths::write); false if it kept none.
  bool write_depths(std::span<std::int64_t> depths) {
    if (!depths_ || !depths_->are_known()) return false;
    depths_->write(depths);
    return true;
  }

 private:
  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  const Graph& graph_;
  ThreadTeam& threads_;
  std::optional<FirstSources<Rows>> first_sources_;  ///< from the first search on that follows its sources
  std::optional<VertexDepths<Rows>> depths_;
  bool follows_sources_ = false;
};

}  // namespace breadth
