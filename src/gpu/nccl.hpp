// NCCL, NVIDIA's library for messages between GPUs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace breadth::gpu {

class NcclLibrary;

/// A group of ranks whose GPUs exchange messages by NCCL, by the shortest route between them. NCCL is loaded at run
/// time: libnccl.so.2, or the library that the environment variable NCCL_LIBRARY names. Version 2.7 or later.
class NcclGroup {
 public:
  /// The unique id of a group.
  using Key = std::array<char, 128>;

  /// Throws Error with the reason if NCCL is not available.
  static void require();
  /// Makes the key of a new group. One rank makes it and sends it to the others. Throws Error with NCCL's message.
  static Key make_key();

  /// Joins the group with the GPU that this rank has chosen. Collective. Throws Error with NCCL's message, for example
  /// if two ranks share a GPU.
  NcclGroup(const Key& key, int ranks, int rank);
  ~NcclGroup();
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  /// Sends the bytes for each rank from `send`, rank after rank, and receives those from each rank into `receive`, both
  /// in the memory of the GPU. Later launches on the GPU wait for the exchange. Collective.
  void all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes, std::byte* receive,
                  std::span<const std::size_t> receive_bytes) const;

 private:
  std::shared_ptr<const NcclLibrary> library_;
  void* group_ = nullptr;
};

}  // namespace breadth::gpu
