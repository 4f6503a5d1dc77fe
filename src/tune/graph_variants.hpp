// The graphs that settings are searched on.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "comm/context.hpp"
#include "graph/graph.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth {

/// Most options are those of a search; some are kernel 1's, and change the graph. All members are collective.
class TimedGraphs {
 public:
  TimedGraphs() = default;
  TimedGraphs(const TimedGraphs&) = delete;
  TimedGraphs& operator=(const TimedGraphs&) = delete;
  virtual ~TimedGraphs() = default;
  /// The graph of a setting; it stays.
  virtual const Graph& graph_of(const Setting& setting) = 0;
  /// How long it is expected to take until all these settings have a graph.
  [[nodiscard]] virtual double build_seconds(std::span<const Setting> settings) const = 0;
};

/// No setting changes the graph, which outlives this.
class OneGraph final : public TimedGraphs {
 public:
  explicit OneGraph(const Graph& graph) : graph_(graph) {}
  const Graph& graph_of(const Setting& /*setting*/) override { return graph_; }
  [[nodiscard]] double build_seconds(std::span<const Setting> /*settings*/) const override { return 0; }

 private:
  const Graph& graph_;
};

/// A graph for each value of one option, built when it is first wanted, and kept: what is measured side by side lies
/// side by side.
class GraphVariants final : public TimedGraphs {
 public:
  /// The value of that option; the same for settings that share a graph.
  using ValueOf = std::function<std::string(const Setting& setting)>;
  /// Kernel 1 with a value.
  using Build = std::function<Graph(const std::string& value)>;

  GraphVariants(ValueOf value_of, Build build, Communicator ranks)
      : value_of_(std::move(value_of)), build_(std::move(build)), ranks_(std::move(ranks)) {}

  const Graph& graph_of(const Setting& setting) override { return with(value_of_(setting)); }
  /// As long as the slowest so far, each.
  [[nodiscard]] double build_seconds(std::span<const Setting> settings) const override;

  const Graph& with(const std::string& value);
  [[nodiscard]] std::size_t count() const noexcept { return graphs_.size(); }

 private:
  ValueOf value_of_;
  Build build_;
  Communicator ranks_;
  std::map<std::string, Graph> graphs_;
  double slowest_seconds_ = 0;
};

}  // namespace breadth
