"""Options of the engine as keyword arguments, and how far its searches go."""

from __future__ import annotations

import math
import operator
from typing import TypeAlias

NO_LIMIT = (1 << 63) - 1  # the largest integer of 64 bits
OptionValue: TypeAlias = str | int | float | bool


def option_texts(options: dict[str, OptionValue]) -> list[tuple[str, str]]:
    """Return names and values as the program's table of options has them: small_level=5 is --small-level 5."""
    return [(name.replace("_", "-"), _text(value)) for name, value in sorted(options.items())]


def _text(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def thread_count(threads: int | None) -> int:
    """Return the engine's number of threads, 0 for its own choice. Raises ValueError for less than one."""
    if threads is None:
        return 0
    if threads < 1:
        raise ValueError(f"threads is {threads}; it must be at least 1")
    return threads


def depth_limit(name: str, depth: int | None) -> int:
    """Return the deepest level that is wanted. Raises ValueError, which calls it by its name."""
    if depth is None:
        return NO_LIMIT
    try:
        depth = operator.index(depth)
    except TypeError:
        raise TypeError(f"{name} is {depth!r}; it must be a whole number") from None
    if depth < 0:
        raise ValueError(f"{name} is {depth}; it must be at least 0")
    return min(depth, NO_LIMIT)


def cutoffs(cutoff: float | None) -> tuple[float, int]:
    """Return the farthest distance that is wanted as a float and as an integer, each rounded down."""
    if cutoff is None:
        return math.inf, NO_LIMIT
    if not cutoff >= 0:
        raise ValueError(f"cutoff is {cutoff}; it must be at least 0")
    try:
        real = float(cutoff)
    except OverflowError:  # an integer beyond all floats
        return math.inf, NO_LIMIT
    if real > cutoff:
        real = math.nextafter(real, 0)
    return real, NO_LIMIT if real == math.inf else min(math.floor(cutoff), NO_LIMIT)
