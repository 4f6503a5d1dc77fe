"""Columns of labels and weights, whatever library they come from, as arrays that the engine reads."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._labels import IntegerLabels, Labels, number

Array: TypeAlias = npt.NDArray[Any]


def _is_array_like(column: Any) -> bool:
    return hasattr(column, "__array__")


def _from_arrow(column: Any) -> Array:
    import pyarrow

    return np.asarray(pyarrow.chunked_array(column).to_numpy())


def _from_objects(column: Any) -> Array:
    """Return integers where all objects are, else the objects themselves: numpy would make 1 and "a" two strings."""
    objects = list(column)
    try:
        array = np.array(objects) if objects else np.empty(0, dtype=np.int64)
    except (ValueError, OverflowError):  # of different lengths, too large
        array = np.empty((0, 0))
    if array.ndim == 1 and array.dtype.kind in "iu":
        return array
    return np.fromiter(objects, dtype=object, count=len(objects))


def as_column(column: Any, name: str) -> Array:
    """Return one dimension of anything: numpy, pandas, polars, Arrow (by its PyCapsule interface), or an iterable."""
    if _is_array_like(column):
        array = np.asarray(column)
    elif hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        array = _from_arrow(column)
    else:
        array = _from_objects(column)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions; a column has one")
    return array


def require_one_length(*columns: Array | None) -> None:
    """Raise ValueError unless all columns that are there are of one length."""
    lengths = [len(column) for column in columns if column is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"columns differ in length: {', '.join(map(str, lengths))}")


def for_engine(array: Array) -> Array:
    """Return the array as the engine reads it: contiguous, in the machine's byte order. Copies at most once."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def as_weights(weights: Any) -> Array:
    """Return weights as float32, float64, int64 or uint64. Raises ValueError for what are no numbers."""
    if _is_array_like(weights):
        array = np.asarray(weights)
    elif hasattr(weights, "__arrow_c_stream__") or hasattr(weights, "__arrow_c_array__"):
        array = _from_arrow(weights)
    else:
        array = np.asarray(list(weights)) if not isinstance(weights, list | tuple) else np.asarray(weights)
    if array.ndim != 1:
        raise ValueError(f"weights have {array.ndim} dimensions; a column has one")
    kind = array.dtype.kind
    if array.size == 0:
        return array.astype(np.float64)
    if kind == "u":
        return for_engine(array.astype(np.uint64, copy=False))
    if kind in "ib":
        return for_engine(array.astype(np.int64, copy=False))
    if kind == "f":
        return for_engine(array.astype(np.float32 if array.dtype.itemsize <= 4 else np.float64, copy=False))
    raise ValueError(f"weights are numbers, not {array.dtype}")


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
    known, (from_numbers, to_numbers) = number(sources.tolist(), targets.tolist())
    for index, label in enumerate(known.array()):
        if _is_missing(label):
            name, numbers = ("sources", from_numbers) if index in from_numbers else ("targets", to_numbers)
            raise ValueError(f"{name}[{int(np.argmax(numbers == index))}] is missing: every edge has two ends")
    return from_numbers, to_numbers, known


def _is_missing(label: Any) -> bool:
    """Whether an object stands for none: None, NaN, NaT, or pandas.NA, which is neither the same as itself nor not."""
    try:
        return label is None or bool(label != label)  # noqa: PLR0124
    except (TypeError, ValueError):
        return type(label).__name__ == "NAType"


def exceeds_int64(array: Array) -> bool:
    return array.dtype == np.uint64 and array.size > 0 and int(array.max()) > np.iinfo(np.int64).max


def _integers(array: Array) -> Array:
    return for_engine(array) if array.dtype.kind in "iu" else np.empty(0, dtype=np.int64)
