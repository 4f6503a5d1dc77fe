// The choices of searches that tell edges by whether their ends are hubs.
#pragma once

namespace breadth {

/// Where there are hubs: all edges of a level go one way, and pulls have the frontier of every rank; or each of the
/// subgraphs between hubs, from hubs to other, light vertices, and from light ones to hubs goes its own, and light
/// vertices push to light ones, so that no rank knows another's frontier (Pan et al. 2018, section IV-B).
enum class SubgraphPolicy { together, apart };

/// When light vertices that light ones of other ranks visit hear of their parents: with each query, or in the end, once
/// for all levels (Pan et al. 2018, section VI-A).
enum class LightParents { with_queries, in_the_end };

/// When a subgraph changes its direction, by the edges of a push over those that a pull may look at.
struct DirectionFactors {
  double pull;  ///< pull once a push takes more than so many times as much; >= 0
  double push;  ///< push again once it takes less; 0 .. pull

  friend bool operator==(const DirectionFactors&, const DirectionFactors&) = default;
};

/// The factors to pull by are those of the paper for Kronecker graphs, where it never pushes again (section VI-B).
struct SubgraphOptions {
  SubgraphPolicy policy = SubgraphPolicy::together;
  DirectionFactors hub_to_hub{0.5, 0.005};
  DirectionFactors hub_to_light{0.05, 0.0005};
  DirectionFactors light_to_hub{1e-7, 1e-9};
  LightParents light_parents = LightParents::with_queries;
};

}  // namespace breadth
