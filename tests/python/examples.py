"""The examples in the package's docstrings."""

import doctest
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import breadth
import pytest

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public_names() -> Iterator[tuple[str, Any]]:
    """Yields everything that a user may call or read by name, with the methods and properties of classes."""
    for name in breadth.__all__:
        value = getattr(breadth, name)
        yield name, value
        if inspect.isclass(value):
            for member in filter(lambda word: not word.startswith("_"), dir(value)):
                yield f"{name}.{member}", inspect.getattr_static(value, member)


def without_example() -> list[str]:
    """Returns the functions and methods of the package whose docstrings have no example."""
    functions = [(name, getattr(value, "__func__", value)) for name, value in public_names()]
    return [
        name
        for name, function in functions
        if inspect.isfunction(function) and function.__module__.startswith("breadth.") and name not in NAMES
    ]


DOCSTRINGS = {name: inspect.getdoc(value) or "" for name, value in [("breadth", breadth), *public_names()]}
NAMES = [name for name, text in DOCSTRINGS.items() if ">>>" in text]
OF_ONE_PROCESS = [name for name in NAMES if not name.startswith("Distributed")]
OF_RANKS = [name for name in NAMES if name.startswith("Distributed")]


class _Runner(doctest.DocTestRunner):
    def report_unexpected_exception(self, out: Callable[[str], Any], test: Any, example: Any, exc_info: Any) -> None:
        if isinstance(exc_info[1], ImportError):
            pytest.skip(str(exc_info[1]))
        super().report_unexpected_exception(out, test, example, exc_info)


def failures_of(name: str) -> str:
    """Runs the examples of a docstring and returns the differences. Skips the test if an example needs a library that
    is not installed."""
    test = doctest.DocTestParser().get_doctest(DOCSTRINGS[name], {"breadth": breadth}, name, None, 0)
    lines: list[str] = []
    _Runner(optionflags=OPTIONS).run(test, out=lines.append)
    return "".join(lines)
