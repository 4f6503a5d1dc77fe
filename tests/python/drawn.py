"""The number of random cases of a test, and whether they are the same at each run."""

import os

from hypothesis import settings

FRESH = int(os.environ.get("TEST_FRESH", "0"))


def drawn(cases):
    """Returns settings for this many cases. They are the same at each run until the code of the test changes.

    With TEST_FRESH=N in the environment there are N times as many, and they are new at each run (`tools/python soak`).
    """
    return settings(max_examples=cases * max(FRESH, 1), deadline=None, derandomize=not FRESH)
