"""Ctrl-C ends work soon and leaves graphs as they were. `benchmarks/python.py` measures how soon.

The tests measure the processor time of all threads of the process, not the clock: other processes, and a machine that
stops this one, do not count. The thread that sends the signal may still lose its processor between reading the time and
sending. So a test is repeated if it takes too long.
"""

import functools
import os
import signal
import subprocess
import sys
import threading
import time

import breadth
import numpy as np
import pytest

LONGEST = 0.2  # seconds; work that never checks for signals takes several times as long
DELAY = 0.15  # seconds from the beginning of the work to the signal
ATTEMPTS = 4


class _Alarm(threading.Thread):
    """Sends SIGINT after DELAY, and records the processor time of the process at that moment."""

    def __init__(self):
        super().__init__()
        self.sent = None

    def run(self):
        time.sleep(DELAY)
        self.sent = time.process_time()
        os.kill(os.getpid(), signal.SIGINT)


def seconds_to_end(work):
    """Returns how long all threads still work after a signal, while the main thread calls work() repeatedly."""
    alarm = _Alarm()
    before = time.monotonic()
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        while alarm.is_alive() or time.monotonic() < before + 60:
            work()
    ended = time.process_time()
    alarm.join()
    return ended - alarm.sent


@pytest.fixture(autouse=True)
def handled_interrupts():
    """Installs Python's own handler. Python leaves it out if its parent ignores interrupts, as a shell does for `...
    &`."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def graph():
    path = np.arange(100_000)
    return breadth.Graph.from_edges(path[:-1], path[1:], np.ones(len(path) - 1, dtype=np.float32))


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "graph.txt"
    draw = np.random.default_rng(1)
    np.savetxt(path, draw.integers(0, 2**40, (400_000, 2)), fmt="%d")
    return path


WORK = {
    "building from integers close together": lambda graph, text: breadth.Graph.from_edges(*FAR[:2]),
    "building from integers far apart": lambda graph, text: breadth.Graph.from_edges(*FAR[2:]),
    "generating": lambda graph, text: breadth.kronecker(19, weighted=True),
    "reading": lambda graph, text: breadth.read(text),
    "bfs": lambda graph, text: graph.bfs(0, fuse_levels=False),
    "fused bfs": lambda graph, text: graph.bfs(0),
    "bfs to a target": lambda graph, text: graph.bfs(0, targets=[99_999]),
    "sssp": lambda graph, text: graph.sssp(0),
    "sssp in one step": lambda graph, text: random_graph().sssp(0, threads=1),
    "sssp in one step of two threads": lambda graph, text: random_graph().sssp(0, threads=2),
    "components": lambda graph, text: graph.connected_components(),
    "a path": lambda graph, text: graph.shortest_path(0, 99_999),
    "many sources": lambda graph, text: graph.multi_source_bfs([0, 1]),
    "building from lists": lambda graph, text: breadth.Graph.from_edges(*lists()),
    "building with all vertices": lambda graph, text: breadth.Graph.from_edges(*spread()[0], vertices=SPARSE),
    "building with words": lambda graph, text: breadth.Graph.from_edges(*spread()[1], vertices=WORDS),
    "edges": lambda graph, text: large_graph()._engine.edges(True),
    "a matrix": lambda graph, text: large_graph().to_scipy(),
    "a frame": lambda graph, text: large_graph().to_pandas(),
    "a table": lambda graph, text: large_graph().to_arrow(),
    "writing": lambda graph, text: large_graph().save(text.with_suffix(".breadth")),
}
LIBRARIES = {"a matrix": "scipy", "a frame": "pandas", "a table": "pyarrow"}


@functools.cache
def random_graph():
    draw = np.random.default_rng(3)
    return breadth.Graph.from_edges(*draw.integers(0, 10**6, (2, 3_000_000)), draw.random(3_000_000))


@functools.cache
def large_graph():
    return breadth.kronecker(19, weighted=True)


SPARSE = np.arange(10**5) * 1_000_003
WORDS = np.array([f"word {i}" for i in range(10**5)], dtype=object)


@functools.cache
def lists():
    return np.tile(FAR[0], 6).tolist(), np.tile(FAR[1], 6).tolist()


@functools.cache
def spread():
    """Returns columns of edges between labels of both kinds."""
    return [[np.tile(labels[column], 6) for column in FAR[:2]] for labels in (SPARSE, WORDS)]


FAR = [
    np.random.default_rng(2).integers(0, most, count)
    for most, count in ((10**5, 1_000_000), (10**5, 1_000_000), (2**60, 8_000_000), (2**60, 8_000_000))
]


@pytest.mark.parametrize("kind", WORK)
def test_work_ends_soon(kind, graph, text):
    if kind in LIBRARIES:
        pytest.importorskip(LIBRARIES[kind])
    random_graph(), large_graph(), lists(), spread()  # made before the alarm

    def work():
        WORK[kind](graph, text)

    seconds = []
    while not seconds or (min(seconds) >= LONGEST and len(seconds) < ATTEMPTS):
        seconds.append(seconds_to_end(work))
    assert min(seconds) < LONGEST, seconds
    assert graph.bfs(3).levels[:6].tolist() == [3, 2, 1, 0, 1, 2]
    assert graph.sssp(3).distances[:6].tolist() == [3, 2, 1, 0, 1, 2]


@pytest.mark.parametrize("ending", ["breadth", "g500", "mtx", "txt"])
def test_a_file_is_the_old_or_the_new_one(ending, tmp_path, monkeypatch):
    path = tmp_path / f"graph.{ending}"
    breadth.grid(2, 3).save(path)
    old = path.read_bytes()
    g = breadth.uniform_random(10**6, 3 * 10**6)
    write = breadth._engine.write

    def interrupted(*arguments):
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        write(*arguments)

    monkeypatch.setattr(breadth._engine, "write", interrupted)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            g.save(path)
            signal.pause()
    finally:
        signal.signal(signal.SIGALRM, before)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == [path.name]
    assert path.read_bytes() == old or breadth.read(path).num_edges == g.num_edges
    g.save(path)
    assert breadth.read(path).num_edges == g.num_edges


def test_a_handler_that_searches_amid_a_search_is_told_so(graph):
    before = signal.signal(signal.SIGALRM, lambda _number, _frame: graph.sssp(0, threads=2))
    signal.setitimer(signal.ITIMER_REAL, DELAY, DELAY)
    try:
        with pytest.raises(ValueError, match="already in a call of Breadth"):  # or the signal comes between graphs
            for _ in range(100):
                breadth.kronecker(18, threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert graph.bfs(3, threads=2).levels[:3].tolist() == [3, 2, 1]


def test_bytes_are_told_while_another_thread_builds_what_bfs_needs():
    ends = np.random.default_rng(4).integers(0, 10**5, (2, 2_000_000))
    g = breadth.Graph.from_edges(*ends, np.ones(ends.shape[1], dtype=np.float32), threads=2)
    before = g.nbytes
    searching = threading.Thread(target=g.bfs, args=[int(ends[0, 0])])
    searching.start()
    while searching.is_alive():
        assert g.nbytes >= before
    searching.join()
    assert g.nbytes > before


def test_threads_that_search_when_the_process_ends():
    """Daemon threads may search when the process ends. Python no longer runs them then."""
    code = """
import threading, time
import breadth

g = breadth.kronecker(12, weighted=True)

def search():
    while True:
        g.sssp(1)
        g.bfs(2)

for _ in range(3):
    threading.Thread(target=search, daemon=True).start()
time.sleep(0.2)
"""
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
        assert (run.returncode, run.stderr) == (0, "")
