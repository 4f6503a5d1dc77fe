// Neighbours computed in the simplest way, to compare graphs with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"

namespace breadth::test {

/// For each label its neighbours, each with the lightest weight of the edges to it.
using PlainRows = std::map<std::int64_t, std::map<std::int64_t, float>>;

inline void add_plain(PlainRows& rows, const Edge& edge, float weight) {
  auto [place, inserted] = rows[edge.source.value].try_emplace(edge.target.value, weight);
  if (!inserted) place->second = std::min(place->second, weight);
}

struct PlainGraph {
  PlainRows out;
  PlainRows in;
  std::int64_t largest = -1;
  std::set<std::int64_t> connected;
};

inline PlainGraph plain_graph(const NamedEdges& list, Directedness directedness) {
  PlainGraph graph;
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const Edge edge = list.edges[i];
    const float weight = list.weights.empty() ? 0 : list.weights[i];
    graph.largest = std::max({graph.largest, edge.source.value, edge.target.value});
    if (edge.source == edge.target) continue;
    graph.connected.insert(edge.source.value);
    graph.connected.insert(edge.target.value);
    add_plain(graph.out, edge, weight);
    add_plain(directedness == Directedness::directed ? graph.in : graph.out, {edge.target, edge.source}, weight);
  }
  return graph;
}

/// The labels of every rank's vertices, by global id.
inline std::unordered_map<std::uint64_t, std::int64_t> labels_by_global_id(const Graph& graph) {
  const Partition& partition = graph.partition();
  std::vector<Label> mine;
  for (std::uint32_t i = 0; i < partition.local_count(); ++i) mine.push_back(partition.label(LocalVertex{i}));
  const std::vector<Label> all = world().all_gather_varying(std::span<const Label>(mine));
  const std::vector<std::size_t> counts = world().all_gather(partition.local_count());
  std::unordered_map<std::uint64_t, std::int64_t> labels;
  labels.reserve(all.size());
  std::size_t next = 0;
  for (int rank = 0; rank < world().size(); ++rank) {
    for (std::uint32_t local = 0; local < counts[static_cast<std::size_t>(rank)]; ++local) {
      labels[partition.code().encode(rank, LocalVertex{local})] = all[next++].value;
    }
  }
  return labels;
}

}  // namespace breadth::test
