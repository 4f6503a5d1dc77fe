// The part of Communicator that is the same with and without MPI.
#include "comm/communicator.hpp"

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
  std::size_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    displacements[i] = sum;
    sum += counts[i];
  }
  return displacements;
}

}  // namespace breadth
