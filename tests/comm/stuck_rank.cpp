// stuck_rank RANK SECONDS [stop]: all ranks work under a watchdog for a while, then RANK never comes to a barrier: it
// sleeps in a phase of its own, or, with `stop`, its whole process is stopped. The program never ends by itself.
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "comm/phase.hpp"

int main(int argc, char** argv) {
  const breadth::MessagePassing message_passing(argc, argv);
  const breadth::Communicator ranks = message_passing.world();
  const int stuck = std::atoi(argv[1]);
  const bool stop = argc > 3 && std::string(argv[3]) == "stop";
  const breadth::Watchdog watchdog(ranks, std::atof(argv[2]));
  const breadth::Phase phase(ranks, "the test");
  for (int i = 0; i < 100; ++i) ranks.barrier();
  if (ranks.rank() == stuck) {
    const breadth::Phase asleep(ranks, "a step without end");
    if (stop) std::raise(SIGSTOP);
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  ranks.barrier();
  return 0;
}
