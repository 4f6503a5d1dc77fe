"""`python -m breadth ...` runs the program."""

import signal
import sys

from ._engine import run_program

if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as after `... &` in a script
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_program(["breadth", *sys.argv[1:]]))
