"""Options of the engine as keyword arguments."""

from __future__ import annotations

from typing import TypeAlias

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
