"""Long work on columns block by block, because Python handles Ctrl-C only between the calls of a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_BLOCK = 1 << 18  # elements: a call on a block takes some hundredths of a second at most


def blocks_of(column: Any) -> list[Any]:
    """Return the blocks of a column, at least one."""
    return [column[first : first + _BLOCK] for first in range(0, max(len(column), 1), _BLOCK)]


def by_blocks(work: Callable[[Any], npt.NDArray[Any]], column: Any) -> npt.NDArray[Any]:
    """Return work(column), an array with a row for each element, from calls on blocks of the column.

    Calls work on the whole column at once if its results for blocks differ in type.
    """
    found = work(column[:_BLOCK])
    if len(column) <= _BLOCK:
        return found
    whole = np.empty((len(column), *found.shape[1:]), dtype=found.dtype)
    whole[:_BLOCK] = found
    for first in range(_BLOCK, len(column), _BLOCK):
        found = work(column[first : first + _BLOCK])
        if found.dtype != whole.dtype or found.shape[1:] != whole.shape[1:]:
            return work(column)
        whole[first : first + _BLOCK] = found
    return whole


def array_of_objects(objects: Sequence[Any]) -> npt.NDArray[Any]:
    """Return an array of type object that holds the objects themselves."""
    return by_blocks(lambda block: np.fromiter(block, dtype=object, count=len(block)), objects)


def as_list(array: npt.NDArray[Any]) -> list[Any]:
    """Return array.tolist()."""
    elements: list[Any] = []
    for block in blocks_of(array):
        elements.extend(block.tolist())
    return elements


def kinds_of(objects: Any) -> set[type]:
    """Return the types of the elements of a list or an array."""
    kinds: set[type] = set()
    for block in blocks_of(objects):
        kinds.update(map(type, block))
    return kinds
