#include "traverse/replication/mask_reduction.hpp"

#include "comm/communicator.hpp"
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

/// By all-reduces inside each node and among the nodes' leaders, who then tell their nodes: what is the same whether
/// the second is waited for at once or not.
class InTwoPhases : public MaskReduction {
 public:
  explicit InTwoPhases(const Nodes& nodes) : nodes_(nodes), leaders_(leaders_of(nodes)) {}

 protected:
  void combine_inside(std::span<std::uint64_t> masks) const { nodes_.node().all_reduce(masks, Reduction::bitwise_or); }

  /// What leaders have combined reaches their nodes. Returns what this rank sent in both phases and for this.
  [[nodiscard]] MaskTraffic tell_node(std::span<std::uint64_t> masks) const {
    nodes_.node().broadcast(masks, 0);
    const std::uint64_t size = masks.size_bytes();
    const auto here = static_cast<std::size_t>(nodes_.node().size());
    const std::uint64_t between = nodes_.leads() ? all_reduce_bytes(size, nodes_.count()) : 0;
    const std::uint64_t told = nodes_.leads() ? (here - 1) * size : 0;
    return {all_reduce_bytes(size, here) + between + told, between};
  }

  [[nodiscard]] bool leads() const { return nodes_.leads(); }
  [[nodiscard]] const Communicator& leaders() const { return leaders_; }

 private:
  const Nodes& nodes_;
  Communicator leaders_;
};

class InTwoPhasesAtTheEnd final : public InTwoPhases {
 public:
  using InTwoPhases::InTwoPhases;

  void start(std::span<std::uint64_t> masks) override { masks_ = masks; }
  [[nodiscard]] MaskTraffic finish() override {
    combine_inside(masks_);
    if (leads()) leaders().all_reduce(masks_, Reduction::bitwise_or);
    return tell_node(masks_);
  }

 private:
  std::span<std::uint64_t> masks_;
};

class InTwoPhasesMeanwhile final : public InTwoPhases {
 public:
  explicit InTwoPhasesMeanwhile(const Nodes& nodes) : InTwoPhases(nodes), pending_(leaders()) {}

  void start(std::span<std::uint64_t> masks) override {
    masks_ = masks;
    combine_inside(masks_);
    if (leads()) pending_.start(masks_);
  }
  [[nodiscard]] MaskTraffic finish() override {
    if (leads()) pending_.finish();
    return tell_node(masks_);
  }

 private:
  PendingUnion pending_;
  std::span<std::uint64_t> masks_;
};

}  // namespace

std::unique_ptr<MaskReduction> make_mask_reduction(HubMasks how, const Nodes& nodes) {
  switch (how) {
    case HubMasks::blocking: return std::make_unique<OfAllRanks>(nodes);
    case HubMasks::two_phase: return std::make_unique<InTwoPhasesAtTheEnd>(nodes);
    case HubMasks::nonblocking: return std::make_unique<Meanwhile>(nodes);
    case HubMasks::two_phase_nonblocking: return std::make_unique<InTwoPhasesMeanwhile>(nodes);
  }
  fail("unknown way of combining masks");
}

}  // namespace breadth
