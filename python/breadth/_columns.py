"""Columns of labels and weights of any library, as arrays that the engine reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._blocks import array_of_objects, as_list, by_blocks, kinds_of
from ._labels import is_missing
from ._moments import as_objects

Array: TypeAlias = npt.NDArray[Any]

_DATES_IN_MS = "date64[ms]"  # dates that Arrow counts in milliseconds


def _is_array_like(column: Any) -> bool:
    return hasattr(column, "__array__")


def _is_arrow(column: Any) -> bool:
    return hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__")


def _is_beyond_numpy(kind: Any) -> bool:
    """Whether numpy would lose a part of an Arrow type: a time zone, that bytes are a UUID, or a time is a date."""
    kind = getattr(kind, "value_type", kind)  # of a dictionary
    return getattr(kind, "tz", None) is not None or type(kind).__name__ == "UuidType" or str(kind) == _DATES_IN_MS


def _numpy_would_lose(column: Any) -> bool:
    """Whether a column loses a part in numpy that Arrow keeps, such as the field names of a table or struct."""
    kind = getattr(getattr(column, "dtype", None), "pyarrow_dtype", None) or getattr(column, "type", None)
    return hasattr(column, "schema") or type(kind).__name__ == "StructType" or _is_beyond_numpy(kind)


def _require_one_column(names: Iterable[Any], name: str) -> None:
    known = list(map(repr, names))
    if len(known) != 1:
        columns = ", ".join(known) or "none"
        raise ValueError(f"{name} is a table with the columns {columns}; it must be one column: select one of these")


def _from_arrow(column: Any, name: str) -> Array:
    """Return an Arrow column, or the only column of a table. Raises ValueError for a table of several columns."""
    import pyarrow

    chunked = pyarrow.chunked_array([column] if isinstance(column, pyarrow.Array) else column)
    if isinstance(chunked.type, pyarrow.StructType):
        _require_one_column((field.name for field in chunked.type), name)
        return _from_arrow(chunked.flatten()[0], name)
    if str(chunked.type) == _DATES_IN_MS:
        chunked = chunked.cast(pyarrow.date32())
    if _is_beyond_numpy(chunked.type):
        return np.fromiter(chunked.to_pylist(), dtype=object, count=len(chunked))
    return np.asarray(chunked.to_numpy())


def _from_array_like(column: Any, name: str) -> Array:
    """Return a numpy array. Raises ValueError for a masked array with a missing element."""
    if hasattr(column, "to_physical"):  # a polars column: some of its types are unknown to numpy
        zone = getattr(column.dtype, "time_zone", None)
        # Numpy would pad strings to the length of the longest, and take zeros at their ends for padding.
        if zone is not None or str(column.dtype) in ("Int128", "UInt128", "String"):
            return by_blocks(lambda some: np.fromiter(some.to_list(), dtype=object, count=len(some)), column)
    array: Array = np.asarray(column)
    if isinstance(column, np.ma.MaskedArray) and array.ndim == 1 and np.ma.is_masked(column):
        raise ValueError(f"{name}[{int(np.argmax(np.ma.getmaskarray(column)))}] is missing: it is masked")
    return array


def _from_array_or_arrow(column: Any, name: str) -> Array | None:
    """Return a column of numpy, pandas or Arrow as a numpy array, None for any other column."""
    if hasattr(column, "iloc") and hasattr(column, "columns"):  # a DataFrame
        _require_one_column(column.columns, name)
        column = column.iloc[:, 0]
    if _is_arrow(column) and (not _is_array_like(column) or _numpy_would_lose(column)):
        return _from_arrow(column, name)
    return _from_array_like(column, name) if _is_array_like(column) else None


def _elements(column: Any, name: str) -> list[Any]:
    """Return the elements of an iterable. Raises TypeError for a string, set, mapping, and for what is not iterable."""
    if isinstance(column, set | frozenset | Mapping):
        instead = "pass its values()" if isinstance(column, Mapping) else "it has no order"
        raise TypeError(f"{name} is a {type(column).__name__}; it must be a column, such as a list: {instead}")
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise TypeError(f"{name} is {column!r}; it must be a column, such as a list or an array")
    return list(column)


def _from_objects(objects: list[Any]) -> Array:
    """Return an array of integers if all objects are, else of objects, because numpy would make 1 and "a" strings."""
    array: Array = np.empty((0, 0))
    if not any(issubclass(kind, str | bytes) for kind in kinds_of(objects)):  # padded, they might fill the memory
        with suppress(ValueError, OverflowError):  # of different lengths, too large
            array = by_blocks(np.array, objects) if objects else np.empty(0, dtype=np.int64)
    if array.ndim == 1 and array.dtype.kind in "iu":
        return array
    return array_of_objects(objects)


def as_column(column: Any, name: str) -> Array:
    """Return a column of numpy, pandas, polars, Arrow (by its PyCapsule interface), or any iterable, as an array.

    A DataFrame or Arrow table with one column counts as that column. Raises ValueError for more dimensions than one.
    """
    array = _from_array_or_arrow(column, name)
    if array is None:
        array = _from_objects(_elements(column, name))
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions; a column has one")
    return _from_objects(as_list(array)) if array.dtype.kind == "O" else array


def several_labels(several: Any, name: str) -> Array | list[Any]:
    """Return the labels in a column. Raises TypeError for a single label."""
    if isinstance(several, str | bytes) or not (isinstance(several, Iterable) or _is_arrow(several)):
        raise TypeError(f"{name} is {several!r}; it must be several vertices, such as [{several!r}]")
    return as_column(several, name) if _is_array_like(several) or _is_arrow(several) else list(several)


def labels_in(several: Any, name: str) -> list[Any]:
    """Return the labels in a column as Python objects. Raises TypeError for a single label."""
    labels = several_labels(several, name)
    return labels if isinstance(labels, list) else as_objects(labels)[0]


def target_indices(index: Callable[[Any], int], targets: Any, source: int) -> list[int]:
    """Return the indices of targets, or none if targets is None. For an empty collection of targets, return the index
    of the source, so that the search ends at once."""
    if targets is None:
        return []
    return [index(target) for target in labels_in(targets, "targets")] or [source]


def require_one_length(*columns: Sized | None) -> None:
    """Raise ValueError unless all columns other than None have one length."""
    lengths = [len(column) for column in columns if column is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"columns differ in length: {', '.join(map(str, lengths))}")


def for_engine(array: Array) -> Array:
    """Return the array as the engine reads it: contiguous, in the machine's byte order. Copies at most once."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


_NO_NUMBERS = "weights must be integers or floats; numpy.asarray(weights, float) converts other numbers"


def _require_exact_integers(objects: list[Any], floats: Array) -> None:
    """Raise ValueError for an integer that numpy rounded because other weights are floats."""
    for index in np.flatnonzero(np.abs(floats) >= 2**53).tolist():
        weight = objects[index]
        if not isinstance(weight, float | np.floating) and int(weight) != int(floats[index]):
            raise ValueError(
                f"weights[{index}] is {weight}, which a float cannot hold exactly, and other weights are floats: "
                "make all of them integers, or give numpy.asarray(weights, float) to round it"
            )


def _weights_of_objects(objects: list[Any]) -> Array:
    """Return Python numbers as a numpy array. Raises ValueError, with the index, for an object that is no weight."""
    kinds = kinds_of(objects)
    if not kinds:
        return np.empty(0)
    if all(issubclass(kind, int | np.integer | np.bool_) for kind in kinds):
        for integers in (np.int64, np.uint64):
            with suppress(OverflowError):
                return by_blocks(partial(np.array, dtype=integers), objects)
    elif all(issubclass(kind, int | float | np.integer | np.floating | np.bool_) for kind in kinds):
        array = by_blocks(np.array, objects)
        if array.dtype.kind == "f":
            _require_exact_integers(objects, array)
            return array
    for index, weight in enumerate(objects):
        if is_missing(weight):
            raise ValueError(f"weights[{index}] is missing: it is {weight!r}")
        if not isinstance(weight, int | float | np.integer | np.floating | np.bool_):
            raise ValueError(f"weights[{index}] is {weight!r}: {_NO_NUMBERS}")
        if weight < 0:
            raise ValueError(f"weights[{index}] is {weight}: a weight is a finite number of at least 0")
        if not isinstance(weight, float | np.floating) and weight >= 2**64:
            raise ValueError(
                f"weights[{index}] is {weight}: integer weights must fit in 64 bits; convert all weights to floats"
            )
    raise ValueError(_NO_NUMBERS)


def _in_64_bits(floats: Array) -> Array:
    """Return floats as float64. Raises ValueError, with the index, for a longdouble that this would round."""
    with np.errstate(over="ignore"):
        doubles = floats.astype(np.float64, copy=False)
    if doubles.dtype.itemsize < floats.dtype.itemsize:
        rounded = np.flatnonzero((doubles != floats) & ~np.isnan(floats))
        if rounded.size:
            index = int(rounded[0])
            raise ValueError(
                f"weights[{index}] is {floats[index]!s}, which a float64 cannot hold exactly: "
                "give numpy.asarray(weights, float) to round it"
            )
    return doubles


def as_weights(weights: Any) -> Array:
    """Return weights as float32, float64, int64 or uint64. Raises ValueError for elements that are not numbers."""
    array = _from_array_or_arrow(weights, "weights")
    if array is None:
        array = _weights_of_objects(_elements(weights, "weights"))
    if array.ndim != 1:
        raise ValueError(f"weights have {array.ndim} dimensions; a column has one")
    if array.size == 0:
        return array.astype(np.float64)
    if array.dtype.kind == "O":
        array = _weights_of_objects(as_list(array))
    kind = array.dtype.kind
    if kind == "u":
        return for_engine(array.astype(np.uint64, copy=False))
    if kind in "ib":
        return for_engine(array.astype(np.int64, copy=False))
    if kind == "f":
        return for_engine(array.astype(np.float32, copy=False) if array.dtype.itemsize <= 4 else _in_64_bits(array))
    raise ValueError(f"weights are of type {array.dtype}: {_NO_NUMBERS}")


def in_32_bits(weights: Array) -> Array:
    """Return weights rounded to float32. Raises ValueError, with the index, for a weight that is too large."""
    with np.errstate(over="ignore"):
        rounded = weights.astype(np.float32, copy=False)
    lost = np.isinf(rounded)
    if lost.any() and np.isfinite(weights[lost]).any():
        index = int(np.argmax(lost & np.isfinite(weights)))
        most = f"32 bits hold weights up to {np.finfo(np.float32).max:.2g}; exact=True keeps 64 bits"
        raise ValueError(f"weights[{index}] is {weights[index]}: {most}")
    return rounded
