#include "core/range.hpp"

#include <cstdint>

#include "core/errors.hpp"

namespace breadth {

template <class Number>
void check_range(const char* option, Number value, const Range<Number>& range) {
  if (value >= range.least && value <= range.most) return;
  fail("{} is {}; it must be from {} to {}", option, value, range.least, range.most);
}
template void check_range(const char*, int, const Range<int>&);
template void check_range(const char*, std::int64_t, const Range<std::int64_t>&);
template void check_range(const char*, std::uint64_t, const Range<std::uint64_t>&);
template void check_range(const char*, double, const Range<double>&);

}  // namespace breadth
