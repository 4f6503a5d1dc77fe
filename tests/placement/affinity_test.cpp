#include "placement/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace breadth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

/// The bounds in a list such as "0-2,5" in /proc/thread-self/status.
std::vector<int> processors_by_status() {
  std::ifstream file("/proc/thread-self/status");
  std::string word;
  while (file >> word && word != "Cpus_allowed_list:") {
  }
  std::vector<int> processors;
  for (char separator = ','; separator == ',';) {
    int first = 0;
    int last = 0;
    file >> first;
    last = first;
    if (file.peek() == '-') file.ignore() >> last;
    for (int processor = first; processor <= last; ++processor) processors.push_back(processor);
    separator = static_cast<char>(file.get());
  }
  return processors;
}

TEST(Affinity, IsWhatTheSystemSays) {
  EXPECT_THAT(usable_processors(), Not(IsEmpty()));
  EXPECT_EQ(usable_processors(), processors_by_status());
}

TEST(Affinity, BindsTheCallingThreadAlone) {
  const std::vector<int> before = usable_processors();
  for (const int processor : before) {
    std::thread([processor] {
      ASSERT_TRUE(bind_this_thread(std::vector<int>{processor}));
      EXPECT_THAT(usable_processors(), ElementsAre(processor));
      EXPECT_THAT(processors_by_status(), ElementsAre(processor));
    }).join();
  }
  EXPECT_EQ(usable_processors(), before);
}

TEST(Affinity, SaysWhenTheSystemRefuses) {
  EXPECT_FALSE(bind_this_thread({}));
  constexpr int no_such_processor = 100'000;
  std::thread([] { EXPECT_FALSE(bind_this_thread(std::vector<int>{no_such_processor})); }).join();
}

}  // namespace
}  // namespace breadth
