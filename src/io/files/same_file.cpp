#include "io/files/same_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "io/files/hash.hpp"
#include "io/files/input_file.hpp"

namespace breadth {

namespace {
/// What two files hardly ever share. Plain values, to be sent.
struct Signature {
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  ///< of the first and the last page; of a .breadth file, the first has the checksum of all
};

Signature signature_of(const std::string& path) {
  constexpr std::uint64_t page = 4096;
  const FileDescriptor file = open_to_read(path);
  const std::uint64_t bytes = file.size();
  std::array<char, 2 * page> ends{};
  const std::span<char> all(ends);
  static_cast<void>(file.read_at(0, all.first(page)));
  static_cast<void>(file.read_at(bytes - std::min(bytes, page), all.last(page)));
  return {bytes, hash_of(std::as_bytes(all))};
}

void require_equal(const std::string& path, const Signature& mine, const Signature& first) {
  constexpr const char* advice = "put it on a file system that all ranks share, or the same file on each";
  if (mine.bytes != first.bytes) {
    fail("'{}' has {} bytes here, but {} on rank 0: {}", path, mine.bytes, first.bytes, advice);
  }
  if (mine.hash != first.hash) fail("'{}' has other content here than on rank 0: {}", path, advice);
}
}  // namespace

void require_same_file(const std::string& path, const Communicator& ranks) {
  if (ranks.size() == 1) return;
  std::error_code unreadable;  // which opening it reports
  if (!ranks.any(std::filesystem::exists(path, unreadable))) return;
  const Signature mine = run_together(ranks, [&] { return signature_of(path); });
  Signature first = mine;
  ranks.broadcast(std::span(&first, 1), 0);
  run_together(ranks, [&] { require_equal(path, mine, first); });
}

}  // namespace breadth
