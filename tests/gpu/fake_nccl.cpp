// The functions of NCCL that Breadth uses, implemented with MPI between the ranks of one program. For simulated
// devices, whose memory is the host's. With FAKE_NCCL_REFUSES in the environment, joining a group fails, as it does
// where two ranks share a GPU.
#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {
constexpr char magic[] = "a key of the fake";

struct UniqueId {
  char bytes[128];
};
struct Message {
  void* data;
  std::size_t bytes;
  int peer;
  bool goes;
};
struct Group {
  MPI_Comm ranks = MPI_COMM_NULL;
};

bool started = false;
std::vector<Message> waiting;
Group group;

int add(const Message& message, int type, const void* of, const void* stream) {
  if (!started || type != 0 || of != &group || stream != nullptr) return 4;
  waiting.push_back(message);
  return 0;
}
}  // namespace

extern "C" {
int ncclGetUniqueId(UniqueId* id) {
  std::memcpy(id->bytes, magic, sizeof magic);
  return 0;
}

int ncclCommInitRank(void** made, int ranks, UniqueId id, int rank) {
  if (std::getenv("FAKE_NCCL_REFUSES") != nullptr) return 5;
  int world_ranks = 0;
  int world_rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (std::strcmp(id.bytes, magic) != 0 || ranks != world_ranks || rank != world_rank) return 4;
  if (group.ranks == MPI_COMM_NULL) MPI_Comm_dup(MPI_COMM_WORLD, &group.ranks);
  *made = &group;
  return 0;
}

int ncclCommAbort(void* of) { return of == &group ? 0 : 4; }

int ncclGroupStart() {
  if (started) return 5;
  started = true;
  return 0;
}

int ncclSend(const void* data, std::size_t count, int type, int peer, void* of, void* stream) {
  return add({const_cast<void*>(data), count, peer, true}, type, of, stream);
}

int ncclRecv(void* data, std::size_t count, int type, int peer, void* of, void* stream) {
  return add({data, count, peer, false}, type, of, stream);
}

int ncclGroupEnd() {
  if (!started) return 5;
  started = false;
  std::vector<MPI_Request> requests(waiting.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const Message& one = waiting[i];
    const int bytes = static_cast<int>(one.bytes);
    if (one.goes) {
      MPI_Isend(one.data, bytes, MPI_BYTE, one.peer, 7, group.ranks, &requests[i]);
    } else {
      MPI_Irecv(one.data, bytes, MPI_BYTE, one.peer, 7, group.ranks, &requests[i]);
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  waiting.clear();
  return 0;
}

const char* ncclGetErrorString(int status) { return status == 5 ? "invalid usage" : "invalid argument"; }
}
