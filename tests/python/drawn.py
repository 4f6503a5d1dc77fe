"""How many cases a test draws: the same at each run, or new ones."""

import os

from hypothesis import settings

FRESH = int(os.environ.get("TEST_FRESH", "0"))


def drawn(cases):
    """Settings for so many cases, the same at each run until the code of the test changes.

    With TEST_FRESH=N in the environment they are new at each run, and N times as many (`tools/python soak`).
    """
    return settings(max_examples=cases * max(FRESH, 1), deadline=None, derandomize=not FRESH)
