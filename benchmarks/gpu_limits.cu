// Measures the time of the steps that searches on a GPU consist of: grid barriers, launches, atomics on one address,
// random look-ups, allocation, copies.
//
//   gpu_limits [--json FILE] [--gib 8]
//
// Prints one line per figure as soon as it is measured, and writes all figures as JSON. Each is the best of three.
// --gib bounds the memory for look-ups and allocations, which is at most half of the free memory. Without a GPU it says
// so and exits with 1.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "gpu_limits: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Prints figures one by one, and writes all of them as JSON.
class Results {
 public:
  void add(const std::string& name, double value, const char* unit) {
    std::printf("%-58s %10.4g %s\n", name.c_str(), value, unit);
    std::fflush(stdout);
    char number[40];
    std::snprintf(number, sizeof number, "%.6g", value);
    json_ += (json_.empty() ? "" : ",") + ("\n  {\"name\": \"" + name + "\", \"value\": ") + number + ", \"unit\": \"" +
             unit + "\"}";
  }
  void write(const char* path, const std::string& device) const {
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) {
      std::fprintf(stderr, "gpu_limits: cannot write %s\n", path);
      std::exit(1);
    }
    std::fprintf(file, "{\"device\": \"%s\",\n \"figures\": [%s]}\n", device.c_str(), json_.c_str());
    std::fclose(file);
  }

 private:
  std::string json_;
};

/// The seconds of the fastest of three runs of a step, after a run that does not count, by the GPU's events.
template <class Step>
double seconds_of(Step&& step) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  require(cudaEventCreate(&begin), "an event");
  require(cudaEventCreate(&end), "an event");
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 4; ++round) {
    require(cudaEventRecord(begin), "an event");
    step();
    require(cudaEventRecord(end), "an event");
    require(cudaEventSynchronize(end), "a kernel");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end), "an event");
    if (round > 0) best = std::min(best, milliseconds / 1e3);
  }
  require(cudaEventDestroy(begin), "an event");
  require(cudaEventDestroy(end), "an event");
  return best;
}

/// The same by the host's clock.
template <class Step>
double host_seconds_of(Step&& step) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 4; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    step();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (round > 0) best = std::min(best, seconds.count());
  }
  return best;
}

__global__ void nothing() {}

__global__ void wait_for_all(int rounds) {
  for (int i = 0; i < rounds; ++i) cooperative_groups::this_grid().sync();
}

__global__ void wait_in_block(int rounds) {
  for (int i = 0; i < rounds; ++i) __syncthreads();
}

/// Every warp adds to one address, with its first lane or with all lanes.
template <bool returning, bool all_lanes>
__global__ void add_to_one(unsigned long long* sum, unsigned long long* sink, int rounds) {
  const unsigned lane = threadIdx.x % 32;
  if (!all_lanes && lane != 0) return;
  unsigned long long seen = lane + 1;
  for (int i = 0; i < rounds; ++i) {
    if (returning) {
      seen += atomicAdd(sum, seen | 1);  // the next add waits for this one
    } else {
      atomicAdd(sum, seen + i);  // lanes add different values, which cannot be summed beforehand
    }
  }
  if (seen == 0) *sink = seen;
}

__device__ std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 31U;
  x *= 0x7fb5d329728ea185U;
  x ^= x >> 27U;
  return x;
}

__global__ void fill(std::uint64_t* values, std::uint64_t count) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    values[i] = mixed(i * 0x9e3779b97f4a7c15U + 1);
  }
}

/// Each thread follows `outstanding` chains of look-ups at a time. Each look-up gives the place of the next.
template <int outstanding>
__global__ void look_up(const std::uint64_t* values, std::uint64_t mask, int rounds, std::uint64_t* sink) {
  std::uint64_t place[outstanding];
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < outstanding; ++k) place[k] = mixed((thread * outstanding + k) * 0x9e3779b97f4a7c15U) & mask;
  for (int i = 0; i < rounds; ++i) {
    std::uint64_t found[outstanding];
#pragma unroll
    for (int k = 0; k < outstanding; ++k) found[k] = values[place[k]];
#pragma unroll
    for (int k = 0; k < outstanding; ++k) place[k] = mixed(found[k] + place[k] + i) & mask;
  }
  std::uint64_t sum = 0;
#pragma unroll
  for (int k = 0; k < outstanding; ++k) sum += place[k];
  if (sum == ~std::uint64_t{0}) *sink = sum;
}

std::string with(const char* text, long long number) {
  char words[120];
  std::snprintf(words, sizeof words, text, number);
  return words;
}

void measure_waiting(Results& results, const cudaDeviceProp& gpu) {
  constexpr int rounds = 2000;
  for (const int threads : {256, 512, 1024}) {
    int at_once = 0;
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, wait_for_all, threads, 0), "occupancy");
    for (int each = 1; each <= at_once; each *= 2) {
      int count = rounds;
      void* arguments[] = {&count};
      const double seconds = seconds_of([&] {
        require(cudaLaunchCooperativeKernel(wait_for_all, each * gpu.multiProcessorCount, threads, arguments),
                "a cooperative launch");
      });
      results.add(with("grid.sync, blocks of %lld threads", threads) + with(", %lld a multiprocessor", each),
                  1e6 * seconds / rounds, "us");
    }
  }
  const double block_seconds = seconds_of([] { wait_in_block<<<1, 1024>>>(rounds); });
  results.add("__syncthreads, 1024 threads", 1e6 * block_seconds / rounds, "us");
  constexpr int launches = 1000;
  const double launch_seconds = seconds_of([] {
    for (int i = 0; i < launches; ++i) nothing<<<1, 32>>>();
  });
  results.add("a launch among many", 1e6 * launch_seconds / launches, "us");
  const double alone_seconds = host_seconds_of([] {
    for (int i = 0; i < launches; ++i) {
      nothing<<<1, 32>>>();
      require(cudaDeviceSynchronize(), "a launch");
    }
  });
  results.add("a launch and waiting for it", 1e6 * alone_seconds / launches, "us");
}

template <bool returning, bool all_lanes>
void measure_atomics(Results& results, const cudaDeviceProp& gpu, unsigned long long* memory, const char* name) {
  constexpr int rounds = 200;
  const int blocks = gpu.multiProcessorCount;
  const double seconds =
      seconds_of([&] { add_to_one<returning, all_lanes><<<blocks, 1024>>>(memory, memory + 64, rounds); });
  const double atomics = double{rounds} * blocks * (all_lanes ? 1024 : 32);
  results.add(name, 1e9 * seconds / atomics, "ns each");
}

template <int outstanding>
void measure_look_ups(Results& results, const cudaDeviceProp& gpu, const std::uint64_t* values, std::uint64_t count,
                      std::uint64_t* sink) {
  constexpr int rounds = 256 / outstanding;
  for (const int blocks_each : {1, 2}) {
    const int blocks = blocks_each * gpu.multiProcessorCount;
    const double seconds = seconds_of([&] { look_up<outstanding><<<blocks, 1024>>>(values, count - 1, rounds, sink); });
    require(cudaGetLastError(), "look-ups");
    const double look_ups = double{rounds} * outstanding * blocks * 1024;
    results.add(with("random 8 bytes of %lld MiB", static_cast<long long>(count >> 17U)) +
                    with(", %lld threads a multiprocessor", blocks_each * 1024LL) +
                    with(", %lld loads each", outstanding),
                look_ups / seconds / 1e9, "G/s");
  }
}

/// Measures look-ups in this many bytes, a power of two.
void measure_look_ups_in(Results& results, const cudaDeviceProp& gpu, std::uint64_t bytes, std::uint64_t* sink) {
  std::uint64_t* values = nullptr;
  const std::uint64_t count = bytes / sizeof(std::uint64_t);
  require(cudaMalloc(reinterpret_cast<void**>(&values), bytes), "memory for look-ups");
  fill<<<8 * gpu.multiProcessorCount, 256>>>(values, count);
  measure_look_ups<1>(results, gpu, values, count, sink);
  measure_look_ups<2>(results, gpu, values, count, sink);
  measure_look_ups<4>(results, gpu, values, count, sink);
  measure_look_ups<8>(results, gpu, values, count, sink);
  require(cudaFree(values), "giving memory back");
}

double gigabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

void measure_allocation(Results& results, std::uint64_t bytes) {
  const std::string size = with(" of %lld MiB", static_cast<long long>(bytes >> 20U));
  double take = std::numeric_limits<double>::max();
  double give = take;
  for (int round = 0; round < 3; ++round) {
    void* memory = nullptr;
    require(cudaDeviceSynchronize(), "waiting");
    const auto begin = std::chrono::steady_clock::now();
    require(cudaMalloc(&memory, bytes), "cudaMalloc");
    const auto taken = std::chrono::steady_clock::now();
    require(cudaFree(memory), "cudaFree");
    const auto given = std::chrono::steady_clock::now();
    take = std::min(take, std::chrono::duration<double>(taken - begin).count());
    give = std::min(give, std::chrono::duration<double>(given - taken).count());
  }
  results.add("cudaMalloc" + size, gigabytes(bytes) / take, "GB/s");
  results.add("cudaFree" + size, gigabytes(bytes) / give, "GB/s");

  int pools = 0;
  require(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0), "an attribute");
  if (pools == 0) return;
  cudaMemPool_t pool = nullptr;
  require(cudaDeviceGetDefaultMemPool(&pool, 0), "the pool");
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  require(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "the pool's threshold");
  const auto from_pool = [&] {
    const auto begin = std::chrono::steady_clock::now();
    void* memory = nullptr;
    require(cudaMallocAsync(&memory, bytes, cudaStream_t{nullptr}), "cudaMallocAsync");
    require(cudaFreeAsync(memory, cudaStream_t{nullptr}), "cudaFreeAsync");
    require(cudaDeviceSynchronize(), "waiting");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  results.add("cudaMallocAsync and cudaFreeAsync" + size + ", first", gigabytes(bytes) / from_pool(), "GB/s");
  results.add("cudaMallocAsync and cudaFreeAsync" + size + ", again", 1e6 * from_pool(), "us");
  require(cudaMemPoolTrimTo(pool, 0), "emptying the pool");
}

void measure_copies(Results& results) {
  constexpr std::uint64_t bytes = std::uint64_t{256} << 20U;
  void* here = nullptr;
  void* there = nullptr;
  void* pinned = nullptr;
  require(cudaMalloc(&here, bytes), "memory for copies");
  require(cudaMalloc(&there, bytes), "memory for copies");
  require(cudaMallocHost(&pinned, bytes), "pinned memory");
  std::vector<char> pageable(bytes, 1);
  const double on_device = seconds_of([&] { (void)cudaMemcpyAsync(there, here, bytes, cudaMemcpyDeviceToDevice); });
  results.add("copy of 256 MiB on the GPU, read and written", 2 * gigabytes(bytes) / on_device, "GB/s");
  const double to_pinned = host_seconds_of([&] { (void)cudaMemcpy(pinned, here, bytes, cudaMemcpyDeviceToHost); });
  results.add("copy of 256 MiB to the host, pinned", gigabytes(bytes) / to_pinned, "GB/s");
  const double to_host =
      host_seconds_of([&] { (void)cudaMemcpy(pageable.data(), here, bytes, cudaMemcpyDeviceToHost); });
  results.add("copy of 256 MiB to the host, not pinned", gigabytes(bytes) / to_host, "GB/s");
  require(cudaFreeHost(pinned), "giving memory back");
  require(cudaFree(there), "giving memory back");
  require(cudaFree(here), "giving memory back");
}

/// The largest power of two that is not greater than bytes.
std::uint64_t power_below(std::uint64_t bytes) {
  std::uint64_t power = 1;
  while (power <= bytes / 2) power *= 2;
  return power;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json = nullptr;
  std::uint64_t max_gib = 8;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--json") == 0) json = argv[i + 1];
    if (std::strcmp(argv[i], "--gib") == 0) max_gib = std::max(1ULL, std::strtoull(argv[i + 1], nullptr, 10));
  }
  int devices = 0;
  require(cudaGetDeviceCount(&devices), "there is no GPU");
  cudaDeviceProp gpu{};
  require(cudaGetDeviceProperties(&gpu, 0), "its properties");
  std::size_t free = 0;
  std::size_t total = 0;
  require(cudaMemGetInfo(&free, &total), "its memory");
  std::printf("%s, compute capability %d.%d, %d multiprocessors, %.1f of %.1f GiB free, %.0f MiB of L2\n", gpu.name,
              gpu.major, gpu.minor, gpu.multiProcessorCount, static_cast<double>(free) / (1U << 30U),
              static_cast<double>(total) / (1U << 30U), static_cast<double>(gpu.l2CacheSize) / (1U << 20U));

  Results results;
  unsigned long long* memory = nullptr;
  require(cudaMalloc(reinterpret_cast<void**>(&memory), 1024), "memory");
  require(cudaMemset(memory, 0, 1024), "clearing memory");
  if (gpu.cooperativeLaunch != 0) measure_waiting(results, gpu);
  measure_atomics<false, false>(results, gpu, memory, "atomic on one address, one lane a warp");
  measure_atomics<true, false>(results, gpu, memory, "atomic on one address, returning, one lane a warp");
  measure_atomics<false, true>(results, gpu, memory, "atomic on one address, all lanes");
  measure_atomics<true, true>(results, gpu, memory, "atomic on one address, returning, all lanes");
  const std::uint64_t large = power_below(std::min<std::uint64_t>(free / 2, max_gib << 30U));
  auto* sink = reinterpret_cast<std::uint64_t*>(memory + 65);
  measure_look_ups_in(results, gpu, std::uint64_t{8} << 20U, sink);  // within the L2: bitmaps have about this size
  measure_look_ups_in(results, gpu, large, sink);
  measure_allocation(results, std::uint64_t{64} << 20U);
  measure_allocation(results, large);
  measure_copies(results);
  require(cudaFree(memory), "giving memory back");
  if (json != nullptr) results.write(json, gpu.name);
  return 0;
}
