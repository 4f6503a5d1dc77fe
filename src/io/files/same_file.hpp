// Ranks that read one path, each on its own machine.
#pragma once

#include <string>

namespace breadth {

class Communicator;

/// Throws AgreedError that names the file unless every rank finds the same one at its path, or none does: a rank
/// without it, or with one of another size or other first or last bytes, has another disk. Collective.
void require_same_file(const std::string& path, const Communicator& ranks);

}  // namespace breadth
