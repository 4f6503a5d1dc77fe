#include "comm/phase.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "comm/agreement.hpp"
#include "comm/nodes.hpp"
#include "core/errors.hpp"

namespace breadth {

// Phases.

namespace {
template <class T>
T read(const T& shared) noexcept {
  return std::atomic_ref(const_cast<T&>(shared)).load(std::memory_order_acquire);
}

template <class T>
void write(T& shared, T value) noexcept {
  std::atomic_ref(shared).store(value, std::memory_order_release);
}
}  // namespace

void PhaseSlot::enter(const char* name) noexcept {
  if (depth_ < deepest) {
    auto& place = names_[depth_];
    std::size_t i = 0;
    for (; i < longest_name && name[i] != '\0'; ++i) write(place[i], name[i]);
    write(place[i], '\0');
  }
  write(depth_, depth_ + 1);
  progress();
}

void PhaseSlot::leave() noexcept {
  write(depth_, depth_ - 1);
  progress();
}

void PhaseSlot::progress() noexcept { write(changes_, changes_ + 1); }

std::uint64_t PhaseSlot::changes() const noexcept { return read(changes_); }

std::string PhaseSlot::text() const {
  std::string text;
  const std::size_t named = std::min<std::size_t>(read(depth_), deepest);
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += " > ";
    for (const char& letter : names_[i]) {
      const char shown = read(letter);
      if (shown == '\0') break;
      text += shown;
    }
  }
  return text;
}

// The watchdog: ends a run that makes no progress, and reports where it is stuck.

namespace {
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Whether a watcher of the machine has claimed the report, and whether it has printed it.
struct Report {
  std::uint32_t claimed;
  std::uint32_t printed;
};
}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "this machine";
}

class Watchdog::Watcher {
 public:
  Watcher(const Communicator& ranks, double seconds)
      : ranks_(ranks),
        node_(ranks.node()),
        rank_of_slot_(node_.all_gather(ranks.rank())),
        slots_(node_, rank_of_slot_.size()),
        report_(node_, 1),
        limit_(seconds),
        interval_(std::clamp(seconds / 10, 0.01, 1.0)) {
    start();
    ranks_.publish_phases(&slots_.span()[static_cast<std::size_t>(node_.rank())]);
  }
  ~Watcher() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wakes_.notify_one();
    thread_.join();
    ranks_.publish_phases(nullptr);
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  /// The change counter of a slot when it was last read, and how long it has not changed.
  struct Seen {
    std::uint64_t changes = 0;
    Seconds silence{0};
  };

  void start() {
    try {
      thread_ = std::thread([this] { watch(); });
    } catch (const std::system_error& error) {
      fail("cannot start the thread that watches (--watchdog): {}", error.code().message());
    }
  }

  void watch() {
    std::vector<Seen> seen(rank_of_slot_.size());
    std::unique_lock lock(mutex_);
    for (Clock::time_point last = Clock::now();;) {
      if (wakes_.wait_for(lock, interval_, [this] { return ending_; })) return;
      const Clock::time_point now = Clock::now();
      look(seen, std::min<Seconds>(now - last, 2 * interval_));
      last = now;
      const bool stuck = std::ranges::any_of(seen, [this](const Seen& it) { return it.silence > limit_; });
      if (stuck) give_up(seen);
    }
  }

  void look(std::vector<Seen>& seen, Seconds passed) const {
    for (std::size_t slot = 0; slot < seen.size(); ++slot) {
      const std::uint64_t changes = slots_.span()[slot].changes();
      seen[slot].silence = changes == seen[slot].changes ? seen[slot].silence + passed : Seconds{0};
      seen[slot].changes = changes;
    }
  }

  /// Writes the report in one call, because the standard errors of all ranks form one stream. Then ends the process, by
  /// the program's functions for std::quick_exit.
  [[noreturn]] void give_up(const std::vector<Seen>& seen) {
    constexpr Seconds patience{1};
    Report& report = report_.span().front();
    const std::atomic_ref claimed(report.claimed);
    const std::atomic_ref printed(report.printed);
    if (claimed.exchange(1) == 0) {
      const std::string message = text(seen);
      std::fwrite(message.data(), 1, message.size(), stderr);
      std::fflush(stderr);
      if (node_.size() < ranks_.size()) std::this_thread::sleep_for(patience);
      printed.store(1);
    } else {
      const Clock::time_point start = Clock::now();
      while (printed.load() == 0 && Clock::now() - start < 3 * patience) std::this_thread::sleep_for(interval_);
    }
    std::quick_exit(EXIT_FAILURE);
  }

  [[nodiscard]] std::string text(const std::vector<Seen>& seen) const {
    std::string text = fmt::format("breadth: no progress for {:g} s (--watchdog) on {}; the ranks there are in\n",
                                   limit_.count(), host_name());
    for (std::size_t slot = 0; slot < seen.size(); ++slot) {
      const std::string phase = slots_.span()[slot].text();
      text += fmt::format("  rank {} of {}: {}, for {:.1f} s\n", rank_of_slot_[slot], ranks_.size(),
                          phase.empty() ? "between phases" : phase, seen[slot].silence.count());
    }
    return text;
  }

  Communicator ranks_;
  Communicator node_;
  std::vector<int> rank_of_slot_;
  SharedBuffer<PhaseSlot> slots_;
  SharedBuffer<Report> report_;
  Seconds limit_;
  Seconds interval_;
  std::mutex mutex_;
  std::condition_variable wakes_;
  bool ending_ = false;
  std::thread thread_;
};

/// The watchers communicate only with those on their machine. Until all of them share memory, the watchers of a machine
/// fail together; other machines need not fail.
Watchdog::Watchdog(const Communicator& ranks, double seconds)
    : watcher_(run_together(ranks, [&] { return std::make_unique<Watcher>(ranks, seconds); })) {}

Watchdog::~Watchdog() = default;

}  // namespace breadth
