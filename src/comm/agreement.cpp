#include "comm/agreement.hpp"

#include <new>

namespace breadth {

std::string message_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
}

void agree_on_failure(const Communicator& ranks, const std::optional<std::string>& failure) {
  const std::int64_t mine = failure ? ranks.rank() : ranks.size();
  const auto first = static_cast<int>(ranks.all_reduce(mine, Reduction::minimum));
  if (first == ranks.size()) return;
  const std::int64_t failed = ranks.all_reduce(std::int64_t{failure ? 1 : 0}, Reduction::sum);
  std::string message = ranks.broadcast(failure.value_or(""), first);
  // What fails everywhere is no one rank's doing.
  if (failed < ranks.size()) message += fmt::format(" (on rank {} of {})", first, ranks.size());
  throw AgreedError(message);
}

}  // namespace breadth
