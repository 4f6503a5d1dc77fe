"""The program `breadth`, from Python."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from ._options import OptionValue, as_keywords, option_texts

_NO_MEMORY = ("too little memory", "out of memory")  # messages before anything is built, and on the way


def graph500(scale: int, *, edgefactor: int = 16, **options: OptionValue) -> dict[str, Any]:
    """Run the Graph500 benchmark in a process of its own and return its JSON output as Python objects.

    Options are those of `python -m breadth graph500 --help`: `keys=8`, `kernels="bfs,sssp"`, `threads=4`.

    Raises ValueError with the program's message for invalid options, MemoryError with the figures for a graph that does
    not fit, and RuntimeError for a run that fails otherwise.

    Examples:
        >>> result = breadth.graph500(6, keys=4)
        >>> result["valid"], result["bfs"]["NBFS"]
        (True, 4)
    """
    for name in {"help", "help_all", "json"} & options.keys():
        raise ValueError(
            f"{name} is only for the command line, `python -m breadth graph500`: graph500() returns the result"
        )
    settings: dict[str, OptionValue] = {"scale": scale, "edgefactor": edgefactor, **options}
    words = [word for name, text in option_texts(settings) for word in (f"--{name}", text)]
    command = [sys.executable, "-m", "breadth", "graph500", *words, "--json", "-"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        message = run.stderr.strip().removeprefix("breadth: ")
        failure = MemoryError if message.startswith(_NO_MEMORY) else RuntimeError
        raise (ValueError if run.returncode == 2 else failure)(as_keywords(message, settings))
    result: dict[str, Any] = json.loads(run.stdout)
    return result
