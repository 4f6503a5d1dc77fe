// Warps that are interleaved at any access to memory, in an order that a seed determines.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "gpu/simulated/simulated_grid.hpp"

namespace breadth::gpu {

/// The warps of one launch, each in a fiber. One warp runs at a time: the ready one of the highest priority. Priorities
/// are random (Burckhardt et al. 2010: "A randomized scheduler with probabilistic guarantees of finding bugs"), and
/// before some accesses to memory the running warp gets a new one. So a seed gives the same result each time, some
/// warps fall as far behind others as barriers allow, and warps that would wait for ever are found at once.
///
/// The thread sanitizer treats warps as threads that only barriers order. So it reports a pair of accesses of two warps
/// to one place, of which at least one writes and not both are atomic, if no barrier is between them, in whichever
/// order they ran.
class Interleaving {
 public:
  class Warp;
  using Place = std::source_location;

  Interleaving(std::uint32_t blocks, std::uint32_t warps_in_block, std::uint64_t seed);
  ~Interleaving();
  Interleaving(const Interleaving&) = delete;
  Interleaving& operator=(const Interleaving&) = delete;

  /// Runs the body in each warp. Throws the first exception of a warp, and std::logic_error if warps wait at a barrier
  /// at different places of the program, or for warps that have ended. May be called once.
  void run(const std::function<void(Warp&)>& body);

 private:
  class Barrier;

  std::uint64_t random();
  void carry_out(const std::function<void(Warp&)>& body, Warp& warp);
  void hand_over(test::Fiber& from);
  void stop(std::exception_ptr error);
  [[nodiscard]] std::string waiting() const;

  std::uint64_t switch_mask_;
  std::atomic<std::uint64_t> random_;
  // Data that warps share here is atomic, so that the thread sanitizer reports only races of the program.
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint32_t> ended_ = 0;
  std::atomic<std::uint32_t> handed_over_ = 0;
  std::exception_ptr error_;
  test::Fiber caller_{test::Fiber::Stack::of_thread};
  std::unique_ptr<Barrier> grid_;
  std::vector<std::unique_ptr<Barrier>> in_block_;
  std::vector<std::unique_ptr<Warp>> warps_;
};

/// One warp of an Interleaving.
class Interleaving::Warp final : public WarpTurn {
 public:
  Warp(Interleaving& all, std::uint32_t block, std::uint32_t in_block, test::Fiber& fiber);

  [[nodiscard]] std::uint32_t block() const { return block_; }
  [[nodiscard]] std::uint32_t index_in_block() const { return in_block_; }
  void before_access() override;
  /// Waits for all warps of the launch, or of the block. All of them must wait at the same place of the program.
  void wait_for_grid(const Place& place);
  void wait_for_block(const Place& place);

 private:
  friend class Interleaving;
  enum class State : std::uint32_t { ready, waiting, ended };

  void wait_at(Barrier& barrier, std::uint32_t& round, const Place& place);
  void let_others_go_first();

  Interleaving& all_;
  std::uint32_t block_;
  std::uint32_t in_block_;
  std::uint32_t grid_rounds_ = 0;
  std::uint32_t block_rounds_ = 0;
  std::atomic<State> state_ = State::ready;
  std::atomic<std::uint64_t> priority_;
  test::Fiber& fiber_;
};

}  // namespace breadth::gpu
