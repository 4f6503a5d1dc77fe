// PendingUnion for one rank, in a build without MPI.
#include "comm/exchange/pending_union.hpp"

namespace breadth {

struct PendingUnion::State {};

PendingUnion::PendingUnion(const Communicator&) {}

PendingUnion::~PendingUnion() = default;

void PendingUnion::start(std::span<std::uint64_t>) {}

void PendingUnion::finish() {}

}  // namespace breadth
