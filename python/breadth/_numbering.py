"""Columns of labels as the indices of a graph's vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

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


def number_columns(sources: Array, targets: Array) -> tuple[Array, Array, Labels | None]:
    """Return two columns of integers for the engine, and the labels if these are no labels themselves."""
    for array, name in ((sources, "sources"), (targets, "targets")):
        _require_labels(array, name)
    if all(array.dtype.kind in "iu" or array.size == 0 for array in (sources, targets)):
        if not any(exceeds_int64(array) for array in (sources, targets)):
            return _integers(sources), _integers(targets), None
        if all(array.dtype.kind == "u" or array.size == 0 or array.min() >= 0 for array in (sources, targets)):
            both = np.concatenate([sources.astype(np.uint64), targets.astype(np.uint64)])
            labels, numbers = np.unique(both, return_inverse=True)
            return numbers[: len(sources)], numbers[len(sources) :], IntegerLabels(labels)
    from_objects, to_objects = as_objects(sources, targets)
    known, (from_numbers, to_numbers) = number({"sources": from_objects, "targets": to_objects})
    for index, label in enumerate(known.array()):
        if is_missing(label):
            name, numbers = ("sources", from_numbers) if index in from_numbers else ("targets", to_numbers)
            raise ValueError(f"{name}[{int(np.argmax(numbers == index))}] is missing: every edge has two ends")
    return from_numbers, to_numbers, known


def labels_of_vertices(vertices: Any) -> Labels:
    """Return labels for what the user gives as all vertices. Raises as `labels_of` does."""
    return labels_of(vertices if isinstance(vertices, range) else several_labels(vertices, "vertices"))


def indices_of(column: Array, name: str, labels: Labels) -> Array:
    """Return the indices of a column of labels. Of consecutive integers none is looked at: the engine does, on threads.

    Raises KeyError for others that are missing.
    """
    integers = column.dtype.kind in "iu"
    if isinstance(labels, RangeLabels) and integers and not exceeds_int64(column):
        return for_engine(labels.indices(column))
    if isinstance(labels, AnyLabels) or (integers and isinstance(labels, IntegerLabels | UnorderedIntegerLabels)):
        indices = labels.indices(column)
    else:
        indices = np.array([labels.index(label) for label in as_objects(column)[0]], dtype=np.int64)
    require_known(column, name, indices, labels)
    return indices


def require_known(column: Array, name: str, indices: Array, labels: Labels) -> None:
    """Raise KeyError for the first label of a column whose index is none."""
    unknown = (indices < 0) | (indices >= len(labels))
    if unknown.any():
        row = int(unknown.argmax())
        raise missing(plain_label(column[row]), labels, f"is no vertex: {name}[{row}] is not in vertices")


def exceeds_int64(array: Array) -> bool:
    return array.dtype == np.uint64 and array.size > 0 and int(array.max()) > np.iinfo(np.int64).max


def _integers(array: Array) -> Array:
    return for_engine(array) if array.dtype.kind in "iu" else np.empty(0, dtype=np.int64)
