"""Tables of Arrow: edges, results, and files of parquet."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._blocks import as_list, blocks_of, kinds_of
from ._columns import Array
from ._moments import as_one_type
from ._optional import library
from ._options import OptionValue, option_texts, thread_count

if TYPE_CHECKING:
    import pyarrow

    from ._graph import Graph
    from ._stored import StoredGraph


# Types of labels that Arrow may change: a column has one time zone and one unit, and lists instead of tuples.
_CHANGED = (datetime.datetime, datetime.time, np.datetime64, np.timedelta64, tuple)


def pyarrow_for(use: str) -> Any:
    return library("pyarrow", use)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _column_of(labels: Array) -> Any:
    """Return labels as an Arrow column, None if Arrow has no type for them that keeps each label as it is."""
    pa = pyarrow_for("to_arrow()")
    objects = as_list(labels) if labels.dtype.kind == "O" else []
    moments = as_one_type(objects)
    try:
        column = pa.array(labels if moments is None else moments)
    except (pa.ArrowException, OverflowError, TypeError, UnicodeError):
        return None
    kinds = kinds_of(objects) if moments is None else set()
    may_change = len(kinds) > 1 or any(issubclass(kind, _CHANGED) for kind in kinds)
    if may_change and list(map(_hashable, column.to_pylist())) != objects:
        return None
    return column


def label_column(graph: StoredGraph, indices: Array | None = None) -> Any:
    """Return labels as an Arrow column: all labels, or those at some indices, null for -1.

    Raises TypeError for labels that Arrow has no type for, such as integers beside strings.
    """
    pa = pyarrow_for("to_arrow()")
    labels = _column_of(graph.labels)
    if labels is None:
        several = len(kinds_of(graph.labels)) > 1
        what = "labels of several kinds" if several else f"labels such as {graph.labels[0]!r}"
        raise TypeError(f"no type of Arrow keeps all {what} distinct; use to_pandas()")
    if indices is None:
        return labels
    return pa.chunked_array([labels.take(pa.array(block, mask=block < 0)) for block in blocks_of(indices)])


def vertex_table(graph: Graph, **columns: Any) -> pyarrow.Table:
    """Return a table with a row for each vertex: its label, then the given columns."""
    return pyarrow_for("to_arrow()").table({"vertex": label_column(graph), **columns})


def edge_table(graph: StoredGraph, sources: Array, targets: Array, weights: Array | None) -> pyarrow.Table:
    """Return a table with a row for each edge. sources, targets: indices of labels."""
    columns = {"source": label_column(graph, sources), "target": label_column(graph, targets)}
    return pyarrow_for("to_arrow()").table(columns if weights is None else {**columns, "weight": weights})


@contextmanager
def _errors_of_parquet(path: str) -> Iterator[None]:
    """Turn pyarrow's errors, except those of the system, into ValueErrors that name the file."""
    try:
        yield
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise ValueError(f"'{path}' cannot be read as parquet: {error}") from error


class ParquetEdges:
    """The columns of a parquet file that are a graph's edges."""

    def __init__(self, path: str, source: str | None, target: str | None, weight: str | None) -> None:
        """Read the file's metadata. Raises ValueError for a column that the file does not have."""
        parquet = library("pyarrow.parquet", "reading parquet")
        with _errors_of_parquet(path):
            self._file = parquet.ParquetFile(path)
        self._path = path
        names = self._file.schema_arrow.names
        self._source = source or "source"
        self._target = target or "target"
        self._weight = weight or ("weight" if "weight" in names else None)
        for argument, name in (("source", self._source), ("target", self._target), ("weight", self._weight)):
            if name is not None and name not in names:
                hint = "" if name != argument else f"; {argument}= says which it is"
                raise ValueError(f"'{path}' has no column {name!r}, only {', '.join(names)}{hint}")
            if names.count(name) > 1:
                raise ValueError(f"'{path}' has {names.count(name)} columns {name!r}; each name must be unique")

    def require_memory(self, directed: bool, threads: int | None, layout: dict[str, OptionValue]) -> None:
        """Raise MemoryError with the figures if the columns and a graph of them, taken without vertices, do not fit.

        Raises ValueError for an unknown option, or one out of range.
        """
        rows, weighted = int(self._file.metadata.num_rows), self._weight is not None
        column_bytes = 8 * rows * (3 if weighted else 2)
        texts, count = option_texts(layout), thread_count(threads)
        _engine.require_memory(0, rows, weighted, directed, texts, count, column_bytes)

    def read(self) -> tuple[Any, Any, Any]:
        """Return sources, targets, and weights or None. Raises ValueError for a value that is missing."""
        wanted = [name for name in (self._source, self._target, self._weight) if name is not None]
        arrow, groups = library("pyarrow", "reading parquet"), range(self._file.num_row_groups)
        with _errors_of_parquet(self._path):  # group by group, so that Ctrl-C takes effect in between
            parts = [self._file.read_row_group(group, columns=wanted) for group in groups]
            table = arrow.concat_tables(parts) if parts else self._file.read(columns=wanted)
        for name in wanted:
            if table[name].null_count:
                row = table[name].is_null().index(True).as_py()
                raise ValueError(f"'{self._path}': {name}[{row}] is missing")
        return table[self._source], table[self._target], None if self._weight is None else table[self._weight]

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Let errors for an element of a column name the file, and the column as the file does."""
        names = {"sources": self._source, "targets": self._target, "weights": self._weight}
        try:
            yield
        except (KeyError, TypeError, ValueError) as error:
            text = "".join(map(str, error.args[:1]))
            parts = re.split(r"\b(sources|targets|weights)(?=\[\d+\]| are of type )", text, maxsplit=1)
            if len(parts) == 1:
                raise
            raise type(error)(f"'{self._path}': {parts[0]}{names[parts[1]]}{parts[2]}") from None


PARQUET_ENDINGS = (".parquet", ".pq")


def is_parquet(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in PARQUET_ENDINGS
