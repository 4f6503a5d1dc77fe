// An edge list in a file that a run makes for itself.
#pragma once

#include <memory>
#include <string>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"

namespace breadth {

/// The folder that is meant where none is named: TMPDIR, or else /tmp.
std::string temporary_folder();

/// Whether files in a folder take memory, not a disk.
bool is_in_memory(const std::string& folder);

/// Writes this rank's part of a list, with its weights if it has any, to a file in `folder`, and reads it from there
/// from then on. The file has no name, so that it is gone once nobody reads it any more, however the run ends. Nodes
/// may each have a folder of their own. Throws AgreedError where the folder's disk has too little room for all ranks of
/// the node, before anything is written, and where the file cannot be made or written. Collective.
std::unique_ptr<EdgeList> keep_in_file(const EdgeList& made, const std::string& folder, const Context& context);

}  // namespace breadth
