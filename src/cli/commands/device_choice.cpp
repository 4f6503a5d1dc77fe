#include "cli/commands/device_choice.hpp"

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/text.hpp"
#include "gpu/nccl.hpp"
#include "gpu/search.hpp"
#include "graph500/kernels.hpp"
#include "traverse/devices/gpu_part.hpp"
#include "traverse/devices/gpu_search.hpp"

namespace breadth::cli {

namespace {
bool have_nccl() {
  try {
    gpu::NcclGroup::require();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Settles on this device. Throws AgreedError if it is not available. Collective.
SettledDevice settle(Device device, const DeviceSettings& settings, const Communicator& ranks,
                     const std::function<void(Device, DeviceTransport)>& require) {
  run_together(ranks, [&] {
    require_control(settings.control, ranks.size());
    if (settings.transport) require_transport(device, *settings.transport);
    if (settings.device) {
      require_device(device);
    } else {
      gpu::require_cuda();  // its message does not name an option, because none was given
    }
  });
  const DeviceTransport transport = settings.transport ? *settings.transport : choose_transport(device, ranks);
  require(device, transport);
  return {.device = device, .transport = transport, .choice = {}};
}
}  // namespace

void check_device_of(const OptionSet& options, DeviceSettings& settings, const Kernels& kernels) {
  for (const KernelKind kind : kernels.kinds()) {
    if (kernel_type(kind).device_memory != nullptr) continue;
    keep_to_processors(options, settings, *options.option_of(&kernels),
                       fmt::format("{} runs only on processors", name_of(kind)));
  }
}

DeviceTransport choose_transport(Device device, const Communicator& ranks) {
  if (device != Device::gpu || ranks.size() == 1) return DeviceTransport::staged;
  const gpu::NodePlace place = place_on_node(ranks, Device::gpu);
  if (ranks.all(place.sharing == 1 && have_nccl())) return DeviceTransport::nccl;
  return ranks.all(MessagePassing::reads_device_memory()) ? DeviceTransport::direct : DeviceTransport::staged;
}

SettledDevice settle_device(const DeviceSettings& settings, const Communicator& ranks,
                            const std::function<void(Device, DeviceTransport)>& require) {
  if (settings.device) return settle(*settings.device, settings, ranks, require);
  const auto processors = [](const std::string& reason) {
    return SettledDevice{.choice = DeviceChoice{.taken = Device::cpu, .reason = reason}};
  };
  if (!settings.processors_only.empty()) return processors(settings.processors_only);
  try {
    SettledDevice settled = settle(Device::gpu, settings, ranks, require);
    const gpu::NodePlace place = place_on_node(ranks, Device::gpu);
    const std::string name = run_together(ranks, [&] { return gpu::cuda_memory(place).device; });
    settled.choice = DeviceChoice{.taken = Device::gpu, .reason = fmt::format("the graph fits into {}", name)};
    return settled;
  } catch (const Error& error) {
    return processors(error.what());
  }
}

void make_search(SettledDevice& settled, const std::function<void(Device)>& make) {
  if (settled.choice && settled.device != Device::cpu) {
    try {
      make(settled.device);
      return;
    } catch (const Error& error) {
      settled = {.choice = DeviceChoice{.taken = Device::cpu, .reason = error.what()}};
    }
  }
  make(settled.device);
}

void print_choice(const std::optional<DeviceChoice>& choice, const Communicator& ranks) {
  if (!choice || ranks.rank() != 0) return;
  say(fmt::format("--device auto: {}, because {}\n", choice->taken == Device::cpu ? "processors" : "a GPU",
                  choice->reason));
}

}  // namespace breadth::cli
