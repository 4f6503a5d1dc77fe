// What a number may be, said once: checks and options ask the same constant. Knows no texts, as GPUs' code includes it.
#pragma once

namespace breadth {

/// From `least` to `most`, both included.
template <class Number>
struct Range {
  Number least;
  Number most;
};

/// Throws Error that names the option unless the value is in its range.
template <class Number>
void check_range(const char* option, Number value, const Range<Number>& range);

}  // namespace breadth
