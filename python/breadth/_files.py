"""Writing of graph files, and errors of files."""

from __future__ import annotations

import errno
import os
import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _arrow, _engine
from ._blocks import as_list, by_blocks
from ._columns import Array
from ._labels import IntegerLabels, Labels, RangeLabels


def require_file(path: str, exists: bool, is_folder: bool) -> None:
    """Raise FileNotFoundError if the path does not exist, IsADirectoryError if it is a folder."""
    for wrong, code in ((not exists, errno.ENOENT), (is_folder, errno.EISDIR)):
        if wrong:
            raise OSError(code, os.strerror(code), path)


@contextmanager
def errors_of_system(path: str) -> Iterator[None]:
    """Turn the engine's errors for what the system refuses into an OSError of that kind."""
    try:
        yield
    except ValueError as error:
        refused = re.match(r"cannot (?:examine|open|read|write) '.*?': (.*)", str(error), re.DOTALL)
        reason = refused[1] if refused else ""
        codes = [code for code in errno.errorcode if reason.startswith(os.strerror(code))]
        if not codes:
            raise
        raise OSError(max(codes, key=lambda code: len(os.strerror(code))), reason, path) from None


@contextmanager
def errors_in_words(path: str) -> Iterator[None]:
    """Give errors a readable message if the name of a file, or a label in it, is not UTF-8."""
    try:
        yield
    except UnicodeDecodeError as error:
        text = error.object.decode(errors="backslashreplace")
        if os.fsencode(path) in error.object:  # the engine's message, which has the name in it
            raise ValueError(text) from None
        raise ValueError(f"'{path}' is not UTF-8: it has the label {text!r}; convert it, e.g. with iconv") from None
    except ValueError as error:
        if error.args:
            raise
        name = os.fsencode(path).decode(errors="backslashreplace")  # Python 3.10 loses the engine's message
        raise ValueError(
            f"'{name}' cannot be used, and its name, which is not UTF-8, hides the reason: rename it"
        ) from None


@dataclass
class _Names:
    """The names of vertices in a file, in ascending order, as consecutive integers from first, integers or words.

    places: the position of each index among the names, None if both orders are equal.
    """

    first: int = 0
    integers: Array | None = None
    words: list[str] | None = None
    places: Array | None = None


def _names(labels: Labels) -> _Names:
    if isinstance(labels, RangeLabels):
        return _Names(first=labels.first)
    array = labels.array()
    if isinstance(labels, IntegerLabels) and array.dtype == np.int64:
        return _Names(integers=array)
    objects = as_list(array)
    if all(type(label) is int and -(2**63) <= label < 2**63 for label in objects):
        order, places = _sorted(objects)
        return _Names(integers=np.array([objects[i] for i in order], dtype=np.int64), places=places)
    _require_words(objects)
    order, places = _sorted(objects)
    return _Names(words=[objects[i] for i in order], places=places)


def _sorted(labels: Sequence[Any]) -> tuple[list[int], Array]:
    """Return the indices in ascending order of their labels, and the position of each index in that order."""
    # Sorts parts of some 16,000 labels between pivots, because Ctrl-C would have to wait for one sort of all.
    pivots = sorted(labels[::1024])[16::16]
    parts: list[list[int]] = [[] for _ in range(len(pivots) + 1)]
    for index, label in enumerate(labels):
        parts[bisect(pivots, label)].append(index)
    order = [index for part in parts for index in sorted(part, key=labels.__getitem__)]
    places = np.empty(len(order), dtype=np.int64)
    places[by_blocks(np.array, order)] = np.arange(len(order))
    return order, places


def _require_words(labels: Sequence[Any]) -> None:
    """Raise ValueError, with the label, for labels that a file cannot have."""
    other = next((label for label in labels if not isinstance(label, str)), None)
    if other is not None:
        odd = next((label for label in labels if type(label) is not int or not -(2**63) <= label < 2**63), other)
        blamed = repr(odd) if odd is other or not isinstance(odd, str) else f"{other!r} beside {odd!r}"
        raise ValueError(
            f"vertices in a file are all integers of 64 bits or all strings, not {blamed}; pickle keeps any labels"
        )
    for label in labels:
        _require_word(label)


def _require_word(label: str) -> None:
    if not label:
        raise ValueError("a label is the empty string, which a file cannot hold; pickle keeps it")
    if any(letter == "\x7f" or (letter < " " and letter not in "\t\v\f\r") for letter in label):
        raise ValueError(
            f"{label!r} cannot be read again as the name of a vertex: it has a line end or a control character; "
            "pickle keeps it"
        )
    try:
        label.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{label!r} cannot be written: {error}; pickle keeps it") from None


def _require_exact(weights: Array) -> Array:
    """Return weights as float32, as files have them. Raises ValueError for a weight that float32 rounds."""
    single = weights.astype(np.float32)
    again = single.astype(np.float64)
    rounded = again != weights
    if weights.dtype.kind in "iu":  # numpy would compare integers with floats as floats
        fits = again < np.iinfo(weights.dtype).max
        rounded = ~fits
        rounded[fits] = again[fits].astype(weights.dtype) != weights[fits]
    if rounded.any():
        index = int(np.argmax(rounded))
        raise ValueError(
            f"weight {weights[index]} cannot be stored exactly in 32-bit floating point, as files need; "
            "pickle keeps it, and a graph made with exact=False has the nearest weight that can"
        )
    return single


def _require_names_that_fit(path: str, names: _Names) -> None:
    """Raise ValueError if the file's format would change the names of vertices."""
    name, _, first = _engine.format_of(path)
    by_range = names.integers is None and names.words is None
    if first is not None and not (by_range and 0 <= names.first <= first):
        raise ValueError(
            f"'{path}': {name} files number vertices {first}, {first + 1}, {first + 2}, ...; "
            "a .breadth file keeps labels"
        )


def _require_directions(path: str) -> None:
    """Raise ValueError for a format in which directed edges would silently come back undirected."""
    name = _engine.format_of(path)[0]
    if name == "packed":
        raise ValueError(
            f"'{path}' cannot hold directed edges: {name} tuples of the Graph500 are undirected; .breadth and .mtx "
            "files keep them"
        )


def _looks_like_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _order_of_words(path: str, words: list[str], sources: Array, targets: Array, weighted: bool) -> Array | None:
    """Return an order of edges in which a reader of the text takes labels for words, not for integers.

    A reader takes labels for integers if the first edge has two integers. In .csv and .tsv files, it takes the first
    line for names of columns if this has no numbers and the next one has some. If no order helps, the engine refuses
    the file.
    """
    integers = np.array([re.fullmatch(r"[+-]?[0-9]+", word) is not None for word in words])
    first, second = integers[sources], integers[targets]
    may_have_header = os.path.splitext(path)[1] in (".csv", ".tsv") and not weighted
    if (first ^ second).any():
        return np.argsort(~(first ^ second), kind="stable")  # no names of columns, and no two integers
    numbers = np.array([_looks_like_number(word) for word in words])
    some = numbers[sources] | numbers[targets]
    order = np.argsort(first & second, kind="stable")
    return np.argsort(some, kind="stable") if may_have_header else order


def _require_folder(path: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(2, os.strerror(2), folder)
    if os.path.isdir(path):
        raise IsADirectoryError(21, os.strerror(21), path)
    if not os.access(folder, os.W_OK):
        raise PermissionError(13, os.strerror(13), folder)


def write(
    path: str, sources: Array, targets: Array, weights: Array | None, labels: Labels, directed: bool, threads: int
) -> None:
    """Write a graph of edges between indices of labels, each edge once. See Graph.save."""
    if _arrow.is_parquet(path):
        raise ValueError(f"'{path}': save() writes no parquet; pyarrow.parquet.write_table(g.to_arrow(), path) does")
    _require_folder(path)
    if len(sources) == 0:
        raise ValueError("a file has at least one edge; pickle keeps a graph without any")
    if directed:
        _require_directions(path)
    names = _names(labels)
    _require_names_that_fit(path, names)
    if names.places is not None:
        sources, targets = by_blocks(names.places.take, sources), by_blocks(names.places.take, targets)
    single = None if weights is None else _require_exact(weights)
    if names.words is not None and _engine.format_of(path)[1]:
        order = _order_of_words(path, names.words, sources, targets, single is not None)
        sources, targets = by_blocks(sources.take, order), by_blocks(targets.take, order)
        single = None if single is None else by_blocks(single.take, order)
    with errors_of_system(path), errors_in_words(path):
        _engine.write(
            path, sources, targets, single, directed, len(labels), names.first, names.integers, names.words, threads
        )
