// Collective error handling: an exception on one rank is thrown on all ranks.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "comm/communicator.hpp"
#include "core/errors.hpp"

namespace breadth {

/// The text of an exception for the user: "out of memory" for std::bad_alloc, otherwise what().
std::string message_of(const std::exception& error);

/// Why a step failed on a rank.
enum class FailureKind { other, out_of_memory };
FailureKind kind_of(const std::exception& error);

/// Throws an AgreedError with one message on every rank if `failure` holds a message on any rank: the message of the
/// lowest failed rank, which it names unless all ranks failed. Throws AgreedOutOfMemory if that rank's kind is
/// out_of_memory. Collective.
void agree_on_failure(const Communicator& ranks, const std::optional<std::string>& failure,
                      FailureKind kind = FailureKind::other);

/// Runs a step that may fail on some ranks only (reading a file, allocating memory), then agrees on the outcome:
/// returns on all ranks or throws AgreedError on all. On a single rank an OutOfMemory passes through unchanged. The
/// step itself must not communicate. Collective.
template <class Step>
auto run_together(const Communicator& ranks, Step&& step) {
  std::optional<std::string> failure;
  FailureKind kind = FailureKind::other;
  const auto attempt = [&](auto&& body) {
    try {
      body();
    } catch (const std::exception& error) {
      // A single rank has nobody to agree with, and its caller may depend on the class.
      if (ranks.size() == 1 && dynamic_cast<const OutOfMemory*>(&error) != nullptr) throw;
      failure = message_of(error);
      kind = kind_of(error);
    }
  };
  using Result = decltype(step());
  if constexpr (std::is_void_v<Result>) {
    attempt(step);
    agree_on_failure(ranks, failure, kind);
  } else {
    std::optional<Result> result;
    attempt([&] { result.emplace(step()); });
    agree_on_failure(ranks, failure, kind);
    return std::move(*result);
  }
}

}  // namespace breadth
