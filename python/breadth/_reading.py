"""Graphs from files."""

from __future__ import annotations

import os
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
    threads: int | None = None,
    progress: bool = False,
    **layout: OptionValue,
) -> Graph:
    """Read a graph file of any format of the program, or of parquet; its name says which.

    .txt, .mtx, .breadth and the others, also with .gz and .zst (docs/formats.md): a file that says itself that it is
    directed needs no word of it. Labels are what the file calls its vertices, and weights are as the file has them, in
    32-bit floating point.

    .parquet, through pyarrow: each row is an edge, as in Graph.from_edges.

    source, target, weight: columns of parquet, "source" and "target" by default, and "weight" if there is one.
    progress: show bars of tqdm for reading and building.

    Threads and layout are as in Graph.from_edges. Raises OSError of the system's kind, such as FileNotFoundError;
    ValueError, which names the line or the row, for a damaged file; MemoryError before anything is read where the graph
    would not fit.

    Examples:
        >>> breadth.grid(1, 3).save("path.txt")
        >>> breadth.read("path.txt")
        <breadth.Graph: 3 vertices, 2 edges, undirected>
        >>> breadth.read("path.txt", directed=True)
        <breadth.Graph: 3 vertices, 2 edges, directed>
    """
    name, directed = os.fsdecode(path), truth("directed", directed)
    if not os.path.exists(name):
        raise FileNotFoundError(2, os.strerror(2), name)
    if os.path.isdir(name):
        raise IsADirectoryError(21, os.strerror(21), name)
    for wrong in {"sources", "targets", "weights"} & layout.keys():  # which from_edges takes, and columns are here
        raise ValueError(f"there is no option {wrong}; is {wrong[:-1]}= meant?")
    if _arrow.is_parquet(name):
        columns = _arrow.ParquetEdges(name, source, target, weight)
        columns.require_memory(directed, threads, layout)
        options: dict[str, Any] = {"threads": threads, "progress": progress, **layout}
        return Graph.from_edges(*columns.read(), directed, **options)
    if source or target or weight:
        raise ValueError(f"'{name}' has no columns with names; parquet has")
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
