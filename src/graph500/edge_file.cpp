#include "graph500/edge_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "core/parallel/parallel.hpp"
#include "io/binary/mapped_edge_list.hpp"
#include "io/files/file_descriptor.hpp"
#include "io/files/mapped_file.hpp"

namespace breadth {

namespace {
std::uint64_t bytes_of(const EdgeList& list) {
  return list.size() * (sizeof(PackedEdge) + (list.weighted() ? sizeof(float) : 0));
}

/// Throws AgreedError where the disk has no room for what the ranks of a node are about to write there. Collective.
void require_disk_space(std::uint64_t own_bytes, const std::string& folder, const Communicator& ranks) {
  const std::uint64_t needed = ranks.node().all_reduce(own_bytes, Reduction::sum);
  run_together(ranks, [&] {
    std::error_code unknown;
    const std::filesystem::space_info disk = std::filesystem::space(folder, unknown);
    if (unknown || needed <= disk.available) return;
    fail(
        "too little room for the edge list in '{}': it takes {}, {} are free on its disk; --edge-folder names another "
        "folder",
        folder, bytes_text(needed), bytes_text(disk.available));
  });
}

/// A new file without a name in the folder, for nobody else to read.
FileDescriptor make_nameless(const std::string& folder) {
  std::string path = folder + "/breadth-edges-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) fail("cannot make a file for the edge list in '{}': {}", folder, std::strerror(errno));
  FileDescriptor file(descriptor, path);
  if (::unlink(path.c_str()) != 0) fail("cannot remove '{}': {}", path, std::strerror(errno));
  return file;
}

/// Tuples in the order of the list, then their weights.
void write(const EdgeList& list, const FileDescriptor& file, ThreadTeam& threads) {
  const std::uint64_t weights_at = list.size() * sizeof(PackedEdge);
  constexpr std::size_t block = std::size_t{1} << 16;
  parallel_blocks(threads, list.size(), block, [&](IndexRange range, int) {
    std::vector<Edge> edges(range.size(), Edge{no_label, no_label});
    std::vector<float> weights(list.weighted() ? range.size() : 0);
    list.read(range.begin, edges, weights);
    std::vector<PackedEdge> packed(range.size());
    std::transform(edges.begin(), edges.end(), packed.begin(), PackedEdge::pack);
    file.write_at(range.begin * sizeof(PackedEdge), std::as_bytes(std::span(packed)));
    file.write_at(weights_at + range.begin * sizeof(float), std::as_bytes(std::span(weights)));
  });
}
/// Tuples in a file that is there as long as the list.
class OwnFileEdgeList final : public EdgeList {
 public:
  OwnFileEdgeList(FileDescriptor file, std::uint64_t tuples, bool weighted)
      : file_(std::move(file)), mapped_(std::make_shared<const MappedFile>(path_of(file_))), list_(mapped_, 0, tuples) {
    if (weighted) list_.add_weights(mapped_, tuples * sizeof(PackedEdge));
  }
  [[nodiscard]] std::uint64_t size() const override { return list_.size(); }
  [[nodiscard]] bool weighted() const override { return list_.weighted(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    list_.read(first, edges, weights);
  }

 private:
  /// The way to a file without a name.
  static std::string path_of(const FileDescriptor& file) { return fmt::format("/proc/self/fd/{}", file.get()); }

  FileDescriptor file_;
  std::shared_ptr<const MappedFile> mapped_;
  MappedEdgeList list_;
};
}  // namespace

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

bool is_in_memory(const std::string& folder) {
  struct statfs system {};
  if (::statfs(folder.c_str(), &system) != 0) return false;
  return system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC;
}

std::unique_ptr<EdgeList> keep_in_file(const EdgeList& made, const std::string& folder, const Context& context) {
  require_disk_space(bytes_of(made), folder, context.ranks);
  return run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    if (made.size() == 0) return std::make_unique<MemoryEdgeList>();
    FileDescriptor file = make_nameless(folder);
    write(made, file, context.threads);
    return std::make_unique<OwnFileEdgeList>(std::move(file), made.size(), made.weighted());
  });
}

}  // namespace breadth
