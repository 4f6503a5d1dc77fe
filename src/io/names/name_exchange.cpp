#include "io/names/name_exchange.hpp"

#include <cstdint>
#include <numeric>
#include <utility>

namespace breadth {

namespace {
/// ends[i] - ends[i - 1], in place and back.
std::vector<std::uint64_t> lengths_of(const NameList& names) {
  std::vector<std::uint64_t> lengths(names.size());
  std::adjacent_difference(names.ends().begin(), names.ends().end(), lengths.begin());
  return lengths;
}

NameList from_lengths(std::vector<char> bytes, std::vector<std::uint64_t> lengths) {
  std::partial_sum(lengths.begin(), lengths.end(), lengths.begin());
  return {std::move(bytes), std::move(lengths)};
}
}  // namespace

ReceivedNames exchange_names(const NameList& names, std::span<const std::size_t> counts, const Communicator& ranks) {
  std::vector<std::size_t> byte_counts(counts.size());
  std::size_t first = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    byte_counts[r] = names.start(first + counts[r]) - names.start(first);
    first += counts[r];
  }
  ReceivedNames received;
  const std::vector<std::uint64_t> send_lengths = lengths_of(names);
  std::vector<std::uint64_t> lengths =
      ranks.all_to_all(std::span<const std::uint64_t>(send_lengths), counts, received.counts);
  std::vector<std::size_t> received_bytes;
  std::vector<char> bytes = ranks.all_to_all(names.bytes(), byte_counts, received_bytes);
  received.names = from_lengths(std::move(bytes), std::move(lengths));
  return received;
}

NameList gather_names(const NameList& names, const Communicator& ranks) {
  const std::vector<std::uint64_t> lengths = lengths_of(names);
  return from_lengths(ranks.all_gather_varying(names.bytes()),
                      ranks.all_gather_varying(std::span<const std::uint64_t>(lengths)));
}

}  // namespace breadth
