#!/usr/bin/env python3
"""Runs networkx's own tests with every call dispatched to the backend `breadth`, and counts the dispatches.

Fails if a test fails, or if a function that the backend claims to have answered no call: a test that falls back to
networkx proves nothing. Passes its arguments to pytest. Without arguments the whole suite runs, with a process for each
core (some minutes).
"""

from __future__ import annotations

import functools
import os
import sys
from collections import Counter
from pathlib import Path

os.environ |= {"NETWORKX_TEST_BACKEND": "breadth", "NETWORKX_FALLBACK_TO_NX": "True"}

import breadth._networkx as backend
import pytest
from _breadth_networkx import FUNCTIONS

ANSWERED = Counter()  # by function of the backend, the calls that it answered, in all processes
LEFT = Counter()  # and the calls that it left to networkx


def counting(name, function):
    @functools.wraps(function)
    def counted(*args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except NotImplementedError:
            LEFT[name] += 1
            raise
        except Exception:
            ANSWERED[name] += 1
            raise
        ANSWERED[name] += 1
        return result

    return counted


def never_dispatched():
    return sorted(set(FUNCTIONS) - set(ANSWERED))


# This file is also a pytest plugin (`-p networkx_suite`) in each process that runs tests. Its hooks follow.


def pytest_configure():
    for name in FUNCTIONS:
        setattr(backend, name, counting(name, getattr(backend, name)))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    ANSWERED.update(node.workeroutput["answered"])
    LEFT.update(node.workeroutput["left"])


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # a worker process: the first process reads its counts
        session.config.workeroutput |= {"answered": dict(ANSWERED), "left": dict(LEFT)}
    elif never_dispatched() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    terminalreporter.section("dispatched to breadth")
    for name in sorted(FUNCTIONS):
        left = f", {LEFT[name]} left to networkx" if LEFT[name] else ""
        terminalreporter.write_line(f"{name:42} {ANSWERED[name]:6}{left}")
    terminalreporter.write_line(f"{'all':42} {ANSWERED.total():6}")
    if never_dispatched():
        terminalreporter.write_line(f"never dispatched to breadth: {', '.join(never_dispatched())}", red=True)


def main(arguments):
    folder = Path(__file__).parent
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    options = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "networkx_suite", "--disable-warnings"]
    options += ["--pyargs", *(arguments or ["networkx", "-n", "auto", "--dist", "loadfile"])]
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *options])


if __name__ == "__main__":
    main(sys.argv[1:])
