#!/usr/bin/env python3
"""Reports what each kernel takes of a GPU, from ptxas's output while nvcc compiles it.

    tools/gpu_resources.py FOLDER nvcc -Xptxas=-v ... -c file.cu -o file.o
    tools/gpu_resources.py --check FOLDER

The first form runs the compiler, as a CMake launcher does, and writes a table, FOLDER/file.txt: for each architecture
and kernel its registers, its stack and spills in bytes, and its traps. Kernels of CUB are left out.

The second form exits with 1 if a kernel uses a stack or spills registers, because that is memory traffic in the inner
loops. Only a program of many phases may keep its state between the phases there. It also exits with 1 if a phase has a
trap: nvcc inserts one, without a warning, where a constexpr function uses something that only the host has, such as an
element of a constexpr array. (A program has a trap wherever its grid waits, for a launch that does not allow waiting.)
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)' for '(?P<architecture>sm_\w+)'")
CUB = "3cub"  # CUB's namespace in mangled names
STACK = re.compile(r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill")
REGISTERS = re.compile(r"Used (?P<registers>\d+) registers")
# Bytes that a program may have on its stack and may spill: about the size of its state (gpu/bfs/device_search.hpp).
PROGRAM = "program of "
PROGRAM_BYTES = 768
COLUMNS = ("architecture", "kernel", "registers", "stack", "stored", "loaded", "traps")
PTX_ENTRY = re.compile(r"\.entry (?P<name>\w+)\(")


def kernels_in(log):
    """The cells (COLUMNS) of each kernel that ptxas compiled, without those of CUB."""
    rows, row = [], None
    for line in log.splitlines():
        if entry := ENTRY.search(line):
            row = [entry["architecture"], entry["name"], 0, 0, 0, 0, 0]
            if CUB not in entry["name"]:
                rows.append(row)
        elif row and (stack := STACK.search(line)):
            row[3:6] = (int(stack["stack"]), int(stack["stores"]), int(stack["loads"]))
        elif row and (registers := REGISTERS.search(line)):
            row[2] = int(registers["registers"])
    return rows


def traps_in(folder):
    """How many traps each kernel has, by its mangled name, in the PTX files that nvcc has kept in a folder.

    Adds up all architectures, since they are compiled from one source.
    """
    traps, name = {}, None
    for ptx in pathlib.Path(folder).glob("*.ptx"):
        for line in ptx.read_text().splitlines():
            if entry := PTX_ENTRY.search(line):
                name = entry["name"]
            elif line.strip().endswith("trap;"):
                traps[name] = traps.get(name, 0) + 1
    return traps


def demangled(names):
    """The kernels' readable names: PushRows<8>, program of SearchControl."""
    if not names or not shutil.which("c++filt"):
        return names
    answer = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    found = (re.search(r"run\w*_(?P<kind>phase|program)<(?P<text>.*)>\(", line) for line in answer.stdout.splitlines())
    return [(kernel and short_name(kernel)) or name for kernel, name in zip(found, names, strict=True)]


def short_name(kernel):
    text = re.sub(r"breadth::gpu::|\(unsigned int\)|\b(\d+)u\b", r"\1", kernel["text"]).strip()
    return PROGRAM + text if kernel["kind"] == "program" else text


def table_of(rows):
    text = [COLUMNS, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(line[i]) for line in text) for i in range(len(COLUMNS))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in text)
    return "".join(line.rstrip() + "\n" for line in lines)


def table_for(folder, command):
    """The path of the table for the source that the command compiles."""
    source = next((word for word in command if word.endswith(".cu")), "kernels.cu")
    return pathlib.Path(folder) / (pathlib.Path(source).stem + ".txt")


def compile_and_report(folder, command):
    with tempfile.TemporaryDirectory() as kept:
        compiled = subprocess.run([*command, "--keep", "--keep-dir", kept], capture_output=True, text=True)
        traps = traps_in(kept)
    log = compiled.stdout + compiled.stderr
    rows = kernels_in(log)
    if compiled.returncode != 0 or not rows:  # a run of the preprocessor has no kernels
        sys.stderr.write(log)
        return compiled.returncode
    sys.stderr.writelines(line for line in log.splitlines(keepends=True) if "warning" in line or "error" in line)
    for row, name in zip(rows, demangled([row[1] for row in rows]), strict=True):
        row[6] = traps.get(row[1], 0)
        row[1] = name
    table = table_for(folder, command)
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text(table_of(sorted(rows)))
    return 0


def most_bytes(kernel):
    return PROGRAM_BYTES if PROGRAM in kernel else 0


def check(folder):
    """Returns 1 if a kernel in any table has too much stack, spills or a trap, or if there is no kernel; else 0."""
    tables = [table.read_text().splitlines()[1:] for table in sorted(pathlib.Path(folder).glob("*.txt"))]
    kernels = [line.rsplit(maxsplit=5) for table in tables for line in table]
    spilling = [kernel for kernel in kernels if max(int(bytes) for bytes in kernel[2:5]) > most_bytes(kernel[0])]
    for kernel in spilling:
        print(f"{kernel[0]}: {kernel[2]} bytes of stack, {kernel[3]} stored, {kernel[4]} loaded", file=sys.stderr)
    trapping = [kernel for kernel in kernels if int(kernel[5]) > 0 and PROGRAM not in kernel[0]]
    for kernel in trapping:
        print(f"{kernel[0]}: {kernel[5]} traps: it reaches what only the host has", file=sys.stderr)
    return 1 if spilling or trapping or not kernels else 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        return check(sys.argv[2])
    return compile_and_report(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
