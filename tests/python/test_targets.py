"""Searches that end when their targets are found: they reach as far as the farthest target, and no farther."""

import random

import breadth
import numpy as np
import oracles
import pytest

every_graph = pytest.mark.parametrize("name", oracles.GRAPHS)
both_kinds = pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])


def graph_of(n, edges, directed, **options):
    columns = list(zip(*edges, strict=True)) or [[], [], []]
    weights = columns[2] if len(columns) > 2 else None
    return breadth.Graph.from_edges(columns[0], columns[1], weights, directed, vertices=range(n), **options)


def farthest(found, targets):
    """Returns the largest level or distance of the targets, or None if a target has none."""
    values = [found[target] for target in targets]
    return None if -1 in values or float("inf") in values else max(values)


@every_graph
@both_kinds
@pytest.mark.parametrize("threads", [1, 3])
def test_bfs_ends_at_the_farthest_target(name, directed, threads):
    n, edges = oracles.GRAPHS[name]
    g = graph_of(n, [edge[:2] for edge in edges], directed, threads=threads)
    draw = random.Random(name)
    for count in (1, 1, 2, 5):
        source = draw.randrange(n)
        targets = [draw.randrange(n) for _ in range(count)]
        depth = farthest(oracles.levels(n, edges, [source], directed), targets)
        expected = oracles.levels(n, edges, [source], directed, depth)
        found = g.bfs(source, targets=iter(targets))
        assert found.levels.tolist() == expected
        assert ((found.parents >= 0) == (found.levels >= 0)).all()
        assert found.reached == sum(level >= 0 for level in expected)
        assert depth is None or len(found.statistics) <= depth
        for target in targets:
            path = found.path_to(target)
            assert (len(path) - 1 if path else -1) == expected[target]
        assert g.bfs(source).levels.tolist() == oracles.levels(n, edges, [source], directed)


@every_graph
@both_kinds
@pytest.mark.parametrize("threads", [1, 3])
def test_sssp_ends_at_the_farthest_target(name, directed, threads):
    n, edges = oracles.GRAPHS[name]
    draw = random.Random(name)
    weighted = [(*edge[:2], draw.randint(0, 20)) for edge in edges] or [(0, 0, 1)]
    g = graph_of(n, weighted, directed, threads=threads)
    for count in (1, 1, 2, 5):
        source = draw.randrange(n)
        targets = [draw.randrange(n) for _ in range(count)]
        expected = oracles.distances(n, weighted, source, directed)
        limit = farthest(expected, targets)
        if limit is not None:
            expected = [distance if distance <= limit else float("inf") for distance in expected]
        found = g.sssp(source, targets=targets)
        assert found.distances.tolist() == expected
        assert ((found.parents >= 0) == np.isfinite(found.distances)).all()
        assert found.reached == np.isfinite(expected).sum()
        assert g.sssp(source).distances.tolist() == oracles.distances(n, weighted, source, directed)


def test_targets_and_limits():
    path = graph_of(10, [(i, i + 1, 1) for i in range(9)], False)
    assert path.bfs(0, targets=[7], max_depth=3).levels.tolist() == [0, 1, 2, 3, *[-1] * 6]
    assert path.bfs(0, targets=[2], max_depth=3).levels.tolist() == [0, 1, 2, *[-1] * 7]
    assert path.sssp(0, targets=[7], cutoff=3).distances.tolist() == [0, 1, 2, 3, *[np.inf] * 6]
    assert path.sssp(0, targets=[2], cutoff=3).distances.tolist() == [0, 1, 2, *[np.inf] * 7]
    assert path.bfs(0, targets=[1], direction="pull", leaves="last").levels.tolist() == [0, 1, *[-1] * 8]


def test_the_source_is_found_at_once():
    g = graph_of(5, [(0, 1, 1), (1, 2, 1)], False)
    for targets in ([], [1], [1, 1]):
        assert g.bfs(1, targets=targets).reached == 1
        assert g.sssp(1, targets=targets).reached == 1
    assert g.bfs(4, targets=[4]).levels.tolist() == [-1, -1, -1, -1, 0]
    # A target is unreachable, so the search continues to all reachable vertices.
    assert g.bfs(0, targets=[4, 1]).levels.tolist() == [0, 1, 2, -1, -1]
    assert g.sssp(0, targets=[4, 1]).distances.tolist() == [0, 1, 2, np.inf, np.inf]


def test_a_near_target_takes_few_levels():
    g = breadth.grid(300, 300, weighted=True)
    assert len(g.bfs(0, targets=[3]).statistics) == 3
    whole = sum(step["edges_examined"] for step in g.sssp(0).statistics)
    near = sum(step["edges_examined"] for step in g.sssp(0, targets=[3]).statistics)
    assert near < whole / 20


def test_targets_that_are_none():
    g = breadth.Graph.from_edges(["Oslo", "Rome"], ["Rome", "Bern"], [1, 2])
    for search in (g.bfs, g.sssp):
        with pytest.raises(KeyError, match="'Berne' is not a vertex; is 'Bern' meant"):
            search("Oslo", targets=["Berne"])
        with pytest.raises(TypeError, match=r"\['Rome'\]"):
            search("Oslo", targets="Rome")
        with pytest.raises(TypeError):
            search("Oslo", targets=7)
