// Skipped and missing cases, for both main functions of test programs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace breadth::test {

/// Appends a line for each case to the file that TEST_CASES names: its name, and why it was skipped if it was.
/// `tools/test` sums up which cases were skipped and which never ran.
class CaseList : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& info) override {
    const char* path = std::getenv("TEST_CASES");
    if (path == nullptr) return;
    std::string reason;
    for (int i = 0; i < info.result()->total_part_count(); ++i) {
      const testing::TestPartResult& part = info.result()->GetTestPartResult(i);
      if (part.skipped()) reason = part.message();
    }
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    std::ofstream(path, std::ios::app) << info.test_suite_name() << '.' << info.name() << '\t' << reason << '\n';
  }
};

/// Whether the filter matches a case. Prints a message if it matches none.
inline bool any_case_matches() {
  if (testing::UnitTest::GetInstance()->test_to_run_count() > 0) return true;
  std::fprintf(stderr, "no case matches the filter '%s'\n", testing::GTEST_FLAG(filter).c_str());
  return false;
}

/// The exit status of a program without failed cases: 0 if any case passed, otherwise 77, which ctest counts as
/// skipped.
inline int status_without_failures(bool any_passed) {
  constexpr int skipped_status = 77;
  return any_passed || testing::GTEST_FLAG(list_tests) ? EXIT_SUCCESS : skipped_status;
}

}  // namespace breadth::test
