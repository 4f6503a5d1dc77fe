"""Graphs of a known shape. Vertices are 0, 1, 2, ..., those without edges too."""

from __future__ import annotations

from . import _engine
from ._graph import Graph
from ._labels import RangeLabels
from ._options import OptionValue, option_texts, thread_count


def _graph(engine: _engine.EngineGraph) -> Graph:
    return Graph._of(engine, RangeLabels(0, engine.vertex_count))


def kronecker(
    scale: int,
    edgefactor: int = 16,
    seed: tuple[int, int] = (2, 3),
    *,
    weighted: bool = False,
    threads: int | None = None,
    **layout: OptionValue,
) -> Graph:
    """Return the Graph500 benchmark's graph of 2**scale vertices and edgefactor * 2**scale tuples.

    Bit for bit that of the reference, release 3.0, with these seeds. Weights are from 0 to 1, float32. Threads and
    layout are as in Graph.from_edges. Raises ValueError for a scale that is not from 1 to 42, MemoryError.
    """
    return _graph(_engine.kronecker(scale, edgefactor, seed, weighted, option_texts(layout), thread_count(threads)))


def grid(
    rows: int, columns: int, *, weighted: bool = False, seed: int = 1, threads: int | None = None, **layout: OptionValue
) -> Graph:
    """Return a grid: vertex row * columns + column is joined to those to the right and below."""
    return _graph(_engine.grid(rows, columns, seed, weighted, option_texts(layout), thread_count(threads)))


def uniform_random(
    vertices: int,
    edges: int,
    *,
    weighted: bool = False,
    seed: int = 1,
    threads: int | None = None,
    **layout: OptionValue,
) -> Graph:
    """Return a graph of tuples whose ends are drawn evenly (Erdős and Rényi), self-loops and duplicates left out."""
    return _graph(_engine.uniform_random(vertices, edges, seed, weighted, option_texts(layout), thread_count(threads)))


def small_world(
    vertices: int,
    reach: int = 2,
    one_in: int = 10,
    *,
    weighted: bool = False,
    seed: int = 1,
    threads: int | None = None,
    **layout: OptionValue,
) -> Graph:
    """Return a ring, each vertex joined to the `reach` after it, one edge in `one_in` leads elsewhere (Watts)."""
    return _graph(
        _engine.small_world(vertices, reach, one_in, seed, weighted, option_texts(layout), thread_count(threads))
    )
