#include "core/parallel/parallel.hpp"

namespace breadth {

SharedBlocks::SharedBlocks(std::size_t count, std::size_t grain, int threads, std::size_t unit)
    : grain_(grain), shares_(static_cast<std::size_t>(threads)) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const IndexRange share = even_share(count, i, shares_.size(), unit);
    shares_[i].next.store(share.begin, std::memory_order_relaxed);
    shares_[i].end = share.end;
  }
}

void SharedBlocks::take(int thread, FunctionRef<void(IndexRange range)> body) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& share = shares_[(static_cast<std::size_t>(thread) + i) % shares_.size()];
    for (std::size_t begin = share.take(grain_); begin < share.end; begin = share.take(grain_)) {
      body(IndexRange{begin, std::min(begin + grain_, share.end)});
    }
  }
}

void SharedBlocks::close() noexcept {
  for (Share& share : shares_) share.next.store(share.end, std::memory_order_relaxed);
}

void parallel_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain,
                     FunctionRef<void(IndexRange range, int thread)> body) {
  if (count == 0) return;
  if (threads.size() == 1 || count <= grain) {
    for (std::size_t begin = 0; begin < count; begin += grain) {
      threads.checkpoint();
      body(IndexRange{begin, std::min(count, begin + grain)}, 0);
    }
    return;
  }
  SharedBlocks blocks(count, grain, threads.size(), grain);
  threads.run([&](int thread) {
    try {
      blocks.take(thread, [&](IndexRange range) {
        if (thread == 0) threads.checkpoint();
        body(range, thread);
      });
    } catch (...) {
      blocks.close();
      throw;
    }
  });
}

}  // namespace breadth
