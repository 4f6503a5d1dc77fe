"""How much memory graphs take, predicted before they are built."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _engine
from ._options import OptionValue, errors_of_options, option_texts, thread_count, truth, whole

_MANY = 1 << 18  # vertices and edges: fewer always fit
_ARRAY_BYTES = 64 << 20  # fewer always fit


@dataclass(frozen=True)
class MemoryPlan:
    """The memory that a graph takes, predicted from its size as the program's command `plan` does.

    graph_bytes: the graph itself, without labels that are Python objects. A weighted graph that is searched without its
        weights takes the bytes of a graph without weights in addition.
    construction_bytes: temporary memory while the graph is built, without the columns that the caller gives.
    search_bytes: the memory that a search keeps for the next search.
    result_bytes: the arrays of one result.
    peak_bytes: the most memory in use at once.
    available_bytes: the memory that this process may still take, within the limits of its control group.
    """

    graph_bytes: int
    construction_bytes: int
    search_bytes: int
    result_bytes: int
    peak_bytes: int
    available_bytes: int

    @property
    def fits(self) -> bool:
        """Whether the available memory is enough for the peak."""
        return self.peak_bytes <= self.available_bytes

    def __str__(self) -> str:
        figures = [
            f"{name.removesuffix('_bytes'):<13}{_engine.bytes_text(value):>12}" for name, value in vars(self).items()
        ]
        return "\n".join(figures)


def size(name: str, count: int) -> int:
    """Return a number of vertices or edges. Raises TypeError or ValueError for a value that cannot be one."""
    if not 0 <= (number := whole(name, count)) < 2**48:
        raise ValueError(f"{name} is {number}; it must be from 0 to 2**48 - 1")
    return number


def plan(
    vertices: int,
    edges: int,
    *,
    weighted: bool = False,
    directed: bool = False,
    threads: int | None = None,
    **layout: OptionValue,
) -> MemoryPlan:
    """Return how much memory a graph of so many vertices and edges takes, before anything is built.

    edges: number of rows of the columns. The prediction counts all rows as distinct edges, so that a graph with many
        duplicates takes less memory.
    threads, layout: as in Graph.from_edges.

    Raises ValueError for an option out of range. O(1).

    Examples:
        >>> breadth.plan(vertices=1000, edges=5000).fits
        True
    """
    vertices, edges = size("vertices", vertices), size("edges", edges)
    weighted, directed = truth("weighted", weighted), truth("directed", directed)
    texts, count = option_texts(layout), thread_count(threads)
    with errors_of_options(plan, layout):
        return MemoryPlan(**_engine.plan(vertices, edges, weighted, directed, texts, count))


def _may_be_too_large(vertices: int, edges: int) -> bool:
    """Whether to ask the engine if a graph fits. Sizes that make no sense are left to the engine's own checks."""
    return vertices >= 0 and edges >= 0 and vertices + edges > _MANY


def require_memory(
    vertices: int,
    edges: int,
    *,
    weighted: bool = False,
    directed: bool = False,
    threads: int | None = None,
    layout: dict[str, OptionValue],
) -> None:
    """Raise MemoryError with the figures if the graph does not fit."""
    if _may_be_too_large(vertices, edges):
        texts, count = option_texts(layout), thread_count(threads)
        _engine.require_memory(vertices, edges, weighted, directed, texts, count, 0)


def require_memory_for_kronecker(
    scale: int, edgefactor: int, *, weighted: bool, threads: int | None, layout: dict[str, OptionValue]
) -> None:
    """Raise MemoryError with the figures if a Kronecker graph of the expected size does not fit."""
    largest_scale = 42
    if 1 <= scale <= largest_scale and _may_be_too_large(1 << scale, edgefactor << scale):
        texts, count = option_texts(layout), thread_count(threads)
        _engine.require_memory_for_kronecker(scale, edgefactor, weighted, texts, count)


def new_array(shape: tuple[int, int], dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    """Return an array without initial values. Raises MemoryError with the figures if it does not fit."""
    needed = math.prod(shape) * np.dtype(dtype).itemsize
    if needed > _ARRAY_BYTES and needed > (available := plan(vertices=0, edges=0).available_bytes):
        figures = f"{_engine.bytes_text(needed)} needed, and {_engine.bytes_text(available)} available"
        raise MemoryError(f"too little memory for an array of {shape[0]:,} by {shape[1]:,}: {figures}")
    return np.empty(shape, dtype)
