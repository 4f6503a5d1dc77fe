#include "core/memory/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace breadth {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Control groups in a folder that stands for the root of the file system.
class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::path(testing::TempDir()) / (std::to_string(::getpid()) + test->name());
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& content) const {
    const std::filesystem::path whole = root_.string() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << content;
  }
  /// Writes the groups of this process, and where the hierarchies are mounted.
  void write_process(const std::string& groups, const std::string& mounts) const {
    write("/proc/self/cgroup", groups);
    write("/proc/self/mountinfo", mounts);
  }
  void write_unified_group(const std::string& path, const std::string& max, const std::string& high,
                           const std::string& used, const std::string& idle = "0") const {
    write("/sys/fs/cgroup" + path + "/memory.max", max + "\n");
    write("/sys/fs/cgroup" + path + "/memory.high", high + "\n");
    write("/sys/fs/cgroup" + path + "/memory.current", used + "\n");
    write("/sys/fs/cgroup" + path + "/memory.stat", "anon 5\ninactive_file " + idle + "\nactive_file 7\n");
  }
  std::uint64_t bytes() const { return control_group_bytes(root_.string()); }

 private:
  std::filesystem::path root_;
};

const std::string unified = "25 1 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST_F(ControlGroups, LimitNothingWhereThereAreNone) {
  EXPECT_EQ(bytes(), unlimited);
  write_process("0::/user\n", unified);
  EXPECT_EQ(bytes(), unlimited);
  write_unified_group("/user", "max", "max", "1000");
  EXPECT_EQ(bytes(), unlimited);
}

TEST_F(ControlGroups, LimitByTheGroupOfTheProcess) {
  write_process("0::/system.slice/job.scope\n", unified);
  write_unified_group("/system.slice/job.scope", "1000", "max", "400", "100");
  EXPECT_EQ(bytes(), 700U);  // the kernel can drop inactive file pages
}

TEST_F(ControlGroups, LimitByEveryGroupAbove) {
  write_process("0::/slurm/job_7/step_0/task\n", unified);
  write_unified_group("/slurm", "max", "max", "90000");
  write_unified_group("/slurm/job_7", "5000", "max", "4000");  // the least memory is left in this group
  write_unified_group("/slurm/job_7/step_0", "max", "max", "3000");
  write_unified_group("/slurm/job_7/step_0/task", "4500", "max", "2000");
  EXPECT_EQ(bytes(), 1000U);
  write_unified_group("/slurm", "95000", "max", "94990");
  EXPECT_EQ(bytes(), 10U);
  write_unified_group("/slurm/job_7/step_0", "2000", "max", "3000");
  EXPECT_EQ(bytes(), 0U);
}

TEST_F(ControlGroups, LimitByWhatSlowsAProcessDown) {
  write_process("0::/user\n", unified);
  write_unified_group("/user", "5000", "3000", "1000");
  EXPECT_EQ(bytes(), 2000U);
}

TEST_F(ControlGroups, OfOtherProcessesLimitNothing) {
  write_process("0::/user/mine\n", unified);
  write_unified_group("/user/other", "1000", "max", "999");
  EXPECT_EQ(bytes(), unlimited);
}

TEST_F(ControlGroups, OfVersionOneLimitByTheirOwnFiles) {
  write_process("9:name=systemd:/other\n4:cpu,memory:/torque/job\n0::/\n",
                "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
                "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,cpu,memory\n"
                "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  const std::string group = "/sys/fs/cgroup/memory/torque";
  write(group + "/memory.limit_in_bytes", "8000\n");
  write(group + "/memory.usage_in_bytes", "3000\n");
  write(group + "/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  EXPECT_EQ(bytes(), 5500U);
  write(group + "/job/memory.limit_in_bytes", "9223372036854771712\n");
  write(group + "/job/memory.usage_in_bytes", "100\n");
  EXPECT_EQ(bytes(), 5500U);
  write(group + "/job/memory.limit_in_bytes", "600\n");
  EXPECT_EQ(bytes(), 500U);
}

TEST_F(ControlGroups, InContainersAreThoseBelowTheMount) {
  write_process("0::/docker/abc/job\n", "25 1 0:22 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write_unified_group("", "7000", "max", "1000");
  EXPECT_EQ(bytes(), 6000U);
  write_unified_group("/job", "1000", "max", "900");
  EXPECT_EQ(bytes(), 100U);
}

TEST_F(ControlGroups, ThatCannotBeSeenLeaveTheMountedOne) {
  write_process("0::/../../host\n", unified);
  write_unified_group("", "7000", "max", "1000");
  write_unified_group("/host", "1000", "max", "999");
  EXPECT_EQ(bytes(), 6000U);
}

TEST_F(ControlGroups, WithDamagedFilesLimitNothing) {
  write_process("\nnonsense\n0:\n0::\n", "nonsense\n - \n1 2 3 / - cgroup2\n" + unified);
  EXPECT_EQ(bytes(), unlimited);
}

}  // namespace
}  // namespace breadth
