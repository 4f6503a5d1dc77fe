#include "core/memory/memory.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

// The process and its machine.

namespace {
using Path = std::filesystem::path;

/// Stands for no limit, and for a limit that the system does not report.
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number in a file's line "name 123".
std::optional<std::uint64_t> read_entry(const Path& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::uint64_t number = 0;
    if (word == name && file >> number) return number;
  }
  return std::nullopt;
}

/// The number in a file's line "name:   123 kB", in bytes.
std::optional<std::uint64_t> read_kilobytes(const Path& path, const std::string& name) {
  std::optional<std::uint64_t> number = read_entry(path, name + ":");
  if (number) *number *= 1024;
  return number;
}

/// The bytes left of the limit on this process's address space (ulimit -v).
std::uint64_t address_space_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
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
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) fail("cannot turn off huge pages: {}", std::strerror(errno));
}

bool huge_pages_possible() {
  if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != 0) return false;
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");  // "always [madvise] never"
  std::string policies;
  return static_cast<bool>(std::getline(file, policies)) && policies.find("[never]") == std::string::npos;
}

std::uint64_t peak_resident_bytes() { return read_kilobytes("/proc/self/status", "VmHWM").value_or(0); }

std::uint64_t available_memory_bytes() {
  const std::uint64_t machine = read_kilobytes("/proc/meminfo", "MemAvailable").value_or(unlimited);
  return std::min({machine, control_group_bytes(), address_space_bytes()});
}

// Control groups.

namespace {
/// The files in which a version of control groups keeps a group's figures.
struct ControlGroupFiles {
  std::array<const char*, 2> limits;  ///< above the second limit a process is not killed but slowed down permanently
  const char* used;
  const char* idle_entry;  ///< of memory.stat
};
constexpr ControlGroupFiles version_1{
    {"memory.limit_in_bytes", "memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"};
constexpr ControlGroupFiles version_2{{"memory.max", "memory.high"}, "memory.current", "inactive_file"};

/// A mounted tree of groups.
struct Hierarchy {
  const ControlGroupFiles* files;
  Path group;  ///< the group at the mount point, in a container often its own
  Path mount_point;
};

/// The number that a file holds; nothing where it is absent or says "max".
std::optional<std::uint64_t> read_number(const Path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// Whether a comma-separated list contains this word.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t length = std::min(list.find(','), list.size());
    if (list.substr(0, length) == word) return true;
    list.remove_prefix(std::min(length + 1, list.size()));
  }
  return false;
}

/// The hierarchies that limit memory, as /proc/self/mountinfo has them: "36 25 0:31 GROUP MOUNT_POINT options... - TYPE
/// source OPTIONS".
std::vector<Hierarchy> memory_hierarchies(const std::string& root) {
  std::vector<Hierarchy> hierarchies;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t separator = line.find(" - ");
    if (separator == std::string::npos) continue;
    std::string ignored;
    std::string group;
    std::string mount_point;
    std::string type;
    std::string options;
    std::istringstream(line) >> ignored >> ignored >> ignored >> group >> mount_point;
    std::istringstream(line.substr(separator + 3)) >> type >> ignored >> options;
    if (type == "cgroup2") hierarchies.push_back({&version_2, group, root + mount_point});
    if (type == "cgroup" && lists(options, "memory")) hierarchies.push_back({&version_1, group, root + mount_point});
  }
  return hierarchies;
}

/// The group of this process in the hierarchies of one version, as /proc/self/cgroup has it: "4:memory:/GROUP",
/// "0::/GROUP".
std::optional<Path> own_group(const std::string& root, const ControlGroupFiles* files) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = std::min(line.find(':'), line.size() - 1);
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
    const bool wanted = files == &version_2 ? controllers.empty() : lists(controllers, "memory");
    if (wanted) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The bytes that the limit of one group leaves.
std::uint64_t headroom_bytes(const Path& folder, const ControlGroupFiles& files) {
  std::uint64_t limit = unlimited;
  for (const char* name : files.limits) limit = std::min(limit, read_number(folder / name).value_or(unlimited));
  const auto used = read_number(folder / files.used);
  if (limit == unlimited || !used) return unlimited;
  // Inactive pages of files count as used, but the kernel reclaims them when memory is needed.
  const std::uint64_t idle = read_entry(folder / "memory.stat", files.idle_entry).value_or(0);
  const std::uint64_t needed = *used - std::min(*used, idle);
  return limit > needed ? limit - needed : 0;
}

/// The least number of bytes that a limit of the groups from `group` up to the group at the mount point leaves. If
/// `group` is not below the group at the mount point, it cannot be seen from here, as in a container that shows the
/// paths of its host; then only the group at the mount point counts.
std::uint64_t min_headroom_bytes(const Hierarchy& hierarchy, const Path& group) {
  Path folder = hierarchy.mount_point;
  std::uint64_t least = headroom_bytes(folder, *hierarchy.files);
  const Path below = group.lexically_relative(hierarchy.group);
  if (below.empty() || *below.begin() == "..") return least;
  for (const Path& name : below) {
    folder /= name;
    least = std::min(least, headroom_bytes(folder, *hierarchy.files));
  }
  return least;
}
}  // namespace

std::uint64_t control_group_bytes(const std::string& root) {
  std::uint64_t least = unlimited;
  for (const Hierarchy& hierarchy : memory_hierarchies(root)) {
    const std::optional<Path> group = own_group(root, hierarchy.files);
    if (group) least = std::min(least, min_headroom_bytes(hierarchy, *group));
  }
  return least;
}

}  // namespace breadth
