// The instruction set that the vector kernels use.
#pragma once

#include <vector>

namespace breadth {

/// `automatic`: the best that the processor has. `scalar`: no vectors, one vertex at a time.
enum class InstructionSet { automatic, scalar, sse4, avx2, avx512, neon, sve, sve2 };

/// Selects the instruction set of this process's kernels. Must not be called while a kernel runs. The kernels of kernel
/// 1 and of the generator have no scalar form and use the least instruction set that they have instead. Throws Error
/// that lists the available sets if the processor or the program lacks this one.
void use_instruction_set(InstructionSet set);

/// The instruction sets that this processor and the program have, the one in use first and scalar last. After a choice
/// by use_instruction_set(): the chosen set and scalar.
std::vector<InstructionSet> usable_instruction_sets();

/// The instruction set in use, as reported by a kernel; never `automatic`.
InstructionSet instruction_set();

/// The name of an instruction set in options: "auto", "scalar", "avx2".
const char* name_of(InstructionSet set);

}  // namespace breadth
