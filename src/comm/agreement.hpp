// Failing together.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "comm/communicator.hpp"
#include "core/errors.hpp"

namespace breadth {

/// What an exception says to a person.
std::string message_of(const std::exception& error);

/// Why a step failed on a rank.
enum class FailureKind { other, out_of_memory };
FailureKind kind_of(const std::exception& error);

/// Throws the same AgreedError on every rank when `failure` holds a message on any: that of the lowest such rank,
/// which is named in it where there are several; AgreedOutOfMemory where that is its kind. Collective.
void agree_on_failure(const Communicator& ranks, const std::optional<std::string>& failure,
                      FailureKind kind = FailureKind::other);

/// Runs a step that may fail on some ranks only (reading a file, taking memory) and then agrees: it returns on all
/// ranks, or throws AgreedError on all; one rank alone throws OutOfMemory as it is. The step itself must not
/// communicate.
template <class Step>
auto run_together(const Communicator& ranks, Step&& step) {
  std::optional<std::string> failure;
  FailureKind kind = FailureKind::other;
  const auto attempt = [&](auto&& body) {
    try {
      body();
    } catch (const std::exception& error) {
      // One rank has nobody to agree with, and its caller may go by the class.
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
