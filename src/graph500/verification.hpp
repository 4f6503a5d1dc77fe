// Validating the searches of a batch, or only counting their edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "graph500/report/report.hpp"
#include "validate/report.hpp"

namespace breadth {

/// How many of `count` searches, from the first on, are validated; `first` is the index of that one.
std::size_t to_validate(ValidationPolicy policy, std::size_t first, std::size_t count);

/// Verifies `searches` searches of a kernel together: `validate()` gives reports on the first `validated` of them,
/// `count()` how many edges each of the others traversed; each is called where it has searches. Both are timed, and
/// every search gets an equal share. Collective.
std::vector<Verification> verify(std::size_t searches, std::size_t validated,
                                 const std::function<std::vector<ValidationReport>()>& validate,
                                 const std::function<std::vector<std::uint64_t>()>& count, const Communicator& ranks);

}  // namespace breadth
