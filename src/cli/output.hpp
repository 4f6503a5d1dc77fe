// Results on standard output.
#pragma once

#include <string>

#include "comm/communicator.hpp"

namespace breadth::cli {

/// Writes the first rank's text to standard output, at once and whole. Throws AgreedError if that fails. Collective.
void print_result(const std::string& text, const Communicator& ranks);

}  // namespace breadth::cli
