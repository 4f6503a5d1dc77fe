"""What graphs take of memory, said before there is any."""

import json
import subprocess
import sys

import breadth
import pytest


def plan_of_the_program(*words):
    command = [sys.executable, "-m", "breadth", "plan", *words, "--threads", "2", "--edge-list", "generate", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_as_the_program(weighted):
    words = ["--scale", "20", "--kernels", "sssp" if weighted else "bfs"]
    theirs = plan_of_the_program(*words)
    expected = {name: theirs[f"{name}_bytes"] for name in ("graph", "search")}
    # The program knows how many labels of its graph have edges; here all may have.
    graph = breadth.plan(theirs["connected_vertices"], theirs["edges"], weighted=weighted, threads=2)
    assert abs(graph.search_bytes - expected["search"]) < 0.6 * expected["search"]
    assert abs(graph.graph_bytes - expected["graph"]) < 0.1 * expected["graph"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_graphs_take_what_is_said(weighted, directed):
    columns = [list(range(100_000)), [(i * 7919 + 1) % 100_000 for i in range(100_000)]]
    weights = [1] * 100_000 if weighted else None
    g = breadth.Graph.from_edges(*columns, weights, directed)
    plan = breadth.plan(100_000, g.num_edges, weighted=weighted, directed=directed)
    assert 0.7 < plan.graph_bytes / g.nbytes < 1.5
    assert g.plan().graph_bytes == plan.graph_bytes
    assert plan.peak_bytes >= plan.graph_bytes + plan.search_bytes
    assert plan.fits == (plan.peak_bytes <= plan.available_bytes)


def test_plans_grow_and_can_be_read():
    small, large = breadth.plan(10, 10), breadth.plan(10**9, 10**10)
    assert small.fits
    assert not large.fits or large.available_bytes > 2**36
    assert small.peak_bytes < large.peak_bytes
    assert large.graph_bytes > 8 * 10**10
    assert "peak" in str(large)
    assert "GiB" in str(large)
    assert large.graph_bytes > breadth.plan(10**9, 10**10, adjacency="compressed").graph_bytes
    for wrong in ((-1, 1), (1, -1), (2**48, 1)):
        with pytest.raises(ValueError, match="must be from 0"):
            breadth.plan(*wrong)
    with pytest.raises(ValueError, match="order"):
        breadth.plan(1, 1, order="none")


CASES = {
    "arrays": "breadth.Graph.from_edges(np.arange(30_000_000, dtype=np.int32), np.arange(30_000_000, dtype=np.int32))",
    "kronecker": "breadth.kronecker(24)",
    "grid": "breadth.grid(10_000, 10_000)",
    "uniform": "breadth.uniform_random(10**8, 10**9)",
    "small world": "breadth.small_world(10**8)",
    "text": "breadth.read('large.mtx')",
    "parquet": "breadth.read('large.parquet')",
}


@pytest.mark.parametrize("case", CASES)
def test_what_does_not_fit_is_refused_before_it_is_built(case, tmp_path):
    """In a process that may take 700 MiB; what it took is far less than the graph."""
    (tmp_path / "large.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern general\n90000000 90000000 900000000\n1 2\n"
    )
    if case == "parquet":
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        column = pa.DictionaryArray.from_arrays(pa.array([0] * 30_000_000, pa.int8()), pa.array([1]))
        pq.write_table(pa.table({"source": column, "target": column}), tmp_path / "large.parquet")
    code = f"""
import resource
import breadth
import numpy as np
if {case == "parquet"}:
    import pyarrow.parquet
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit = used + (700 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    {CASES[case]}
except MemoryError as error:
    print("MemoryError:", error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(breadth.kronecker(10, threads=1).bfs(1).reached)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    error, most, reached = run.stdout.splitlines()
    assert error.startswith("MemoryError: too little memory")
    assert error.count("GiB") + error.count("MiB") >= 2
    assert int(most) < 500 << 10
    assert int(reached) > 500
