#include "traverse/replicated_frontier.hpp"

#include <algorithm>
#include <bit>

namespace breadth {

namespace {
/// Copies a part of a bitmap to its place in another.
void copy_words(std::span<const std::uint64_t> from, std::uint64_t* to) { std::copy(from.begin(), from.end(), to); }
}  // namespace

ReplicatedFrontier::ReplicatedFrontier(const Partition& partition, std::size_t searched, const Context& context)
    : context_(context), bits_(partition.code().bound() / bits_per_word) {
  for (const std::size_t count : context.ranks.all_gather(partition.local_count())) {
    word_places_.push_back(word_counts_.size() * partition.code().stride() / bits_per_word);
    word_counts_.push_back(words_for_bits(std::min(count, searched)));
  }
  parallel_fill(context.threads, bits_.span(), std::uint64_t{0});  // pages are taken now
}

std::uint64_t ReplicatedFrontier::share(const Bitmap& visited) {
  const auto mine = visited.words().first(own().size());
  context_.ranks.all_gather(mine, bits_.span(), word_counts_, word_places_);
  return mine.size_bytes() * (rank_count() - 1);
}

SummarizedFrontier::SummarizedFrontier(const Partition& partition, std::size_t searched, std::size_t granularity,
                                       const Context& context)
    : ReplicatedFrontier(partition, searched, context),
      group_log2_(std::countr_zero(granularity)),
      summary_(words_for_bits(bits().size() / words_per_group() + 1)) {
  std::size_t most_words = 0;
  std::size_t all_words = 0;
  for (std::size_t rank = 0; rank < rank_count(); ++rank) {
    most_words = std::max(most_words, words_of(rank).size());
    all_words += words_of(rank).size();
  }
  change_words_ = words_for_bits((most_words + words_per_group() - 1) / words_per_group());
  changes_.resize(change_words_ * rank_count());
  if (rank_count() > 1) changed_bits_ = Buffer<std::uint64_t>(all_words);
}

void SummarizedFrontier::clear() {
  std::fill(writable_bits().begin(), writable_bits().end(), 0);
  std::fill(summary_.begin(), summary_.end(), 0);
}

std::uint64_t SummarizedFrontier::share(const Bitmap& visited) {
  take_changes(visited.words());
  return rank_count() > 1 ? exchange_changes() : 0;
}

/// Brings this rank's part up to date. What a rank's 64 groups have in the summary is a word of it, or they are all
/// that the rank has: either way one thread's.
void SummarizedFrontier::take_changes(std::span<const std::uint64_t> visited) {
  constexpr std::size_t words_per_block = 1024;
  const std::size_t grain = std::max<std::size_t>(1, words_per_block / bits_per_word / words_per_group());
  parallel_for(context().threads, change_words_, grain, [&](std::size_t i) {
    std::uint64_t changed = 0;
    for (std::size_t bit = 0; bit < bits_per_word; ++bit) {
      if (take_group(i * bits_per_word + bit, visited)) changed |= bit_in_word(bit);
    }
    changes_of(own_rank())[i] = changed;
  });
}

bool SummarizedFrontier::take_group(std::size_t group, std::span<const std::uint64_t> visited) {
  const IndexRange own_words = words_of(own_rank());
  std::uint64_t* const bits = writable_bits().data() + own_words.begin;
  const std::size_t end = std::min((group + 1) * words_per_group(), own_words.size());
  std::uint64_t changed = 0;
  for (std::size_t word = group * words_per_group(); word < end; ++word) {
    changed |= bits[word] ^ visited[word];
    bits[word] = visited[word];
  }
  if (changed == 0) return false;
  insert_into_summary(own_words.begin + group * words_per_group());
  return true;
}

template <class Body>
void SummarizedFrontier::for_each_change(std::size_t rank, Body&& body) {
  const IndexRange words = words_of(rank);
  for (std::size_t i = 0; i < change_words_; ++i) {
    for_each_set_bit(changes_of(rank)[i], i * bits_per_word, [&](std::size_t group) {
      const std::size_t begin = words.begin + group * words_per_group();
      body(IndexRange{begin, std::min(begin + words_per_group(), words.end)});
    });
  }
}

std::uint64_t SummarizedFrontier::exchange_changes() {
  const Communicator& ranks = context().ranks;
  const std::span<const std::uint64_t> own_changes = changes_of(own_rank());
  ranks.all_gather(own_changes, std::span(changes_), std::vector(rank_count(), change_words_));

  std::vector<std::size_t> counts(rank_count(), 0);
  std::vector<std::size_t> places(rank_count(), 0);
  for (std::size_t rank = 0; rank < rank_count(); ++rank) {
    if (rank > 0) places[rank] = places[rank - 1] + counts[rank - 1];
    for_each_change(rank, [&](IndexRange words) { counts[rank] += words.size(); });
  }
  std::uint64_t* next = changed_bits_.data() + places[own_rank()];
  for_each_change(own_rank(), [&](IndexRange words) {
    copy_words(bits().subspan(words.begin, words.size()), next);
    next += words.size();
  });
  const std::span<const std::uint64_t> mine = changed_bits_.span().subspan(places[own_rank()], counts[own_rank()]);
  ranks.all_gather(mine, changed_bits_.span(), counts, places);

  for (std::size_t rank = 0; rank < rank_count(); ++rank) {
    if (rank == own_rank()) continue;
    const std::uint64_t* from = changed_bits_.data() + places[rank];
    for_each_change(rank, [&](IndexRange words) {
      copy_words({from, words.size()}, writable_bits().data() + words.begin);
      insert_into_summary(words.begin);
      from += words.size();
    });
  }
  return (own_changes.size_bytes() + mine.size_bytes()) * (rank_count() - 1);
}

std::unique_ptr<ReplicatedFrontier> make_replicated_frontier(const Partition& partition, std::size_t searched,
                                                             std::size_t granularity, const Context& context) {
  if (granularity == 0) return std::make_unique<ReplicatedFrontier>(partition, searched, context);
  return std::make_unique<SummarizedFrontier>(partition, searched, granularity, context);
}

}  // namespace breadth
