// Which instruction set the vector kernels are for.
#pragma once

#include <vector>

namespace breadth {

/// `automatic`: the best that the processor has. `scalar`: none, one vertex at a time.
enum class InstructionSet { automatic, scalar, sse4, avx2, avx512, neon, sve, sve2 };

/// The kernels of this process are for that instruction set from now on. Not while one runs. Those of kernel 1 and
/// of the generator have no scalar form: the least that they have takes its place. Throws Error naming what there is
/// where the processor or the program lacks it.
void use_instruction_set(InstructionSet set);

/// Those that this processor and the program have, the one that kernels are for first and scalar last; where one was
/// asked for, that one and scalar.
std::vector<InstructionSet> usable_instruction_sets();

/// The one that kernels are for now, asked of a kernel: never `automatic`.
InstructionSet instruction_set();

/// "auto", "scalar", "avx2": as options have it.
const char* name_of(InstructionSet set);

}  // namespace breadth
