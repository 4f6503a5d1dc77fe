#include "traverse/exchange/query_combiner.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "traverse/exchange/packet_codec.hpp"
#include "traverse/exchange/query_message.hpp"

namespace breadth {

namespace {
template <class Word>
struct Query {
  Word target;
  Word distance;  ///< 0 where queries have none; distances compare as the bits that they travel as
  Word parent;
};

/// Queries for one rank, of which only the best for each target count.
template <class Word>
class BestQueries {
 public:
  void add(const Query<Word>& query) {
    queries_.push_back(query);
    if (queries_.size() < room_) return;
    drop_others();
    room_ = std::max(least_room, 2 * queries_.size());
  }
  /// By parent.
  const std::vector<Query<Word>>& best() {
    drop_others();
    std::sort(queries_.begin(), queries_.end(),
              [](const auto& a, const auto& b) { return std::tie(a.parent, a.target) < std::tie(b.parent, b.target); });
    return queries_;
  }
  void clear() { queries_.clear(); }

 private:
  void drop_others() {
    std::sort(queries_.begin(), queries_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.target, a.distance, a.parent) < std::tie(b.target, b.distance, b.parent);
    });
    const auto end = std::unique(queries_.begin(), queries_.end(),
                                 [](const auto& a, const auto& b) { return a.target == b.target; });
    queries_.erase(end, queries_.end());
  }

  static constexpr std::size_t least_room = 4096;
  std::vector<Query<Word>> queries_;
  std::size_t room_ = least_room;
};

template <class Word>
class QueryCombiner final : public MessageCombiner {
 public:
  QueryCombiner(QueryKind queries, PacketFormat format, std::size_t coalescing)
      : words_a_query_(queries == QueryKind::relaxations ? 2 : 1),
        coalescing_(coalescing),
        codec_(make_packet_codec<Word>(format, queries)) {}

  void add(int destination, std::span<std::byte> message) override {
    BestQueries<Word>& waiting = waiting_[destination];
    const std::span packet(reinterpret_cast<Word*>(message.data()), message.size() / sizeof(Word));
    codec_->decode(packet).for_each_run([&](Word parent, std::span<const Word> words) {
      if (words.size() % words_a_query_ != 0) fail("a packet has half a query");
      for (; !words.empty(); words = words.subspan(words_a_query_)) {
        waiting.add({words[words_a_query_ - 1], words_a_query_ == 2 ? words[0] : 0, parent});
      }
    });
  }

  void drain(const Emit& emit) override {
    for (auto& [destination, waiting] : waiting_) {
      for (const Query<Word>& query : waiting.best()) {
        const std::array<Word, 2> words{query.distance, query.target};
        open_.add(query.parent, std::span(words).last(words_a_query_));
        if (open_.queries + words_a_query_ > coalescing_) send(destination, emit);
      }
      if (open_.queries > 0) send(destination, emit);
      waiting.clear();
    }
  }

 private:
  void send(int destination, const Emit& emit) {
    open_.end_run();
    codec_->encode(open_.words, scratch_);
    emit(destination, std::as_bytes(std::span(open_.words)));
    open_.clear();
  }

  std::size_t words_a_query_;
  std::size_t coalescing_;
  std::unique_ptr<PacketCodec<Word>> codec_;
  std::map<int, BestQueries<Word>> waiting_;  ///< by destination
  QueryRuns<Word> open_;
  std::vector<Word> scratch_;
};
}  // namespace

template <class Word>
std::unique_ptr<MessageCombiner> make_query_combiner(Combining combining, PacketFormat format, std::size_t coalescing) {
  if (combining == Combining::none) return nullptr;
  return std::make_unique<QueryCombiner<Word>>(
      combining == Combining::lightest ? QueryKind::relaxations : QueryKind::visits, format, coalescing);
}

template std::unique_ptr<MessageCombiner> make_query_combiner<std::uint32_t>(Combining, PacketFormat, std::size_t);
template std::unique_ptr<MessageCombiner> make_query_combiner<std::uint64_t>(Combining, PacketFormat, std::size_t);

}  // namespace breadth
