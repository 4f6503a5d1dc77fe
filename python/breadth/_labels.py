"""Labels: the user's names of vertices, and their indices, the engine's numbers 0, 1, 2, ..."""

from __future__ import annotations

import difflib
import operator
import reprlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ._blocks import array_of_objects, by_blocks, kinds_of
from ._moments import as_objects, forms, forms_of_one

_MOST_COMPARED = 100_000  # labels that are compared with a missing one to find a similar one
_TABLE_ENTRIES = 4  # largest size of a look-up table, for each label and each element of the column


class Labels(Protocol):
    """The labels of a graph's vertices, in the order of their indices."""

    def __len__(self) -> int: ...

    def index(self, label: Any) -> int:
        """Return the index of a label, or -1."""
        ...

    def hint(self, label: Any) -> str:
        """Return the end of the error message for an unknown label, which says what the known labels are."""
        ...

    def array(self) -> npt.NDArray[Any]:
        """Return all labels, in the order of their indices."""
        ...


_MAY_EQUAL_INTEGERS = (float, np.floating, np.bool_, Decimal, Fraction)


def integer(label: Any) -> int:
    """Return the integer that a label equals, such as a float. Raises TypeError if it equals no integer."""
    if isinstance(label, _MAY_EQUAL_INTEGERS):
        with suppress(OverflowError, ValueError):  # infinite, NaN
            if (whole := int(label)) == label:
                return whole
    return operator.index(label)


_NONE = "; the graph has no vertices"


def _integers_from(least: int, most: int, count: int) -> str:
    some = "integers" if count == most - least + 1 else f"{count:,} integers"
    return f"; labels are {some} from {least} to {most}"


def _spelt_integer(label: Any, labels: Labels) -> str:
    """Return a hint that names the integer in a string if that is a label, else the empty string."""
    if isinstance(label, str):
        with suppress(ValueError):
            if labels.index(integer := int(label)) >= 0:
                return f"; is the integer {integer} meant?"
    return ""


def _nearest(label: int, integers: Iterable[int]) -> int:
    return min(integers, key=lambda known: abs(known - label))


class RangeLabels:
    """Consecutive integers, which are not stored."""

    def __init__(self, first: int, count: int) -> None:
        self.first = first
        self._count = count

    def __len__(self) -> int:
        return self._count

    def index(self, label: Any) -> int:
        try:
            index = integer(label) - self.first
        except TypeError:
            return -1
        return index if 0 <= index < self._count else -1

    def indices(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the indices of a column of integers. The index of an unknown label is below 0 or too large."""
        return column.astype(np.int64, copy=False) - self.first if self.first else column

    def hint(self, label: Any) -> str:
        if not self._count:
            return _NONE
        spelt = _spelt_integer(label, self)
        return spelt or _integers_from(self.first, self.first + self._count - 1, self._count)

    def array(self) -> npt.NDArray[Any]:
        return np.arange(self.first, self.first + self._count, dtype=np.int64)


class IntegerLabels:
    """Integers in ascending order, with gaps."""

    def __init__(self, integers: npt.NDArray[Any]) -> None:
        self._integers = integers

    def __len__(self) -> int:
        return len(self._integers)

    def _place(self, label: Any) -> int:
        try:
            # The type is that of the labels, because numpy would compare unsigned integers with signed ones as floats.
            return int(self._integers.searchsorted(np.array(integer(label), dtype=self._integers.dtype)))
        except OverflowError:  # no integer of this width
            return len(self._integers) if label > 0 else 0

    def index(self, label: Any) -> int:
        try:
            place = self._place(label)
        except TypeError:
            return -1
        found = place < len(self._integers) and int(self._integers[place]) == integer(label)
        return place if found else -1

    def indices(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the indices of a column of integers, -1 for unknown labels.

        O(n + m) with a table, if labels are so dense that it is no larger than a few columns, else O(m log n).
        """
        count = len(self._integers)
        if not count:
            return np.full(len(column), -1, dtype=np.int64)
        span = int(self._integers[-1]) - int(self._integers[0]) + 1
        table = None
        if span <= _TABLE_ENTRIES * (count + len(column)):
            table = np.zeros(span, dtype=np.int64)
            table[self._integers - self._integers[0]] = np.arange(count)
        return by_blocks(partial(self._look_up, table), column)

    def _look_up(self, table: npt.NDArray[np.int64] | None, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the indices of some integers. table: the index of each integer from the first label to the last."""
        integers = column.astype(self._integers.dtype, copy=False)
        if table is None:
            places = np.minimum(self._integers.searchsorted(integers), len(self._integers) - 1)
        else:
            offsets = (integers - self._integers[0]).view(np.uint64)
            places = table[np.where(offsets < len(table), offsets, 0)]
        known = self._integers[places] == integers
        if column.dtype.kind != integers.dtype.kind:  # an integer that does not fit has changed its sign
            known &= (integers < 0) == (column < 0)
        return np.where(known, places, -1)

    def hint(self, label: Any) -> str:
        if not len(self._integers):
            return _NONE
        if spelt := _spelt_integer(label, self):
            return spelt
        known = _integers_from(int(self._integers[0]), int(self._integers[-1]), len(self._integers))
        try:
            place = self._place(label)
        except TypeError:
            return known
        beside: list[int] = self._integers[max(place - 1, 0) : place + 1].tolist()
        return f"{known}, of which {_nearest(integer(label), beside)} is the nearest"

    def array(self) -> npt.NDArray[Any]:
        return self._integers


class UnorderedIntegerLabels:
    """Integers in the order in which they were given."""

    def __init__(self, integers: npt.NDArray[Any], order: npt.NDArray[Any]) -> None:
        self._integers = integers
        self._order = order
        self._rising = IntegerLabels(integers[order])

    def __len__(self) -> int:
        return len(self._integers)

    def index(self, label: Any) -> int:
        place = self._rising.index(label)
        return place if place < 0 else int(self._order[place])

    def indices(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the indices of a column of integers, -1 for unknown labels. O(m log n)."""
        places = self._rising.indices(column)
        return by_blocks(lambda some: np.where(some < 0, -1, self._order[some]), places)

    def hint(self, label: Any) -> str:
        return self._rising.hint(label)

    def array(self) -> npt.NDArray[Any]:
        return self._integers


def _array(numbers: list[int]) -> npt.NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


class AnyLabels:
    """Distinct hashable objects, in the order in which they were given."""

    def __init__(self, labels: Sequence[Hashable], indices: dict[Hashable, int] | None = None) -> None:
        self._labels = labels
        self._indices = {label: i for i, label in enumerate(labels)} if indices is None else indices

    def __len__(self) -> int:
        return len(self._labels)

    def index(self, label: Any) -> int:
        try:
            index = self._indices.get(label, -1)
        except TypeError:  # not hashable
            return -1
        if index < 0:
            index = max((self._indices.get(equal, -1) for equal in forms_of_one(label)), default=-1)
        return index

    def indices(self, column: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the indices of a column, -1 for unknown labels. O(elements), each a look-up in a dict."""
        indices = np.full(len(column), -1, dtype=np.int64)
        found: npt.NDArray[np.int64]
        for objects in forms(column):
            try:
                found = by_blocks(lambda some: _array([self._indices.get(label, -1) for label in some]), objects)
            except TypeError:  # not hashable
                found = by_blocks(lambda some: _array([self.index(label) for label in some]), objects)
            indices = np.maximum(indices, found)
            if (indices >= 0).all():
                return indices
        if column.dtype.kind == "O":
            for place in np.flatnonzero(indices < 0).tolist():
                indices[place] = self.index(column[place])
                if indices[place] < 0:
                    break
        return indices

    def hint(self, label: Any) -> str:
        if not self._labels:
            return _NONE
        if isinstance(label, str | tuple) and len(self._labels) <= _MOST_COMPARED:
            kind, spelled = (str, str) if isinstance(label, str) else (tuple, repr)
            alike = {spelled(known): known for known in self._labels if isinstance(known, kind)}
            for near in difflib.get_close_matches(spelled(label), alike, n=1, cutoff=0.75):
                return f"; is {alike[near]!r} meant?"
        if spelt := _spelt_integer(label, self):
            return spelt
        if type(label) is int:
            if str(label) in self._indices:
                return f"; is the string {str(label)!r} meant?"
            if integers := [known for known in self._labels if type(known) is int]:
                return f"; of the integers among labels, {_nearest(label, integers)} is the nearest"
        return "" if isinstance(label, type(self._labels[0])) else f"; labels look like {self._labels[0]!r}"

    def array(self) -> npt.NDArray[Any]:
        kinds = kinds_of(self._labels)
        if kinds == {int}:
            for integers in (np.int64, np.uint64):
                with suppress(OverflowError):
                    return by_blocks(partial(np.array, dtype=integers), self._labels)
        return array_of_objects(self._labels)


def missing(label: Any, labels: Labels | None = None, what: str = "is not a vertex") -> Exception:
    """Return the error for an unknown label: TypeError for what cannot be a label, such as a list, else KeyError."""
    try:
        hash(label)
    except TypeError:
        return TypeError(f"{reprlib.repr(label)} was given, but one vertex is expected")
    return KeyError(f"{label!r} {what}{'' if labels is None else labels.hint(label)}")


def is_missing(label: Any) -> bool:
    """Whether an object is a missing value: None, NaN, NaT, or pandas.NA, whose comparison with itself has no truth."""
    try:
        return label is None or bool(label != label)  # noqa: PLR0124
    except (TypeError, ValueError):
        return type(label).__name__ == "NAType"


def _require_hashable(columns: Mapping[str, Sequence[Any]]) -> None:
    """Raise TypeError for the first object that is not hashable and so cannot be a label."""
    for name, column in columns.items():
        for index, label in enumerate(column):
            try:
                hash(label)
            except TypeError as error:
                raise TypeError(f"{name}[{index}] is {label!r}, which cannot be a label: {error}") from None


def _is_integral(kind: type) -> bool:
    return kind is int or (issubclass(kind, np.integer) and not issubclass(kind, np.timedelta64))


def _integers_among(labels: list[Any]) -> npt.NDArray[Any] | None:
    """Return labels as an array if all are integers of 64 bits, else None."""
    if all(map(_is_integral, kinds_of(labels))):
        with suppress(OverflowError):
            array = by_blocks(np.array, labels) if labels else np.empty(0, dtype=np.int64)
            return array if array.dtype.kind in "iu" else None
    return None


def _labels_of_integers(integers: npt.NDArray[Any]) -> Labels | None:
    """Return labels for integers in this order, None if the integers are not distinct."""
    wide = integers.dtype == np.uint64 and integers.size > 0 and int(integers.max()) > np.iinfo(np.int64).max
    own = np.array(integers, dtype=np.uint64 if wide else np.int64)
    if (own[1:] > own[:-1]).all():
        if not own.size:
            return RangeLabels(0, 0)
        consecutive = int(own[-1]) - int(own[0]) == len(own) - 1
        return RangeLabels(int(own[0]), len(own)) if consecutive and not wide else IntegerLabels(own)
    order = np.argsort(own, kind="stable")
    rising = own[order]
    return None if (rising[1:] == rising[:-1]).any() else UnorderedIntegerLabels(own, order)


def labels_of(values: Iterable[Hashable], name: str = "vertices") -> Labels:
    """Return labels for distinct objects in this order. Integers are stored compactly.

    A range of any length takes O(1). Raises ValueError, with the index, for a missing value or a duplicate, TypeError
    for an object that is not hashable.
    """
    if isinstance(values, range) and values.step == 1 and values.start >= -(2**63) and values.stop <= 2**63:
        return RangeLabels(values.start, len(values))
    column = values if isinstance(values, np.ndarray) else list(values)
    integers = _integers_among(column) if isinstance(column, list) else column
    known = _labels_of_integers(integers) if integers is not None and integers.dtype.kind in "iu" else None
    if known is not None:
        return known
    (labels,) = as_objects(column)
    try:
        indices = {label: i for i, label in enumerate(labels)}
    except TypeError:
        _require_hashable({name: labels})
        raise
    if not kinds_of(labels) <= {int, str, bytes, tuple}:
        for i, label in enumerate(labels):
            if is_missing(label):
                raise ValueError(f"{name}[{i}] is missing: it is {label!r}")
    if len(indices) < len(labels):
        first, second = next((i, indices[label]) for i, label in enumerate(labels) if indices[label] != i)
        raise ValueError(
            f"{name}[{second}] is {labels[second]!r}, the same as {name}[{first}]: each vertex may occur only once"
        )
    return AnyLabels(labels, indices)


def number(columns: Mapping[str, Sequence[Hashable]]) -> tuple[Labels, list[npt.NDArray[np.int64]]]:
    """Number the distinct objects of some columns in the order of their first appearance, integers in ascending order.

    Returns the labels, and each column as indices into them. O(elements), each a look-up in a dict. Raises TypeError,
    with the name of the column and the index, for an object that is not hashable.
    """
    indices: dict[Hashable, int] = {}
    try:
        numbered = [
            by_blocks(lambda some: _array([indices.setdefault(x, len(indices)) for x in some]), column)
            for column in columns.values()
        ]
    except TypeError:
        _require_hashable(columns)
        raise
    labels: list[Any] = list(indices)
    if labels and all(map(_is_integral, kinds_of(labels))):
        labels = [int(label) for label in labels]
        order = sorted(range(len(labels)), key=labels.__getitem__)
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        labels = [labels[i] for i in order]
        return AnyLabels(labels), [places[numbers] for numbers in numbered]
    return AnyLabels(labels, indices), numbered


def found_labels(count: int, first: int, labels: Any) -> Labels:
    """Return the labels that the engine found: consecutive integers, other integers, or strings."""
    if labels is None:
        return RangeLabels(first, count)
    return AnyLabels(labels) if isinstance(labels, list) else IntegerLabels(labels)
