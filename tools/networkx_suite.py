#!/usr/bin/env python3
"""Runs networkx's own tests with every call dispatched to the backend `breadth`, and counts the dispatches.

Fails if a test fails, and if a function that the backend claims to have answered no call: what networkx falls back to
proves nothing. Arguments are those of pytest; without any, the whole suite runs (some minutes).
"""

from __future__ import annotations

import functools
import os
import sys
from collections import Counter

os.environ |= {"NETWORKX_TEST_BACKEND": "breadth", "NETWORKX_FALLBACK_TO_NX": "True"}

import breadth._networkx as backend
import pytest
from _breadth_networkx import FUNCTIONS


class Dispatches:
    """Counts which functions of the backend answered calls, and how many they left to networkx."""

    def __init__(self):
        self.answered = Counter()
        self.left = Counter()
        for name in FUNCTIONS:
            setattr(backend, name, self._counting(name, getattr(backend, name)))

    def _counting(self, name, function):
        @functools.wraps(function)
        def counted(*args, **kwargs):
            try:
                result = function(*args, **kwargs)
            except NotImplementedError:
                self.left[name] += 1
                raise
            except Exception:
                self.answered[name] += 1
                raise
            self.answered[name] += 1
            return result

        return counted

    @property
    def never(self):
        return sorted(set(FUNCTIONS) - set(self.answered))

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("dispatched to breadth")
        for name in sorted(FUNCTIONS):
            left = f", {self.left[name]} left to networkx" if self.left[name] else ""
            terminalreporter.write_line(f"{name:42} {self.answered[name]:6}{left}")
        terminalreporter.write_line(f"{'all':42} {self.answered.total():6}")


def main(arguments):
    dispatches = Dispatches()
    options = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--disable-warnings", "--pyargs"]
    status = pytest.main([*options, *(arguments or ["networkx"])], plugins=[dispatches])
    if dispatches.never:
        print(f"never dispatched to breadth: {', '.join(dispatches.never)}", file=sys.stderr)
    return int(status) or bool(dispatches.never)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
