"""Columns whose elements are codes of categories: categoricals of pandas and polars, dictionary columns of Arrow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._columns import Array, as_column
from ._moments import as_objects


@dataclass(frozen=True)
class CodedColumn:
    """A column of labels: element i is values[codes[i]]. A value may be twice in `values`, or be unused."""

    codes: Array
    values: Array

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> Any:
        return self.values[self.codes[row]]

    def used(self) -> Array:
        """Return the codes in the column, in the order of their first appearance. O(elements + categories)."""
        count = len(self)
        first = np.full(len(self.values), count, dtype=np.int64)
        first[self.codes[::-1]] = np.arange(count - 1, -1, -1)  # backwards: of equal codes, the last assignment wins
        used = np.flatnonzero(first < count)
        return used[np.argsort(first[used])]

    def expanded(self, used: Array, numbers: Array) -> Array:
        """Return the number of each element. numbers: those of the codes in `used`."""
        table = np.zeros(len(self.values), dtype=np.int64)
        table[used] = numbers
        return table[self.codes]


def _codes_of_pandas(column: Any) -> tuple[Array, Any]:
    column = getattr(column, "cat", column)  # of a Series
    return np.asarray(column.codes), column.categories


def _codes_of_polars(column: Any) -> tuple[Array, Any]:
    """Return codes, and the categories in the column only: codes of polars count all categories of the process."""
    distinct = column.drop_nulls().unique()
    found = distinct.to_physical().to_numpy()
    table = np.zeros(int(found.max()) + 1 if found.size else 1, dtype=np.int64)
    table[found] = np.arange(len(found))
    codes = table[column.to_physical().fill_null(int(found[0]) if found.size else 0).to_numpy()]
    codes[column.is_null().to_numpy()] = -1
    return codes, np.array(distinct.to_list(), dtype=object)


def _codes_of_arrow(column: Any) -> tuple[Array, Any] | None:
    """Return codes and the categories of all chunks, None if Arrow cannot unify the dictionaries of the chunks."""
    import pyarrow

    chunked = pyarrow.chunked_array([column]) if isinstance(column, pyarrow.Array) else pyarrow.chunked_array(column)
    try:
        chunks = chunked.unify_dictionaries().chunks
    except pyarrow.ArrowException:
        return None
    codes = [chunk.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False) for chunk in chunks]
    return (np.concatenate(codes), chunks[0].dictionary) if chunks else None


def _codes(column: Any) -> tuple[Array, Any, Any] | None:
    """Return codes (-1 for a missing element), categories, and the label of missing elements; None without codes."""
    dtype = getattr(column, "dtype", None)
    if type(dtype).__name__ == "CategoricalDtype":
        return *_codes_of_pandas(column), float("nan")
    if hasattr(column, "to_physical") and str(dtype).startswith(("Categorical", "Enum")):
        return *_codes_of_polars(column), None
    arrow = getattr(dtype, "pyarrow_dtype", None) or getattr(column, "type", None)
    found = _codes_of_arrow(column) if type(arrow).__name__ == "DictionaryType" else None
    return None if found is None else (*found, None)


def as_labels(column: Any, name: str) -> Array | CodedColumn:
    """Return a column as `as_column` does. Columns of categories that are not integers become CodedColumns."""
    found = _codes(column)
    if found is None or not len(found[0]):
        return as_column(column, name)
    codes, categories, none = found
    values = as_column(categories, name)
    if (codes < 0).any():
        with_none = np.empty(len(values) + 1, dtype=object)  # the code -1 is that of the last value
        with_none[:-1] = as_objects(values)[0]
        with_none[-1] = none
        return CodedColumn(codes, with_none)
    return values[codes] if values.dtype.kind in "iu" else CodedColumn(codes, values)
