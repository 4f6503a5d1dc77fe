// The program that libFuzzer drives: `fuzz_breadth --target=NAME [option of libFuzzer...] FOLDER...`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"
#include "target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {
using breadth::fuzz::Site;
using breadth::fuzz::Target;

// libFuzzer calls three functions without any argument of ours, so their state is global.
const Target* target = nullptr;
int argument_count = 0;
char** arguments = nullptr;

const Site& site() {
  static const breadth::MessagePassing message_passing(argument_count, arguments);
  static const breadth::Communicator ranks = message_passing.world();
  static breadth::ThreadTeam threads(1);  // so that an input takes the same path each time
  static const breadth::Context context{ranks, threads};
  static const Site place = [] {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("breadth-fuzz-{}", ::getpid());
    std::filesystem::create_directory(folder);
    return Site{context, folder.string()};
  }();
  return place;
}

const Target* find_target(std::string_view name) {
  for (const auto& targets : {breadth::fuzz::graph_targets(), breadth::fuzz::option_targets()}) {
    for (const Target& one : targets) {
      if (one.name == name) return &one;
    }
  }
  return nullptr;
}
}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  constexpr std::string_view flag = "--target=";
  argument_count = *count;
  arguments = *words;
  for (int i = 1; i < *count; ++i) {
    const std::string_view word((*words)[i]);
    if (word.starts_with(flag)) target = find_target(word.substr(flag.size()));
  }
  if (target == nullptr) {
    std::fprintf(stderr,
                 "usage: fuzz_breadth --target=NAME [OPTION...] FOLDER...\nNAME is a folder of tests/fuzz/corpus\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->feed({data, size}, site());
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const auto plain = [](std::span<std::uint8_t> memory, std::size_t used) {
    return LLVMFuzzerMutate(memory.data(), used, memory.size());
  };
  return target->mutate({data, most}, size, seed, plain);
}
