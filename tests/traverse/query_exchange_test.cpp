// Queries of every rank and thread arrive once, with their parents, in messages of the chosen size.
#include "traverse/exchange/query_exchange.hpp"

#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "core/parallel/parallel.hpp"
#include "support/ranks.hpp"
#include "traverse/bfs/query_targets.hpp"

namespace breadth {
namespace {

using test::world;

/// A run of targets with one parent, which one thread of a rank adds for another rank.
template <class Word>
struct Run {
  Word parent;
  std::vector<Word> targets;
};

/// The runs of one superstep. They are computed alike on both ranks, so that the receiver knows what to expect. Parents
/// and targets use all allowed bits.
template <class Word>
std::vector<Run<Word>> runs_between(int source, int destination, int thread, int superstep) {
  std::mt19937_64 random(static_cast<std::uint64_t>(((source * 100 + destination) * 10 + thread) * 10 + superstep));
  std::vector<Run<Word>> runs(random() % 50);
  for (Run<Word>& run : runs) {
    run.parent = static_cast<Word>(random());
    run.targets.resize(1 + (random() % 4 == 0 ? random() % 300 : random() % 3));
    for (Word& target : run.targets) target = static_cast<Word>(random() % QueryMessage<Word>::last_of_run);
  }
  return runs;
}

template <class Word>
using Queries = std::vector<std::tuple<Word, Word>>;

template <class Word>
void expect_all_arrive(const ExchangeStrategy& strategy, int thread_count) {
  const bool bulk = strategy.policy == ExchangePolicy::bulk;
  const std::size_t coalescing = bulk ? 4096 : strategy.coalescing;
  ThreadTeam threads(thread_count);
  const Communicator& ranks = world();  // called on the rank's own thread
  const Context context{ranks, threads};
  const int rank = ranks.rank();
  Queries<Word> received;
  QueryExchange<Word> exchange(context, strategy, [&](QueryMessage<Word> queries) {
    std::size_t in_message = 0;
    queries.for_each_run([&](Word parent, std::span<const Word> targets) {
      in_message += targets.size();
      for (const Word target : targets) received.emplace_back(parent, target);
    });
    EXPECT_GE(in_message, 1U);
    EXPECT_LE(in_message, coalescing);
  });

  std::uint64_t whole_messages = 0;
  std::uint64_t all_queries = 0;
  for (int superstep = 0; superstep < 3; ++superstep) {
    Queries<Word> expected;
    for (int other = 0; other < ranks.size(); ++other) {
      if (other == rank) continue;
      for (int thread = 0; thread < thread_count; ++thread) {
        std::size_t queries = 0;
        for (const auto& run : runs_between<Word>(rank, other, thread, superstep)) queries += run.targets.size();
        whole_messages += (queries + coalescing - 1) / coalescing;
        all_queries += queries;
        for (const auto& run : runs_between<Word>(other, rank, thread, superstep)) {
          for (const Word target : run.targets) expected.emplace_back(run.parent, target);
        }
      }
    }
    received.clear();
    scanning_blocks(threads, static_cast<std::size_t>(thread_count), 1, exchange, [&](IndexRange range, int thread) {
      for (int other = 0; other < ranks.size(); ++other) {
        if (other == rank) continue;
        for (const auto& run : runs_between<Word>(rank, other, static_cast<int>(range.begin), superstep)) {
          exchange.add(thread, other, run.parent, run.targets);
        }
      }
    });
    exchange.finish();
    std::sort(received.begin(), received.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(received, expected);
  }
  EXPECT_EQ(exchange.traffic().queries, all_queries);
  if (bulk) {
    EXPECT_LE(exchange.traffic().messages, 3 * static_cast<std::uint64_t>(ranks.size() - 1))
        << "one message per superstep and rank";
    return;
  }
  // One thread may process the blocks of two threads. Their remaining queries then share a message.
  EXPECT_LE(exchange.traffic().messages, whole_messages);
  if (thread_count == 1) {
    EXPECT_EQ(exchange.traffic().messages, whole_messages);
  }
  EXPECT_LE(exchange.partial_packets(), exchange.traffic().messages);
  const std::uint64_t run_bytes = 2 * sizeof(Word) * all_queries;
  if (strategy.packets == PacketFormat::pairs) {
    EXPECT_EQ(exchange.traffic().bytes, 16 * all_queries);
  } else if (strategy.packets == PacketFormat::runs) {
    EXPECT_LE(exchange.traffic().bytes, run_bytes);
    if (coalescing > 1000) {
      EXPECT_LT(exchange.traffic().bytes, run_bytes * 3 / 4 + 1) << "runs share a parent";
    }
  }
}

TEST(QueryExchange, DeliversEveryQueryOnce) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has nobody to ask";
  for (const PacketFormat packets : {PacketFormat::runs, PacketFormat::pairs, PacketFormat::compressed}) {
    std::vector<ExchangeStrategy> strategies = {{.policy = ExchangePolicy::bulk, .packets = packets}};
    for (const std::size_t coalescing : {std::size_t{1}, std::size_t{7}, std::size_t{256}, std::size_t{1} << 16}) {
      strategies.push_back({.packets = packets, .coalescing = coalescing});
    }
    for (const Termination ending : {Termination::consensus, Termination::counts}) {
      strategies.push_back({.ending = ending, .packets = packets, .coalescing = 7});
    }
    for (const ExchangeStrategy& strategy : strategies) {
      for (const int threads : {1, 3}) {
        expect_all_arrive<std::uint32_t>(strategy, threads);
        expect_all_arrive<std::uint64_t>(strategy, threads);
      }
    }
  }
}

}  // namespace
}  // namespace breadth
