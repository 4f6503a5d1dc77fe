// The check that CUB is new enough.
#pragma once

#include <cub/version.cuh>

// A large graph has more than 2^31 entries in its rows, for which older versions have no room.
static_assert(
    CUB_VERSION >= 200800,
    "cub::DeviceSelect::Unique of this CUB counts in 32 bits; CUDA 12.9 or later has one (2.8) that does in 64");
