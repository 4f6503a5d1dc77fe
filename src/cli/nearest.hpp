// Which known word was probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace breadth::cli {

/// Letters to insert, delete, replace, or swap with their neighbour to turn one word into the other. O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word with the least edit distance, the first of several; empty where none is known.
std::string nearest(std::string_view word, std::span<const std::string> known);

}  // namespace breadth::cli
