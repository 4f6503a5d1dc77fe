// A library to preload that makes one call of a program fail, so that a test can see how the program reacts.
//
// FAULT=KIND:NUMBER:EFFECT is the call that fails: the NUMBER-th of a kind, counted from 1 since main began.
//   allocate  operator new, aligned_alloc and mmap
//   large     allocations of at least 4096 bytes
//   read      read and pread
//   write     write and pwrite
//   sync      fsync
//   rename    rename
//   thread    pthread_create
// EFFECT is the name of an errno value, or `short`: only half of the bytes are read or written. With NUMBER 0 all calls
// succeed. FAULT_LOG names a file to write: `failed` once the call has failed, and at the end of main a line for each
// kind with the number of its calls. With several ranks, FAULT_RANK is the rank whose call fails.
//
// Only calls from the program itself and from the C++ library on its behalf count, not those of MPI or the C library.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

struct Effect {
  const char* name;
  int code;
};
constexpr std::array<Effect, 8> effects{{{"ENOSPC", ENOSPC},
                                         {"EDQUOT", EDQUOT},
                                         {"EFBIG", EFBIG},
                                         {"EIO", EIO},
                                         {"EINTR", EINTR},
                                         {"ENOMEM", ENOMEM},
                                         {"EAGAIN", EAGAIN},
                                         {"short", 0}}};

enum Kind { allocate_kind, large_kind, read_kind, write_kind, sync_kind, rename_kind, thread_kind, kinds };
constexpr std::array<const char*, kinds> kind_names{"allocate", "large", "read", "write", "sync", "rename", "thread"};
constexpr std::size_t large_bytes = 4096;

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

// A preloaded library gets no arguments, so its state is global.
int failing_kind = kinds;
long number = 0;
int code = 0;
std::array<Range, 2> callers{};  ///< the program and the C++ library
std::atomic<bool> counting{false};
std::array<std::atomic<long>, kinds> counted{};
int (*program_main)(int, char**, char**) = nullptr;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void log(const char* text) {
  const char* path = std::getenv("FAULT_LOG");
  if (path == nullptr) return;
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666));
  syscall(SYS_write, file, text, std::strlen(text));
  syscall(SYS_close, file);
}

int note_caller(dl_phdr_info* info, std::size_t, void*) {
  const bool program = info->dlpi_name[0] == '\0' && callers[0].end == 0;
  if (!program && std::strstr(info->dlpi_name, "libstdc++") == nullptr) return 0;
  Range range{UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + segment.p_memsz > range.end) range.end = begin + segment.p_memsz;
  }
  callers[program ? 0 : 1] = range;
  return 0;
}

bool counts(const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  for (const Range& range : callers) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

/// Counts a call. Returns whether it is the one to fail.
bool fails(Kind kind) {
  if (!counting.load(std::memory_order_relaxed)) return false;
  if (counted[kind].fetch_add(1) + 1 != number || kind != failing_kind) return false;
  log("failed\n");
  return true;
}

bool allocation_fails(std::size_t bytes) {
  const bool large_fails = bytes >= large_bytes && fails(large_kind);
  return fails(allocate_kind) || large_fails;
}

/// The common part of read and write: `transfer(bytes)` does the work.
template <class Transfer>
ssize_t transfer_or_fail(Kind kind, const void* caller, std::size_t bytes, Transfer&& transfer) {
  if (!counts(caller) || !fails(kind)) return transfer(bytes);
  if (code == 0) return transfer((bytes + 1) / 2);
  errno = code;
  return -1;
}

/// The implementation of operator new.
void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocation_fails(bytes)) throw std::bad_alloc();
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(bytes == 0 ? 1 : bytes);
  } else if (posix_memalign(&memory, alignment, bytes) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// Whether this process is the one whose call fails.
bool concerned() {
  const char* wanted = std::getenv("FAULT_RANK");
  if (wanted == nullptr) return true;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    const char* rank = std::getenv(name);
    if (rank != nullptr) return std::strcmp(rank, wanted) == 0;
  }
  return false;
}

void read_fault() {
  const char* text = std::getenv("FAULT");
  if (text == nullptr || !concerned()) return;
  std::array<char, 16> kind{};
  std::array<char, 16> effect{};
  if (std::sscanf(text, "%15[a-z]:%ld:%15[A-Za-z]", kind.data(), &number, effect.data()) != 3) std::abort();
  for (int i = 0; i < kinds; ++i) {
    if (std::strcmp(kind_names[static_cast<std::size_t>(i)], kind.data()) == 0) failing_kind = i;
  }
  for (const Effect& known : effects) {
    if (std::strcmp(known.name, effect.data()) == 0) code = known.code;
  }
  dl_iterate_phdr(note_caller, nullptr);
  counting = true;
}

int counted_main(int argc, char** argv, char** variables) {
  read_fault();
  const int status = program_main(argc, argv, variables);
  if (!counting.exchange(false)) return status;
  for (std::size_t i = 0; i < kinds; ++i) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s %ld\n", kind_names[i], counted[i].load());
    log(text.data());
  }
  return status;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" {

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  static const auto real = next<void* (*)(std::size_t, std::size_t)>("aligned_alloc");
  return counts(__builtin_return_address(0)) && allocation_fails(bytes) ? nullptr : real(alignment, bytes);
}

void* mmap(void* where, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  static const auto real = next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  if (!counts(__builtin_return_address(0)) || !allocation_fails(bytes)) {
    return real(where, bytes, protection, flags, file, offset);
  }
  errno = ENOMEM;
  return MAP_FAILED;
}

ssize_t read(int file, void* into, std::size_t bytes) {
  static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
  return transfer_or_fail(read_kind, __builtin_return_address(0), bytes,
                          [&](std::size_t some) { return real(file, into, some); });
}

ssize_t pread(int file, void* into, std::size_t bytes, off_t offset) {
  static const auto real = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
  return transfer_or_fail(read_kind, __builtin_return_address(0), bytes,
                          [&](std::size_t some) { return real(file, into, some, offset); });
}

ssize_t write(int file, const void* from, std::size_t bytes) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  return transfer_or_fail(write_kind, __builtin_return_address(0), bytes,
                          [&](std::size_t some) { return real(file, from, some); });
}

ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t offset) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return transfer_or_fail(write_kind, __builtin_return_address(0), bytes,
                          [&](std::size_t some) { return real(file, from, some, offset); });
}

int fsync(int file) {
  static const auto real = next<int (*)(int)>("fsync");
  if (!counts(__builtin_return_address(0)) || !fails(sync_kind)) return real(file);
  errno = code;
  return -1;
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  if (!counts(__builtin_return_address(0)) || !fails(rename_kind)) return real(from, to);
  errno = code;
  return -1;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) noexcept {
  static const auto real = next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (!counts(__builtin_return_address(0)) || !fails(thread_kind)) return real(thread, attributes, body, argument);
  return code;
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*begin)(), void (*end)(),
                      void (*end_of_loader)(), void* stack_end) {
  program_main = main;
  const auto real = next<decltype(&__libc_start_main)>("__libc_start_main");
  return real(counted_main, argc, argv, begin, end, end_of_loader, stack_end);
}

}  // extern "C"
