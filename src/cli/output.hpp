// Results on standard output.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "comm/communicator.hpp"

namespace breadth::cli {

/// Writes the first rank's text to standard output, at once and whole. Throws AgreedError if that fails. Collective.
void print_result(const std::string& text, const Communicator& ranks);

/// A line `key: value` for each value of an object; words stand without quotes.
std::string lines_of(const nlohmann::ordered_json& values);

}  // namespace breadth::cli
