#include "gpu/nccl.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "core/errors.hpp"

namespace breadth::gpu {

/// The functions of NCCL, as they have been since version 2.7. They run on the GPU's default stream, a null pointer.
class NcclLibrary {
 public:
  using Key = NcclGroup::Key;

  /// Throws Error if there is no NCCL.
  NcclLibrary() : file_(file()), handle_(dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) fail("--device-transport nccl needs NCCL, which cannot be loaded: {}", dlerror());
    find(get_unique_id, "ncclGetUniqueId");
    find(comm_init_rank, "ncclCommInitRank");
    find(comm_abort, "ncclCommAbort");
    find(group_start, "ncclGroupStart");
    find(group_end, "ncclGroupEnd");
    find(send, "ncclSend");
    find(receive, "ncclRecv");
    find(error_string, "ncclGetErrorString");
  }
  NcclLibrary(const NcclLibrary&) = delete;
  NcclLibrary& operator=(const NcclLibrary&) = delete;

  /// The library, loaded at the first call and never closed, because NCCL has threads of its own.
  static std::shared_ptr<const NcclLibrary> instance() {
    static std::shared_ptr<const NcclLibrary> loaded;
    if (!loaded || loaded->file_ != file()) loaded = std::make_shared<const NcclLibrary>();
    return loaded;
  }

  void require_success(int status, const char* what) const {
    if (status != success)
      fail("--device-transport nccl: {} failed: {}; use --device-transport staged, which needs no NCCL", what,
           error_string(status));
  }

  /// ncclUniqueId of NCCL's header.
  struct UniqueId {
    Key bytes;
  };
  static constexpr int success = 0;
  static constexpr int bytes_type = 0;

  int (*get_unique_id)(UniqueId*) = nullptr;
  int (*comm_init_rank)(void**, int, UniqueId, int) = nullptr;
  int (*comm_abort)(void*) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  int (*send)(const void*, std::size_t, int, int, void*, void*) = nullptr;
  int (*receive)(void*, std::size_t, int, int, void*, void*) = nullptr;
  const char* (*error_string)(int) = nullptr;

 private:
  static std::string file() {
    const char* named = std::getenv("NCCL_LIBRARY");
    return named != nullptr ? named : "libnccl.so.2";
  }

  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) fail("--device-transport nccl needs NCCL 2.7 or later: {} has no {}", file_, name);
  }

  std::string file_;
  void* handle_;
};

void NcclGroup::require() { (void)NcclLibrary::instance(); }

NcclGroup::Key NcclGroup::make_key() {
  const auto library = NcclLibrary::instance();
  NcclLibrary::UniqueId id{};
  library->require_success(library->get_unique_id(&id), "making a group");
  return id.bytes;
}

NcclGroup::NcclGroup(const Key& key, int ranks, int rank) : library_(NcclLibrary::instance()) {
  library_->require_success(library_->comm_init_rank(&group_, ranks, {key}, rank), "joining a group");
}

NcclGroup::~NcclGroup() { (void)library_->comm_abort(group_); }

void NcclGroup::all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes, std::byte* receive,
                           std::span<const std::size_t> receive_bytes) const {
  constexpr const char* sending = "sending between GPUs";
  library_->require_success(library_->group_start(), sending);
  for (std::size_t rank = 0; rank < send_bytes.size(); ++rank) {
    const auto peer = static_cast<int>(rank);
    if (send_bytes[rank] > 0) {
      library_->require_success(library_->send(send, send_bytes[rank], NcclLibrary::bytes_type, peer, group_, nullptr),
                                sending);
    }
    if (receive_bytes[rank] > 0) {
      library_->require_success(
          library_->receive(receive, receive_bytes[rank], NcclLibrary::bytes_type, peer, group_, nullptr), sending);
    }
    send += send_bytes[rank];
    receive += receive_bytes[rank];
  }
  library_->require_success(library_->group_end(), sending);
}

}  // namespace breadth::gpu
