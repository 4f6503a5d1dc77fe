// Every rank's visited vertices, on every rank, without sending again what all know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traverse/replication/replicated_frontier.hpp"

namespace breadth {

/// A replicated frontier of whose bits only those travel that were not set when they last did: a vertex once visited
/// remains so, and everybody has its bit. The first time in a search each rank sends its whole part, later its
/// unvisited vertices' bits side by side. It takes the memory of the bitmap once more.
class PackedFrontier final : public ReplicatedFrontier {
 public:
  /// As for ReplicatedFrontier.
  PackedFrontier(const Partition& partition, std::size_t searched, std::size_t first_word,
                 const ReplicationOptions& options, const Context& context);

  void clear() override { shared_before_ = false; }
  Traffic share(const Bitmap& visited) override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] std::uint64_t borrowed_bytes() const override;

 private:
  Traffic share_unvisited(const Bitmap& visited);
  /// Where each rank's unvisited vertices are, packed, among those of all.
  [[nodiscard]] Parts packed_parts() const;
  void count_unvisited();

  ReplicatedWords packed_;
  std::vector<std::size_t> unvisited_;  ///< of each rank, when it last shared, with what fills its last word up
  bool shared_before_ = false;          ///< in this search
};

}  // namespace breadth
