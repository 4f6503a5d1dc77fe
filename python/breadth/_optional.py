"""Libraries that only some functions need."""

from __future__ import annotations

import importlib
from typing import Any


def library(name: str, use: str) -> Any:
    """Return a module by its name. Raises ImportError that says what it is needed for and how it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f"{use} needs {package}, which is not installed: pip install {package}") from error
