#include "core/edge_list.hpp"

#include "core/errors.hpp"

namespace breadth {

void EdgeList::report_change() const { fail("the edge list changed while it was read"); }

}  // namespace breadth
