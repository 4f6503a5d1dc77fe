// Gathering the communication counts of all ranks.
#include "graph500/report/report.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

/// Rank s sent 10 s + d messages of 100 bytes each to rank d.
SentTraffic traffic(int source, int destination) {
  if (source == destination) return {};
  const auto messages = static_cast<std::uint64_t>(10 * source + destination);
  return {.messages = messages, .bytes = 100 * messages};
}

CommunicationRecord record_of(int rank) {
  CommunicationRecord record;
  for (int other = 0; other < world().size(); ++other) record.sent.push_back(traffic(rank, other));
  record.queries = 7 * static_cast<std::uint64_t>(rank) + 1;
  record.partial_packets = static_cast<std::uint64_t>(rank);
  record.seconds = {.receive = 0.25, .send = 0.25, .finish = 1.5 * rank};
  record.all_reduce_seconds = 0.5 * rank;
  return record;
}

TEST(CommunicationReport, HasEveryRanksPartOnAllRanks) {
  const CommunicationReport report = gather_communication(record_of(world().rank()), {}, world());
  ASSERT_EQ(report.ranks.size(), static_cast<std::size_t>(world().size()));
  for (int rank = 0; rank < world().size(); ++rank) {
    const RankCommunication& part = report.ranks[static_cast<std::size_t>(rank)];
    SentTraffic sent;
    for (int other = 0; other < world().size(); ++other) {
      sent.messages += traffic(rank, other).messages;
      sent.bytes += traffic(rank, other).bytes;
    }
    EXPECT_EQ(part.sent, sent);
    EXPECT_EQ(part.queries, 7 * static_cast<std::uint64_t>(rank) + 1);
    EXPECT_EQ(part.partial_packets, static_cast<std::uint64_t>(rank));
    EXPECT_EQ(part.seconds.receive, 0.25);
    EXPECT_EQ(part.seconds.send, 0.25);
    EXPECT_EQ(part.seconds.finish, 1.5 * rank);
    EXPECT_EQ(part.all_reduce_seconds, 0.5 * rank);
  }
  EXPECT_FALSE(report.predicted_messages || report.predicted_bytes);
}

TEST(CommunicationReport, HasAMatrixBySourceAndDestination) {
  const CommunicationReport report = gather_communication(record_of(world().rank()), {}, world());
  if (world().size() == 1) {
    EXPECT_TRUE(report.matrix.empty()) << "one rank sends nothing";
    return;
  }
  const auto size = static_cast<std::size_t>(world().size());
  ASSERT_EQ(report.matrix.size(), size * size);
  for (int source = 0; source < world().size(); ++source) {
    for (int destination = 0; destination < world().size(); ++destination) {
      EXPECT_EQ(report.matrix[static_cast<std::size_t>(source) * size + static_cast<std::size_t>(destination)],
                traffic(source, destination));
    }
  }
}

TEST(CommunicationReport, TellsTrafficInsideGroupsFromThatBetweenThem) {
  const int size = world().size();
  const CommunicationReport report =
      gather_communication(record_of(world().rank()), {.group_size = 2}, world());  // ranks 0 and 1, 2 and 3, ...
  SentTraffic inside;
  SentTraffic between;
  double seconds = 0;
  for (int source = 0; source < size; ++source) {
    seconds += 0.5 + 1.5 * source;
    for (int destination = 0; destination < size; ++destination) {
      SentTraffic& sum = source / 2 == destination / 2 ? inside : between;
      sum.messages += traffic(source, destination).messages;
      sum.bytes += traffic(source, destination).bytes;
    }
  }
  const DistanceReport& distances = report.distances;
  EXPECT_EQ(distances.groups, static_cast<std::uint64_t>((size + 1) / 2));
  EXPECT_EQ(distances.largest_group, size == 1 ? 1U : 2U);
  EXPECT_EQ(distances.traffic.inside_groups, inside);
  EXPECT_EQ(distances.traffic.between_groups, between);
  // A message inside a group crosses the group's chip. A message between groups crosses both groups' chips and the one
  // board that joins all groups.
  EXPECT_EQ(distances.traffic.hops, (Hops{.chip = inside.messages + 2 * between.messages, .board = between.messages}));
  ASSERT_TRUE(distances.efficiency.has_value());
  EXPECT_DOUBLE_EQ(*distances.efficiency, static_cast<double>(inside.bytes + between.bytes) / (seconds / size));
}

TEST(CommunicationReport, HasNoEfficiencyWithoutSeconds) {
  CommunicationRecord record = record_of(world().rank());
  record.seconds = {};
  EXPECT_FALSE(gather_communication(record, {}, world()).distances.efficiency.has_value());
}

}  // namespace
}  // namespace breadth
