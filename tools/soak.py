#!/usr/bin/env python3
"""Runs the program on random graphs and options until the time is up, and checks every answer (docs/soak.md).

Usage: soak.py --minutes 5 --breadth PROGRAM [--launcher "mpiexec --oversubscribe -n"] [--seed N] [--keep FOLDER]
"""

import sys

from soak.campaign import main

if __name__ == "__main__":
    sys.exit(main())
