// Errors that a person can act on.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "core/words.hpp"

namespace breadth {

/// Something the user or the machine got wrong. The message says what and where (file and line, option, rank); it
/// is printed as it stands after "breadth: ".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invalid command line, variable or option file. The program then exits with status 2, not 1.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The system does not give the memory that an array needs.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

/// An Error that every rank throws with the same text, so that one of them can print it and all can leave in order.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// An AgreedError because some rank has too little memory.
class AgreedOutOfMemory : public AgreedError {
 public:
  using AgreedError::AgreedError;
};

/// Throws an Error (or a class derived from it) with a formatted message.
template <class Exception = Error, class... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Exception(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Throws Error that names the range's option if the value is outside the range.
template <class Number>
void check_range(Number value, const Range<Number>& range) {
  if (value >= range.minimum && value <= range.maximum) return;
  fail("{} is {}; it must be from {} to {}", range.option, value, range.minimum, range.maximum);
}

}  // namespace breadth
