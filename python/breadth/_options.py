"""Options of the engine as keyword arguments, and limits of searches."""

from __future__ import annotations

import decimal
import difflib
import inspect
import math
import operator
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import numpy as np

from . import _engine

NO_LIMIT = (1 << 63) - 1  # the largest integer of 64 bits
OptionValue: TypeAlias = str | int | float | bool


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return an integer from least to most. Raises TypeError or ValueError, which call the argument by its name."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it must be a whole number") from None
    if least is not None and number < least:
        raise ValueError(f"{name} is {number}; it must be at least {least}")
    if most is not None and number > most:
        raise ValueError(f"{name} is {number}; it must be at most {most}")
    return number


def truth(name: str, value: Any) -> bool:
    """Return a bool, also of numpy's. Raises TypeError, which calls the argument by its name, for anything else."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise TypeError(f"{name} is {value!r}; it must be True or False")


def option_texts(options: dict[str, OptionValue]) -> list[tuple[str, str]]:
    """Return names and values as in the program's table of options: small_level=5 becomes --small-level 5."""
    return [(name.replace("_", "-"), _text(value)) for name, value in sorted(options.items())]


def _text(value: OptionValue) -> str:
    if isinstance(value, bool | np.bool_):
        return "on" if value else "off"
    return str(value)


_INSTEAD = {("bfs", "cutoff"): "max_depth", ("sssp", "max_depth"): "cutoff"}
_LISTED = {"bfs": "search", "sssp": "search", "graphs": "layout"}


@contextmanager
def errors_of_options(
    function: Callable[..., Any], options: dict[str, OptionValue], *arguments: str, use: str | None = None
) -> Iterator[None]:
    """Let the engine's errors for options name keyword arguments of a function. For an unknown option, say which
    function has it.

    arguments: names that the function takes besides those in its signature. use: "bfs" or "sssp", if the function has
    another name.
    """
    try:
        yield
    except ValueError as error:
        use = use or (function.__name__ if function.__name__ in _LISTED else "graphs")
        if unknown := re.match(r"there is no option (\S+); the nearest is (\S*)", str(error)):
            signature = inspect.signature(function).parameters.values()
            own = [one.name for one in signature if one.default is not one.empty] + list(arguments)
            required = [one.name for one in signature if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
            name, near = (word.replace("-", "_") for word in unknown.groups())
            message = _of_others(name, use) or _misspelt(name, [*required, *own, near])
            if message is None:
                listed = f"`python -m breadth options {_LISTED[use]}` lists"
                message = f"there is no option {name}: {function.__name__} takes {', '.join(own)}, and what {listed}"
            raise ValueError(message) from None
        words = as_keywords(str(error), options)
        if words == str(error):
            raise
        raise type(error)(words) from None


def _of_others(name: str, use: str) -> str | None:
    if instead := _INSTEAD.get((use, name)):
        return f"{use} takes {instead}, not {name}"
    others = (other for other in _LISTED if other != use and _is_option_of(other, name))
    return next((f"{name} is an option of {other}, not of {use}" for other in others), None)


def _misspelt(name: str, known: list[str]) -> str | None:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    return f"there is no option {name}; is {near[0]}= meant?" if near else None


def _is_option_of(use: str, name: str) -> bool:
    """Whether an option is one of bfs, sssp or graphs, found out by trying it on a tiny graph."""
    texts = [(name.replace("_", "-"), "")]
    try:
        if use == "graphs":
            _engine.plan(2, 1, False, False, texts, 1)
        else:
            graph = _engine.grid(1, 2, 1, True, [], 1, None)
            _ = graph.bfs(0, [], 1, False, texts, 1) if use == "bfs" else graph.sssp(0, [], 1.0, 1, texts, 1)
    except ValueError as error:
        return not str(error).startswith("there is no option")
    return True


# Values of options that may stand after their names in the engine's errors.
_VALUES = "on|off|auto|push|pull|degree|label|levels|rows|apart|bulk|asynchronous|messages|replicated|[0-9.]+"
_OF_PROGRAM = ("help", "help-all", "json")  # options without a keyword argument


def as_keywords(message: str, options: dict[str, OptionValue]) -> str:
    """Return an error message in which the program's options are replaced by Python's keyword arguments."""
    names = {name.replace("_", "-"): name for name in options}
    if not any(name in names for name in re.findall(r"--([a-z][a-z-]*)", message)):
        return message
    wrong = re.fullmatch(r"--([a-z-]+) is '.*'; it must be (.*)", message, re.DOTALL)
    if wrong and wrong[1] in names:
        name = names[wrong[1]]
        return f"{name} is {options[name]!r}; it must be {wrong[2].replace('one of on, off', 'True or False')}"

    def keyword(option: re.Match[str]) -> str:
        if option[1] in _OF_PROGRAM:
            return option[0]
        value = {None: "", "on": "True", "off": "False"}.get(option[2], option[2])
        return f"{option[1].replace('-', '_')}={value}"

    return re.sub(rf"--([a-z][a-z-]*)(?: ({_VALUES})\b)?", keyword, message)


_BUILDING = ("exact", "threads", "progress")  # options of from_edges that are not the engine's


@contextmanager
def building(function: Callable[..., Any], options: dict[str, Any], copies: int = 1) -> Iterator[dict[str, Any]]:
    """Yield options of from_edges as those of Graph._from_numbers, and let its errors name the function's arguments.

    Raises ValueError for options that follow from the graph that the function gets.
    """
    for name in ("directed", "vertices"):
        if name in options:
            raise ValueError(f"{function.__name__} has no argument {name}=: the given graph determines it")
    named: dict[str, Any] = {name: options.pop(name) for name in _BUILDING if name in options}
    with errors_of_options(function, options, *_BUILDING):
        yield {**named, "layout": options, "copies": copies}


def thread_count(threads: int | None) -> int:
    """Return the number of threads for the engine; 0 lets it choose. Raises ValueError for less than one."""
    return 0 if threads is None else whole("threads", threads, 1, (1 << 31) - 1)


def depth_limit(name: str, depth: int | None) -> int:
    """Return the deepest level to visit. Raises ValueError, which calls the argument by its name."""
    return NO_LIMIT if depth is None else min(whole(name, depth, 0), NO_LIMIT)


def cutoffs(cutoff: float | None) -> tuple[float, int]:
    """Return the largest distance to find as a float and as an integer, each rounded down."""
    if cutoff is None:
        return math.inf, NO_LIMIT
    with suppress(TypeError):  # numpy would compare its own integers with floats as floats
        cutoff = operator.index(cutoff)  # type: ignore[arg-type]
    try:
        usable = bool(cutoff >= 0) if np.ndim(cutoff) == 0 else None
    except decimal.InvalidOperation:  # NaN
        usable = False
    except (TypeError, ValueError):
        usable = None
    if usable is None:
        raise TypeError(f"cutoff is {cutoff!r}; it must be a number")
    if not usable:
        raise ValueError(f"cutoff is {cutoff}; it must be at least 0")
    try:
        real = float(cutoff)
    except OverflowError:  # an integer beyond all floats
        return math.inf, NO_LIMIT
    if real > cutoff:
        real = math.nextafter(real, 0)
    return real, NO_LIMIT if real == math.inf else min(math.floor(cutoff), NO_LIMIT)
