"""Displays for people: progress bars and plots."""

import gzip
import subprocess
import sys
from typing import ClassVar

import breadth
import numpy as np
import pytest


class Bar:
    """Stands in for a bar of tqdm."""

    made: ClassVar[list] = []

    def __init__(self, desc, unit, unit_scale):
        self.stage, self.unit, self.n, self.total, self.closed = desc, unit, 0, None, False
        assert unit_scale
        Bar.made.append(self)

    def update(self, count):
        assert count >= 0
        self.n += count

    def close(self):
        self.closed = True


@pytest.fixture
def bars(monkeypatch):
    tqdm = pytest.importorskip("tqdm.auto")
    monkeypatch.setattr(tqdm, "tqdm", Bar)
    Bar.made = []
    return Bar.made


def require_done(bars, stages):
    assert [bar.stage for bar in bars] == stages
    assert all(bar.closed for bar in bars)
    assert all(bar.total is None or bar.n <= bar.total for bar in bars)


def test_building_counts_edges(bars):
    ends = np.arange(200_000)
    breadth.Graph.from_edges(ends, ends[::-1], progress=True)
    require_done(bars, ["building"])
    assert bars[0].unit == "edge"
    assert bars[0].n == bars[0].total
    assert bars[0].n % len(ends) == 0
    assert bars[0].n >= 2 * len(ends)
    breadth.Graph.from_edges(ends, ends[::-1])
    assert len(bars) == 1


@pytest.mark.parametrize("make", [breadth.kronecker, lambda *_, progress: breadth.grid(50, 50, progress=progress)])
def test_generators(bars, make):
    make(10, progress=True)
    require_done(bars, ["building"])
    assert bars[0].n > 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("compressed", [False, True])
def test_reading_counts_bytes(bars, weighted, compressed, tmp_path):
    text = "".join(f"{i} {i + 1}{' 2' if weighted else ''}\n" for i in range(50_000))
    path = tmp_path / ("graph.txt.gz" if compressed else "graph.txt")
    path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    assert breadth.read(path, progress=True).num_edges == 50_000
    require_done(bars, ["reading", "building"])
    for bar in bars[:-1]:
        assert (bar.unit, bar.n) == ("B", len(text))
        assert bar.total == (None if compressed else len(text))


def test_a_bar_that_fails_ends_the_work(bars, monkeypatch):
    def fail(self, count):
        raise RuntimeError("no terminal")

    monkeypatch.setattr(Bar, "update", fail)
    with pytest.raises(RuntimeError, match="no terminal"):
        breadth.Graph.from_edges([1], [2], progress=True)
    assert breadth.Graph.from_edges([1], [2]).bfs(1).reached == 2


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = breadth.kronecker(12).bfs(1)
    axes = found.plot()
    levels = found.statistics
    assert {level["direction"] for level in levels} == {"push", "pull"}
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
    assert found.leaves is not None
    claims = [level["claimed"] for level in [*levels, found.leaves]]
    assert 1 + sum(claims) == found.reached
    assert heights == dict(enumerate(claims))
    assert breadth.kronecker(12).bfs(1, leaves="levels").leaves is None
    (line,) = axes.lines
    assert line.get_ydata().tolist() == [level["edges_examined"] for level in levels]
    assert {text.get_text() for text in axes.get_legend().get_texts()} == {
        "vertices found, push",
        "vertices found, pull",
        "vertices found, of one edge",
        "edges examined",
    }
    assert axes.get_title().endswith(f"in {len(levels)} levels")
    pyplot.close("all")
    _, mine = pyplot.subplots()
    assert breadth.grid(9, 9, weighted=True).sssp(0).plot(mine) is mine
    assert mine.get_xlabel() == "step"
    pyplot.close("all")


def test_a_plot_of_one_vertex():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = breadth.Graph.from_edges([], [], vertices=["a"]).bfs("a").plot()
    assert axes.patches[0].get_height() == 0
    pyplot.close("all")


def test_libraries_that_are_missing_are_named():
    code = """
import sys
for name in ("matplotlib", "tqdm", "pyarrow"):
    sys.modules[name] = None
import breadth
g = breadth.Graph.from_edges([0], [1])
for call in (g.bfs(0).plot, g.to_arrow, g.bfs(0).to_arrow, lambda: breadth.grid(2, 2, progress=True)):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "plot() needs matplotlib, which is not installed: pip install matplotlib",
        "to_arrow() needs pyarrow, which is not installed: pip install pyarrow",
        "to_arrow() needs pyarrow, which is not installed: pip install pyarrow",
        "progress=True needs tqdm, which is not installed: pip install tqdm",
    ]
