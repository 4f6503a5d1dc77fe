// Parts of Communicator that do not depend on MPI, and agreement on errors.
#include "comm/communicator.hpp"

#include <cstring>
#include <new>

#include "comm/agreement.hpp"

namespace breadth {

std::vector<int> Communicator::others() const {
  std::vector<int> others;
  for (int step = 1; step < size_; ++step) others.push_back((rank_ + step) % size_);
  return others;
}

std::string Communicator::broadcast(std::string text, int root) const {
  auto length = static_cast<std::uint64_t>(text.size());
  broadcast(std::span(&length, 1), root);
  text.resize(length);
  broadcast(std::span(text), root);
  return text;
}

std::vector<std::size_t> Communicator::prefix(std::span<const std::size_t> counts) {
  std::vector<std::size_t> displacements(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), std::size_t{0});
  return displacements;
}

void detail::copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
}

// Agreement on errors.

std::string message_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
}

FailureKind kind_of(const std::exception& error) {
  const bool none_left = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  const bool too_little = dynamic_cast<const OutOfMemory*>(&error) != nullptr;
  return none_left || too_little ? FailureKind::out_of_memory : FailureKind::other;
}

void agree_on_failure(const Communicator& ranks, const std::optional<std::string>& failure, FailureKind kind) {
  const std::int64_t mine = failure ? ranks.rank() : ranks.size();
  const auto first = static_cast<int>(ranks.all_reduce(mine, Reduction::minimum));
  if (first == ranks.size()) return;
  const std::int64_t failed = ranks.all_reduce(std::int64_t{failure ? 1 : 0}, Reduction::sum);
  std::string message = ranks.broadcast(failure.value_or(""), first);
  // If every rank failed, the message is not about one rank.
  if (failed < ranks.size()) message += fmt::format(" (on rank {} of {})", first, ranks.size());
  ranks.broadcast(std::span(&kind, 1), first);
  if (kind == FailureKind::out_of_memory) throw AgreedOutOfMemory(message);
  throw AgreedError(message);
}

}  // namespace breadth
