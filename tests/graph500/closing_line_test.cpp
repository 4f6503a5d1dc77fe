// Texts of a run for people and referees: the last line, notes, and what kernel 1 did not make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "graph500/report/output.hpp"
#include "support/two_kernels.hpp"

namespace breadth {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A run with two searches, which took 0.5 and 0.25 seconds for `edges` edges each.
BenchmarkReport report_of_a_run(std::uint64_t edges = 1024) {
  BenchmarkReport report;
  report.options.scale = 10;
  report.construction.seconds = 1.5;
  KernelReport bfs{.name = "bfs", .keys = 2};
  for (const double seconds : {0.5, 0.25}) {
    bfs.searches.push_back(
        {.key = Label{7}, .seconds = seconds, .verification = {.verdict = Verdict::valid, .edges = edges}});
  }
  report.kernels = {bfs};
  return report;
}

TEST(ClosingLine, SaysAllInOneLine) {
  BenchmarkReport report = report_of_a_run(std::uint64_t{1} << 33);
  report.construction.seconds = 0.4567;
  EXPECT_EQ(closing_line(report), "2 searches, all valid, conforming: 22.9 GTEPS (harmonic mean), kernel 1 0.46 s\n");
  report.construction.seconds = 1234.5;
  report.rules_broken = {"2 search keys, not 64", "it rains"};
  EXPECT_EQ(closing_line(report),
            "2 searches, all valid, not conforming (2 search keys, not 64; it rains): 22.9 GTEPS (harmonic mean), "
            "kernel 1 1234 s\n");
}

TEST(ClosingLine, SaysWhatIsMissing) {
  BenchmarkReport report = report_of_a_run();
  SearchRecord& last = report.kernels[0].searches[1];
  last.verification.verdict = Verdict::unchecked;
  EXPECT_THAT(closing_line(report), StartsWith("2 searches, 1 valid, 1 not validated, conforming: 2.73e-06 GTEPS"));
  report.kernels[0].searches[0].verification.verdict = Verdict::unchecked;
  EXPECT_THAT(closing_line(report), StartsWith("2 searches, not validated, conforming: 2.73e-06 GTEPS"));
  report.kernels[0].searches[0].verification.verdict = Verdict::invalid;
  EXPECT_THAT(closing_line(report),
              StartsWith("2 searches, 1 failed validation, 1 not validated, conforming: no TEPS"));
  report.kernels[0].keys = 64;
  last.verification.verdict = Verdict::valid;
  EXPECT_THAT(closing_line(report), StartsWith("2 of 64 searches, 1 failed validation, conforming: no TEPS"));
  report.kernels[0].searches.clear();
  EXPECT_EQ(closing_line(report), "0 of 64 searches, conforming: no TEPS, kernel 1 1.5 s\n");
}

TEST(ClosingLine, HasBothKernels) {
  BenchmarkReport report = test::with_shortest_paths(report_of_a_run(std::uint64_t{1} << 33));
  report.rules_broken = {"it rains"};
  EXPECT_EQ(closing_line(report),
            "bfs: 2 searches, all valid, 22.9 GTEPS (harmonic mean); sssp: 2 searches, all valid, 4.29 GTEPS "
            "(harmonic mean); not conforming (it rains); kernel 1 1.5 s\n");
}

TEST(Outputs, NameWhatKernel1DidNotMakeAndWhatARefereeShouldKnow) {
  BenchmarkReport report = test::with_shortest_paths(report_of_a_run());
  report.kernels[1].preparation_seconds = 0.5;
  report.rules_notes = {"it is late"};
  report.options.without_effect = {"pull", "hub-masks"};
  const std::string text = specification_text(report);
  EXPECT_THAT(text, StartsWith("# note: it is late\nSCALE: 10\n"));
  EXPECT_THAT(text, HasSubstr("construction_time: 1.50000000000000000e+00\n"
                              "sssp_preparation_time: 5.00000000000000000e-01\nbfs_min_time"));
  EXPECT_THAT(reference_text(report), StartsWith("# note: it is late\n"));
  const nlohmann::json json = nlohmann::json::parse(json_text(report, {}));
  EXPECT_EQ(json["rules_notes"], nlohmann::json({"it is late"}));
  EXPECT_EQ(json["sssp"]["preparation"], nlohmann::json({{"seconds", 0.5}}));
  EXPECT_FALSE(json["bfs"].contains("preparation"));
  EXPECT_EQ(json["without_effect"], nlohmann::json({"pull", "hub-masks"}));
  EXPECT_EQ(nlohmann::json::parse(json_text(report_of_a_run(), {}))["rules_notes"], nlohmann::json::array());
}

}  // namespace
}  // namespace breadth
