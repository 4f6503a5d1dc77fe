#!/usr/bin/env python3
"""A soak: random graphs and options through the real program until the time is up, every answer checked (docs/soak.md).

Usage: soak.py --minutes 5 --breadth PROGRAM [--launcher "mpiexec --oversubscribe -n"] [--seed N] [--keep FOLDER]
"""

import sys

from soak.campaign import main

if __name__ == "__main__":
    sys.exit(main())
