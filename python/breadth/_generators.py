"""Generators of graphs. Vertices are 0, 1, 2, ..., including those without edges."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import SupportsIndex

from . import _engine
from ._graph import Graph
from ._labels import RangeLabels
from ._memory import require_memory, require_memory_for_kronecker, size
from ._options import OptionValue, errors_of_options, option_texts, thread_count, truth, whole
from ._progress import shown

_Show = Callable[[str, int, int], None] | None


def _graph(progress: bool, make: Callable[[_Show], _engine.EngineGraph]) -> Graph:
    with shown(progress) as show:
        engine = make(show)
    return Graph._of(engine, RangeLabels(0, engine.vertex_count))


Seeds = SupportsIndex | tuple[SupportsIndex, SupportsIndex]
KRONECKER_SEEDS = (2, 3)  # those of the reference code


def kronecker_seeds(seed: Seeds) -> tuple[int, int]:
    """Return both seeds of the benchmark's generator. A single integer is the first; the second is then the default.

    Raises ValueError for a seed that is not from 0 to 2^64 - 1, TypeError for a seed that is not an integer.
    """
    both = tuple(seed) if isinstance(seed, tuple | list) else (seed, KRONECKER_SEEDS[1])
    try:
        first, second = map(operator.index, both)
    except (TypeError, ValueError):
        raise TypeError(f"seed is {seed!r}; it must be an integer or a pair of integers") from None
    return _seed(first), _seed(second)


def _seed(value: SupportsIndex) -> int:
    number = whole("seed", value)
    if not 0 <= number < 2**64:
        raise ValueError(f"seed is {number}; it must be from 0 to 2^64 - 1")
    return number


def kronecker(
    scale: int,
    edgefactor: int = 16,
    seed: Seeds = KRONECKER_SEEDS,
    *,
    weighted: bool = False,
    threads: int | None = None,
    progress: bool = False,
    **layout: OptionValue,
) -> Graph:
    """Return the Graph500 benchmark's graph with 2**scale vertices and edgefactor * 2**scale edge tuples.

    Its edges are bit for bit those of the reference code, release 3.0, with the same seeds.

    seed: both seeds of the generator, or the first one; the second is then 3.
    weighted: whether edges have weights from 0 to 1, float32.
    threads, progress, layout: as in Graph.from_edges.

    Raises ValueError for a scale that is not from 1 to 42, and for seeds that are not from 0 to 2^64 - 1. Raises
    MemoryError with the figures, before anything is built, if the graph would not fit.

    Examples:
        >>> breadth.kronecker(4)
        <breadth.Graph: 16 vertices, 54 edges, undirected>
        >>> breadth.kronecker(4, edgefactor=8, seed=5, weighted=True)
        <breadth.Graph: 16 vertices, 41 edges, undirected, weighted>
    """
    seeds, weighted = kronecker_seeds(seed), truth("weighted", weighted)
    scale, edgefactor = whole("scale", scale, 1, 42), whole("edgefactor", edgefactor, 1, 2**63 - 1)
    texts, count = option_texts(layout), thread_count(threads)
    with errors_of_options(kronecker, layout):
        require_memory_for_kronecker(scale, edgefactor, weighted=weighted, threads=threads, layout=layout)
        return _graph(progress, lambda show: _engine.kronecker(scale, edgefactor, seeds, weighted, texts, count, show))


def grid(
    rows: int,
    columns: int,
    *,
    weighted: bool = False,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    **layout: OptionValue,
) -> Graph:
    """Return a grid: vertex row * columns + column is joined to the vertices to its right and below it.

    Examples:
        >>> breadth.grid(2, 3).bfs(0).levels.reshape(2, 3).tolist()
        [[0, 1, 2], [1, 2, 3]]
    """
    rows, columns, weighted = whole("rows", rows, 0), whole("columns", columns, 0), truth("weighted", weighted)
    size("rows * columns", rows * columns)
    texts, count = option_texts(layout), thread_count(threads)
    with errors_of_options(grid, layout):
        require_memory(rows * columns, 2 * rows * columns, weighted=weighted, threads=threads, layout=layout)
        return _graph(progress, lambda show: _engine.grid(rows, columns, _seed(seed), weighted, texts, count, show))


def uniform_random(
    vertices: int,
    edges: int,
    *,
    weighted: bool = False,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    **layout: OptionValue,
) -> Graph:
    """Return a random graph (Erdős and Rényi) of edges whose ends are drawn uniformly.

    edges: number of edges to draw. The graph has fewer, because self-loops and duplicates are left out.

    Examples:
        >>> breadth.uniform_random(100, 300)
        <breadth.Graph: 100 vertices, 291 edges, undirected>
    """
    vertices, edges, weighted = size("vertices", vertices), size("edges", edges), truth("weighted", weighted)
    texts, count = option_texts(layout), thread_count(threads)
    with errors_of_options(uniform_random, layout):
        require_memory(vertices, edges, weighted=weighted, threads=threads, layout=layout)
        return _graph(
            progress, lambda show: _engine.uniform_random(vertices, edges, _seed(seed), weighted, texts, count, show)
        )


def small_world(
    vertices: int,
    reach: int = 2,
    one_in: int = 10,
    *,
    weighted: bool = False,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    **layout: OptionValue,
) -> Graph:
    """Return a small-world graph (Watts): a ring in which each vertex is joined to the next `reach` vertices.

    one_in: one edge in so many leads to a random vertex instead.

    Examples:
        >>> breadth.small_world(6, reach=2)
        <breadth.Graph: 6 vertices, 11 edges, undirected>
    """
    vertices, reach, weighted = size("vertices", vertices), whole("reach", reach, 0), truth("weighted", weighted)
    one_in = whole("one_in", one_in, 1, 2**63 - 1)
    size("reach * vertices", reach * vertices)
    texts, count = option_texts(layout), thread_count(threads)
    with errors_of_options(small_world, layout):
        require_memory(vertices, reach * vertices, weighted=weighted, threads=threads, layout=layout)
        return _graph(
            progress,
            lambda show: _engine.small_world(vertices, reach, one_in, _seed(seed), weighted, texts, count, show),
        )
