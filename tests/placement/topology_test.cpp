// The topology of a machine that is described to hwloc, compared with the same machine made by hand.
#include "placement/binding_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "placement/machines.hpp"
#include "placement/placement.hpp"

namespace breadth {
namespace {

/// Makes hwloc treat the described machine as the real one.
class DescribedMachine {
 public:
  explicit DescribedMachine(const std::string& description) {
    setenv("HWLOC_SYNTHETIC", description.c_str(), 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
  }
  ~DescribedMachine() {
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_THISSYSTEM");
  }
  DescribedMachine(const DescribedMachine&) = delete;
  DescribedMachine& operator=(const DescribedMachine&) = delete;
};

/// Clears the numbers of processors, because hwloc chooses them: it counts siblings consecutively if they are not
/// given.
Topology without_numbers(Topology topology) {
  for (Processor& processor : topology) processor.number = 0;
  return topology;
}

TEST(Topology, HasWhatTheMachineIsSaidToHave) {
  const struct {
    const char* description;
    test::MachineShape shape;
  } machines[] = {
      {"package:1 core:1 pu:1", {1, 1, 1, 1}},          {"package:2 numa:2 core:4 pu:2", {2, 2, 4, 2}},
      {"package:2 [numa] core:3 pu:1", {2, 1, 3, 1}},   {"package:1 numa:3 core:5 pu:4", {1, 3, 5, 4}},
      {"package:8 numa:1 core:64 pu:2", {8, 1, 64, 2}},
  };
  for (const auto& [description, shape] : machines) {
    const DescribedMachine machine(description);
    EXPECT_EQ(without_numbers(this_topology()), without_numbers(test::make_machine(shape))) << description;
  }
}

TEST(Topology, CountsAProcessorAsACoreWhereThereAreNoCores) {
  const DescribedMachine machine("numa:2 pu:3");
  const Topology topology = this_topology();
  ASSERT_EQ(topology.size(), 6U);
  for (std::size_t i = 0; i < topology.size(); ++i) {
    EXPECT_EQ(topology[i].core, static_cast<int>(i));
    EXPECT_EQ(topology[i].numa_domain, i < 3 ? 0 : 1);
    EXPECT_EQ(topology[i].socket, 0);
  }
}

TEST(Topology, TakesTheBetterKnownOfTwoDomainsOfAProcessor) {
  const DescribedMachine machine("[numa] package:2 [numa] core:2 pu:1");  // near and far memory
  for (const Processor& processor : this_topology()) EXPECT_EQ(processor.numa_domain, processor.socket);
}

TEST(Topology, IsNotKnownOfAnotherMachine) {
  const DescribedMachine machine("package:2 core:2 pu:1");
  setenv("HWLOC_THISSYSTEM", "0", 1);
  EXPECT_TRUE(this_topology().empty());
}

TEST(Topology, HasTheProcessorsOfThisMachine) {
  std::vector<int> allowed;
  for (const Processor& processor : this_topology()) {
    if (processor.allowed) allowed.push_back(processor.number);
  }
  std::sort(allowed.begin(), allowed.end());
  const std::vector<int> usable = usable_processors();
  EXPECT_TRUE(std::includes(allowed.begin(), allowed.end(), usable.begin(), usable.end()));
}

}  // namespace
}  // namespace breadth
