#include "simd/instruction_set.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

namespace {
struct Known {
  InstructionSet set;
  const char* name;
  std::int64_t targets;  ///< Highway's bits, variants of one set together
};

/// The better ones first.
constexpr Known known[] = {{InstructionSet::avx512, "avx512", HWY_AVX3 | HWY_AVX3_DL},
                           {InstructionSet::avx2, "avx2", HWY_AVX2},
                           {InstructionSet::sse4, "sse4", HWY_SSE4},
                           {InstructionSet::sve2, "sve2", HWY_SVE2 | HWY_SVE2_128},
                           {InstructionSet::sve, "sve", HWY_SVE | HWY_SVE_256},
                           {InstructionSet::neon, "neon", HWY_NEON},
                           {InstructionSet::scalar, "scalar", HWY_SCALAR}};

const Known& find(InstructionSet set) {
  return *std::find_if(std::begin(known), std::end(known), [set](const Known& one) { return one.set == set; });
}

/// Those that the processor has, of those that the kernels were compiled for and nobody forbade.
std::int64_t usable_targets() { return (hwy::SupportedTargets() | HWY_SCALAR) & HWY_TARGETS; }

}  // namespace

void use_instruction_set(InstructionSet set) {
  hwy::DisableTargets(0);
  if (set == InstructionSet::automatic) return;
  const Known& wanted = find(set);
  if ((wanted.targets & usable_targets()) == 0) {
    std::vector<const char*> usable;
    for (const InstructionSet one : usable_instruction_sets()) usable.push_back(name_of(one));
    fail("this processor has no {} that the program could use, only {}", wanted.name, fmt::join(usable, ", "));
  }
  hwy::DisableTargets(~wanted.targets);
}

std::vector<InstructionSet> usable_instruction_sets() {
  std::vector<InstructionSet> usable;
  for (const Known& one : known) {
    if ((one.targets & usable_targets()) != 0) usable.push_back(one.set);
  }
  return usable;
}

InstructionSet instruction_set() { return usable_instruction_sets().front(); }

const char* name_of(InstructionSet set) { return set == InstructionSet::automatic ? "auto" : find(set).name; }

}  // namespace breadth
