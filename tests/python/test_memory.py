"""The memory of graphs, predicted before they are built."""

import json
import subprocess
import sys

import breadth
import numpy as np
import pytest


@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_as_the_program(weighted):
    kernel = "sssp" if weighted else "bfs"
    words = ["--scale", "20", "--kernels", kernel, "--threads", "2", "--edge-list", "regenerate", "--json"]
    run = subprocess.run([sys.executable, "-m", "breadth", "plan", *words], capture_output=True, text=True, check=True)
    theirs = json.loads(run.stdout)
    ours = breadth._engine.plan_kronecker(20, 16, weighted, [], 2)
    assert ours["graph_bytes"] == theirs["graph_bytes"]
    depths = 0 if weighted else theirs["connected_vertices"]  # a byte each, which the package's searches keep
    assert ours["search_bytes"] == theirs["search_bytes"] + depths
    assert ours["construction_bytes"] == theirs["construction_scratch_bytes"]
    process = 18 << 20  # the program's own part, which exists already here
    assert ours["peak_bytes"] == theirs["peak_bytes"] - process + depths
    # plan() assumes that all vertices have edges, so it gives more bytes.
    all_connected = breadth.plan(2**20, theirs["edges"], weighted=weighted, threads=2)
    assert theirs["graph_bytes"] < all_connected.graph_bytes < 1.2 * theirs["graph_bytes"]


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
    """The process may use 700 MiB, which is far less than the graph needs."""
    (tmp_path / "large.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern general\n90000000 90000000 900000000\n1 2\n"
    )
    if case == "parquet":
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(60_000_000, dtype=np.int8)), pa.array([1]))
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
print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])  # ru_maxrss would have that of the parent, too
print(breadth.kronecker(10, threads=1).bfs(1).reached)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    error, most, reached = run.stdout.splitlines()
    assert error.startswith("MemoryError: too little memory")
    assert error.count("GiB") + error.count("MiB") >= 2
    assert int(most) < 500 << 10
    assert int(reached) > 500
