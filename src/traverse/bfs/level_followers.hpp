// What a search on one rank computes beside parents, level by level: first sources and depths.
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

/// Follows the levels of a search with FirstSources, if the first of the nearest sources is asked for, and with
/// VertexDepths, if depths are kept. Otherwise does nothing.
template <class Rows>
class LevelFollowers {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All arguments outlive this.
  LevelFollowers(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Graph& graph,
                 ThreadTeam& threads)
      : state_(state), adjacencies_(adjacencies), graph_(graph), threads_(threads) {}

  /// Keeps the depths of all searches from now on.
  void keep_depths() { depths_.emplace(state_, adjacencies_, graph_, threads_); }

  /// Begins a search from these sources, which the state has listed.
  void start(std::span<const Label> sources, NearestSource nearest) {
    if (depths_) depths_->start(sources);
    follows_sources_ = nearest == NearestSource::first;
    if (!follows_sources_) return;
    if (!first_sources_) first_sources_.emplace(state_, adjacencies_, graph_.partition(), threads_);
    first_sources_->start(sources);
  }

  /// Follows a level that was not fused.
  void end_level(Direction direction) {
    const bool pushed = direction == Direction::push;
    if (follows_sources_) pushed ? first_sources_->follow_push() : first_sources_->follow_pull();
    if (depths_) pushed ? depths_->follow_push() : depths_->follow_pull();
  }
  /// Follows one thread's part of a fused level (FusedLevels): the vertices that it pushed from and those that it
  /// found. `level` counts fused levels from 1. Other threads call this at the same time.
  void follow_fused(std::span<const std::uint32_t> frontier, std::span<const std::uint32_t> found, std::int64_t level) {
    if (follows_sources_) first_sources_->follow_push(frontier);
    if (depths_) depths_->follow_fused(found, level);
  }
  /// Ends so many fused levels.
  void end_fused(std::size_t levels) {
    if (depths_) depths_->end_fused(levels);
  }

  /// Called before and after the pass over the leaves.
  void start_leaves(IndexRange leaves) {
    if (depths_) depths_->start_leaves(leaves.begin);
  }
  void end_leaves(IndexRange leaves) {
    if (follows_sources_) first_sources_->follow_leaves(leaves);
    if (depths_) depths_->follow_leaves(leaves);
  }

  /// Ends a search. If first sources were followed, parents now lead to them.
  void settle_parents() {
    if (follows_sources_) first_sources_->settle_parents();
  }
  /// Whether the search has kept the depths of all its vertices so far.
  [[nodiscard]] bool has_depths() const { return depths_ && depths_->are_known(); }
  /// Writes the depths that the last search kept (VertexDepths::write). Returns false if it kept none.
  bool write_depths(std::span<std::int64_t> depths) {
    if (!has_depths()) return false;
    depths_->write(depths);
    return true;
  }

 private:
  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  const Graph& graph_;
  ThreadTeam& threads_;
  std::optional<FirstSources<Rows>> first_sources_;  ///< made by the first search that needs it
  std::optional<VertexDepths<Rows>> depths_;
  bool follows_sources_ = false;
};

}  // namespace breadth
