#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "io/files/output_file.hpp"

namespace breadth::cli {

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  for (Command (*make)() : {graph500_command, bfs_command, sssp_command, components_command, generate_command,
                            convert_command, info_command, plan_command, tune_command}) {
    commands.push_back(make());
  }
  commands.push_back(options_command(commands));
  return commands;
}

namespace {
constexpr int status_error = 1;
constexpr int status_usage = 2;

/// Prints an error in one call, so that the messages of ranks do not mix.
void print_error(const std::exception& error) { std::fprintf(stderr, "breadth: %s\n", message_of(error).c_str()); }

void print_error(const std::exception& error, const Communicator& ranks) {
  std::fprintf(stderr, "breadth: %s (on rank %d of %d)\n", message_of(error).c_str(), ranks.rank(), ranks.size());
}

/// Throws UsageError if this process is one of several without a common MPI. A launcher of another MPI library, or of
/// none, starts as many runs as there should be ranks, and each would do all the work and write the same files.
void require_one_run(const Communicator& ranks) {
  if (ranks.size() > 1) return;
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* processes = std::getenv(variable);
    if (processes == nullptr || std::atoi(processes) <= 1) continue;
    const std::string library = MessagePassing::library();
    fail<UsageError>(
        "{} processes were started ({}), but they are not connected to each other: {}", processes, variable,
        library == "none"
            ? "this program is built without MPI"
            : fmt::format("start them with the launcher of {}; under Slurm, with srun --mpi=pmix or another type "
                          "from srun --mpi=list",
                          library));
  }
}

int run(const std::vector<std::string>& words, const Communicator& ranks) {
  std::vector<Command> commands = all_commands();
  const Invocation invocation = agree_on_command_line(words, breadth_variables(), commands, ranks);
  for (const std::string& notice : invocation.notices) {
    if (ranks.rank() == 0) say(notice + "\n");
  }
  if (invocation.command != nullptr) return invocation.command->run(ranks);
  print_result(invocation.text, ranks);
  return 0;
}

/// The one place where errors are handled: every rank returns one status, and one rank prints the message. A failure of
/// which other ranks do not know ends those too.
int guard(const std::vector<std::string>& words, const MessagePassing& message_passing) {
  const Communicator ranks = message_passing.world();
  try {
    require_one_run(ranks);
    return run(words, ranks);
  } catch (const UsageError& error) {
    if (ranks.rank() == 0) print_error(error);
    return status_usage;
  } catch (const AgreedError& error) {
    if (ranks.rank() == 0) print_error(error);
    return status_error;
  } catch (const std::exception& error) {
    if (ranks.size() == 1) {
      print_error(error);
      return status_error;
    }
    print_error(error, ranks);
    message_passing.abort(status_error);
  }
}

/// Called for exceptions that cannot be caught, such as lack of memory in a library's destructor. Memory may be short
/// here as well.
[[noreturn]] void end_at_once() {
  const std::exception_ptr error = std::current_exception();
  const char* reason = "an error that cannot be caught";
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    reason = "out of memory";
  } catch (const std::exception& caught) {
    reason = caught.what();
  }
  std::fprintf(stderr, "breadth: %s; the program ends at once\n", reason);
  remove_partial_files();
  std::_Exit(EXIT_FAILURE);
}

/// Removes incomplete files, then ends the process by the signal's default action.
void end_by_signal(int signal) {
  remove_partial_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Installs end_by_signal for the signals that end the program, except those that it was started to ignore. A watchdog
/// ends it by std::quick_exit.
void remove_partial_files_at_the_end() {
  std::at_quick_exit(remove_partial_files);
  for (const int signal : {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU}) {
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

/// Opens standard streams that are closed. Otherwise the first files to be opened would take their descriptors, and be
/// written as streams.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", O_RDONLY);  // read-only: writing must stay an error
  }
}

void prepare_process() {
  keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large gives a write error (EFBIG), not the end
  std::set_terminate(end_at_once);
  remove_partial_files_at_the_end();
}
}  // namespace

int run_program(int argc, char** argv) {
  prepare_process();
  try {
    const MessagePassing message_passing(argc, argv);
    return guard(std::vector<std::string>(argv + 1, argv + argc), message_passing);
  } catch (const UsageError& error) {
    print_error(error);
    return status_usage;
  } catch (const std::exception& error) {
    print_error(error);
    return status_error;
  }
}

}  // namespace breadth::cli
