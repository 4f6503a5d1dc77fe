"""Trees of shortest paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrow
from ._blocks import by_blocks
from ._optional import library

if TYPE_CHECKING:
    from ._graph import Graph

Integers = npt.NDArray[np.int64]


class Paths(Mapping[Any, list[Any]]):
    """A mapping from each reached vertex to its path, a list of labels that is made on access in O(its length).

    Examples:
        >>> paths = breadth.Graph.from_edges(["a", "b"], ["b", "c"]).bfs("a").paths
        >>> len(paths), paths["c"]
        (3, ['a', 'b', 'c'])
    """

    __slots__ = ("_tree",)

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __getitem__(self, label: Any) -> list[Any]:
        path = self._tree.path_to(label)
        if path is None:
            raise KeyError(f"{label!r} is not reached")
        return path

    def __contains__(self, label: object) -> bool:
        index = self._tree.graph._labels.index(label)
        return index >= 0 and bool(self._tree._tree_parents()[index] >= 0)

    def __iter__(self) -> Iterator[Any]:
        labels: list[Any] = self._tree.graph.labels[self._tree._tree_parents() >= 0].tolist()
        return iter(labels)

    def __len__(self) -> int:
        return int(np.count_nonzero(self._tree._tree_parents() >= 0))

    def __repr__(self) -> str:
        return f"<breadth.Paths: to {len(self):,} of {len(self._tree.graph):,} vertices>"


def label_column(graph: Graph, indices: Integers) -> Any:
    """Return the labels at some indices as a pandas column: integers with NA for -1, or objects with None for -1."""
    labels, missing = graph.labels, indices < 0
    if labels.dtype.kind in "iu":
        return library("pandas", "to_pandas()").arrays.IntegerArray(labels[indices], missing)
    names = by_blocks(labels.astype(object).take, indices)
    names[missing] = None
    return names


class Tree:
    """A tree of shortest paths, or several."""

    __slots__ = ("_parents", "graph")

    def __init__(self, graph: Graph, parents: Integers | None) -> None:
        self.graph = graph
        self._parents = parents

    def _tree_parents(self) -> Integers:
        if self._parents is None:
            raise ValueError("the search was made without parents; search with parents=True")
        return self._parents

    def path_to(self, target: Any) -> list[Any] | None:
        """Return the labels of a shortest path from the source, both ends included; None for an unreached vertex.

        Raises KeyError for a label that is not in the graph. O(length).

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
            >>> g.bfs("a").path_to("c")
            ['a', 'b', 'c']
        """
        index = self.graph.index(target)
        parents = self._tree_parents()
        if parents[index] < 0:
            return None
        path = [index]
        while (parent := int(parents[path[-1]])) != path[-1]:
            path.append(parent)
        path.reverse()
        return self.graph._names(path)

    @property
    def paths(self) -> Paths:
        """A mapping from the label of each reached vertex to its path, which is made on access.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
            >>> g.bfs("a").paths["b"]
            ['a', 'b']
        """
        return Paths(self)

    def _parent_labels(self) -> Any:
        return label_column(self.graph, self._tree_parents())

    def _arrow_parents(self) -> Any:
        return _arrow.label_column(self.graph, self._tree_parents())
