"""Weights of every type: distances are equal, to the last bit, to those computed with the same type in plain Python."""

import math
import os
import pickle
import random
import signal
import threading
from decimal import Decimal

import breadth
import numpy as np
import oracles
import pytest
from drawn import drawn
from hypothesis import given
from hypothesis import strategies as st

INT64_MAX = 2**63 - 1

# Ways to draw a weight, and the type of the resulting distances.
DRAWS = {
    "tenths": (lambda draw: draw.randint(0, 9) / 10, np.float64),
    "floats": (lambda draw: draw.random(), np.float64),
    "floats of all sizes": (lambda draw: math.ldexp(draw.random(), draw.randint(-900, 900)), np.float64),
    "vanishing floats": (lambda draw: draw.choice([1.0, 1e-17, 0.0]), np.float64),
    "floats of 32 bits with long sums": (lambda draw: draw.choice([2.0**23, 2.0**23 - 1, 1.0]), np.float64),
    "integers of 32 bits with long sums": (lambda draw: draw.choice([2**23, 2**23 - 1, 1]), np.float64),
    "integers of 40 bits": (lambda draw: draw.randrange(2**40), np.float64),
    "integers of 52 bits": (lambda draw: draw.randrange(2**52), np.int64),
    "small and large integers": (lambda draw: draw.choice([0, 1, 2**50 + 1]), np.int64),
}


GRAPHS = {
    **{name: oracles.GRAPHS[name] for name in ("one edge", "duplicates and self-loops", "path", "grid")},
    **{name: oracles.GRAPHS[name] for name in ("sparse", "star", "kronecker")},
    "hubs": (1500, oracles.random_edges(1500, 3000, 7) + [(5 + i % 2, i) for i in range(0, 1500, 3)]),
}


def graph_of(n, edges, directed=False, **options):
    columns = list(zip(*edges, strict=True))
    return breadth.Graph.from_edges(*columns, directed, vertices=range(n), **options)


def plain(distances):
    """Returns distances as Python's numbers, inf for unreached vertices."""
    return [math.inf if distance == INT64_MAX else distance for distance in distances.tolist()]


def require_paths(found, edges, directed, source):
    """Checks that the weights of each path add up to its distance."""
    lightest = {}
    for tail, head, weight in edges:
        for pair in [(tail, head)] if directed else [(tail, head), (head, tail)]:
            lightest[pair] = min(weight, lightest.get(pair, math.inf))
    distances = plain(found.distances)
    for vertex, (parent, distance) in enumerate(zip(found.parents.tolist(), distances, strict=True)):
        if vertex == source:
            assert (parent, distance) == (source, 0)
        elif distance == math.inf:
            assert parent == -1
        else:
            assert distances[parent] + lightest[parent, vertex] == distance
            assert found.path_to(vertex)[0] == source


@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_distances(name, directed, kind):
    n, ends = GRAPHS[name]
    draw = random.Random(kind)
    weight, dtype = DRAWS[kind]
    edges = [(*edge, weight(draw)) for edge in ends]
    expected = {source: oracles.distances(n, edges, source, directed) for source in {0, n // 2}}
    for threads in (1, 2):
        g = graph_of(n, edges, directed, threads=threads)
        assert g.distance_type == dtype or len(edges) < 100  # few edges have small sums
        for source, distances in expected.items():
            found = g.sssp(source)
            assert found.distances.dtype == g.distance_type
            assert plain(found.distances) == distances
            assert found.reached == sum(distance < math.inf for distance in distances)
            require_paths(found, edges, directed, source)
            near = sorted(distances)[len(distances) // 3]
            if near < math.inf:
                limited = g.sssp(source, cutoff=near).distances
                assert plain(limited) == [distance if distance <= near else math.inf for distance in distances]
        assert g.bfs(0).levels.tolist() == oracles.levels(n, edges, [0], directed)


@pytest.mark.parametrize(
    "kind",  # without 0, which scipy takes for no edge, and without int64, which it does not support
    ["floats", "floats of all sizes", "floats of 32 bits with long sums", "integers of 32 bits with long sums"],
)
def test_distances_are_those_of_scipy(kind):
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    weight, _ = DRAWS[kind]
    draw = random.Random(kind)
    ends = {(min(edge), max(edge)) for edge in oracles.kronecker_edges(11, 8, 5) if edge[0] != edge[1]}
    edges = [(*edge, weight(draw)) for edge in sorted(ends)]
    g = graph_of(1 << 11, edges, threads=2)
    assert np.array_equal(g.sssp(7).distances, csgraph.dijkstra(g.to_scipy(), indices=7))


@given(st.integers(1, 10), st.data())
@drawn(150)
def test_any_integers(n, data):
    vertex = st.integers(0, n - 1)
    weight = st.integers(0, 9) | st.integers(0, 2**53) | st.integers(0, INT64_MAX)
    edges = data.draw(st.lists(st.tuples(vertex, vertex, weight), min_size=1, max_size=25))
    directed, source = data.draw(st.booleans()), data.draw(vertex)
    g = graph_of(n, edges, directed, threads=data.draw(st.integers(1, 3)))
    expected = oracles.distances(n, edges, source, directed)
    too_far = any(INT64_MAX <= distance < math.inf for distance in expected)
    if too_far:
        with pytest.raises(OverflowError):
            g.sssp(source)
    else:
        assert plain(g.sssp(source).distances) == expected
    cutoff = data.draw(weight)
    limited = [distance if distance <= cutoff else math.inf for distance in expected]
    if too_far and cutoff == INT64_MAX:  # this cutoff excludes no distance
        with pytest.raises(OverflowError):
            g.sssp(source, cutoff=cutoff)
    else:
        assert plain(g.sssp(source, cutoff=cutoff).distances) == limited
    if data.draw(st.booleans()):
        unsigned = breadth.Graph.from_edges(
            *zip(*[edge[:2] for edge in edges], strict=True),
            np.array([edge[2] for edge in edges], dtype=np.uint64),
            directed,
            vertices=range(n),
        )
        assert unsigned.distance_type == g.distance_type


@given(st.integers(1, 10), st.data())
@drawn(150)
def test_any_floats(n, data):
    vertex = st.integers(0, n - 1)
    weight = st.floats(0, 1e307) | st.floats(0, 1) | st.integers(0, 2**25).map(float)
    edges = data.draw(st.lists(st.tuples(vertex, vertex, weight), min_size=1, max_size=25))
    directed, source = data.draw(st.booleans()), data.draw(vertex)
    g = graph_of(n, edges, directed)
    expected = oracles.distances(n, edges, source, directed)
    assert g.sssp(source).distances.tolist() == expected
    cutoff = data.draw(weight)
    limited = [distance if distance <= cutoff else math.inf for distance in expected]
    assert g.sssp(source, cutoff=cutoff).distances.tolist() == limited


@pytest.mark.parametrize(
    ("weights", "distance_type"),
    [
        ([1, 2, 3], np.float64),
        ([0.5, 0.25, 0.1], np.float64),
        (np.array([0.1, 0.2, 0.3], dtype=np.float32), np.float32),
        ([True, False, True], np.float64),
        (np.array([1, 2, 3], dtype=np.uint8), np.float64),
        ([2**51 - 1, 2, 3], np.float64),
        ([2**51 + 1, 2, 3], np.int64),
        ([2**60, 2**60, 2**59], np.float64),  # multiples of 2**59
        ([2**60, 2**60, 1], np.int64),
        (np.array([2**63, 2**63, 2**62], dtype=np.uint64), np.float64),
        ([0, 0, 0], np.float64),
    ],
    ids=str,
)
def test_the_type_of_distances(weights, distance_type):
    g = breadth.Graph.from_edges([0, 1, 2], [1, 2, 3], weights)
    assert g.distance_type == distance_type
    distances = g.sssp(0).distances
    assert distances.dtype == distance_type
    if distance_type != np.float32:
        assert distances.tolist() == [0, *np.cumsum(np.array(weights, dtype=object)).tolist()]


def test_a_graph_without_weights_has_no_type_of_distances():
    assert breadth.Graph.from_edges([0], [1]).distance_type is None


def test_unreached_vertices_have_the_largest_integer():
    g = breadth.Graph.from_edges([0, 2], [1, 3], [2**60 + 1, 1])
    found = g.sssp(0)
    assert found.distances.tolist() == [0, 2**60 + 1, INT64_MAX, INT64_MAX]
    assert (found.reached, found.path_to(1), found.path_to(2)) == (2, [0, 1], None)
    pytest.importorskip("pandas")
    assert found.to_pandas()["distance"].tolist() == found.distances.tolist()


def test_integers_that_no_float_has():
    weights = [2**53 + 1, 2**53 + 3, 5]
    g = breadth.Graph.from_edges([0, 1, 2], [1, 2, 3], weights)
    assert g.sssp(0).distances.tolist() == [0, 2**53 + 1, 2**54 + 4, 2**54 + 9]
    assert g.sssp(0, cutoff=2**53).reached == 1
    assert g.sssp(0, cutoff=2**53 + 1).reached == 2
    assert g.sssp(0, cutoff=2**54 + 8.5).reached == 3
    assert g.sssp(0, cutoff=2**54 + 9).reached == 4
    assert g.sssp(0, cutoff=10**400).reached == 4
    assert g.sssp(0, cutoff=math.inf).reached == 4


@pytest.mark.parametrize(
    "of_type", [int, np.int64, np.uint64, np.array, lambda value: np.array(value, dtype=np.uint64)]
)
def test_cutoffs_that_are_integers_of_numpy(of_type):
    above = breadth.Graph.from_edges([0, 1], [1, 2], [2**60 + 1, 3])
    assert above.sssp(0, cutoff=of_type(2**60)).reached == 1
    assert above.sssp(0, cutoff=of_type(2**60 + 1)).reached == 2
    assert above.sssp(0, cutoff=above.sssp(0).distances[1]).reached == 2
    below = breadth.Graph.from_edges([0, 1], [1, 2], [2**60 - 1, 3])
    assert below.sssp(0, cutoff=of_type(2**60 - 2)).reached == 1
    assert below.sssp(0, cutoff=of_type(2**60 - 1)).reached == 2
    floats = breadth.Graph.from_edges([0, 1], [1, 2], [2.0**60, 3.0])
    assert floats.sssp(0, cutoff=of_type(2**60 - 1)).reached == 1
    assert floats.sssp(0, cutoff=of_type(2**60)).reached == 3  # 2.0**60 + 3.0 is 2.0**60


@pytest.mark.parametrize("cutoff", [np.array(-1), np.int64(-1), np.array(-0.5)])
def test_cutoffs_of_numpy_below_0(cutoff):
    with pytest.raises(ValueError, match=r"cutoff is -.*; it must be at least 0"):
        breadth.Graph.from_edges([0], [1], [1]).sssp(0, cutoff=cutoff)


def test_cutoffs_that_32_bits_round():
    g = breadth.Graph.from_edges([0, 1], [1, 2], [2**24 - 1, 4])
    for cutoff, reached in ((2**24 + 2, 2), (2**24 + 3, 3), (2**24 + 2.5, 2), (2**24 - 2, 1), (2**24 - 1, 2)):
        assert g.sssp(0, cutoff=cutoff).reached == reached
    g = breadth.Graph.from_edges([0], [1], [0.1])
    assert g.sssp(0, cutoff=0.1).reached == 2
    assert g.sssp(0, cutoff=math.nextafter(0.1, 0)).reached == 1
    huge = breadth.Graph.from_edges([0], [1], [2**53 + 2.0])
    assert huge.sssp(0, cutoff=2**53 + 1).reached == 1  # as a float it would be 2**53 or 2**53 + 2


def test_rounding_that_is_asked_for():
    edges = [0, 1], [1, 2], [0.1, 2**30 + 1]
    g = breadth.Graph.from_edges(*edges, exact=False)
    assert g.distance_type == np.float32
    assert g.sssp(0).distances.tolist() == [0, np.float32(0.1), 2**30]
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(dict(zip("abw", edges, strict=True)))
    assert breadth.Graph.from_pandas(frame, "a", "b", "w", exact=False).distance_type == np.float32
    assert breadth.Graph.from_pandas(frame, "a", "b", "w").sssp(0).distances.tolist() == [0, 0.1, 0.1 + 2**30 + 1]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "weights",
    [
        np.array([0.1, 2.0, 0.3]),
        np.array([5, 2**53 + 1, 2**62]),
        np.array([5, 2**53 + 1, 2**62], dtype=np.uint64),
        np.array([1, 2, 3]),
        np.array([2**24 + 1, 2, 3], dtype=np.uint32),
        np.array([0.1, 0.2, 0.3], dtype=np.float32),
    ],
    ids=str,
)
def test_weights_come_back_as_they_came(weights, directed):
    sp = pytest.importorskip("scipy.sparse")
    given = sp.coo_array((weights, ([0, 1, 2], [1, 2, 0])), shape=(4, 4))
    g = breadth.Graph.from_scipy(given, directed=directed)
    for graph in (g, pickle.loads(pickle.dumps(g))):
        back = graph.to_scipy()
        assert back.dtype == (weights.dtype if weights.dtype != np.uint32 else np.uint64)
        dense = given.toarray()
        assert back.toarray().tolist() == (dense if directed else dense + dense.T).tolist()
        assert graph.distance_type == g.distance_type
        assert graph.sssp(1).distances.tolist() == g.sssp(1).distances.tolist()


def test_the_lightest_of_parallel_edges():
    weights = [2**60 + 2, 2**60 + 1, 2**60 + 3, 7, 0.5]
    ends = [0, 1, 0, 0, 1], [1, 0, 1, 0, 1]
    assert breadth.Graph.from_edges(*ends, [*weights[:4], 8]).sssp(0).distances.tolist() == [0, 2**60 + 1]
    assert breadth.Graph.from_edges(*ends, [*weights[:4], 8], True).sssp(0).distances.tolist() == [0, 2**60 + 2]
    assert breadth.Graph.from_edges(*ends, [0.3, 0.1, 0.2, 7, 0.5]).sssp(0).distances.tolist() == [0, 0.1]


def test_weights_of_other_libraries():
    nx = pytest.importorskip("networkx")
    theirs = nx.MultiDiGraph([("a", "b", {"w": 0.3}), ("a", "b", {"w": 0.1}), ("b", "c", {"w": 0.2})])
    assert breadth.Graph.from_networkx(theirs, "w").sssp("a").distances.tolist() == [0, 0.1, 0.1 + 0.2]
    igraph = pytest.importorskip("igraph")
    theirs = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], edge_attrs={"w": [2**60 + 1, 1]})
    assert breadth.Graph.from_igraph(theirs, "w").sssp(0).distances.tolist() == [0, 2**60 + 1, 2**60 + 2]


def test_options_of_the_search():
    n, ends = oracles.GRAPHS["grid"]
    draw = random.Random(1)
    edges = [(*edge, draw.random()) for edge in ends]
    g = graph_of(n, edges, threads=2)
    expected = oracles.distances(n, edges, 0)
    for options in ({"delta": 0.001}, {"delta": 50}, {"fuse": False}, {"sweeps": False}):
        assert g.sssp(0, **options).distances.tolist() == expected
    with pytest.raises(ValueError, match="ball has no effect with 64-bit weights"):
        g.sssp(0, ball=5)
    with pytest.raises(ValueError, match=r"is delta= meant\?"):
        g.sssp(0, delte=1)
    # If 32 bits are enough for weights but not for sums, the options of the first search must still be obeyed.
    long = breadth.Graph.from_edges([0, 1], [1, 2], [2**24, 1])
    assert long.sssp(0, sweeps=False).distances.tolist() == [0, 2**24, 2**24 + 1]


def test_statistics_of_steps():
    g = breadth.Graph.from_edges(range(999), range(1, 1000), [0.1] * 999)
    steps = g.sssp(0).statistics
    assert sum(step["claimed"] for step in steps) == 999
    assert sum(step["edges_examined"] for step in steps) == 2 * 999
    assert all(step["seconds"] >= 0 for step in steps)


def test_memory_of_weights():
    ends = np.arange(100_000), np.arange(1, 100_001)
    plain_graph = breadth.Graph.from_edges(*ends)
    wide = breadth.Graph.from_edges(*ends, np.full(100_000, 0.1))
    assert wide.nbytes == plain_graph.nbytes + 8 * 2 * 100_000
    wide.bfs(0)
    assert wide.nbytes == plain_graph.nbytes + 8 * 2 * 100_000
    assert repr(wide) == "<breadth.Graph: 100,001 vertices, 100,000 edges, undirected, weighted>"


def test_searches_from_many_threads():
    draw = np.random.default_rng(1)
    ends = draw.integers(0, 3000, (2, 20_000))
    g = breadth.Graph.from_edges(*ends, draw.random(20_000))
    expected = [g.sssp(source).distances for source in range(6)]
    wrong = []

    def search(seed):
        for i in range(20):
            source = (seed + i) % 6
            found = g.sssp(source, threads=1 + i % 3).distances
            if not np.array_equal(found, expected[source]):
                wrong.append(source)

    threads = [threading.Thread(target=search, args=(seed,)) for seed in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_interrupt_ends_a_search_and_leaves_the_graph():
    path = np.arange(200_000)
    g = breadth.Graph.from_edges(path[:-1], path[1:], np.full(len(path) - 1, 0.1))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background processes ignore it
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                g.sssp(0)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert g.sssp(5, cutoff=0.35).reached == 7


def test_weights_that_32_bits_have_no_room_for():
    for weights in ([1, 1e300], np.array([1, 1e300])):
        with pytest.raises(ValueError, match=r"weights\[1\] is 1e\+300: 32 bits hold weights up to 3\.4e\+38"):
            breadth.Graph.from_edges([0, 1], [1, 2], weights, exact=False)
    with pytest.raises(ValueError, match=r"weights\[1\] is inf: a weight is a finite number"):
        breadth.Graph.from_edges([0, 1], [1, 2], [1, math.inf], exact=False)


def test_sums_that_32_bits_have_no_room_for(tmp_path):
    heavy = np.array([3e38, 3e38, 1], dtype=np.float32)
    made = breadth.Graph.from_edges([0, 1, 0], [1, 2, 3], heavy)
    made.save(tmp_path / "heavy.breadth")
    (tmp_path / "heavy.txt").write_text("0 1 3e38\n1 2 3e38\n0 3 1\n")
    read = [breadth.read(tmp_path / name) for name in ("heavy.breadth", "heavy.txt")]
    for g in (made, pickle.loads(pickle.dumps(made)), *read):
        assert g.distance_type == np.float64
        r = g.sssp(0)
        assert r.distances.tolist() == [0, float(heavy[0]), 2 * float(heavy[0]), 1]
        assert r.path_to(2) == [0, 1, 2]
        assert g.sssp(0, cutoff=4e38).reached == 3
        assert g.sssp(0, cutoff=2).reached == 2
    rounded = breadth.Graph.from_edges([0, 1], [1, 2], [2e38, 3e38], exact=False)
    assert rounded.sssp(0).distances.tolist() == [
        0,
        float(np.float32(2e38)),
        float(np.float32(2e38)) + float(np.float32(3e38)),
    ]
    one = breadth.Graph.from_edges([0], [1], np.array([1e35], dtype=np.float32), vertices=range(10_000))
    assert one.sssp(0).distances[1] == np.float32(1e35)


def test_sums_are_as_wide_after_pickling(tmp_path):
    single = np.array([3e38, 1], dtype=np.float32)
    matrix = tmp_path / "with-isolated-vertices.mtx"
    matrix.write_text("%%MatrixMarket matrix coordinate real general\n50 50 2\n1 2 2e37\n2 3 1e37\n")
    for g in (
        breadth.Graph.from_edges([0, 0], [1, 1], single),  # only the lighter of two parallel edges is kept
        breadth.Graph.from_edges([0, 0], [0, 1], single),  # a self-loop is not kept
        breadth.read(matrix),  # all vertices count, although most have no edges
    ):
        again = pickle.loads(pickle.dumps(g))
        assert g.distance_type == again.distance_type == np.float64
        label = g.labels[0]
        assert again.sssp(label).distances.tolist() == g.sssp(label).distances.tolist()
        assert again.num_edges == g.num_edges


@pytest.mark.parametrize("weights", [[Decimal("1.5"), Decimal(2)], ["1.5", "2"], np.array(["1.5", "2"])], ids=repr)
def test_weights_of_other_types_are_converted_as_the_error_says(weights):
    with pytest.raises(ValueError, match=r"numpy\.asarray\(weights, float\) converts"):
        breadth.Graph.from_edges([0, 1], [1, 2], weights)
    converted = breadth.Graph.from_edges([0, 1], [1, 2], np.asarray(weights, float))
    assert converted.sssp(0).distances.tolist() == [0, 1.5, 3.5]


@pytest.mark.parametrize("kind", [list, tuple, iter, lambda weights: np.array(weights, dtype=object)])
def test_integers_that_floats_beside_them_would_round(kind):
    for weights, index in (([2**60 + 1, 0.5], 0), ([0.5, 7, np.int64(2**53 + 1)], 2), ([np.float32(1), 2**63 + 1], 1)):
        ends = range(len(weights)), range(1, len(weights) + 1)
        words = rf"weights\[{index}\] is {weights[index]}, which a float cannot hold.*numpy\.asarray\(weights, float\)"
        with pytest.raises(ValueError, match=words):
            breadth.Graph.from_edges(*ends, kind(weights))
        rounded = breadth.Graph.from_edges(*ends, np.asarray(weights, float)).sssp(0).distances.tolist()
        assert rounded[-1] == sum(map(float, weights))
    exact = breadth.Graph.from_edges([0, 1, 2], [1, 2, 3], kind([2**60, 0.5, True])).sssp(0).distances.tolist()
    assert exact == [0, 2**60, 2**60, 2**60]
    with pytest.raises(ValueError, match="finite"):
        breadth.Graph.from_edges([0, 1], [1, 2], kind([2**60, float("inf")]))
