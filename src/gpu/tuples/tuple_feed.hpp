// How tuples come to a device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data/edge_list.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/kronecker.hpp"
#include "gpu/gpu_error.hpp"
#include "gpu/phases/each.hpp"
#include "gpu/tuples/generate_tuples.hpp"
#include "gpu/tuples/tuples.hpp"

namespace breadth::gpu {

/// Fills blocks in the memory of a device.
template <class Device>
class TupleFeed {
 public:
  virtual ~TupleFeed() = default;
  /// Tuples `first`, `first` + 1, …, as many as the block has room for.
  virtual void fill(const Device& device, std::uint64_t first, const TupleView& block) = 0;
};

/// Tuples of a Kronecker graph, made where they are wanted.
template <class Device>
class GeneratedTuples final : public TupleFeed<Device> {
 public:
  GeneratedTuples(const Device& device, const Kronecker& kronecker)
      : stream_(kronecker.stream(0)), powers_(device.copy_of(stream_.powers)) {}

  void fill(const Device& device, std::uint64_t first, const TupleView& block) override {
    constexpr int doublings = std::countr_zero(warp_lanes);
    device.launch(GenerateTuples{.scramble = stream_.scramble,
                                 .seed = stream_.start,
                                 .stride = stream_.powers[doublings],
                                 .powers = powers_.constant(),
                                 .first = first,
                                 .tuples = block},
                  warps_for((block.size() + tuples_of_lane - 1) / tuples_of_lane));
  }

 private:
  KroneckerLanes stream_;
  typename Device::template Array<Recurrence::Jump> powers_;
};

/// Tuples of an edge list of the host, read by all threads, by way of memory from which a GPU copies by itself.
template <class Device>
class CopiedTuples final : public TupleFeed<Device> {
 public:
  CopiedTuples(const Device& device, const EdgeList& list, bool weighted, ThreadTeam& threads)
      : list_(list),
        threads_(threads),
        room_(std::min(list.size(), most_staged)),
        sources_(device.template host_array<std::uint32_t>(room_)),
        targets_(device.template host_array<std::uint32_t>(room_)),
        weights_(device.template host_array<float>(weighted ? room_ : 0)) {}

  void fill(const Device& device, std::uint64_t first, const TupleView& block) override {
    for (std::uint64_t done = 0; done < block.size(); done += room_) {
      const std::uint64_t count = std::min<std::uint64_t>(room_, block.size() - done);
      const bool weighted = block.weights.size > 0;
      stage(first + done, count, weighted);
      copy(device, sources_, block.sources, done, count);
      copy(device, targets_, block.targets, done, count);
      if (weighted) copy(device, weights_, block.weights, done, count);
    }
  }

 private:
  /// Tuples that are read together, 8 or 12 bytes each.
  static constexpr std::uint64_t most_staged = std::uint64_t{1} << 22;

  template <class T>
  using HostArray = typename Device::template HostArray<T>;

  template <class T>
  static void copy(const Device& device, HostArray<T>& from, const ArrayView<T>& to, std::uint64_t place,
                   std::uint64_t count) {
    device.copy_in(std::span<const T>(from.span().first(count)), ArrayView<T>{to.data + place, to.size - place});
  }

  void stage(std::uint64_t first, std::uint64_t count, bool weighted) {
    const std::span<std::uint32_t> sources = sources_.span();
    const std::span<std::uint32_t> targets = targets_.span();
    parallel_blocks(threads_, count, edge_block_size, [&](IndexRange range, int) {
      std::array<Edge, edge_block_size> edges;
      const std::span block = std::span(edges).first(range.size());
      list_.read(first + range.begin, block,
                 weighted ? weights_.span().subspan(range.begin, range.size()) : std::span<float>());
      for (std::size_t i = 0; i < block.size(); ++i) {
        sources[range.begin + i] = narrow(block[i].source);
        targets[range.begin + i] = narrow(block[i].target);
      }
    });
    list_.check_unchanged();
  }
  static std::uint32_t narrow(Label label) {
    require_narrow_label(label);
    return static_cast<std::uint32_t>(label.value);
  }

  const EdgeList& list_;
  ThreadTeam& threads_;
  std::size_t room_;
  HostArray<std::uint32_t> sources_;
  HostArray<std::uint32_t> targets_;
  HostArray<float> weights_;
};

}  // namespace breadth::gpu
