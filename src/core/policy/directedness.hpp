// Whether edges have a direction.
#pragma once

namespace breadth {

/// How the tuples of an edge list are meant: `undirected`, each joins its two ends both ways; `directed`, each leads
/// from its source to its target only.
enum class Directedness { undirected, directed };

}  // namespace breadth
