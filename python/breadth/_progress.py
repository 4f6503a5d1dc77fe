"""Progress bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._optional import library

_UNITS = {"building": "edge", "reading": "B"}


class _Bars:
    """One tqdm bar for each stage of work."""

    def __init__(self) -> None:
        self._tqdm = library("tqdm.auto", "progress=True").tqdm
        self._bar: Any = None
        self._stage = ""

    def show(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(desc=stage, unit=_UNITS[stage], unit_scale=True)
        self._bar.total = total or None
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


@contextmanager
def shown(progress: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """Yield a function that the engine calls with a stage's name, the work done and the total, 0 if it is unknown.

    Yields None if no progress is wanted.
    """
    if not progress:
        yield None
        return
    bars = _Bars()
    try:
        yield bars.show
    finally:
        bars.close()
