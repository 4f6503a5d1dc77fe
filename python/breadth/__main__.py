"""`python -m breadth ...` is the program."""

import signal
import sys

from ._engine import run_program

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as in the program, which looks for it itself where it has to
    sys.exit(run_program(["breadth", *sys.argv[1:]]))
