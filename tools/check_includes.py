#!/usr/bin/env python3
"""Checks what no compiler checks: which folder of src/ includes which, and the shape of source files.

Rules (docs/architecture.md draws the arrows):
  * a module includes itself and the modules below it, by their path below src/, if its build file declares them;
  * a room, which is a subfolder of a module, includes itself, the headers in the module's own folder, and the rooms
    below it; the headers in the module's own folder are its interface, and include only the rooms listed for them;
  * only src/comm includes mpi.h, only src/placement hwloc.h;
  * a source file includes its own header first, so that each header stands alone;
  * a header begins with #pragma once, after its comment;
  * no file is longer than 500 lines, and no folder of src/ has more than 25 files;
  * breadth.hpp includes, directly or not, at most 20 headers with itself: an installed Breadth consists of them.

Prints one line for each finding, "file:line: what", and exits with 1 if there are any.
"""

import argparse
import pathlib
import re
import sys

LONGEST_FILE = 500
MOST_FILES = 25
MOST_INSTALLED = 20

# The modules that each module may include, besides itself.
ARROWS = {
    "core": set(),
    "comm": {"core"},
    "placement": {"core", "comm"},
    "simd": {"core"},
    "generate": {"core"},
    "gpu": {"core", "generate"},
    "io": {"core", "comm", "generate"},
    "graph": {"core", "comm", "simd", "generate", "io"},
    "traverse": {"core", "comm", "simd", "gpu", "generate", "io", "graph"},
    "validate": {"core", "comm"},
    "model": {"core", "comm", "simd", "gpu", "generate", "io", "graph", "traverse"},
}
ARROWS["graph500"] = set(ARROWS)
ARROWS["tune"] = {*ARROWS} - {"placement", "gpu"}
ARROWS["cli"] = set(ARROWS)

# The header that users of the library include. It may include all modules except those of the program.
UMBRELLA = "breadth.hpp"
ARROWS[UMBRELLA] = set(ARROWS["tune"]) | {"gpu"}

# The rooms that each room may include. It may also include itself and the headers in its module's own folder (here "").
ROOMS = {
    "core": {"memory": set(), "parallel": set(), "policy": set(), "data": {"memory", "parallel"}, "": set()},
    "comm": {
        "exchange": set(),
        "routes": {"exchange"},
        "mpi": {"exchange"},
        "threads": {"exchange"},
        "": set(),
    },
    "io": {
        "files": set(),
        "names": {"files"},
        "text": {"files", "names"},
        "binary": {"files"},
        "output": {"files", "names"},
        "": {"files", "names", "text"},
    },
    "graph": {"forms": set(), "build": {"forms"}, "": {"forms"}},
    "traverse": {
        "exchange": set(),
        "replication": set(),
        "bfs": {"exchange", "replication"},
        "sssp": {"exchange", "replication", "bfs"},
        "components": set(),
        "papers": {"exchange", "replication", "bfs"},
        "devices": {"exchange", "replication", "bfs", "sssp"},
        "": {"exchange", "replication"},
    },
    "gpu": {
        "phases": set(),
        "tuples": {"phases"},
        "bfs": {"phases"},
        "sssp": {"phases"},
        "check": {"phases", "tuples"},
        "build": {"phases", "tuples", "bfs", "check"},
        "ranks": {"phases", "bfs", "sssp"},
        "cuda": {"phases", "bfs", "sssp", "build", "ranks"},
        "simulated": {"phases", "bfs", "sssp", "build", "ranks"},
        "": {"phases"},
    },
    "graph500": {"report": set(), "devices": {"report"}, "": {"report"}},
    "cli": {"options": set(), "commands": {"options"}, "": {"options"}},
}

# Headers that only one module may include.
HIDDEN_IN = {"mpi.h": "comm", "hwloc.h": "placement"}

INCLUDE = re.compile(r'\s*#\s*include\s+(?:"(?P<own>[^"]+)"|<(?P<system>[^>]+)>)')
MODULE = re.compile(r"breadth_module\(\s*(?P<name>\w+)(?P<arguments>[^)]*)\)")
KEYWORDS = {"DEPENDS", "LIBRARIES", "SOURCES"}


def includes_of(path):
    """Yields (line number, path in quotes or None, path in angle brackets or None) for each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match["own"], match["system"]


def declared_dependencies(source):
    """The modules that each module may use by its build file, directly or not."""
    direct = {}
    for build_file in sorted(source.glob("*/CMakeLists.txt")):
        for match in MODULE.finditer(build_file.read_text()):
            keyword = None
            for word in match["arguments"].split():
                if word in KEYWORDS:
                    keyword = word
                elif keyword == "DEPENDS":
                    direct.setdefault(match["name"], set()).add(word)
            direct.setdefault(match["name"], set())

    def reachable(module):
        found, ahead = set(), list(direct[module])
        while ahead:
            below = ahead.pop()
            if below not in found:
                found.add(below)
                ahead.extend(direct.get(below, ()))
        return found

    return {module: reachable(module) for module in direct}


def room_of(path):
    """The room of a path below src/: "" for a file in its module's own folder."""
    return "/".join(path.parts[1:-1])


def check_room(path, own):
    """What is wrong with an include inside a module, or None."""
    rooms = ROOMS.get(path.parts[0], {"": set()})
    here, there = room_of(path), room_of(own)
    if here not in rooms:
        return f"no arrows are known for the room {path.parent}"
    is_source_of_interface = here == "" and path.suffix in {".cpp", ".cu"}
    if there in {here, ""} or is_source_of_interface or there in rooms[here]:
        return None
    return f"{path.parent} must not include {own.parent}: {own.name}"


def check_include(path, source, own, declared):
    """What is wrong with one include in quotes, or None."""
    module = path.relative_to(source).parts[0]
    target = own.split("/")[0]
    if not (source / own).is_file():
        return f'"{own}" is no path below src/'
    if target == module:
        return check_room(path.relative_to(source), pathlib.PurePath(own))
    if target not in ARROWS.get(module, set()):
        return f"{module} must not include {target}: {own}"
    if module in declared and target not in declared[module]:
        return f"{module} includes {target}, which src/{module}/CMakeLists.txt does not name: {own}"
    return None


def check_module_file(path, source, declared):
    """Yields (line, finding) for a file of src/."""
    module = path.relative_to(source).parts[0]
    if path.parent == source:
        module = UMBRELLA
    if module not in ARROWS:
        yield 1, f"no arrows are known for module {module}"
        return
    own_header = path.with_suffix(".hpp")
    first = True
    for number, own, system in includes_of(path):
        if system == "hwy/foreach_target.h":  # Highway needs it before all other headers
            first = False
        if first and path.suffix == ".cpp" and own_header.is_file() and own != str(own_header.relative_to(source)):
            yield number, f"the first include must be {own_header.relative_to(source)}"
        first = False
        owner = HIDDEN_IN.get(system, module)
        if module != owner:
            yield number, f"{module} must not include {system}: only {owner} may"
        problem = check_include(path, source, own, declared) if own else None
        if problem:
            yield number, problem
    if path.suffix == ".hpp" and not begins_with_pragma_once(path):
        yield 1, "a header begins with #pragma once, after its comment"


def begins_with_pragma_once(path):
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("//"):
            return line.strip() == "#pragma once"
    return False


def installed_headers(source):
    """breadth.hpp and all headers that it includes, directly or not, in the order in which they are found."""
    found = [UMBRELLA]
    for header in found:
        if (source / header).is_file():
            found += [own for _, own, _ in includes_of(source / header) if own and own not in found]
    return found


def findings_in(root):
    """Yields (path, line, finding) for every source file below src/, tests/ and the other folders."""
    source = root / "src"
    declared = declared_dependencies(source)
    for folder in sorted(path for path in source.rglob("*") if path.is_dir()):
        files = sum(path.is_file() for path in folder.iterdir())
        if files > MOST_FILES:
            yield folder, 1, f"{files} files; no folder has more than {MOST_FILES}"
    installed = len(installed_headers(source))
    if installed > MOST_INSTALLED:
        yield source / UMBRELLA, 1, f"leads to {installed} headers; users see no more than {MOST_INSTALLED}"
    for folder in ("src", "tests", "benchmarks", "tools", "cmake", "python"):
        for path in sorted((root / folder).rglob("*")):
            is_source = path.suffix in {".cpp", ".hpp", ".cu", ".cuh", ".py", ".cmake"} or path.name == "CMakeLists.txt"
            if not is_source or "data" in path.relative_to(root).parts:
                continue
            lines = len(path.read_text().splitlines())
            if lines > LONGEST_FILE:
                yield path, LONGEST_FILE + 1, f"{lines} lines; no file has more than {LONGEST_FILE}"
            if folder == "src" and path.suffix in {".cpp", ".hpp", ".cu", ".cuh"}:
                for line, finding in check_module_file(path, source, declared):
                    yield path, line, finding


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    root = parser.parse_args().root
    findings = list(findings_in(root))
    for path, line, finding in findings:
        print(f"{path.relative_to(root)}:{line}: {finding}", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
