#include "traverse/replication/packed_frontier.hpp"

#include <algorithm>
#include <utility>

#include "simd/bit_packing.hpp"

namespace breadth {

PackedFrontier::PackedFrontier(const Partition& partition, std::size_t searched, std::size_t first_word,
                               const ReplicationOptions& options, const Context& context)
    : ReplicatedFrontier(partition, searched, first_word, options, context),
      packed_(replicator(), ReplicatedWords::Role::queue, parts().count(), words_of(own_rank()).size()),
      unvisited_(rank_count()) {}

std::uint64_t PackedFrontier::bytes() const { return ReplicatedFrontier::bytes() + packed_.all().size_bytes(); }

std::uint64_t PackedFrontier::borrowed_bytes() const {
  return ReplicatedFrontier::borrowed_bytes() + packed_.borrowed_bytes();
}

Traffic PackedFrontier::share(const Bitmap& visited) {
  const Traffic traffic = shared_before_ ? share_unvisited(visited) : ReplicatedFrontier::share(visited);
  shared_before_ = true;
  count_unvisited();
  return traffic;
}

Traffic PackedFrontier::share_unvisited(const Bitmap& visited) {
  const Parts packed = packed_parts();
  const std::span<std::uint64_t> own = replicated_bits().part(words_of(own_rank()));
  const auto now = visited.words().subspan(hub_words(), own.size());
  pack_unset(now, own, packed_.part(packed.range(own_rank())).data());
  std::copy(now.begin(), now.end(), own.begin());
  copy_hubs(visited);
  const Traffic traffic = packed_.replicate(packed);

  const std::vector<std::size_t>& copied = replicated_bits().copied_ranks();
  parallel_for(context().threads, copied.size(), 1, [&](std::size_t i) {
    const IndexRange words = words_of(copied[i]);
    unpack_unset(packed_.all().data() + packed.places[copied[i]],
                 replicated_bits().writable().subspan(words.begin, words.size()));
  });
  replicated_bits().synchronize();
  return traffic;
}

Parts PackedFrontier::packed_parts() const {
  std::vector<std::size_t> counts;
  for (const std::size_t unvisited : unvisited_) counts.push_back(words_for_bits(unvisited));
  return Parts::side_by_side(std::move(counts));
}

void PackedFrontier::count_unvisited() {
  parallel_for(context().threads, rank_count(), 1, [&](std::size_t rank) {
    unvisited_[rank] = count_unset(bits().subspan(words_of(rank).begin, words_of(rank).size()));
  });
}

}  // namespace breadth
