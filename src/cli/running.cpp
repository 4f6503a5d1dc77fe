#include "cli/running.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "comm/agreement.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "simd/instruction_set.hpp"

namespace breadth::cli {

// Threads.

namespace {
/// The number of threads of a rank, 0 for its share of the processors: the requested number, or 1 if the MPI library
/// supports only the thread that communicates. Throws AgreedError if more were requested than are supported.
/// Collective.
int permitted_threads(const CommonSettings& settings, const Communicator& ranks) {
  const bool supported = MessagePassing::supports_threads();
  run_together(ranks, [&] {
    if (supported || (settings.threads <= 1 && settings.watchdog == 0)) return;
    fail(
        "{}: this MPI library, {}, supports only one thread a rank (MPI_THREAD_SINGLE); use --threads 1 and no "
        "--watchdog, or another build of the library",
        settings.threads > 1 ? fmt::format("--threads {}", settings.threads) : "--watchdog", MessagePassing::library());
  });
  return supported ? settings.threads : 1;
}

std::unique_ptr<Watchdog> watch(const CommonSettings& settings, const Communicator& ranks) {
  return settings.watchdog > 0 ? std::make_unique<Watchdog>(ranks, settings.watchdog) : nullptr;
}
}  // namespace

RankThreads::RankThreads(const CommonSettings& settings, const Communicator& ranks)
    : threads_(permitted_threads(settings, ranks)),
      watchdog_(watch(settings, ranks)),
      placement_(place_rank(settings.bind, threads_, ranks)) {
  run_together(ranks, [&] {
    team_.emplace(placement_.threads);
    use_instruction_set(settings.simd);
    if (!settings.huge_pages) refuse_huge_pages();
  });
  bind_threads(placement_, *team_, ranks);
  if (ranks.rank() == 0 && !placement_.warning.empty()) say(fmt::format("warning: {}\n", placement_.warning));
}

// Stopping at the request of the user or the scheduler.

namespace {
struct HandledSignal {
  int number;
  struct sigaction before;  ///< the action without the guard
};

// Global, because a signal handler can reach nothing else.
std::array<HandledSignal, 5> handled_signals = {
    {{SIGINT, {}}, {SIGTERM, {}}, {SIGUSR1, {}}, {SIGUSR2, {}}, {SIGXCPU, {}}}};
volatile std::sig_atomic_t received = 0;

/// The handler of the first signal; restores the action without the guard for the second.
void note_signal(int number) {
  received = number;
  for (const HandledSignal& signal : handled_signals) {
    if (signal.number == number) sigaction(number, &signal.before, nullptr);
  }
}
}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // so that no system call here or in MPI is interrupted
  sigemptyset(&action.sa_mask);
  for (HandledSignal& signal : handled_signals) sigaction(signal.number, &action, &signal.before);
}

InterruptGuard::~InterruptGuard() {
  for (const HandledSignal& signal : handled_signals) sigaction(signal.number, &signal.before, nullptr);
}

int InterruptGuard::signal_received() noexcept { return static_cast<int>(received); }

int interrupt_status(const Communicator& ranks) {
  constexpr std::int64_t ended_by_signal = 128;
  const std::int64_t signal = InterruptGuard::signal_received();
  return static_cast<int>(ended_by_signal + ranks.all_reduce(signal, Reduction::maximum));
}

// Options without effect.

void say_without_effect(const std::vector<std::string>& names, const Communicator& ranks) {
  if (ranks.size() > 1 || names.empty()) return;
  say(fmt::format("on one rank {} {} no effect\n", listed(names), names.size() == 1 ? "has" : "have"));
}

// Results.

void print_result(const std::string& text, const Communicator& ranks) {
  run_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) fail("cannot write to standard output: {}", std::strerror(errno));
  });
}

void print_values(const nlohmann::ordered_json& values, bool as_json, const Communicator& ranks) {
  if (as_json) return print_result(values.dump(1) + "\n", ranks);
  std::string text;
  for (const auto& [key, value] : values.items()) {
    text += fmt::format("{}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  print_result(text, ranks);
}

void add_json_option(OptionSet& options, std::string& json) {
  options.add_text("json", json, "a file, or - for standard output",
                   {.group = OptionGroup::everyday, .meaning = "file for the whole result as JSON", .writes = true});
}

ResultOutput::ResultOutput(std::string json, const Communicator& ranks) : ranks_(ranks), json_(std::move(json)) {
  run_together(ranks, [&] {
    if (wants_json() && json_ != standard_output && ranks.rank() == 0) file_.emplace(json_);
  });
}

void ResultOutput::write(const std::string& lines, const std::function<std::string()>& json) {
  const bool first = ranks_.rank() == 0;
  const std::string text = run_together(ranks_, [&] { return first && wants_json() ? json() : std::string(); });
  if (json_ == standard_output) {
    if (first) say(lines);
    print_result(text, ranks_);
    return;
  }
  print_result(lines, ranks_);
  run_together(ranks_, [&] {
    if (!file_) return;
    file_->write(text);
    file_->commit();
  });
}

}  // namespace breadth::cli
