"""Libraries that only some functions need."""

from __future__ import annotations

import importlib
from typing import Any


def library(name: str, use: str) -> Any:
    """Import a module by its name. Raises an ImportError that says what needs the module and how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f"{use} needs {package}, which is not installed: pip install {package}") from error
