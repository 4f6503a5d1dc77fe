// NVIDIA's library for messages between GPUs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace breadth::gpu {

class NcclLibrary;

/// Ranks whose GPUs send to each other by NCCL, the shortest way that there is between them. NCCL is looked for when
/// the program runs: libnccl.so.2, or what the environment variable NCCL_LIBRARY names. Version 2.7 or later.
class NcclGroup {
 public:
  /// What the ranks of a group know it by.
  using Key = std::array<char, 128>;

  /// Throws Error, which says why, where there is no NCCL.
  static void require();
  /// A key of a new group. One rank makes it and tells the others. Throws Error with NCCL's own words where it fails.
  static Key make_key();

  /// This rank joins, with the GPU that it has chosen. All ranks of the group do so at the same time. Throws Error with
  /// NCCL's own words where it fails, as where two ranks share a GPU.
  NcclGroup(const Key& key, int ranks, int rank);
  ~NcclGroup();
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  /// From `send`, rank after rank, so many bytes to each, and to `receive` what comes from each, both in the memory of
  /// the GPU. What is launched on it afterwards waits for that. Collective.
  void all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes, std::byte* receive,
                  std::span<const std::size_t> receive_bytes) const;

 private:
  std::shared_ptr<const NcclLibrary> library_;
  void* group_ = nullptr;
};

}  // namespace breadth::gpu
