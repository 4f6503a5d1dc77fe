// The choices that --device auto and --device-transport auto make, as far as no GPU is needed for that.
#include "cli/commands/device_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands/expected_memory.hpp"
#include "core/errors.hpp"
#include "graph500/kernels.hpp"
#include "model/graph_size.hpp"
#include "support/ranks.hpp"

namespace breadth::cli {
namespace {

using test::world;

TEST(DeviceChoice, TakesProcessorsWhereAnOptionIsTheirs) {
  const DeviceSettings settings{.device = std::nullopt, .processors_only = "--order label is not for a GPU: why"};
  EXPECT_EQ(settings.candidate(), Device::cpu);
  const SettledDevice settled =
      settle_device(settings, world(), [](Device, DeviceTransport) { FAIL() << "it must not ask for devices"; });
  EXPECT_EQ(settled.device, Device::cpu);
  ASSERT_TRUE(settled.choice);
  EXPECT_EQ(settled.choice->reason, settings.processors_only);
}

TEST(DeviceChoice, NotesTheFirstOptionThatIsForProcessors) {
  OptionSet options;
  DeviceSettings settings{.device = std::nullopt};
  bool directed = false;
  add_device_options(options, settings);
  options.add_flag("directed", directed, {.meaning = "one way"});
  options.set(*options.find("device"), "auto", "");
  options.set(*options.find("directed"), "true", "");
  keep_to_processors(options, settings, *options.option_of(&directed), "the first");
  keep_to_processors(options, settings, *options.option_of(&directed), "the second");
  EXPECT_EQ(settings.processors_only, "--directed true is not for a GPU: the first");
  options.set(*options.find("device"), "gpu", "");
  EXPECT_THROW(keep_to_processors(options, settings, *options.option_of(&directed), "a reason"), UsageError);
}

TEST(DeviceChoice, RefusesADeviceThatIsNamed) {
  const auto no_room = [](Device, DeviceTransport) { throw Error("no room"); };
  EXPECT_THROW((void)settle_device({.device = Device::simulated}, world(), no_room), Error);
  const SettledDevice settled = settle_device({.device = Device::simulated}, world());
  EXPECT_EQ(settled.device, Device::simulated);
  EXPECT_FALSE(settled.choice);
}

TEST(DeviceChoice, StagesMessagesOfSimulatedDevices) {
  EXPECT_EQ(choose_transport(Device::simulated, world()), DeviceTransport::staged);
  EXPECT_EQ(choose_transport(Device::cpu, world()), DeviceTransport::staged);
  EXPECT_EQ(settle_device({.device = Device::simulated}, world()).transport, DeviceTransport::staged);
  const DeviceSettings direct{.device = Device::simulated, .transport = DeviceTransport::direct};
  EXPECT_EQ(settle_device(direct, world()).transport, DeviceTransport::direct);
}

TEST(DeviceChoice, GoesOnOnProcessorsWhereAutoTookADeviceWithoutRoom) {
  std::vector<Device> tried;
  const auto make = [&tried](Device device) {
    tried.push_back(device);
    if (device != Device::cpu) throw OutOfMemory("too large");
  };
  SettledDevice automatic{.device = Device::gpu, .choice = DeviceChoice{Device::gpu, "it fits"}};
  make_search(automatic, make);
  EXPECT_EQ(tried, (std::vector{Device::gpu, Device::cpu}));
  EXPECT_EQ(automatic.device, Device::cpu);
  EXPECT_EQ(automatic.choice->reason, "too large");

  SettledDevice named{.device = Device::gpu, .choice = {}};
  EXPECT_THROW(make_search(named, make), OutOfMemory);
}

TEST(DeviceChoice, PlansForAFileNoLessThanItsGraphTakes) {
  for (const KernelKind kernels : {KernelKind::bfs, KernelKind::sssp}) {
    const BenchmarkOptions benchmark{.kernels = kernels, .bfs = {.device = {.kind = Device::gpu}}};
    for (const int scale : {10, 20, 28}) {
      const GraphSize size = expected_kronecker_size(scale, 16, have_weights(kernels));
      BenchmarkOptions generated = benchmark;
      generated.scale = scale;
      const gpu::RunPlan most = max_run_memory(size, benchmark, 1);
      const gpu::MemoryPlan expected = expected_device_memory(generated, 1);
      EXPECT_GE(most.searches.bytes(), expected.bytes() - expected.bytes() / 1000);
      EXPECT_LE(most.searches.bytes(), expected.bytes() + expected.bytes() / 8);
      if (kernels == KernelKind::bfs) {
        EXPECT_GE(most.peak(), expected_run_memory(generated, 1).peak() / 1000 * 999);
      }
    }
  }
}

}  // namespace
}  // namespace breadth::cli
