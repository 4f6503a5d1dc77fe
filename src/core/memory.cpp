#include "core/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

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

/// The number that a file holds; nothing where it is absent or says "max".
std::optional<std::uint64_t> read_number(const char* path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

std::uint64_t control_group_headroom_bytes() {
  const auto limit = read_number("/sys/fs/cgroup/memory.max");
  const auto used = read_number("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return unknown;
  return *limit > *used ? *limit - *used : 0;
}
}  // namespace

std::uint64_t peak_resident_bytes() { return read_kilobytes("/proc/self/status", "VmHWM").value_or(0); }

std::uint64_t available_memory_bytes() {
  const std::uint64_t machine = read_kilobytes("/proc/meminfo", "MemAvailable").value_or(unknown);
  return std::min(machine, control_group_headroom_bytes());
}

}  // namespace breadth
