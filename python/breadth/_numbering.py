"""Conversion of columns of labels to the indices of vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._categories import CodedColumn
from ._columns import Array, for_engine, several_labels
from ._labels import (
    AnyLabels,
    IntegerLabels,
    Labels,
    RangeLabels,
    UnorderedIntegerLabels,
    is_missing,
    labels_of,
    missing,
    number,
)
from ._moments import as_objects, plain_label


def _require_labels(array: Array, name: str) -> None:
    if array.dtype.kind in "fmM" and np.isnan(array).any():
        missing = int(np.argmax(np.isnan(array)))
        raise ValueError(f"{name}[{missing}] is missing: every edge has two ends")


def number_columns(sources: Array | CodedColumn, targets: Array | CodedColumn) -> tuple[Array, Array, Labels | None]:
    """Return two columns of labels for the engine, and the labels, or None if the engine numbers them itself."""
    for column, name in ((sources, "sources"), (targets, "targets")):
        if not isinstance(column, CodedColumn):
            _require_labels(column, name)
    if not isinstance(sources, CodedColumn) and not isinstance(targets, CodedColumn):
        integers = _number_integers(sources, targets)
        if integers is not None:
            return integers
    (first, from_codes), (second, to_codes) = _distinct(sources), _distinct(targets)
    from_objects, to_objects = as_objects(first, second)
    known, (from_numbers, to_numbers) = number({"sources": from_objects, "targets": to_objects})
    from_numbers, to_numbers = _of_all(sources, from_codes, from_numbers), _of_all(targets, to_codes, to_numbers)
    for index, label in enumerate(known.array()):
        if is_missing(label):
            name, numbers = ("sources", from_numbers) if index in from_numbers else ("targets", to_numbers)
            raise ValueError(f"{name}[{int(np.argmax(numbers == index))}] is missing: every edge has two ends")
    return from_numbers, to_numbers, known


def _number_integers(sources: Array, targets: Array) -> tuple[Array, Array, Labels | None] | None:
    """Return columns of integers for the engine, and the labels if it cannot number them; None for other columns."""
    if not all(array.dtype.kind in "iu" or array.size == 0 for array in (sources, targets)):
        return None
    if not any(exceeds_int64(array) for array in (sources, targets)):
        return _integers(sources), _integers(targets), None
    if all(array.dtype.kind == "u" or array.size == 0 or array.min() >= 0 for array in (sources, targets)):
        both = np.concatenate([sources.astype(np.uint64), targets.astype(np.uint64)])
        labels, numbers = np.unique(both, return_inverse=True)
        return numbers[: len(sources)], numbers[len(sources) :], IntegerLabels(labels)
    return None


def _distinct(column: Array | CodedColumn) -> tuple[Array, Array]:
    """Return the elements of a column. A CodedColumn gives each code's label once, in the order of appearance, and
    these codes."""
    if not isinstance(column, CodedColumn):
        return column, np.empty(0, dtype=np.int64)
    used = column.used()
    return column.values[used], used


def _of_all(column: Array | CodedColumn, used: Array, numbers: Array) -> Array:
    """Return the numbers of all elements of a column, from those of the elements that `_distinct` returned."""
    return column.expanded(used, numbers) if isinstance(column, CodedColumn) else numbers


def labels_of_vertices(vertices: Any) -> Labels:
    """Return the labels in the user's argument `vertices`. Raises as `labels_of` does."""
    return labels_of(vertices if isinstance(vertices, range) else several_labels(vertices, "vertices"))


def indices_of(column: Array | CodedColumn, name: str, labels: Labels) -> Array:
    """Return the indices of a column of labels. Raises KeyError for an unknown label.

    Consecutive integers are not checked here: the engine does it, on all threads.
    """
    if isinstance(column, CodedColumn):
        values, used = _distinct(column)
        indices = column.expanded(used, _indices(values, labels))
    elif isinstance(labels, RangeLabels) and column.dtype.kind in "iu" and not exceeds_int64(column):
        return for_engine(labels.indices(column))
    else:
        indices = _indices(column, labels)
    require_known(column, name, indices, labels)
    return indices


def _indices(column: Array, labels: Labels) -> Array:
    """Return the indices of a column of labels, -1 for unknown ones."""
    integers = column.dtype.kind in "iu"
    if isinstance(labels, AnyLabels) or (integers and isinstance(labels, IntegerLabels | UnorderedIntegerLabels)):
        return labels.indices(column)
    return np.fromiter(map(labels.index, as_objects(column)[0]), dtype=np.int64, count=len(column))


def require_known(column: Array | CodedColumn, name: str, indices: Array, labels: Labels) -> None:
    """Raise KeyError for the first label of a column whose index is out of range."""
    unknown = (indices < 0) | (indices >= len(labels))
    if unknown.any():
        row = int(unknown.argmax())
        raise missing(plain_label(column[row]), labels, f"is not a vertex: {name}[{row}] is not in vertices")


def exceeds_int64(array: Array) -> bool:
    return array.dtype == np.uint64 and array.size > 0 and int(array.max()) > np.iinfo(np.int64).max


def _integers(array: Array) -> Array:
    return for_engine(array) if array.dtype.kind in "iu" else np.empty(0, dtype=np.int64)
