#include "interleaving.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

namespace breadth::gpu {

namespace {
constexpr auto relaxed = std::memory_order_relaxed;

/// Thrown to end a warp when another one has failed.
struct Stopped {};

/// Returns a fiber of this thread. Fibers are kept from launch to launch, because making one takes the thread sanitizer
/// long.
test::Fiber& fiber_of_thread(std::size_t number) {
  thread_local std::vector<std::unique_ptr<test::Fiber>> fibers;
  while (fibers.size() <= number) fibers.push_back(std::make_unique<test::Fiber>(test::Fiber::Stack::own));
  return *fibers[number];
}

std::string text_of(const char* file, std::uint32_t line) {
  const std::string_view path = file;
  return std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line);
}
}  // namespace

/// A barrier at which warps wait for each other, round after round.
class Interleaving::Barrier {
 public:
  explicit Barrier(std::uint32_t warps) : warps_(warps) {}

  /// Returns whether this warp is the last one of its round. Throws std::logic_error if other warps wait at another
  /// place.
  bool arrive(std::uint32_t round, const Place& place) {
    const std::uint32_t before = arrived_.load(relaxed);
    if (before == 0) {
      file_.store(place.file_name(), relaxed);
      line_.store(place.line(), relaxed);
    } else if (std::string_view(file_.load(relaxed)) != place.file_name() || line_.load(relaxed) != place.line()) {
      throw std::logic_error("warps wait for each other at different places: " + text() + " and " +
                             text_of(place.file_name(), place.line()));
    }
    gates_[round % 2].fetch_add(1, std::memory_order_acq_rel);
    arrived_.store(before + 1 == warps_ ? 0 : before + 1, relaxed);
    return before + 1 == warps_;
  }
  /// Makes visible everything that all warps did before they arrived. A warp can be at most one round ahead of others.
  void leave(std::uint32_t round) const { (void)gates_[round % 2].load(std::memory_order_acquire); }

  [[nodiscard]] std::uint32_t waiting() const { return arrived_.load(relaxed); }
  [[nodiscard]] std::string text() const { return text_of(file_.load(relaxed), line_.load(relaxed)); }

 private:
  std::uint32_t warps_;
  std::atomic<std::uint32_t> arrived_ = 0;
  std::atomic<const char*> file_ = nullptr;
  std::atomic<std::uint32_t> line_ = 0;
  std::array<std::atomic<std::uint32_t>, 2> gates_{};
};

Interleaving::Warp::Warp(Interleaving& all, std::uint32_t block, std::uint32_t in_block, test::Fiber& fiber)
    : all_(all), block_(block), in_block_(in_block), priority_(all.random()), fiber_(fiber) {}

void Interleaving::Warp::before_access() {
  const std::uint64_t random = all_.random();
  if ((random & all_.switch_mask_) != 0) return;
  priority_.store(all_.random(), relaxed);
  let_others_go_first();
}

void Interleaving::Warp::wait_for_grid(const Place& place) { wait_at(*all_.grid_, grid_rounds_, place); }

void Interleaving::Warp::wait_for_block(const Place& place) { wait_at(*all_.in_block_[block_], block_rounds_, place); }

void Interleaving::Warp::wait_at(Barrier& barrier, std::uint32_t& round, const Place& place) {
  if (barrier.arrive(round, place)) {
    for (const auto& warp : all_.warps_) {
      const bool met = &barrier == all_.grid_.get() || warp->block_ == block_;
      if (met) warp->state_.store(State::ready, relaxed);
    }
  } else {
    state_.store(State::waiting, relaxed);
  }
  let_others_go_first();
  barrier.leave(round++);
}

void Interleaving::Warp::let_others_go_first() {
  all_.hand_over(fiber_);
  if (all_.stopped_.load(relaxed)) throw Stopped{};
}

Interleaving::Interleaving(std::uint32_t blocks, std::uint32_t warps_in_block, std::uint64_t seed)
    : random_(seed), grid_(std::make_unique<Barrier>(blocks * warps_in_block)) {
  constexpr std::array<std::uint64_t, 4> masks = {3, 31, 255, ~std::uint64_t{0}};
  switch_mask_ = masks[random() % masks.size()];
  for (std::uint32_t block = 0; block < blocks; ++block) {
    in_block_.push_back(std::make_unique<Barrier>(warps_in_block));
    for (std::uint32_t i = 0; i < warps_in_block; ++i) {
      warps_.push_back(std::make_unique<Warp>(*this, block, i, fiber_of_thread(warps_.size())));
    }
  }
}

Interleaving::~Interleaving() = default;

void Interleaving::run(const std::function<void(Warp&)>& body) {
  for (const auto& warp : warps_) {
    // The lambda's two words fit into std::function itself. No heap memory may be owned: fibers that end with their
    // thread do not unwind their stacks.
    warp->fiber_.assign([&body, warp = warp.get()] { warp->all_.carry_out(body, *warp); });
  }
  hand_over(caller_);
  (void)handed_over_.load(std::memory_order_acquire);  // orders the caller after everything that warps did
  if (error_) std::rethrow_exception(error_);
}

void Interleaving::carry_out(const std::function<void(Warp&)>& body, Warp& warp) {
  try {
    if (!stopped_.load(relaxed)) body(warp);
  } catch (const Stopped&) {  // another warp reports the error
  } catch (...) {
    stop(std::current_exception());
  }
  warp.state_.store(Warp::State::ended, relaxed);
  ended_.fetch_add(1, relaxed);
  hand_over(warp.fiber_);
}

/// Switches to the ready warp of the highest priority, or to the caller when all warps have ended.
void Interleaving::hand_over(test::Fiber& from) {
  const auto first_ready = [this] {
    Warp* first = nullptr;
    for (const auto& warp : warps_) {
      if (warp->state_.load(relaxed) != Warp::State::ready) continue;
      if (first == nullptr || first->priority_.load(relaxed) < warp->priority_.load(relaxed)) first = warp.get();
    }
    return first;
  };
  Warp* next = first_ready();
  if (next == nullptr && ended_.load(relaxed) < warps_.size()) {
    stop(std::make_exception_ptr(std::logic_error("warps wait for others for ever: " + waiting())));
    next = first_ready();
  }
  test::Fiber& to = next == nullptr ? caller_ : next->fiber_;
  if (&to == &from) return;
  handed_over_.fetch_add(1, std::memory_order_release);
  from.switch_to(to);
}

/// Keeps the first error. All other warps end where they are.
void Interleaving::stop(std::exception_ptr error) {
  if (!stopped_.load(relaxed)) error_ = std::move(error);
  stopped_.store(true, relaxed);
  for (const auto& warp : warps_) {
    if (warp->state_.load(relaxed) == Warp::State::waiting) warp->state_.store(Warp::State::ready, relaxed);
  }
}

/// Describes which warps wait where, and how many have ended.
std::string Interleaving::waiting() const {
  std::string text;
  const auto add = [&text](const Barrier& barrier, const std::string& whom) {
    if (barrier.waiting() == 0) return;
    text += std::to_string(barrier.waiting()) + " at " + barrier.text() + " for " + whom + ", ";
  };
  add(*grid_, "the grid");
  for (const auto& barrier : in_block_) add(*barrier, "their block");
  return text + std::to_string(ended_.load(relaxed)) + " have ended";
}

/// The next random number of the seed (splitmix64).
std::uint64_t Interleaving::random() {
  std::uint64_t z = random_.load(relaxed) + 0x9E3779B97F4A7C15U;
  random_.store(z, relaxed);
  z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
  return z ^ z >> 31U;
}

}  // namespace breadth::gpu
