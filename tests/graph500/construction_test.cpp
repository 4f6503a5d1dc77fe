// Everything that searches need beyond the graph is made in the timed kernel 1. Where it is not, the report says so.
#include "graph500/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "core/parallel/parallel.hpp"
#include "graph500/benchmark.hpp"
#include "graph500/report/report.hpp"
#include "graph500/run_prediction.hpp"
#include "model/graph_size.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Events = std::vector<std::string>;

/// A kernel that records when it is made, runs and is destroyed. `kernel` does its work, if there is one.
class NotingKernel final : public Kernel {
 public:
  NotingKernel(std::string name, Events& events, std::unique_ptr<Kernel> kernel)
      : name_(std::move(name)), events_(events), kernel_(std::move(kernel)) {
    events_.push_back("make " + name_);
  }
  ~NotingKernel() override { events_.push_back("end " + name_); }
  NotingKernel(const NotingKernel&) = delete;
  NotingKernel& operator=(const NotingKernel&) = delete;

  KernelReport run(const KernelInput& input, const BatchPlan& plan) override {
    events_.push_back("run " + name_);
    return kernel_->run(input, plan);
  }
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const override {
    return kernel_ ? kernel_->bytes_counted_elsewhere() : 0;
  }

 private:
  std::string name_;
  Events& events_;
  std::unique_ptr<Kernel> kernel_;
};

TEST(Kernels, AreListedInTheOrderInWhichTheyRun) {
  const Kernels both{KernelKind::sssp, KernelKind::bfs, KernelKind::sssp};
  EXPECT_THAT(both.kinds(), ElementsAre(KernelKind::bfs, KernelKind::sssp));
  EXPECT_EQ(name_of(both), "bfs,sssp");
  EXPECT_TRUE(both.several());
  EXPECT_EQ(name_of(Kernels(KernelKind::sssp)), "sssp");
  EXPECT_FALSE(Kernels(KernelKind::sssp).several());
  EXPECT_FALSE(Kernels(KernelKind::sssp).has(KernelKind::bfs));
  EXPECT_TRUE(have_weights(both));
  EXPECT_FALSE(have_weights(KernelKind::bfs));
}

TEST(Kernels, HaveARowEach) {
  for (const KernelAbout& kernel : kernel_list) {
    const KernelType& type = kernel_type(kernel.kind);
    EXPECT_EQ(type.kind, kernel.kind) << kernel.word;
    EXPECT_EQ(std::string(kernel.step).find(kernel.name()), 0U) << kernel.word;
    EXPECT_EQ(type.device_memory == nullptr, type.part_memory == nullptr) << kernel.word;
  }
}

TEST(Construction, MakesKernelsWhileItsClockRuns) {
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const BenchmarkOptions options{.scale = 8, .kernels = {KernelKind::bfs, KernelKind::sssp}};
  const BenchmarkInput input = prepare_input(
      options, [](const GraphSize&) {}, context);
  ConstructionClock clock(test::world());
  Events events;
  const auto make = [&](const KernelType& type, const Graph& graph, const BenchmarkOptions&, const Context&) {
    EXPECT_TRUE(clock.runs()) << name_of(type.kind);
    EXPECT_GT(graph.edge_count(), 0U);
    return std::make_unique<NotingKernel>(name_of(type.kind), events, nullptr);
  };
  const auto calibrate = [&](const Graph&) {
    EXPECT_FALSE(clock.runs());
    events.emplace_back("calibrate");
  };
  const BuiltKernels built = construct(*input.edges, options, context, calibrate, make, clock);
  EXPECT_THAT(events, ElementsAre("calibrate", "make bfs", "make sssp"));
  EXPECT_FALSE(clock.runs());
  EXPECT_GT(clock.seconds(), 0);
  const ConstructionReport report = report_of(built, clock, test::world());
  EXPECT_EQ(report.seconds, clock.seconds());
  EXPECT_EQ(report.graph_bytes,
            test::world().all_reduce(built.all.at(0).graph->bytes() + built.all.at(1).graph->bytes(), Reduction::sum));
}

TEST(Construction, MakesSearchesWithTheirKernels) {
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const BenchmarkInput input = prepare_input(
      {.scale = 8, .kernels = KernelKind::sssp}, [](const GraphSize&) {}, context);
  const auto build = [&](NeighbourOrder neighbours) {
    return build_graph(*input.edges, {.directedness = Directedness::undirected, .layout = {.neighbours = neighbours}},
                       context);
  };
  const Graph by_vertex = build(NeighbourOrder::vertices);
  const Graph by_weight = build(NeighbourOrder::weights);
  // Options that a search refuses, its kernel refuses when it is made.
  const KernelType& sssp = kernel_type(KernelKind::sssp);
  EXPECT_THROW((void)kernel_type(KernelKind::bfs).make(by_vertex, {.bfs = {.direction = {.alpha = 0}}}, context),
               Error);
  EXPECT_THROW((void)sssp.make(by_vertex, {}, context), Error);
  EXPECT_NE(sssp.make(by_weight, {}, context), nullptr);
}

/// A run that records the events of its kernels and its calibration.
BenchmarkReport noted_run(const BenchmarkOptions& options, Events& events) {
  ThreadTeam threads(2);
  RunObserver observer;
  const auto make = [&events](const KernelType& type, const Graph& graph, const BenchmarkOptions& chosen,
                              const Context& context) {
    return std::make_unique<NotingKernel>(name_of(type.kind), events, type.make(graph, chosen, context));
  };
  return run_benchmark(options, {.context = {test::world(), threads},
                                 .observer = observer,
                                 .stop = [] { return false; },
                                 .calibrate =
                                     [&events](const Graph&, const SearchKeySeed&, BenchmarkOptions&) {
                                       events.emplace_back("calibrate");
                                       return std::optional<CalibrationReport>();
                                     },
                                 .make = make});
}

TEST(Construction, LeavesNothingToMakeBetweenKernels) {
  Events events;
  const BenchmarkReport report =
      noted_run({.scale = 8, .keys = 3, .kernels = {KernelKind::bfs, KernelKind::sssp}}, events);
  ASSERT_EQ(events.size(), 7U);
  EXPECT_THAT(std::span(events).first(5), ElementsAre("calibrate", "make bfs", "make sssp", "run bfs", "run sssp"));
  EXPECT_THAT(std::span(events).last(2), UnorderedElementsAre("end bfs", "end sssp"));
  EXPECT_TRUE(report.valid());
  EXPECT_FALSE(report.kernels.at(0).preparation_seconds);
  EXPECT_FALSE(report.kernels.at(1).preparation_seconds);
}

TEST(Construction, IsNotWithoutWordLeftOutWhereADeviceHasRoomForOneKernel) {
  Events events;
  const BenchmarkReport report = noted_run({.scale = 8,
                                            .kernels = {KernelKind::bfs, KernelKind::sssp},
                                            .bfs = {.device = {.kind = Device::simulated}},
                                            .sssp = {.device = {.kind = Device::simulated}},
                                            .kernels_in_turn = true},
                                           events);
  EXPECT_THAT(events, ElementsAre("calibrate", "make bfs", "run bfs", "end bfs", "make sssp", "run sssp", "end sssp"));
  EXPECT_TRUE(report.valid());
  EXPECT_FALSE(report.kernels.at(0).preparation_seconds);
  ASSERT_TRUE(report.kernels.at(1).preparation_seconds);
  EXPECT_GT(*report.kernels.at(1).preparation_seconds, 0);
  EXPECT_THAT(report.rules_broken, ElementsAre(HasSubstr("preparation for sssp searches")));
}

TEST(Construction, IsPlannedWithTheSearchesOfBothKernels) {
  const GraphSize size = expected_kronecker_size(20, 16, true);
  const auto planned = [&size](Kernels kernels) { return predict_run(size, kernels, 1, 2, true); };
  const MemoryPrediction bfs = planned(KernelKind::bfs);
  const MemoryPrediction sssp = planned(KernelKind::sssp);
  const MemoryPrediction both = planned({KernelKind::bfs, KernelKind::sssp});
  EXPECT_EQ(bfs.result_bytes, result_bytes(size));
  EXPECT_EQ(sssp.result_bytes, 2 * result_bytes(size)) << "results have distances too";
  EXPECT_EQ(both.search_bytes, bfs.search_bytes - bfs.result_bytes + sssp.search_bytes);
  EXPECT_GE(both.peak_bytes, both.edge_list_bytes + both.graph_bytes + both.search_bytes + both.validation_bytes);
}

/// Records when a search begins (a run asks then whether to stop), and when one is validated.
class NotingObserver final : public RunObserver {
 public:
  explicit NotingObserver(Events& events) : events_(events) {}
  void step(std::string_view) override {}
  void searches_begin(std::string_view, std::uint64_t) override {}
  void search_done(double, std::uint64_t) override { events_.emplace_back("validated"); }
  void searches_end() override {}

 private:
  Events& events_;
};

TEST(Validation, ComesBeforeTheNextSearchWhereTheyAlternate) {
  ThreadTeam threads(2);
  const auto events_of = [&threads](ValidationPolicy validation, Kernels kernels) {
    Events events;
    NotingObserver observer(events);
    const BenchmarkReport report =
        run_benchmark({.scale = 8, .keys = 3, .validation = validation, .kernels = kernels},
                      {.context = {test::world(), threads}, .observer = observer, .stop = [&events] {
                         events.emplace_back("search");
                         return false;
                       }});
    EXPECT_TRUE(report.valid());
    EXPECT_THAT(report.rules_broken, ElementsAre(HasSubstr("3 search keys")));
    for (const SearchRecord& search : report.kernels.at(0).searches) {
      EXPECT_EQ(search.verification.verdict, Verdict::valid);
      EXPECT_EQ(search.verification.batch, validation == ValidationPolicy::alternate ? 1U : 3U);
    }
    return events;
  };
  for (const KernelKind kernels : {KernelKind::bfs, KernelKind::sssp}) {
    EXPECT_THAT(events_of(ValidationPolicy::alternate, kernels),
                ElementsAre("search", "validated", "search", "validated", "search", "validated"));
    EXPECT_THAT(events_of(ValidationPolicy::all, kernels),
                ElementsAre("search", "search", "search", "validated", "validated", "validated"));
  }
}

TEST(RulesNotes, SayWhatARefereeShouldKnow) {
  BenchmarkReport report;
  EXPECT_THAT(rules_notes(report), IsEmpty());
  report.options.kernels = {KernelKind::bfs, KernelKind::sssp};
  EXPECT_THAT(rules_notes(report), ElementsAre(HasSubstr("its own graph")));
  report.options.kernels = KernelKind::bfs;
  report.calibration = CalibrationReport{.keys = 8, .seconds = 2.125};
  EXPECT_THAT(
      rules_notes(report),
      ElementsAre("untimed searches from 8 vertices at a time, none of them a search key, ran before the timed ones "
                  "to choose options; they took 2.1 s, and --calibrate 0 turns them off"));
}

TEST(Calibration, SaysWhenItHadNoTimeToTryAnything) {
  EXPECT_EQ(describe(CalibrationReport{.keys = 8, .not_tried = {"route", "packets"}, .seconds = 1.5}),
            "the defaults, since --calibrate left too little time after 1.5 s to try others: route and packets");
  EXPECT_EQ(describe(CalibrationReport{.keys = 8, .not_tried = {"route"}, .interrupted = true, .seconds = 1.5}),
            "the defaults, since the run was interrupted before others were tried: route");
}

TEST(Rules, AskFor64Keys) {
  for (const auto& [keys, broken] : {std::pair{63, 1}, {64, 0}, {65, 1}}) {
    BenchmarkReport report{.edgefactor = 16};
    report.options.keys = static_cast<std::uint64_t>(keys);
    EXPECT_EQ(rules_broken(report).size(), static_cast<std::size_t>(broken)) << keys;
  }
}

}  // namespace
}  // namespace breadth
