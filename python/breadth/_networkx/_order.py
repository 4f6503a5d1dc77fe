"""Searches whose order and parents are those of networkx: neighbours are visited in the order of the adjacency."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ._graph import Integers, Numbers, Rows

_FEW = 24  # nodes of a level that are faster visited one by one than by numpy


class Frontier:
    """A breadth-first search that advances level by level."""

    __slots__ = ("_slot", "level", "parents", "rows", "seen")

    def __init__(self, rows: Rows, sources: Integers) -> None:
        count = len(rows.starts) - 1
        self.rows = rows
        self.level = sources
        self.seen = np.zeros(count, dtype=np.bool_)
        self.seen[sources] = True
        self._slot = np.empty(count, dtype=np.int64)

    def entries(self) -> tuple[Integers, Integers]:
        """Return both ends of the edges that leave the level, in networkx's order."""
        where, counts = self.rows.entries_of(self.level)
        return np.repeat(self.level, counts), self.rows.heads[where]

    def claim(self, tails: Integers, heads: Integers) -> Integers:
        """Make the nodes seen that these edges lead to the first time the next level. Returns their parents."""
        new = ~self.seen[heads]
        tails, heads = tails[new], heads[new]
        places = np.arange(len(heads))
        self._slot[heads[::-1]] = places[::-1]
        first = self._slot[heads] == places
        self.level = heads[first]
        self.seen[self.level] = True
        parents: Integers = tails[first]
        return parents

    def advance(self) -> Integers:
        """Go on to the next level. Returns the parents of its nodes."""
        if len(self.level) <= _FEW:
            return self._advance_few()
        return self.claim(*self.entries())

    def _advance_few(self) -> Integers:
        starts, heads, seen = self.rows.starts, self.rows.heads, self.seen
        parents: list[int] = []
        level: list[int] = []
        for tail in self.level.tolist():
            row = heads[starts[tail] : starts[tail + 1]]
            for head in row[~seen[row]].tolist():
                seen[head] = True
                level.append(head)
                parents.append(tail)
        self.level = np.array(level, dtype=heads.dtype)
        return np.array(parents, dtype=heads.dtype)


class Tree:
    """What a breadth-first search visits, in order: nodes, the parent of each (-1 for sources), where levels begin."""

    __slots__ = ("begins", "nodes", "parents")

    def __init__(self, rows: Rows, sources: Integers, limit: int | None) -> None:
        search = Frontier(rows, sources)
        levels, parents = [sources], [np.full(len(sources), -1, dtype=sources.dtype)]
        while len(search.level) and (limit is None or len(levels) <= limit):
            above = search.advance()
            if len(above):
                levels.append(search.level)
                parents.append(above)
        self.nodes = np.concatenate(levels)
        self.parents = np.concatenate(parents)
        self.begins = np.cumsum([0, *map(len, levels)])

    def depth_of_each(self, count: int) -> Integers:
        """Return the level of every node of the graph, -1 where the search does not reach."""
        depths = np.full(count, -1, dtype=np.int64)
        depths[self.nodes] = np.repeat(np.arange(len(self.begins) - 1), np.diff(self.begins))
        return depths


def meet(rows: Rows, columns: Rows, source: int, target: int) -> list[int] | None:
    """Return the path on which networkx's search from both ends meets, or None. Both ends differ."""
    ends = [Frontier(rows, np.array([source], np.int32)), Frontier(columns, np.array([target], np.int32))]
    parents = [np.full(len(rows.starts) - 1, -1, dtype=np.int64) for _ in ends]
    while len(ends[0].level) and len(ends[1].level):
        side = 0 if len(ends[0].level) <= len(ends[1].level) else 1
        tails, heads = ends[side].entries()
        common = ends[1 - side].seen[heads]
        meeting = int(np.argmax(common)) if common.any() else -1
        if meeting >= 0:
            tails, heads = tails[: meeting + 1], heads[: meeting + 1]
            middle = int(heads[-1])
        above = ends[side].claim(tails, heads)
        parents[side][ends[side].level] = above
        if meeting >= 0:
            return [*chain_to(parents[0], middle)[::-1], *chain_to(parents[1], middle)[1:]]
    return None


def chain_to(parents: Integers, node: int) -> list[int]:
    """Return a node, its parent, and so on up to a source, whose parent is -1."""
    chain = []
    while node >= 0:
        chain.append(node)
        node = int(parents[node])
    return chain


def unreached(distances: Numbers) -> Any:
    """Return what distances of such a type are where no source reaches: inf, or the largest integer."""
    return np.inf if distances.dtype.kind == "f" else np.iinfo(distances.dtype).max


class Shortest:
    """Nodes in the order in which networkx's Dijkstra takes them, and edges on shortest paths.

    Weights are positive and vanish in no sum. Nodes at the same distance are taken in the order in which they were put
    on the heap: by the first node before them, and by their place among its neighbours.
    """

    __slots__ = ("_rows", "_weights", "distances", "heads", "nodes", "places", "ranks", "sources", "tails")

    def __init__(self, rows: Rows, weights: Numbers, distances: Numbers, sources: Integers) -> None:
        """Distances are as networkx adds them; `unreached` where sources do not reach."""
        self._rows = rows
        self._weights = weights
        self.distances = distances
        self.sources = sources
        tails = rows.tails()
        is_reached = distances < unreached(distances)
        on_path = np.flatnonzero((distances[tails] + weights == distances[rows.heads]) & is_reached[tails])
        self.tails, self.heads = tails[on_path], rows.heads[on_path]
        reached = np.flatnonzero(is_reached)
        order = reached[np.argsort(distances[reached], kind="stable")]
        self.ranks = np.full(len(distances), -1, dtype=np.int64)
        self.ranks[order] = np.arange(len(order))
        self.ranks[sources] = np.arange(len(sources))
        self._rank_ties(order, on_path)
        self.nodes = np.empty(len(order), dtype=np.int64)
        self.nodes[self.ranks[order]] = order
        by_head = np.lexsort((self.ranks[self.tails], self.ranks[self.heads]))
        self.tails, self.heads = self.tails[by_head], self.heads[by_head]
        self.places = np.searchsorted(self.ranks[self.heads], np.arange(len(self.nodes) + 1))

    def _rank_ties(self, order: Integers, on_path: Integers) -> None:
        """Rank nodes at equal distances, nearer ones first: their parents are ranked by then."""
        sorted_distances = self.distances[order]
        begins = np.flatnonzero(np.r_[True, sorted_distances[1:] != sorted_distances[:-1]]) if len(order) else order
        ends = np.r_[begins[1:], len(order)]
        tied = ends - begins > 1
        tied[:1] = False  # the sources
        if not tied.any():
            return
        group = np.full(len(self.distances), -1, dtype=np.int64)
        group[order] = np.repeat(np.where(tied, np.arange(len(begins)), -1), ends - begins)
        relevant = np.flatnonzero(group[self.heads] >= 0)
        relevant = relevant[np.argsort(group[self.heads[relevant]], kind="stable")]
        groups = group[self.heads[relevant]]
        entries = len(self._rows.heads) + 1
        for begin, edges in zip(
            begins[tied], np.split(relevant, np.flatnonzero(groups[1:] != groups[:-1]) + 1), strict=True
        ):
            keys = self.ranks[self.tails[edges]] * entries + on_path[edges]
            by_key = self.heads[edges[np.argsort(keys)]]
            _, first = np.unique(by_key, return_index=True)
            nodes = by_key[np.sort(first)]
            self.ranks[nodes] = begin + np.arange(len(nodes))

    def parents(self) -> Integers:
        """Return the first parent of each node of the graph, -1 for sources and for unreached nodes."""
        found = np.full(len(self.distances), -1, dtype=np.int64)
        with_parents = np.flatnonzero(np.diff(self.places))
        found[self.nodes[with_parents]] = self.tails[self.places[with_parents]]
        return found

    def predecessors(self) -> list[list[int]]:
        """Return all parents of each of `nodes`, in the order in which networkx lists them."""
        tails = self.tails.tolist()
        bounds = self.places.tolist()
        return [tails[begin:end] for begin, end in pairwise(bounds)]

    def first_seen(self, cutoff: float | None) -> Integers:
        """Return nodes in the order in which networkx first puts them on its heap."""
        where, counts = self._rows.entries_of(self.nodes)
        heads = self._rows.heads[where]
        if cutoff is not None:
            heads = heads[np.repeat(self.distances[self.nodes], counts) + self._weights[where] <= cutoff]
        seen, first = np.unique(np.concatenate([self.sources, heads]), return_index=True)
        order: Integers = seen[np.argsort(first)]
        return order
