#!/usr/bin/env python3
"""Writes the objects of a git repository as a graph file: a real graph of any size that everybody can make.

    build/python/bin/python benchmarks/git_objects.py FOLDER objects.breadth

Vertices are commits, trees, files' contents and tags; an edge leads from a commit to its parents and its tree, from a
tree to its entries, and from a tag to the object that it names. The graph is undirected. Prints its size.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import breadth
import numpy as np

TREE_ENTRY = re.compile(rb"[0-7]+ [^\0]+\0(.{20})", re.DOTALL)
HEADER_LINE = re.compile(rb"^(?:tree|parent|object) ([0-9a-f]{40})$", re.MULTILINE)


def run_git(folder: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, input=stdin, stdout=subprocess.PIPE, check=True).stdout


def all_objects(folder: Path) -> tuple[list[bytes], list[bytes]]:
    """The names of all objects, and the names of the objects that lead to others."""
    listing = run_git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    pairs = [line.split() for line in listing.splitlines()]
    return [name for name, _ in pairs], [name for name, kind in pairs if kind != b"blob"]


def references(folder: Path, names: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yields each object's name and the names that it leads to, each name as 20 bytes."""
    some = 20_000  # objects at a time
    for first in range(0, len(names), some):
        text = run_git(folder, "cat-file", "--batch", stdin=b"\n".join(names[first : first + some]))
        at = 0
        while at < len(text):
            end = text.index(b"\n", at)
            name, kind, size = text[at:end].split()
            body = text[end + 1 : end + 1 + int(size)]
            at = end + 2 + int(size)
            if kind == b"tree":
                found = b"".join(TREE_ENTRY.findall(body))
            else:
                head = body.partition(b"\n\n")[0]
                found = bytes.fromhex(b"".join(HEADER_LINE.findall(head)).decode())
            yield bytes.fromhex(name.decode()), found


def keys_of(names: bytes) -> np.ndarray:
    """The first eight bytes of each name. They must differ for all objects of a repository, which main() checks."""
    return np.frombuffer(names, np.uint8).reshape(-1, 20)[:, :8].copy().view(">u8").ravel().astype(np.uint64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a git repository")
    parser.add_argument("output", type=Path, help="the graph file to write, in a format of the package")
    arguments = parser.parse_args()

    names, leading = all_objects(arguments.folder)
    keys = np.unique(keys_of(bytes.fromhex(b"".join(names).decode())))
    if len(keys) != len(names):
        raise SystemExit("two objects' names begin with the same eight bytes")
    from_names, to_names, counts = [], [], []
    for name, found in references(arguments.folder, leading):
        from_names.append(name)
        to_names.append(found)
        counts.append(len(found) // 20)
    sources = np.repeat(keys_of(b"".join(from_names)), counts)
    targets = keys_of(b"".join(to_names))
    places = np.searchsorted(keys, targets)
    here = keys[np.minimum(places, len(keys) - 1)] == targets  # a submodule's commit is in another repository
    graph = breadth.Graph.from_edges(np.searchsorted(keys, sources[here]), places[here], vertices=range(len(keys)))
    graph.save(arguments.output)
    print(f"{len(graph):,} vertices, {graph.num_edges:,} edges")


if __name__ == "__main__":
    main()
