// Messages between devices by NCCL, with a fake of it between the ranks of this program.
#include "gpu/nccl.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/policy/search.hpp"
#include "transports.hpp"
#include "traverse/devices/gpu_part.hpp"

namespace breadth {
namespace {

using test::world;

class NcclTest : public testing::Test {
 protected:
  void SetUp() override {
    if (test::fake_nccl.empty()) GTEST_SKIP() << "the fake needs MPI";
    setenv("NCCL_LIBRARY", test::fake_nccl.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("NCCL_LIBRARY");
    unsetenv("FAKE_NCCL_REFUSES");
  }

  static std::string failure_of_joining() {
    try {
      DeviceExchange(world(), DeviceTransport::nccl);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(NcclTest, BringsWhatMpiBrings) {
  const auto ranks = static_cast<std::size_t>(world().size());
  const auto rank = static_cast<std::size_t>(world().rank());
  std::vector<std::size_t> counts(ranks);
  for (std::size_t to = 0; to < ranks; ++to) counts[to] = (5 * rank + 3 * to) % 4;
  std::vector<std::uint64_t> messages(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  std::iota(messages.begin(), messages.end(), 1000 * rank);
  std::vector<std::uint64_t> received[2];
  for (const DeviceTransport transport : {DeviceTransport::direct, DeviceTransport::nccl}) {
    DeviceExchange exchange(world(), transport);
    for (int round = 0; round < 3; ++round) {
      std::vector<std::uint64_t> inbox(4 * ranks);
      const std::size_t came = exchange.run(std::span<const std::uint64_t>(messages), counts, std::span(inbox));
      inbox.resize(came);
      std::vector<std::uint64_t>& all = received[transport == DeviceTransport::nccl ? 1 : 0];
      all.insert(all.end(), inbox.begin(), inbox.end());
    }
    EXPECT_EQ(exchange.traffic().queries, 3 * messages.size());
  }
  EXPECT_EQ(received[0], received[1]);
}

TEST_F(NcclTest, SaysOnAllRanksThatItFails) {
  EXPECT_EQ(failure_of_joining(), "");
  setenv("FAKE_NCCL_REFUSES", "1", 1);
  EXPECT_NE(failure_of_joining().find("joining a group failed: invalid usage"), std::string::npos);
  setenv("NCCL_LIBRARY", "/nowhere/libnccl.so", 1);
  EXPECT_THROW(gpu::NcclGroup::require(), Error);
  if (world().rank() > 0) setenv("NCCL_LIBRARY", test::fake_nccl.c_str(), 1);
  EXPECT_NE(failure_of_joining().find("/nowhere/libnccl.so"), std::string::npos);
}

}  // namespace
}  // namespace breadth
