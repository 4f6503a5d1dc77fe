#include "traverse/mask_reduction.hpp"

#include "comm/collective_bytes.hpp"
#include "comm/pending_union.hpp"
#include "core/errors.hpp"

namespace breadth {

namespace {

/// What one all-reduce of all ranks takes.
MaskTraffic traffic_of_all(std::span<const std::uint64_t> masks, const Nodes& nodes) {
  const std::uint64_t bytes = all_reduce_bytes(masks.size_bytes(), static_cast<std::uint64_t>(nodes.all().size()));
  return {bytes, nodes.bytes_between(bytes)};
}

class OfAllRanks final : public MaskReduction {
 public:
  explicit OfAllRanks(const Nodes& nodes) : nodes_(nodes) {}

  void start(std::span<std::uint64_t> masks) override { masks_ = masks; }
  [[nodiscard]] MaskTraffic finish() override {
    nodes_.all().all_reduce(masks_, Reduction::bitwise_or);
    return traffic_of_all(masks_, nodes_);
  }

 private:
  const Nodes& nodes_;
  std::span<std::uint64_t> masks_;
};

class Meanwhile final : public MaskReduction {
 public:
  explicit Meanwhile(const Nodes& nodes) : nodes_(nodes), pending_(nodes.all()) {}

  void start(std::span<std::uint64_t> masks) override {
    masks_ = masks;
    pending_.start(masks);
  }
  [[nodiscard]] MaskTraffic finish() override {
    pending_.finish();
    return traffic_of_all(masks_, nodes_);
  }

 private:
  const Nodes& nodes_;
  PendingUnion pending_;
  std::span<std::uint64_t> masks_;
};

class InTwoPhases final : public MaskReduction {
 public:
  explicit InTwoPhases(const Nodes& nodes)
      : nodes_(nodes), leaders_(nodes.all().split(nodes.leads() ? 0 : 1, nodes.all().rank())) {}

  void start(std::span<std::uint64_t> masks) override { masks_ = masks; }
  [[nodiscard]] MaskTraffic finish() override {
    const std::uint64_t size = masks_.size_bytes();
    const auto here = static_cast<std::size_t>(nodes_.node().size());
    nodes_.node().all_reduce(masks_, Reduction::bitwise_or);
    std::uint64_t between = 0;
    if (nodes_.leads()) {
      leaders_.all_reduce(masks_, Reduction::bitwise_or);
      between = all_reduce_bytes(size, nodes_.count());
    }
    nodes_.node().broadcast(masks_, 0);
    const std::uint64_t told = nodes_.leads() ? (here - 1) * size : 0;
    return {all_reduce_bytes(size, here) + between + told, between};
  }

 private:
  const Nodes& nodes_;
  Communicator leaders_;
  std::span<std::uint64_t> masks_;
};

}  // namespace

std::unique_ptr<MaskReduction> make_mask_reduction(HubMasks how, const Nodes& nodes) {
  switch (how) {
    case HubMasks::blocking: return std::make_unique<OfAllRanks>(nodes);
    case HubMasks::two_phase: return std::make_unique<InTwoPhases>(nodes);
    case HubMasks::nonblocking: return std::make_unique<Meanwhile>(nodes);
  }
  fail("unknown way of combining masks");
}

}  // namespace breadth
