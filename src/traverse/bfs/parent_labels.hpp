// The last step of a search: parents in the order of the original labels.
#pragma once

#include "comm/context.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// Asks, in one exchange, for the labels of parents that pull levels could not name. Collective.
template <class Neighbour>
void name_parents(SearchState<Neighbour>& state, const Graph& graph, const Context& context);

/// Writes, for every label of this rank's block, the label of its parent, or no_label where it was not visited. All
/// parents have their names. The source is its own parent also where it has no edges, which no search sees. One walk
/// over the block in label order, which meets each degree bin in sequence.
template <class Neighbour>
void write_parent_labels(SearchState<Neighbour>& state, const Graph& graph, Label source, LabelArray& parents,
                         const Context& context);

}  // namespace breadth
