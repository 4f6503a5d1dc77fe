// Refusing what cannot fit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "comm/communicator.hpp"
#include "model/memory_prediction.hpp"

namespace breadth::cli {

/// Throws AgreedError with the figures where any machine has less memory available than its ranks' share of what is
/// predicted. `more(available)` ends the message, given the bytes that are available: what the prediction comes from,
/// or what would fit. Collective.
void require_memory(
    const MemoryPrediction& prediction, const Communicator& ranks,
    const std::function<std::string(std::uint64_t available)>& more = [](std::uint64_t) { return std::string(); });

}  // namespace breadth::cli
