"""Options of the engine as keyword arguments, and how far its searches go."""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import numpy as np

NO_LIMIT = (1 << 63) - 1  # the largest integer of 64 bits
OptionValue: TypeAlias = str | int | float | bool


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return an integer within these limits. Raises TypeError or ValueError, which calls it by its name."""
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
    """Return True or False, numpy's too. Raises TypeError for anything else, which calls it by its name."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise TypeError(f"{name} is {value!r}; it must be True or False")


def option_texts(options: dict[str, OptionValue]) -> list[tuple[str, str]]:
    """Return names and values as the program's table of options has them: small_level=5 is --small-level 5."""
    return [(name.replace("_", "-"), _text(value)) for name, value in sorted(options.items())]


def _text(value: OptionValue) -> str:
    if isinstance(value, bool | np.bool_):
        return "on" if value else "off"
    return str(value)


@contextmanager
def beside(*arguments: str) -> Iterator[None]:
    """Let errors for options that are not there name an argument of the function that is spelt nearly like them."""
    try:
        yield
    except ValueError as error:
        unknown = re.match(r"there is no option (\S+);", str(error))
        name = unknown[1].replace("-", "_") if unknown else ""
        for near in difflib.get_close_matches(name, arguments, n=1, cutoff=0.7):
            raise ValueError(f"there is no option {name}; is {near}= meant?") from None
        raise


def thread_count(threads: int | None) -> int:
    """Return the engine's number of threads, 0 for its own choice. Raises ValueError for less than one."""
    return 0 if threads is None else whole("threads", threads, 1, (1 << 31) - 1)


def depth_limit(name: str, depth: int | None) -> int:
    """Return the deepest level that is wanted. Raises ValueError, which calls it by its name."""
    return NO_LIMIT if depth is None else min(whole(name, depth, 0), NO_LIMIT)


def cutoffs(cutoff: float | None) -> tuple[float, int]:
    """Return the farthest distance that is wanted as a float and as an integer, each rounded down."""
    if cutoff is None:
        return math.inf, NO_LIMIT
    with suppress(TypeError):  # numpy would compare its integers with floats as floats
        cutoff = operator.index(cutoff)  # type: ignore[arg-type]
    try:
        usable = bool(cutoff >= 0)
    except TypeError:
        raise TypeError(f"cutoff is {cutoff!r}; it must be a number") from None
    if not usable:
        raise ValueError(f"cutoff is {cutoff}; it must be at least 0")
    try:
        real = float(cutoff)
    except OverflowError:  # an integer beyond all floats
        return math.inf, NO_LIMIT
    if real > cutoff:
        real = math.nextafter(real, 0)
    return real, NO_LIMIT if real == math.inf else min(math.floor(cutoff), NO_LIMIT)
