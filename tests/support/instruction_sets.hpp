// Test cases that run once for every instruction set of this processor that a kernel was compiled for. Sources that
// include this header are dispatched (breadth_dispatched), so that they see the same instruction sets as the kernels.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>

namespace breadth::test {

/// Limits Highway to these instruction sets for the lifetime of the object.
class InstructionSets {
 public:
  explicit InstructionSets(std::int64_t targets) { use(targets); }
  ~InstructionSets() { use(all_there_are); }
  InstructionSets(const InstructionSets&) = delete;
  InstructionSets& operator=(const InstructionSets&) = delete;

 private:
  static constexpr std::int64_t all_there_are = 0;
  static void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// A suite whose parameter is the only instruction set that its cases use.
class InstructionSetTest : public testing::TestWithParam<std::int64_t> {
  InstructionSets only_this_{GetParam()};
};

/// The parameters of an InstructionSetTest, and their names.
inline auto instruction_sets() { return testing::ValuesIn(hwy::SupportedAndGeneratedTargets()); }
inline std::string instruction_set_name(const testing::TestParamInfo<std::int64_t>& test) {
  return hwy::TargetName(test.param);
}

}  // namespace breadth::test
