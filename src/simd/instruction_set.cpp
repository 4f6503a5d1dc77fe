// Compiled for each instruction set like the kernels, so that it knows which set the kernels really use.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/instruction_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/instruction_set.hpp"

#include <hwy/targets.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/errors.hpp"
#include "core/text.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

std::int64_t compiled_target() { return HWY_TARGET; }

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(compiled_target);

// Variants of sets that newer versions of Highway have.
#ifndef HWY_AVX3_ZEN4
#define HWY_AVX3_ZEN4 0
#endif
#ifndef HWY_NEON_BF16
#define HWY_NEON_BF16 0
#endif

namespace {
struct Known {
  InstructionSet set;
  const char* name;
  std::int64_t targets;  ///< Highway's bits of all variants of one set
};

/// The best sets first.
constexpr Known known[] = {{InstructionSet::avx512, "avx512", HWY_AVX3 | HWY_AVX3_DL | HWY_AVX3_ZEN4},
                           {InstructionSet::avx2, "avx2", HWY_AVX2},
                           {InstructionSet::sse4, "sse4", HWY_SSE4},
                           {InstructionSet::sve2, "sve2", HWY_SVE2 | HWY_SVE2_128},
                           {InstructionSet::sve, "sve", HWY_SVE | HWY_SVE_256},
                           {InstructionSet::neon, "neon", HWY_NEON | HWY_NEON_BF16},
                           {InstructionSet::scalar, "scalar", HWY_SCALAR}};

const Known& find(InstructionSet set) {
  return *std::find_if(std::begin(known), std::end(known), [set](const Known& one) { return one.set == set; });
}

/// The targets that the processor has, that the kernels were compiled for and that are not disabled. Highway's query
/// drops the disabled targets from the kernels' dispatch, so they are set again.
std::int64_t usable_targets() {
  const std::int64_t targets = hwy::SupportedTargets();
  hwy::GetChosenTarget().Update(targets);
  return (targets | HWY_SCALAR) & HWY_TARGETS;
}

}  // namespace

void use_instruction_set(InstructionSet set) {
  hwy::DisableTargets(0);
  if (set == InstructionSet::automatic) return;
  const Known& wanted = find(set);
  if ((wanted.targets & usable_targets()) == 0) {
    std::vector<const char*> usable;
    for (const InstructionSet one : usable_instruction_sets()) usable.push_back(name_of(one));
    fail("--simd {0}: this processor has no {0} that the program could use, only {1}", wanted.name,
         joined(usable, ", "));
  }
  hwy::DisableTargets(~wanted.targets);
  if (instruction_set() != set) fail("the program's inner loops could not be set to {}", wanted.name);
}

std::vector<InstructionSet> usable_instruction_sets() {
  const std::int64_t targets = usable_targets();
  std::vector<InstructionSet> usable;
  for (const Known& one : known) {
    if ((one.targets & targets) != 0) usable.push_back(one.set);
  }
  // With vectors of 256 bits Highway prefers SVE kernels for exactly this length to SVE2's for any length.
  std::stable_partition(usable.begin(), usable.end(), [used = instruction_set()](auto set) { return set == used; });
  return usable;
}

InstructionSet instruction_set() {
  const std::int64_t target = HWY_DYNAMIC_DISPATCH(compiled_target)();
  const Known* const scalar = std::prev(std::end(known));
  return std::find_if(std::begin(known), scalar, [=](const Known& one) { return (one.targets & target) != 0; })->set;
}

const char* name_of(InstructionSet set) { return set == InstructionSet::automatic ? "auto" : find(set).name; }

}  // namespace breadth
#endif
