"""What the ranks of an MPI communicator agree on: equal arguments, and errors."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from . import _engine

_Result = TypeVar("_Result")


def communicator(comm: Any) -> Any:
    """Return the communicator of a graph.

    Raises ImportError if there is no MPI, RuntimeError if mpi4py uses another MPI library, TypeError for another comm,
    ValueError for a null communicator.
    """
    ours = _engine.message_passing_library()
    if ours == "none":
        raise ImportError("this breadth was built without MPI: pip install . -C cmake.define.BREADTH_WITH_MPI=ON")
    from mpi4py import MPI

    theirs = re.split("[,\n]", MPI.Get_library_version())[0]
    if theirs != ours:
        raise RuntimeError(
            f"breadth was built with {ours}, but mpi4py with {theirs}; both must use the same MPI library"
        )
    known = MPI.COMM_WORLD if comm is None else comm
    if not isinstance(known, MPI.Comm):
        raise TypeError(f"comm is {comm!r}; it must be a communicator of mpi4py")
    if not known:
        raise ValueError("comm is a null communicator: it was freed, or this process is none of its ranks")
    if known.is_inter:
        raise TypeError("comm is an intercommunicator; Merge() makes one of the ranks of both groups")
    return known


def together(comm: Any, step: Callable[[], _Result], /, **arguments: Any) -> _Result:
    """Return step(). If it raises an error on any rank, raise on every rank, so that none waits for one that failed.

    arguments: must be equal on all ranks, which would otherwise wait for each other. Raises ValueError on every rank if
        one differs.
    """
    if not comm:
        raise ValueError("the communicator of the graph was freed; free it after the last use of the graph")
    failure: BaseException | None = None
    texts: dict[str, str] = {}
    try:
        texts = {name: _text_of(value) for name, value in arguments.items()}
        result = step()
    except BaseException as error:
        failure = error
    everywhere = comm.allgather((_said(failure), texts))
    _require_alike([theirs for _, theirs in everywhere])
    first = next((said for said, _ in everywhere if said is not None), None)
    if failure is not None:
        raise failure
    if first is not None:
        kind, words = first
        raise kind(words)
    return result


def _require_alike(everywhere: list[dict[str, str]]) -> None:
    """Raise ValueError for the first argument whose text differs between ranks. A rank without texts has failed."""
    known = {rank: texts for rank, texts in enumerate(everywhere) if texts}
    for rank, theirs in known.items():
        lowest, ours = next(iter(known.items()))
        for name in ours | theirs:
            first, other = ours.get(name, "not given"), theirs.get(name, "not given")
            if first != other:
                values = f"{name} is {first} on rank {lowest} and {other} on rank {rank}"
                raise ValueError(f"{values}; every rank must give the same value")


_SHOWN = 100  # elements of a list in an error message


def _text_of(value: Any) -> str:
    """Return a text by which ranks compare an argument; only its type if the texts of equal arguments may differ."""
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, list | tuple | range | np.ndarray):
        texts = [_text_of(element) for element in value]
        if len(texts) <= _SHOWN:
            return f"[{', '.join(texts)}]"
        check = hashlib.blake2b("\n".join(texts).encode(errors="surrogatepass"), digest_size=8).hexdigest()
        return f"[{', '.join(texts[:_SHOWN])}, ...] ({len(texts):,} elements with the checksum {check})"
    if isinstance(value, bytes | os.PathLike):
        return repr(os.fsdecode(value))
    return repr(value) if value is None or isinstance(value, bool | int | float | str) else f"a {type(value).__name__}"


def _said(error: BaseException | None) -> tuple[type[BaseException], str] | None:
    """Return the type and text of the error that other ranks raise.

    The type is one that can be made from its text alone; RuntimeError stands for any other.
    """
    if error is None:
        return None
    kinds = (MemoryError, OverflowError, TypeError, ValueError, OSError, KeyboardInterrupt)
    return next((kind for kind in kinds if isinstance(error, kind)), RuntimeError), str(error)
