// The outputs compared with texts that were written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "graph500/report/output.hpp"
#include "support/two_kernels.hpp"

namespace breadth {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A run at scale 10 with two searches, of 0.5 and 0.25 seconds and 1024 edges each.
BenchmarkReport small_report() {
  BenchmarkReport report;
  report.options.scale = 10;
  report.options.keys = 2;
  report.edgefactor = 16;
  report.ranks = 3;
  report.threads = 2;
  report.version = "1.2.3";
  report.machine = {.hostname = "here",
                    .cpu = "a processor",
                    .sockets = 2,
                    .numa_domains = 4,
                    .cores = 8,
                    .processors = 16,
                    .usable_processors = 12,
                    .binding = Binding::numa,
                    .memory_bytes = 1024,
                    .mpi = "none",
                    .compiler = "GNU 12"};
  report.generation_seconds = 0.125;
  report.construction = {.seconds = 1.5, .peak_bytes = 4096, .graph_bytes = 2048};
  const LevelStatistics level = {.direction = Direction::pull,
                                 .frontier = 1,
                                 .edges_examined = 2,
                                 .claimed = 3,
                                 .traffic = {.messages = 4, .bytes = 5},
                                 .seconds = {.compute = 1, .communicate = 2, .wait = 3, .convert = 4}};
  KernelReport bfs{.name = "bfs", .keys = 2};
  for (const double seconds : {0.5, 0.25}) {
    bfs.searches.push_back({.key = Label{7},
                            .seconds = seconds,
                            .levels = {level},
                            .verification = {.verdict = Verdict::valid, .edges = 1024, .seconds = 2}});
  }
  report.kernels = {bfs};
  return report;
}

TEST(SpecificationText, HasTheRequiredLines) {
  EXPECT_EQ(specification_text(small_report()),
            "SCALE: 10\n"
            "edgefactor: 16\n"
            "NBFS: 2\n"
            "construction_time: 1.50000000000000000e+00\n"
            "bfs_min_time: 2.50000000000000000e-01\n"
            "bfs_firstquartile_time: 2.50000000000000000e-01\n"
            "bfs_median_time: 3.75000000000000000e-01\n"
            "bfs_thirdquartile_time: 5.00000000000000000e-01\n"
            "bfs_max_time: 5.00000000000000000e-01\n"
            "bfs_mean_time: 3.75000000000000000e-01\n"
            "bfs_stddev_time: 1.76776695296636893e-01\n"
            "bfs_min_nedge: 1.02400000000000000e+03\n"
            "bfs_firstquartile_nedge: 1.02400000000000000e+03\n"
            "bfs_median_nedge: 1.02400000000000000e+03\n"
            "bfs_thirdquartile_nedge: 1.02400000000000000e+03\n"
            "bfs_max_nedge: 1.02400000000000000e+03\n"
            "bfs_mean_nedge: 1.02400000000000000e+03\n"
            "bfs_stddev_nedge: 0.00000000000000000e+00\n"
            "bfs_min_TEPS: 2.04800000000000000e+03\n"
            "bfs_firstquartile_TEPS: 2.04800000000000000e+03\n"
            "bfs_median_TEPS: 2.73066666666666652e+03\n"
            "bfs_thirdquartile_TEPS: 4.09600000000000000e+03\n"
            "bfs_max_TEPS: 4.09600000000000000e+03\n"
            "bfs_harmonic_mean_TEPS: 2.73066666666666652e+03\n"
            "bfs_harmonic_stddev_TEPS: 1.28724861144004399e+03\n");
}

TEST(Kernel3, HasStatisticsOfItsOwn) {
  const BenchmarkReport report = test::with_shortest_paths(small_report());
  const std::string text = specification_text(report);
  EXPECT_THAT(text, HasSubstr("bfs_harmonic_stddev_TEPS: 1.28724861144004399e+03\nsssp_min_time: 2.0000000000000000"));
  EXPECT_THAT(text, HasSubstr("sssp_mean_nedge: 1.02400000000000000e+03\n"));
  EXPECT_THAT(text, HasSubstr("sssp_harmonic_mean_TEPS: 5.12000000000000000e+02\n"));
  const std::string reference = reference_text(report);
  EXPECT_THAT(reference, HasSubstr("bfs  stddev_time:               0.176777\n"
                                   "sssp min_time:                  2\n"));
  EXPECT_THAT(reference, HasSubstr("sssp stddev_time:               0\n"
                                   "min_nedge:                      1024\n"));
  EXPECT_THAT(reference, HasSubstr("sssp harmonic_mean_TEPS:     !  512\n"));
  EXPECT_THAT(reference, HasSubstr("sssp min_validate:              2\n"));
  const auto json = nlohmann::json::parse(json_text(report, {}));
  EXPECT_EQ(json["sssp"]["harmonic_mean_TEPS"], 512);
  EXPECT_EQ(json["sssp"]["NBFS"], 2);
  EXPECT_EQ(json["sssp"]["runs"].size(), 2U);
}

TEST(Kernels, MayHaveLongNamesAndNoLevels) {
  BenchmarkReport report = small_report();
  report.kernels[0].name = "components";
  for (SearchRecord& search : report.kernels[0].searches) search.levels.clear();
  EXPECT_THAT(reference_text(report), HasSubstr("components stddev_time:         0.176777\n"));
  EXPECT_THAT(reference_text(report), HasSubstr("components harmonic_stddev_TEPS: "));
  const auto run = nlohmann::json::parse(json_text(report, {}))["components"]["runs"][0];
  EXPECT_EQ(run["seconds"], 0.5);
  EXPECT_FALSE(run.contains("levels") || run.contains("leaves"));
}

TEST(Kernel3, MayNotHaveBegun) {
  BenchmarkReport report = test::with_shortest_paths(small_report());
  report.kernels[1].searches.clear();
  EXPECT_THAT(specification_text(report), StartsWith("# incomplete: 0 of 2 sssp searches\n"));
  EXPECT_THAT(specification_text(report), Not(HasSubstr("sssp_")));
  EXPECT_THAT(reference_text(report), Not(HasSubstr("sssp min_time")));
  EXPECT_EQ(nlohmann::json::parse(json_text(report, {}))["sssp"]["complete"], false);
}

TEST(SpecificationText, MarksWhatIsIncompleteAndNotConforming) {
  BenchmarkReport report = small_report();
  report.kernels[0].keys = 64;
  report.rules_broken = {"the edge list is regenerated when read, not kept"};
  const std::string text = specification_text(report);
  EXPECT_THAT(text, StartsWith("# incomplete: 2 of 64 bfs searches\n"
                               "# not conforming: the edge list is regenerated when read, not kept\n"
                               "SCALE: 10\n"));
  EXPECT_THAT(text, HasSubstr("NBFS: 2\n"));
  EXPECT_THAT(text, HasSubstr("bfs_harmonic_mean_TEPS: "));
}

TEST(SpecificationText, NamesTheProfileAndWhatItSet) {
  BenchmarkReport report = small_report();
  report.options.profile = UsedProfile{.path = "p.toml", .options = {{"alpha", "28.3"}, {"leaves", "levels"}}};
  EXPECT_THAT(specification_text(report), StartsWith("# profile: p.toml (alpha 28.3, leaves levels)\nSCALE: 10\n"));
  EXPECT_THAT(reference_text(report), StartsWith("# profile: p.toml (alpha 28.3, leaves levels)\nSCALE: "));
  report.options.profile->options.clear();
  EXPECT_THAT(specification_text(report), StartsWith("# profile: p.toml (sets nothing)\n"));
}

TEST(SpecificationText, GivesNoStatisticsOfAnInvalidRun) {
  BenchmarkReport report = small_report();
  report.kernels[0].searches[1].verification.verdict = Verdict::invalid;
  const std::string text = specification_text(report);
  EXPECT_THAT(text, HasSubstr("# invalid: 1 of 2 bfs searches failed validation"));
  EXPECT_THAT(text, Not(HasSubstr("TEPS")));
  EXPECT_THAT(reference_text(report), Not(HasSubstr("TEPS")));
}

TEST(SpecificationText, OfARunWithoutSearches) {
  BenchmarkReport report = small_report();
  report.kernels[0].searches.clear();
  EXPECT_THAT(specification_text(report), HasSubstr("NBFS: 0\nconstruction_time: 1.50000000000000000e+00\n"));
  EXPECT_THAT(specification_text(report), Not(HasSubstr("TEPS")));
}

TEST(ReferenceText, HasTheLayoutOfRelease3) {
  EXPECT_EQ(reference_text(small_report()),
            "SCALE:                          10\n"
            "edgefactor:                     16\n"
            "NBFS:                           2\n"
            "graph_generation:               0.125\n"
            "num_mpi_processes:              3\n"
            "construction_time:              1.5\n"
            "bfs  min_time:                  0.25\n"
            "bfs  firstquartile_time:        0.25\n"
            "bfs  median_time:               0.375\n"
            "bfs  thirdquartile_time:        0.5\n"
            "bfs  max_time:                  0.5\n"
            "bfs  mean_time:                 0.375\n"
            "bfs  stddev_time:               0.176777\n"
            "min_nedge:                      1024\n"
            "firstquartile_nedge:            1024\n"
            "median_nedge:                   1024\n"
            "thirdquartile_nedge:            1024\n"
            "max_nedge:                      1024\n"
            "mean_nedge:                     1024\n"
            "stddev_nedge:                   0\n"
            "bfs  min_TEPS:                  2048\n"
            "bfs  firstquartile_TEPS:        2048\n"
            "bfs  median_TEPS:               2730.67\n"
            "bfs  thirdquartile_TEPS:        4096\n"
            "bfs  max_TEPS:                  4096\n"
            "bfs  harmonic_mean_TEPS:     !  2730.67\n"
            "bfs  harmonic_stddev_TEPS:      1287.25\n"
            "bfs  min_validate:              2\n"
            "bfs  firstquartile_validate:    2\n"
            "bfs  median_validate:           2\n"
            "bfs  thirdquartile_validate:    2\n"
            "bfs  max_validate:              2\n"
            "bfs  mean_validate:             2\n"
            "bfs  stddev_validate:           0\n");
}

TEST(ReferenceText, GivesMinusOneForValidationThatWasSkipped) {
  BenchmarkReport report = small_report();
  report.kernels[0].searches[1].verification.verdict = Verdict::unchecked;
  EXPECT_THAT(reference_text(report), HasSubstr("bfs  mean_validate:             -1\n"));
}

TEST(Json, HasEveryFieldOfTheRun) {
  const nlohmann::json json = nlohmann::json::parse(json_text(small_report(), {}));
  EXPECT_EQ(json["scale"], 10);
  EXPECT_TRUE(json["edgefactor"].is_number_integer());
  EXPECT_EQ(json["edgefactor"], 16);
  EXPECT_EQ(json["seed"], nlohmann::json({2, 3}));
  EXPECT_EQ(json["ranks"], 3);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["machine"]["cpu"], "a processor");
  EXPECT_EQ(json["machine"]["sockets"], 2);
  EXPECT_EQ(json["machine"]["numa_domains"], 4);
  EXPECT_EQ(json["machine"]["cores"], 8);
  EXPECT_EQ(json["machine"]["processors"], 16);
  EXPECT_EQ(json["machine"]["usable_processors"], 12);
  EXPECT_EQ(json["machine"]["bind"], "auto");
  EXPECT_EQ(json["machine"]["binding"], "numa");
  EXPECT_EQ(json["version"], "1.2.3");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["conforming"], true);
  EXPECT_EQ(json["construction"],
            nlohmann::json({{"seconds", 1.5}, {"peak_bytes", 4096}, {"graph_bytes", 2048}, {"hubs", 0}}));
  const nlohmann::json& bfs = json["bfs"];
  EXPECT_EQ(bfs["NBFS"], 2);
  for (const char* part : {"min", "firstquartile", "median", "thirdquartile", "max"}) {
    for (const char* quantity : {"_time", "_nedge", "_TEPS"})
      EXPECT_TRUE(bfs[std::string(part) + quantity].is_number());
  }
  for (const char* name : {"mean_time", "stddev_time", "mean_nedge", "stddev_nedge", "harmonic_stddev_TEPS"}) {
    EXPECT_TRUE(bfs[name].is_number()) << name;
  }
  EXPECT_DOUBLE_EQ(bfs["harmonic_mean_TEPS"], 1024 / 0.375);
  ASSERT_EQ(bfs["runs"].size(), 2U);
  const nlohmann::json& run = bfs["runs"][1];
  EXPECT_EQ(run["key"], 7);
  EXPECT_EQ(run["seconds"], 0.25);
  EXPECT_EQ(run["nedge"], 1024);
  EXPECT_EQ(run["valid"], true);
  EXPECT_EQ(run["levels"], nlohmann::json::parse(R"([{"direction": "pull", "fused": false, "frontier": 1,
      "edges_examined": 2, "claimed": 3, "messages": 4, "bytes": 5, "bytes_between_nodes": null,
      "seconds": {"compute": 1.0, "communicate": 2.0, "wait": 3.0, "switch": 4.0},
      "queries": 0, "answers": 0, "question_bytes": 0, "rounds": 0, "idle_seconds": {"least": 0.0, "mean": 0.0, "most": 0.0}}])"));
}

TEST(Json, HasTheOptionsAsTheyWereGiven) {
  const nlohmann::ordered_json choices = {{"alpha", 20}, {"summary", "none"}};
  EXPECT_EQ(nlohmann::json::parse(json_text(small_report(), choices))["options"], nlohmann::json(choices));
}

TEST(Json, SaysWhatCrossesBetweenNodes) {
  BenchmarkReport report = small_report();
  report.kernels[0].searches[0].levels[0].traffic.bytes_between_nodes = 2;
  const nlohmann::json json = nlohmann::json::parse(json_text(report, {}));
  EXPECT_EQ(json["bfs"]["runs"][0]["levels"][0]["bytes_between_nodes"], 2);
}

TEST(Json, SplitsTimeByPhases) {
  BenchmarkReport report = small_report();
  SearchRecord& search = report.kernels[0].searches[0];
  search.seconds = 64;
  search.levels.push_back(
      {.direction = Direction::push, .seconds = {.compute = 5, .communicate = 6, .wait = 7, .convert = 0.5}});
  search.leaves.seconds = {.compute = 8, .communicate = 9, .wait = 10};
  report.kernels[0].searches.resize(1);
  const nlohmann::json expected = nlohmann::json::parse(
      R"({"push_compute": 5.0, "push_communicate": 6.0, "pull_compute": 9.0, "pull_communicate": 11.0,
          "switch": 4.5, "stall": 20.0, "other": 8.5})");
  const nlohmann::json json = nlohmann::json::parse(json_text(report, {}))["bfs"];
  EXPECT_EQ(json["runs"][0]["phases"], expected);
  EXPECT_EQ(json["phases"], expected);
  EXPECT_EQ(json["runs"][0]["leaves"]["seconds"]["compute"], 8.0);
  report.kernels[0].searches.push_back({.seconds = 0});
  EXPECT_EQ(nlohmann::json::parse(json_text(report, {}))["bfs"]["phases"]["stall"], 10.0) << "the mean";
}

TEST(Json, NamesTheProfileAndWhatItSet) {
  BenchmarkReport report = small_report();
  EXPECT_FALSE(nlohmann::json::parse(json_text(report, {})).contains("profile"));
  report.options.profile = UsedProfile{.path = "p.toml", .options = {{"alpha", "28.3"}, {"small-level", "7"}}};
  EXPECT_EQ(nlohmann::json::parse(json_text(report, {}))["profile"],
            nlohmann::json::parse(R"({"path": "p.toml", "set": {"alpha": 28.3, "small_level": 7}})"));
}

TEST(Json, SaysHowManySearchesAValidationTimeIsSharedBy) {
  BenchmarkReport report = small_report();
  report.peak_bytes = 8192;
  report.start_bytes = 1024;
  report.predicted = {.graph_bytes = 2000, .program_bytes = 1000, .peak_bytes = 8000};
  report.kernels[0].searches[1].verification.batch = 12;
  const nlohmann::json json = nlohmann::json::parse(json_text(report, {}));
  EXPECT_EQ(json["peak_bytes"], 8192);
  EXPECT_EQ(json["memory"], nlohmann::json({{"start_bytes", 1024},
                                            {"peak_bytes", 8192},
                                            {"predicted_start_bytes", 1000},
                                            {"predicted_graph_bytes", 2000},
                                            {"predicted_peak_bytes", 8000}}));
  EXPECT_EQ(json["bfs"]["runs"][0]["validate_batch"], 1);
  EXPECT_EQ(json["bfs"]["runs"][1]["validate_batch"], 12);
  EXPECT_EQ(json["bfs"]["runs"][1]["validate_seconds"], 2);
}

TEST(Json, SaysWhatIsWrongWithARun) {
  BenchmarkReport report = small_report();
  report.rules_broken = {"validation was left out"};
  report.kernels[0].keys = 64;
  report.kernels[0].searches[0].verification.verdict = Verdict::unchecked;
  report.kernels[0].searches[1].verification.verdict = Verdict::invalid;
  report.kernels[0].searches[1].verification.violations = {"a cycle"};
  const nlohmann::json json = nlohmann::json::parse(json_text(report, {}));
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["conforming"], false);
  EXPECT_EQ(json["rules_broken"][0], "validation was left out");
  EXPECT_TRUE(json["bfs"]["runs"][0]["valid"].is_null());
  EXPECT_EQ(json["bfs"]["runs"][1]["valid"], false);
  EXPECT_EQ(json["bfs"]["runs"][1]["violations"][0], "a cycle");
  EXPECT_FALSE(json["bfs"].contains("harmonic_mean_TEPS"));
}

}  // namespace
}  // namespace breadth
