#include "traverse/replication/replicated_frontier.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simd/kernels.hpp"

namespace breadth {

namespace {
/// Copies a part of a bitmap to its place in another.
void copy_words(std::span<const std::uint64_t> from, std::uint64_t* to) { std::copy(from.begin(), from.end(), to); }

/// Copies a part of a bitmap when most words are already there: lines that do not change are not written, so that they
/// stay in the caches of their readers.
void update_words(std::span<const std::uint64_t> from, std::uint64_t* to) {
  constexpr std::size_t line = 8;
  for (; from.size() >= line; from = from.subspan(line), to += line) {
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < line; ++i) changed |= from[i] ^ to[i];
    if (changed != 0) copy_words(from.first(line), to);
  }
  copy_words(from, to);
}

/// Each rank's part of the bitmap: the words of its first `searched` vertices, without the first `first_word` words.
Parts bitmap_parts(const Partition& partition, std::size_t searched, std::size_t first_word,
                   const Communicator& ranks) {
  Parts parts;
  for (const std::size_t count : ranks.all_gather(partition.local_count())) {
    parts.places.push_back(first_word + parts.counts.size() * partition.code().stride() / bits_per_word);
    parts.counts.push_back(words_for_bits(std::min(count, searched)) - first_word);
  }
  return parts;
}
}  // namespace

ReplicatedFrontier::ReplicatedFrontier(const Partition& partition, std::size_t searched, std::size_t first_word,
                                       const ReplicationOptions& options, const Context& context)
    : context_(context),
      replicator_(options, context.ranks),
      first_word_(first_word),
      parts_(bitmap_parts(partition, searched, first_word, context.ranks)),
      bits_(replicator_, ReplicatedWords::Role::queue, partition.code().bound() / bits_per_word,
            parts_.counts[own_rank()]) {
  parallel_fill(context.threads, bits_.own_share(), std::uint64_t{0});  // touches the pages
  bits_.synchronize();
}

ReplicatedFrontier::ReplicatedFrontier(const ReplicationOptions& options, const Context& context)
    : context_(context),
      replicator_({.ranks_per_node = options.ranks_per_node}, context.ranks),
      parts_{.counts = std::vector<std::size_t>(rank_count()), .places = std::vector<std::size_t>(rank_count())},
      bits_(replicator_, ReplicatedWords::Role::queue, 0, 0) {}

void ReplicatedFrontier::copy_hubs(const Bitmap& visited) {
  copy_words(visited.words().first(first_word_), bits_.writable().data() + words_of(own_rank()).begin - first_word_);
}

Traffic ReplicatedFrontier::share(const Bitmap& visited) {
  const std::span<std::uint64_t> own = bits_.part(words_of(own_rank()));
  copy_hubs(visited);
  update_words(visited.words().subspan(first_word_, own.size()), own.data());
  return bits_.replicate(parts_);
}

namespace {
/// A replicated frontier of which ranks send only the bits that were not set when they last shared it: a visited vertex
/// stays visited, and all ranks have its bit. The first time in a search each rank sends its whole part, later the
/// packed bits of vertices that were unvisited. Takes the memory of the bitmap once more.
class PackedFrontier final : public ReplicatedFrontier {
 public:
  /// The arguments are those of ReplicatedFrontier.
  PackedFrontier(const Partition& partition, std::size_t searched, std::size_t first_word,
                 const ReplicationOptions& options, const Context& context)
      : ReplicatedFrontier(partition, searched, first_word, options, context),
        packed_(replicator(), ReplicatedWords::Role::queue, parts().count(), words_of(own_rank()).size()),
        unvisited_(rank_count()) {}

  void clear() override { shared_before_ = false; }
  Traffic share(const Bitmap& visited) override {
    const Traffic traffic = shared_before_ ? share_unvisited(visited) : ReplicatedFrontier::share(visited);
    shared_before_ = true;
    count_unvisited();
    return traffic;
  }
  [[nodiscard]] std::uint64_t bytes() const override {
    return ReplicatedFrontier::bytes() + packed_.all().size_bytes();
  }
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const override {
    return ReplicatedFrontier::bytes_counted_elsewhere() + packed_.bytes_counted_elsewhere();
  }

 private:
  Traffic share_unvisited(const Bitmap& visited) {
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
  /// The place of each rank's packed bits among those of all ranks.
  [[nodiscard]] Parts packed_parts() const {
    std::vector<std::size_t> counts;
    for (const std::size_t unvisited : unvisited_) counts.push_back(words_for_bits(unvisited));
    return Parts::side_by_side(std::move(counts));
  }
  void count_unvisited() {
    parallel_for(context().threads, rank_count(), 1, [&](std::size_t rank) {
      unvisited_[rank] = count_unset(bits().subspan(words_of(rank).begin, words_of(rank).size()));
    });
  }

  ReplicatedWords packed_;
  std::vector<std::size_t> unvisited_;  ///< zero bits of each rank when it last shared, to the end of its last word
  bool shared_before_ = false;          ///< in this search
};

/// A replicated frontier with a summary: a bit for each group of global ids, set if the group is not empty (Cui et al.
/// 2012, section III-C). Ranks send each other only the groups that have changed since the last time, and a bit for
/// each group to say which. On several ranks it takes the memory of the bitmap once more.
class SummarizedFrontier final : public ReplicatedFrontier {
 public:
  /// `granularity`: global ids in a group, a power of two, at least 64. Hubs are sent like other vertices.
  SummarizedFrontier(const Partition& partition, std::size_t searched, std::size_t granularity,
                     const ReplicationOptions& options, const Context& context)
      : ReplicatedFrontier(partition, searched, 0, options, context),
        group_log2_(std::countr_zero(granularity)),
        change_words_(max_change_words()),
        summary_(replicator().words(words_for_bits(bits().size() / words_per_group() + 1), replicator().shares_all())),
        changes_(replicator(), ReplicatedWords::Role::summary, change_words_ * rank_count(), change_words_),
        changed_bits_(replicator(), ReplicatedWords::Role::queue, rank_count() > 1 ? parts().count() : 0,
                      words_of(own_rank()).size()),
        summarized_ranks_(replicator().copied_ranks(replicator().shares_all(), true)) {}

  void clear() override {
    const std::span<std::uint64_t> share = summary_.share();
    std::fill(share.begin(), share.end(), 0);
    summary_.barrier();
    replicated_bits().clear();
  }
  Traffic share(const Bitmap& visited) override {
    take_changes(visited.words());
    return rank_count() > 1 ? exchange_changes() : no_traffic;
  }
  [[nodiscard]] Frontier view() const override {
    return SummarizedBits{bits().data(), summary_.span().data(), group_log2_};
  }
  [[nodiscard]] std::uint64_t bytes() const override {
    return ReplicatedFrontier::bytes() + summary_.span().size_bytes() + changes_.all().size_bytes() +
           changed_bits_.all().size_bytes();
  }
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const override {
    return ReplicatedFrontier::bytes_counted_elsewhere() +
           replicator().bytes_counted_elsewhere(summary_, replicator().shares_all()) +
           changes_.bytes_counted_elsewhere() + changed_bits_.bytes_counted_elsewhere();
  }

 private:
  [[nodiscard]] std::size_t words_per_group() const { return (std::size_t{1} << group_log2_) / bits_per_word; }
  [[nodiscard]] std::size_t max_change_words() const {
    const std::size_t max_words = *std::max_element(parts().counts.begin(), parts().counts.end());
    return words_for_bits((max_words + words_per_group() - 1) / words_per_group());
  }
  [[nodiscard]] Parts change_parts() const {
    return Parts::side_by_side(std::vector<std::size_t>(rank_count(), change_words_));
  }

  /// Updates this rank's part, 64 groups at a time.
  void take_changes(std::span<const std::uint64_t> visited) {
    constexpr std::size_t words_per_block = 1024;
    const std::size_t grain = std::max<std::size_t>(1, words_per_block / bits_per_word / words_per_group());
    const std::span<std::uint64_t> changes = changes_.part(change_parts().range(own_rank()));
    parallel_for(context().threads, change_words_, grain, [&](std::size_t i) {
      std::uint64_t changed = 0;
      for (std::size_t bit = 0; bit < bits_per_word; ++bit) {
        if (take_group(i * bits_per_word + bit, visited)) changed |= bit_in_word(bit);
      }
      changes[i] = changed;
      insert_into_summary(own_rank(), i, changed);
    });
  }
  /// Updates one of this rank's groups. Returns whether it has changed.
  bool take_group(std::size_t group, std::span<const std::uint64_t> visited) {
    const std::span<std::uint64_t> bits = replicated_bits().part(words_of(own_rank()));
    const std::size_t end = std::min((group + 1) * words_per_group(), bits.size());
    std::uint64_t changed = 0;
    for (std::size_t word = group * words_per_group(); word < end; ++word) {
      changed |= bits[word] ^ visited[word];
      bits[word] = visited[word];
    }
    return changed != 0;
  }
  /// Adds the changes of 64 of a rank's groups, from group 64 i on, to the summary. The length of a rank's part of the
  /// bitmap is a power of two. So 64 of its groups are a word of the summary, or all its groups are in one word, or the
  /// part is within one group. In the last two cases other ranks of the node may write to the same word.
  void insert_into_summary(std::size_t rank, std::size_t i, std::uint64_t changed) {
    if (changed == 0) return;
    const std::size_t group = words_of(rank).begin / words_per_group() + i * bits_per_word;
    std::atomic_ref<std::uint64_t> word(summary_.span()[group / bits_per_word]);
    word.fetch_or(changed << (group % bits_per_word), std::memory_order_relaxed);
  }

  Traffic exchange_changes() {
    Traffic traffic = changes_.replicate(change_parts());
    const Parts changed = changed_parts();
    std::uint64_t* next = changed_bits_.part(changed.range(own_rank())).data();
    const std::span<const std::uint64_t> own_bits = replicated_bits().part(words_of(own_rank()));
    const std::size_t own_begin = words_of(own_rank()).begin;
    for_each_change(own_rank(), [&](IndexRange words) {
      copy_words(own_bits.subspan(words.begin - own_begin, words.size()), next);
      next += words.size();
    });
    traffic += changed_bits_.replicate(changed);

    for (const std::size_t rank : replicated_bits().copied_ranks()) copy_changed(rank, changed);
    for (const std::size_t rank : summarized_ranks_) {
      for (std::size_t i = 0; i < change_words_; ++i) insert_into_summary(rank, i, changes_of(rank)[i]);
    }
    replicated_bits().synchronize();
    summary_.barrier();
    return traffic;
  }
  [[nodiscard]] std::span<const std::uint64_t> changes_of(std::size_t rank) const {
    return changes_.all().subspan(rank * change_words_, change_words_);
  }
  /// Calls body(words of the bitmap) for each of a rank's groups that have changed.
  template <class Body>
  void for_each_change(std::size_t rank, Body&& body) const {
    const IndexRange words = words_of(rank);
    for (std::size_t i = 0; i < change_words_; ++i) {
      for_each_set_bit(changes_of(rank)[i], i * bits_per_word, [&](std::size_t group) {
        const std::size_t begin = words.begin + group * words_per_group();
        body(IndexRange{begin, std::min(begin + words_per_group(), words.end)});
      });
    }
  }
  /// The place of each rank's changed groups among those of all ranks.
  [[nodiscard]] Parts changed_parts() const {
    std::vector<std::size_t> counts(rank_count());
    for (std::size_t rank = 0; rank < rank_count(); ++rank) {
      for_each_change(rank, [&](IndexRange words) { counts[rank] += words.size(); });
    }
    return Parts::side_by_side(std::move(counts));
  }
  void copy_changed(std::size_t rank, const Parts& changed) {
    const std::uint64_t* from = changed_bits_.all().data() + changed.places[rank];
    for_each_change(rank, [&](IndexRange words) {
      copy_words({from, words.size()}, replicated_bits().writable().data() + words.begin);
      from += words.size();
    });
  }

  int group_log2_;
  std::size_t change_words_;  ///< words of changes_ for each rank
  Replicator::Words summary_;
  ReplicatedWords changes_;                    ///< for each rank a bit for each of its groups
  ReplicatedWords changed_bits_;               ///< the groups that have changed, one after the other
  std::vector<std::size_t> summarized_ranks_;  ///< ranks whose changes this rank adds to the summary
};
}  // namespace

std::unique_ptr<ReplicatedFrontier> make_replicated_frontier(const Partition& partition, std::size_t searched,
                                                             const FrontierOptions& options, const Context& context) {
  if (!options.replicated) return std::make_unique<ReplicatedFrontier>(options.replication, context);
  if (options.granularity == 0) {
    const std::size_t hub_words = partition.hubs().end() / bits_per_word;
    const auto nodes = [&] { return Nodes(context.ranks, options.replication.ranks_per_node).count(); };
    if (context.ranks.size() > 1 && leaves_out_visited(options.replication.bits, nodes(), false)) {
      return std::make_unique<PackedFrontier>(partition, searched, hub_words, options.replication, context);
    }
    return std::make_unique<ReplicatedFrontier>(partition, searched, hub_words, options.replication, context);
  }
  return std::make_unique<SummarizedFrontier>(partition, searched, options.granularity, options.replication, context);
}

std::uint64_t frontier_bytes(std::uint64_t bitmap_bytes, std::uint64_t part_bytes, std::uint64_t ranks,
                             const FrontierPlan& plan) {
  if (plan.holding == FrontierHolding::asked) return 2 * part_bytes;
  if (plan.holding == FrontierHolding::per_subgraph)
    return part_bytes + bitmap_bytes;  // visited vertices, and only hubs
  const std::uint64_t nodes = plan.node_count(ranks);
  const std::uint64_t queue_copies = shares_in_queues(plan.how) ? nodes : ranks;
  const std::uint64_t summary_copies = shares_all(plan.how) ? nodes : ranks;
  const std::uint64_t parts_apart = plan.how == Replication::shared_in ? part_bytes : 0;
  const std::uint64_t queue = queue_copies * bitmap_bytes + parts_apart;
  const bool sends_what_changed = ranks > 1 && (plan.granularity != 0 || plan.leaves_out_visited(ranks));
  const std::uint64_t sent = sends_what_changed ? queue_copies * part_bytes + parts_apart : 0;
  const std::uint64_t summary_and_changes =
      plan.granularity == 0 ? 0 : 2 * summary_copies * bitmap_bytes / plan.granularity;
  return queue + sent + summary_and_changes;
}

}  // namespace breadth
