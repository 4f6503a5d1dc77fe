// Which labels an edge list has.
#pragma once

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/edge_list.hpp"
#include "core/ids.hpp"

namespace breadth {

/// A label among those of an edge list.
struct Occurrence {
  bool found = false;
  Label smallest = no_label;  ///< of all labels in the list
  Label largest = no_label;
  Label below = no_label;  ///< the nearest label in the list that is smaller; none: no_label
  Label above = no_label;  ///< the same, larger
};

/// Looks a label up in an edge list. One pass over it. Throws AgreedError if the list cannot be read. Collective.
Occurrence find_occurrence(const EdgeList& edges, Label label, const Context& context);

/// Of the labels that this rank holds in a distribution, those that occur in the list: bit i is label(rank, i). Labels
/// beyond the distribution are passed over. One pass over the list, in rounds of bounded size, 16 bytes an edge sent.
/// Throws AgreedError if the list cannot be read. Collective.
Bitmap occurring_labels(const EdgeList& edges, const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
