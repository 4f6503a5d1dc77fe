// What a user may have meant by a name that is not there.
#pragma once

#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

/// Names of a dictionary, as the user writes them.
struct NearNames {
  std::string first;    ///< the first of all
  std::string last;     ///< the last of all
  std::string nearest;  ///< the one that is most like the name, if one is
};

/// Looks for names near one that is not in the dictionary: the integer of the least distance, or a string that differs
/// in at most two letters. O(names / ranks). The same on every rank. Collective.
NearNames find_near_names(const VertexNames& names, std::string_view text, const Communicator& ranks);

}  // namespace breadth
