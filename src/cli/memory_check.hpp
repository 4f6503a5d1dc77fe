// Refusing what cannot fit.
#pragma once

#include <cstdint>
#include <string_view>

#include "comm/communicator.hpp"
#include "model/memory_prediction.hpp"

namespace breadth::cli {

/// Throws AgreedError with the figures where any machine has less memory available than its ranks' share of what is
/// predicted. `basis` ends the message: what the prediction comes from, where that is not clear. Collective.
void require_memory(const MemoryPrediction& prediction, const Communicator& ranks, std::string_view basis = "");

}  // namespace breadth::cli
