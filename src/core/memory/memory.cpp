#include "core/memory/memory.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "core/errors.hpp"
#include "core/memory/control_group.hpp"

namespace breadth {

namespace {
constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

/// The value of a line "name:   123 kB" in a file of /proc, in bytes.
std::optional<std::uint64_t> read_kilobytes(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == name + ":" && file >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

/// What is left of the limit on this process's address space (ulimit -v).
std::uint64_t address_space_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  const std::uint64_t used = read_kilobytes("/proc/self/status", "VmSize").value_or(0);
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}
}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  constexpr double mebibyte = 1 << 20;
  constexpr double gibibyte = 1 << 30;
  const auto value = static_cast<double>(bytes);
  return value < gibibyte ? fmt::format("{:.0f} MiB", value / mebibyte) : fmt::format("{:.1f} GiB", value / gibibyte);
}

void refuse_huge_pages() {
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) fail("cannot do without huge pages: {}", std::strerror(errno));
}

bool huge_pages_possible() {
  if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != 0) return false;
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");  // "always [madvise] never"
  std::string policies;
  return static_cast<bool>(std::getline(file, policies)) && policies.find("[never]") == std::string::npos;
}

std::uint64_t peak_resident_bytes() { return read_kilobytes("/proc/self/status", "VmHWM").value_or(0); }

std::uint64_t available_memory_bytes() {
  const std::uint64_t machine = read_kilobytes("/proc/meminfo", "MemAvailable").value_or(unknown);
  return std::min({machine, control_group_bytes(), address_space_bytes()});
}

}  // namespace breadth
