"""Graphs from files."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from typing import Any

from . import _arrow, _engine, _files
from ._graph import Graph
from ._labels import found_labels
from ._options import OptionValue, errors_of_options, option_texts, thread_count, truth
from ._progress import shown


def read(
    path: str | os.PathLike[str],
    directed: bool = False,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    vertices: Iterable[Hashable] | None = None,
    exact: bool = True,
    threads: int | None = None,
    progress: bool = False,
    **layout: OptionValue,
) -> Graph:
    """Read a graph from a file. The ending of its name says which format it has.

    .txt, .mtx, .breadth and the program's other formats, also with .gz and .zst (docs/formats.md): labels are the
    file's names of vertices, and weights are read as 32-bit floating point.

    .parquet, through pyarrow: each row is an edge, as in Graph.from_edges.

    directed: whether edges are directed. A file that says itself that it is directed does not need it.
    source, target, weight: names of parquet columns, by default "source" and "target", and "weight" if there is one.
    vertices: all labels, in the order that `Graph.labels` will have, if the file is parquet.
    exact: whether to keep the weights of parquet exactly; exact=False rounds them to float32, as in all other files.
    progress: whether to show tqdm progress bars for reading and building.
    threads, layout: as in Graph.from_edges.

    Raises OSError of the system's kind, such as FileNotFoundError. Raises ValueError, which names the line or row, for
    a damaged file. Raises MemoryError, before anything is read, if the graph would not fit.

    Examples:
        >>> breadth.grid(1, 3).save("path.txt")
        >>> breadth.read("path.txt")
        <breadth.Graph: 3 vertices, 2 edges, undirected>
        >>> breadth.read("path.txt", directed=True)
        <breadth.Graph: 3 vertices, 2 edges, directed>
    """
    name, directed, exact = os.fsdecode(path), truth("directed", directed), truth("exact", exact)
    _files.require_file(name, os.path.exists(name), os.path.isdir(name))
    for wrong in {"sources", "targets", "weights"} & layout.keys():  # arguments of from_edges
        raise ValueError(f"there is no option {wrong}; is {wrong[:-1]}= meant?")
    if _arrow.is_parquet(name):
        columns = _arrow.ParquetEdges(name, source, target, weight)
        with errors_of_options(read, layout):
            columns.require_memory(directed, threads, layout)
        options: dict[str, Any] = {"exact": exact, "threads": threads, "progress": progress, **layout}
        with columns.errors():
            return Graph.from_edges(*columns.read(), directed, vertices=vertices, **options)
    if source or target or weight or vertices is not None:
        raise ValueError(
            f"'{name}': source, target, weight and vertices are for parquet files; "
            "Graph.from_pandas makes a graph of what pandas.read_csv reads"
        )
    given = {**layout, "directed": directed}
    with errors_of_options(read, given), shown(progress) as show, _files.errors_of_system(name):
        try:
            with _files.errors_in_words(name):
                engine, first, labels = _engine.read(name, directed, option_texts(layout), thread_count(threads), show)
        except ValueError as error:
            if "has no ending that tells its format" not in str(error):
                raise
            raise ValueError(f"{error}, {' '.join(_arrow.PARQUET_ENDINGS)} (parquet, with pyarrow)") from None
    return Graph._of(engine, found_labels(engine.vertex_count, first, labels))
