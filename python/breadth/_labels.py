"""What the user calls vertices, and the engine's numbers 0, 1, 2, ... for them."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

_MOST_COMPARED = 100_000  # strings that are compared with one that is missing


class Labels(Protocol):
    """The labels of a graph's vertices, by their index."""

    def __len__(self) -> int: ...

    def index(self, label: Any) -> int:
        """Return the index of a label, or -1."""
        ...

    def nearest(self, label: Any) -> Hashable | None:
        """Return a label that may have been meant, if there is one."""
        ...

    def array(self) -> npt.NDArray[Any]:
        """Return all labels, in the order of their indices."""
        ...


class RangeLabels:
    """Consecutive integers, of which none is stored."""

    def __init__(self, first: int, count: int) -> None:
        self.first = first
        self._count = count

    def __len__(self) -> int:
        return self._count

    def index(self, label: Any) -> int:
        try:
            index = operator.index(label) - self.first
        except TypeError:
            return -1
        return index if 0 <= index < self._count else -1

    def indices(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the indices of a column of integers, below 0 or too large for those that are no labels."""
        return column.astype(np.int64, copy=False) - self.first if self.first else column

    def nearest(self, label: Any) -> Hashable | None:
        if not self._count or not isinstance(label, int | np.integer):
            return self.first if self._count else None
        return min(max(int(label), self.first), self.first + self._count - 1)

    def array(self) -> npt.NDArray[Any]:
        return np.arange(self.first, self.first + self._count, dtype=np.int64)


class IntegerLabels:
    """Rising integers with gaps."""

    def __init__(self, integers: npt.NDArray[Any]) -> None:
        self._integers = integers

    def __len__(self) -> int:
        return len(self._integers)

    def _place(self, label: Any) -> int:
        try:
            return int(self._integers.searchsorted(operator.index(label)))
        except OverflowError:  # no integer of this width
            return len(self._integers) if label > 0 else 0

    def index(self, label: Any) -> int:
        try:
            place = self._place(label)
        except TypeError:
            return -1
        return place if place < len(self._integers) and self._integers[place] == label else -1

    def nearest(self, label: Any) -> Hashable | None:
        try:
            place = self._place(label)
        except TypeError:
            place = 0
            label = int(self._integers[0])
        around: list[int] = self._integers[max(0, place - 1) : place + 1].tolist()
        return min(around, key=lambda known: abs(known - int(label)))

    def array(self) -> npt.NDArray[Any]:
        return self._integers


class AnyLabels:
    """Distinct hashable objects, in the order in which they were given."""

    def __init__(self, labels: Sequence[Hashable], indices: dict[Hashable, int] | None = None) -> None:
        self._labels = labels
        self._indices = {label: i for i, label in enumerate(labels)} if indices is None else indices

    def __len__(self) -> int:
        return len(self._labels)

    def index(self, label: Any) -> int:
        try:
            return self._indices.get(label, -1)
        except TypeError:  # not hashable
            return -1

    def nearest(self, label: Any) -> Hashable | None:
        if isinstance(label, str) and len(self._labels) <= _MOST_COMPARED:
            strings = [known for known in self._labels if isinstance(known, str)]
            for known in difflib.get_close_matches(label, strings, n=1, cutoff=0.5):
                return known
        return self._labels[0] if self._labels else None

    def array(self) -> npt.NDArray[Any]:
        if all(isinstance(label, str) for label in self._labels):
            return np.array(self._labels, dtype=object)
        return np.fromiter(self._labels, dtype=object, count=len(self._labels))


def labels_of(values: Iterable[Hashable]) -> Labels:
    """Return labels for distinct objects in this order: compactly where they are consecutive integers.

    A range takes no time, whatever its length.
    """
    if isinstance(values, range) and values.step == 1:
        return RangeLabels(values.start, len(values))
    labels = list(values)
    if all(type(label) is int and label == i for i, label in enumerate(labels)):
        return RangeLabels(0, len(labels))
    return AnyLabels(labels)


def number(*columns: Iterable[Hashable]) -> tuple[Labels, list[npt.NDArray[np.int64]]]:
    """Number the distinct objects of some columns in the order of their first appearance.

    Returns the labels, and each column as indices into them. O(elements), each a look-up in a dict.
    """
    indices: dict[Hashable, int] = {}
    numbered = [np.array([indices.setdefault(x, len(indices)) for x in column], dtype=np.int64) for column in columns]
    return AnyLabels(list(indices), indices), numbered
