"""Errors are Python's own exception types and say what to do. Nothing aborts, hangs or leaks."""

import contextlib
import gc
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal

import breadth
import numpy as np
import pytest

PATH = ([0, 1, 2], [1, 2, 3])


def test_labels_that_are_not_in_vertices_are_named_with_their_row():
    for wrong, vertices in (("c", ["a", "b"]), (5, [0, 1]), (5, [1, 0])):
        with pytest.raises(KeyError, match=rf"{wrong}'? is not a vertex: targets\[1\] is not in vertices"):
            breadth.Graph.from_edges([vertices[0]] * 2, [vertices[1], wrong], vertices=vertices)
        with pytest.raises(KeyError, match=rf"{wrong}'? is not a vertex: sources\[1\] is not in vertices"):
            breadth.Graph.from_edges([vertices[0], wrong], [vertices[1], wrong], vertices=vertices)


@pytest.mark.parametrize("weight", [-1, float("nan"), None, "1", 2**64])
def test_a_weight_that_is_wrong_is_named_by_its_edge(weight):
    nx = pytest.importorskip("networkx")
    sp = pytest.importorskip("scipy.sparse")
    for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph):
        theirs = kind([("a", "b", {"km": 1}), ("b", "c", {"km": weight})])
        with pytest.raises(ValueError, match=r"^the weight of the edge \('b', 'c'\) is "):
            breadth.Graph.from_networkx(theirs, "km")
    if isinstance(weight, int | float) and weight < 0:
        matrix = sp.csr_array([[0, 1, 0], [0, 0, weight], [0, 0, 0]])
        with pytest.raises(ValueError, match=r"^the weight of entry \(1, 2\) is -1: a weight is a finite number"):
            breadth.Graph.from_scipy(matrix)


@pytest.mark.parametrize("place", ["sources", "targets", "weights"])
def test_what_has_no_order_is_no_column(place):
    columns = {"sources": [1, 2], "targets": [2, 3], "weights": [1, 2]}
    for wrong, reason in (
        ({1, 2}, "is a set; .* it has no order"),
        (frozenset([1, 2]), "is a frozenset; .* it has no order"),
        ({0: 1, 1: 2}, r"is a dict; .* pass its values\(\)"),  # to_dict() of a pandas Series gives one
    ):
        with pytest.raises(TypeError, match=f"{place} {reason}"):
            breadth.Graph.from_edges(**{**columns, place: wrong})
    columns[place] = dict(enumerate(columns[place])).values()
    assert breadth.Graph.from_edges(**columns).num_edges == 2


@pytest.mark.parametrize("several", [[0, 1], [], {0}, np.array([0, 1]), (0, [1])], ids=str)
def test_one_vertex_is_wanted(several):
    for g in (
        breadth.Graph.from_edges(*PATH),
        breadth.Graph.from_edges([1, 9], [5, 30]),
        breadth.Graph.from_edges(["a"], ["b"]),
    ):
        for call in (g.bfs, g.index, lambda label, g=g: g.k_hop([label], 1)):
            with pytest.raises(TypeError, match="was given, but one vertex is expected"):
                call(several)
        assert several not in g


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("first", [0, 3, 100])
def test_labels_outside_of_a_range_are_named(dtype, first):
    vertices = range(first, first + 4)
    ends = np.array([first + 1, first + 3], dtype=dtype)
    assert breadth.Graph.from_edges(ends - ends.dtype.type(1), ends, vertices=vertices).labels.tolist() == [*vertices]
    for wrong in (first + 4, np.iinfo(dtype).max, np.iinfo(dtype).min if first else -1):
        if not np.iinfo(dtype).min <= wrong:
            continue
        for column in range(2):
            columns = [ends.copy(), ends.copy()]
            columns[column][1] = wrong
            with pytest.raises(KeyError, match=rf"'{wrong} is not a vertex"):
                breadth.Graph.from_edges(*columns, vertices=vertices)


@pytest.mark.parametrize("weight", [-1, -0.5, float("nan"), float("inf"), 1e39])
@pytest.mark.parametrize("dtype", [None, np.float64, np.float32])
def test_weights_that_are_none_are_named_by_their_index(weight, dtype):
    with np.errstate(over="ignore"):
        weights = np.array([1, 2, weight], dtype=dtype)
    if weight == 1e39 and dtype != np.float32:
        assert breadth.Graph.from_edges(*PATH, weights).sssp(0).distances.tolist() == [0, 1, 3, 1e39]
        return
    with pytest.raises(ValueError, match=r"weights\[2\] is "):
        breadth.Graph.from_edges(*PATH, weights)


def test_weights_that_are_too_large():
    with pytest.raises(ValueError, match=r"weights\[1\] is 1e\+39: 32 bits hold weights up to"):
        breadth.Graph.from_edges(*PATH, [1.0, 1e39, 3.0], exact=False)
    with pytest.raises(ValueError, match=r"weights\[2\] is 9223372036854775809.*up to 9223372036854775807"):
        breadth.Graph.from_edges(*PATH, np.array([1, 2, 2**63 + 1], dtype=np.uint64))
    with pytest.raises(ValueError, match=r"weights\[2\] is 18446744073709551616: integer weights must fit in 64 bits"):
        breadth.Graph.from_edges(*PATH, [1, 2, 2**64])


@pytest.mark.parametrize("weight", [2**62, 1e308])
def test_distances_that_are_too_large(weight):
    g = breadth.Graph.from_edges(*PATH, [weight, weight, 1], directed=True)
    largest = "9223372036854775806" if weight == 2**62 else r"1\.7976931348623157e\+308"
    with pytest.raises(OverflowError, match=f"^distances go beyond {largest}, .*cutoff"):
        g.sssp(0)
    assert g.sssp(0, cutoff=weight).reached == 2
    assert g.sssp(1).distances.tolist()[1:] == [0, weight, weight + 1]


def test_columns_that_make_no_edges():
    with pytest.raises(ValueError, match="differ in length: 2, 1"):
        breadth.Graph.from_edges([1, 2], [3])
    with pytest.raises(ValueError, match="differ in length: 1, 1, 2"):
        breadth.Graph.from_edges([1], [3], [1, 2])
    with pytest.raises(ValueError, match="2 dimensions"):
        breadth.Graph.from_edges(np.zeros((2, 2)), [1, 2])
    with pytest.raises(ValueError, match=r"targets\[1\] is missing"):
        breadth.Graph.from_edges([1, 2], np.array([1.0, np.nan]))
    for missing in (None, float("nan"), np.datetime64("NaT")):
        with pytest.raises(ValueError, match=r"sources\[1\] is missing"):
            breadth.Graph.from_edges(["a", missing, "c"], ["b", "c", "a"])
        with pytest.raises(ValueError, match=r"targets\[2\] is missing"):
            breadth.Graph.from_edges(["a", "c", "c"], ["b", "c", missing])
    with pytest.raises(ValueError, match="weights must be integers or floats"):
        breadth.Graph.from_edges([1], [2], ["heavy"])


def test_options_out_of_range():
    g = breadth.Graph.from_edges(*PATH)
    with pytest.raises(ValueError, match="one of auto, push, pull"):
        g.bfs(0, direction="sideways")
    with pytest.raises(ValueError, match=r"there is no option directions; is direction= meant\?"):
        g.bfs(0, directions="push")
    with pytest.raises(ValueError, match="max_depth is -1"):
        g.bfs(0, max_depth=-1)
    with pytest.raises(TypeError, match=r"max_depth is 1\.5; it must be a whole number"):
        g.bfs(0, max_depth=1.5)
    with pytest.raises(TypeError, match="sources is 'ab'; it must be several vertices"):
        g.k_hop("ab", 1)
    with pytest.raises(ValueError, match="threads is 0"):
        g.bfs(0, threads=0)
    with pytest.raises(ValueError, match="has no weights"):
        g.sssp(0)
    with pytest.raises(ValueError, match="cutoff"):
        breadth.Graph.from_edges(*PATH, [1, 1, 1]).sssp(0, cutoff=float("nan"))
    with pytest.raises(ValueError, match="cutoff is NaN; it must be at least 0"):
        breadth.Graph.from_edges(*PATH, [1, 1, 1]).sssp(0, cutoff=Decimal("NaN"))
    with pytest.raises(ValueError, match="order"):
        breadth.Graph.from_edges(*PATH, order="none")


@pytest.mark.parametrize("wrong", [2.0, "2", [2]])
def test_numbers_and_choices_are_called_by_their_names(wrong):
    g = breadth.Graph.from_edges(*PATH, [1, 1, 1])
    for name, call in (
        ("threads", lambda: g.bfs(0, threads=wrong)),
        ("threads", lambda: breadth.Graph.from_edges(*PATH, threads=wrong)),
        ("k", lambda: g.k_hop([0], wrong)),
        ("max_depth", lambda: g.multi_source_bfs([0], max_depth=wrong)),
        ("vertices", lambda: breadth.plan(wrong, 2)),
        ("edges", lambda: breadth.plan(2, wrong)),
        ("scale", lambda: breadth.kronecker(wrong)),
        ("edgefactor", lambda: breadth.kronecker(5, wrong)),
        ("rows", lambda: breadth.grid(wrong, 2)),
        ("columns", lambda: breadth.grid(2, wrong)),
        ("vertices", lambda: breadth.uniform_random(wrong, 2)),
        ("edges", lambda: breadth.uniform_random(2, wrong)),
        ("vertices", lambda: breadth.small_world(wrong)),
        ("reach", lambda: breadth.small_world(10, wrong)),
        ("one_in", lambda: breadth.small_world(10, 2, wrong)),
    ):
        with pytest.raises(TypeError, match=rf"^{name} is {re.escape(repr(wrong))}; it must be a whole number"):
            call()
    for name, call in (
        ("directed", lambda: breadth.Graph.from_edges(*PATH, directed=wrong)),
        ("exact", lambda: breadth.Graph.from_edges(*PATH, exact=wrong)),
        ("parents", lambda: g.bfs(0, parents=wrong)),
        ("weighted", lambda: breadth.grid(2, 2, weighted=wrong)),
    ):
        with pytest.raises(TypeError, match=rf"^{name} is {re.escape(repr(wrong))}; it must be True or False"):
            call()
    if not isinstance(wrong, float):
        with pytest.raises(TypeError, match=rf"^cutoff is {re.escape(repr(wrong))}; it must be a number"):
            g.sssp(0, cutoff=wrong)


def test_arguments_that_are_misspelt():
    g = breadth.Graph.from_edges(*PATH, [1, 1, 1])
    for right, call in (
        ("weights", lambda: breadth.Graph.from_edges(*PATH, weight=[1, 2, 3])),
        ("vertices", lambda: breadth.Graph.from_edges(*PATH, vertexes=range(4))),
        ("max_depth", lambda: g.bfs(0, maxdepth=2)),
        ("targets", lambda: g.bfs(0, target=2)),
        ("cutoff", lambda: g.sssp(0, cut_off=2)),
    ):
        with pytest.raises(ValueError, match=rf"there is no option \w+; is {right}= meant\?"):
            call()


def test_options_of_others():
    g = breadth.Graph.from_edges(*PATH, [1, 1, 1])
    for message, call in (
        ("delta is an option of sssp, not of bfs", lambda: g.bfs(0, delta=1)),
        ("direction is an option of bfs, not of sssp", lambda: g.sssp(0, direction="push")),
        ("order is an option of graphs, not of bfs", lambda: g.bfs(0, order="label")),
        ("delta is an option of sssp, not of graphs", lambda: breadth.grid(2, 2, delta=1)),
        ("small_level is an option of bfs, not of graphs", lambda: breadth.plan(2, 2, small_level=1)),
        ("bfs takes max_depth, not cutoff", lambda: g.bfs(0, cutoff=2)),
        ("sssp takes cutoff, not max_depth", lambda: g.sssp(0, max_depth=2)),
    ):
        with pytest.raises(ValueError, match=f"^{message}$"):
            call()


def test_an_unknown_option_is_answered_with_those_that_there_are():
    g = breadth.Graph.from_edges(*PATH, [1, 1, 1])
    searches, graphs = (f", and what `python -m breadth options {group}` lists" for group in ("search", "layout"))
    for message, call in (
        ("bfs takes max_depth, targets, parents, threads" + searches, lambda: g.bfs(0, colour=2)),
        ("sssp takes cutoff, targets, threads" + searches, lambda: g.sssp(0, colour=2)),
        (
            "kronecker takes edgefactor, seed, weighted, threads, progress" + graphs,
            lambda: breadth.kronecker(5, colour="red"),
        ),
        ("plan takes weighted, directed, threads" + graphs, lambda: breadth.plan(2, 2, colour="red")),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(f"there is no option colour: {message}") + "$"):
            call()


@pytest.mark.parametrize("cutoff", [np.array([1, 2]), np.array([1]), [1, 2], [[1], [1, 2]], "a", 1j], ids=str)
def test_a_cutoff_is_one_number(cutoff):
    with pytest.raises(TypeError, match=re.escape(f"cutoff is {cutoff!r}; it must be a number")):
        breadth.Graph.from_edges(*PATH, [1, 1, 1]).sssp(0, cutoff=cutoff)


def test_columns_of_pandas_are_weight_and_those_of_edges_weights():
    frame = pytest.importorskip("pandas").DataFrame({"a": [0], "b": [1], "c": [2]})
    with pytest.raises(TypeError, match="from_pandas takes weight=, the name of a column, not weights="):
        breadth.Graph.from_pandas(frame, "a", "b", weights="c")
    igraph = pytest.importorskip("igraph")
    theirs = igraph.Graph(n=2, edges=[(0, 1)], edge_attrs={"w": [1]})
    with pytest.raises(ValueError, match=r"there is no option weight; is weights= meant\?"):
        breadth.Graph.from_igraph(theirs, weight="w")


def test_options_of_what_reads_other_graphs():
    matrix, theirs = pytest.importorskip("scipy.sparse").eye_array(3), pytest.importorskip("networkx").path_graph(3)
    for message, call in (
        ("there is no option weights; is weight= meant?", lambda: breadth.Graph.from_networkx(theirs, weights="w")),
        ("there is no option thread; is threads= meant?", lambda: breadth.Graph.from_networkx(theirs, thread=1)),
        ("from_networkx has no argument directed=", lambda: breadth.Graph.from_networkx(theirs, directed=True)),
        ("from_networkx has no argument vertices=", lambda: breadth.Graph.from_networkx(theirs, vertices=[1])),
        ("from_scipy has no argument vertices=", lambda: breadth.Graph.from_scipy(matrix, vertices=[1])),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            call()


def test_options_are_called_as_in_python():
    g = breadth.Graph.from_edges(*PATH, [1, 1, 1])
    for message, call in (
        ("direction is 'sideways'; it must be one of auto, push, pull", lambda: g.bfs(0, direction="sideways")),
        ("fuse_levels is 3; it must be True or False", lambda: g.bfs(0, fuse_levels=3)),
        ("alpha is 'x'; it must be a number", lambda: g.bfs(0, alpha="x")),
        ("alpha=15 and direction=push exclude each other", lambda: g.bfs(0, alpha=15, direction="push")),
        ("order is True; it must be one of degree, label", lambda: breadth.kronecker(5, order=True)),
        ("columns is 9; it must be a whole number", lambda: breadth.Graph.from_edges(*PATH, columns=9)),
        ("columns is 9; it must be a whole number", lambda: breadth.plan(2, 2, columns=9)),
        ("keys is 0; it must be a whole number", lambda: breadth.graph500(5, keys=0)),
        (
            "unknown option keyz=; the nearest is keys=; breadth graph500 --help-all lists all",
            lambda: breadth.graph500(5, keyz=4),
        ),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            call()


def test_sizes_out_of_range():
    g = breadth.Graph.from_edges(*PATH)
    for name, call in (
        ("threads is 1000000000000; it must be at most", lambda: g.bfs(0, threads=10**12)),
        ("k is -1; it must be at least 0", lambda: g.k_hop([0], -1)),
        ("rows is -1; it must be at least 0", lambda: breadth.grid(-1, -1)),
        (r"rows \* columns is \d+; it must be from 0 to", lambda: breadth.grid(2**40, 2**40)),
        ("edges is -1; it must be from 0 to", lambda: breadth.uniform_random(5, -1)),
        ("vertices is 10+; it must be from 0 to", lambda: breadth.uniform_random(10**30, 1)),
        ("one_in is -1; it must be at least 1", lambda: breadth.small_world(10, 2, -1)),
        ("scale is 0; it must be", lambda: breadth.kronecker(0)),
        ("scale is 43; it must be", lambda: breadth.kronecker(43)),
    ):
        with pytest.raises(ValueError, match=f"^{name}"):
            call()


def test_numbers_and_choices_of_numpy():
    g = breadth.Graph.from_edges(*PATH, [1, 1, 1], np.True_, threads=np.int8(2))
    assert g.directed
    assert g.sssp(0, sweeps=np.False_, cutoff=np.float32(1)).reached == 2
    assert g.bfs(0, parents=np.False_).levels.tolist() == [0, 1, 2, 3]
    assert len(breadth.grid(np.int8(100), np.int8(100))) == 10_000


def test_files_that_are_no_graphs(tmp_path):
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(IsADirectoryError):
        breadth.read(tmp_path / "folder.txt")
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"Z\xfcrich Bern\n")
    with pytest.raises(ValueError, match=r"latin\.txt' is not UTF-8: it has the label 'Z.*rich'"):
        breadth.read(latin)
    with pytest.raises(FileNotFoundError):
        breadth.read(tmp_path / "none.txt")
    damaged = tmp_path / "damaged.txt"
    damaged.write_text("1 2\n3\n")
    with pytest.raises(ValueError, match=r"line 2|:2"):
        breadth.read(damaged)
    negative = tmp_path / "negative.txt"
    negative.write_text("1 2 0.5\n2 3 -1\n")
    with pytest.raises(ValueError, match="weight"):
        breadth.read(negative)


def test_memory_that_is_not_there():
    code = """
import breadth, resource
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize() + (500 << 20)
resource.setrlimit(resource.RLIMIT_AS, (size, size))
try:
    breadth.uniform_random(2**31, 10, threads=1)
except MemoryError as error:
    print("MemoryError:", error)
print(breadth.kronecker(10, threads=1).bfs(1).reached)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("MemoryError: ")


def test_one_graph_from_many_threads():
    g = breadth.kronecker(12, weighted=True)
    expected = {source: (g.bfs(source).levels, g.sssp(source).distances) for source in range(8)}
    wrong = []

    def search(seed):
        for i in range(25):
            source = (seed + i) % 8
            threads = 1 + (seed + i) % 3
            levels, distances = expected[source]
            same = np.array_equal(g.bfs(source, threads=threads).levels, levels)
            if not same or not np.array_equal(g.sssp(source, threads=threads).distances, distances):
                wrong.append(source)

    threads = [threading.Thread(target=search, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_during_a_search():
    g = breadth.kronecker(16, threads=1)
    done = threading.Event()
    counts = []

    def count():
        counted = 0
        while not done.is_set():
            counted += 1
        counts.append(counted)

    counter = threading.Thread(target=count)
    counter.start()
    for source in range(20):
        g.bfs(source)
    done.set()
    counter.join()
    assert counts[0] > 100


@pytest.fixture
def handled_interrupts():
    """Installs Python's own handler. Python leaves it out if its parent ignores interrupts, as a shell does for `...
    &`."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("work", ["build", "bfs", "sssp"])
def test_interrupt_ends_the_work_and_leaves_the_graph(work, handled_interrupts):
    path = np.arange(200_000)
    g = breadth.Graph.from_edges(path[:-1], path[1:], np.ones(len(path) - 1), exact=False)
    g.bfs(0)

    def work_on():
        while time.monotonic() < before + 30:
            if work == "build":
                breadth.kronecker(20)
            elif work == "bfs":
                g.bfs(0, fuse_levels=False)
            else:
                g.sssp(0)

    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work_on()
    timer.join()
    assert g.bfs(5).levels[:7].tolist() == [5, 4, 3, 2, 1, 0, 1]
    assert g.sssp(5).distances[:7].tolist() == [5, 4, 3, 2, 1, 0, 1]


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded")
def test_a_fork_searches_too():
    g = breadth.grid(300, 300, threads=2)
    expected = int(g.bfs(0).levels.max())
    child = os.fork()
    if child == 0:
        os._exit(0 if int(g.bfs(0).levels.max()) == expected else 1)
    deadline = time.monotonic() + 20
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended == (0, 0):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended == (child, 0)


def test_nothing_leaks():
    g = breadth.Graph.from_edges(range(99), range(1, 100), [1] * 99)

    def calls(count):
        for i in range(count):
            g.bfs(i % 100)
            g.sssp(i % 100)
            g.multi_source_bfs([i % 100, 5])
            g.shortest_path(0, i % 100)
            if i % 10 == 0:
                breadth.Graph.from_edges([1, 2], [2, 3]).connected_components()
            with contextlib.suppress(KeyError):
                g.bfs("missing")
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    calls(2000)
    before = calls(100)
    assert calls(10_000) - before < 3000  # KiB: a leaked array of 100 labels, 10,000 times, is 8 MB


def test_arrays_outlive_their_graph():
    levels = breadth.grid(100, 100).bfs(0).levels
    gc.collect()
    assert levels.max() == 198


def test_the_program():
    run = subprocess.run([sys.executable, "-m", "breadth", "--version"], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.strip()) == (0, f"breadth {breadth.__version__}")
    result = breadth.graph500(8, keys=2)
    assert result
    with pytest.raises(ValueError, match="scale"):
        breadth.graph500(99)
    with pytest.raises(MemoryError, match=r"^too little memory: .* needed .* available"):
        breadth.graph500(40)
    with pytest.raises(ValueError, match="help is only for the command line"):
        breadth.graph500(8, help=True)
    with pytest.raises(ValueError, match="help_all is only for the command line"):
        breadth.graph500(8, help_all=True)


def test_a_signal_that_ends_the_program_leaves_no_partial_file(tmp_path):
    words = ["generate", "kronecker", "--scale", "24", "--output", "graph.breadth"]
    process = subprocess.Popen([sys.executable, "-m", "breadth", *words], cwd=tmp_path)
    while process.poll() is None and not any(path.stat().st_size for path in tmp_path.iterdir()):
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == -signal.SIGTERM
    assert not list(tmp_path.iterdir())
