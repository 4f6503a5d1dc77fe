"""Graphs from every kind of input, with labels of all kinds."""

import contextlib
import pickle
import re
import threading

import breadth
import numpy as np
import oracles
import pytest

nx = pytest.importorskip("networkx")
sp = pytest.importorskip("scipy.sparse")


def levels_by_label(g, source):
    return dict(zip(g.labels.tolist(), g.bfs(source).levels.tolist(), strict=True))


@pytest.mark.parametrize("dtype", [f"{kind}{width}" for kind in "iu" for width in (1, 2, 4, 8)] + [">i4", ">u8"])
@pytest.mark.parametrize("step", [1, 2])
def test_integers_of_any_width(dtype, step):
    pairs = np.array([[7, 9], [9, 3], [100, 7]], dtype=dtype).repeat(step, axis=0)
    g = breadth.Graph.from_edges(pairs[::step, 0], pairs[::step, 1])
    assert g.labels.tolist() == [3, 7, 9, 100]
    assert levels_by_label(g, 3) == {3: 0, 9: 1, 7: 2, 100: 3}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("distance", [1, 3, 10**6, 2**40])
def test_integers_near_and_far(distance, threads):
    edges = oracles.random_edges(300, 600, distance)
    used = sorted({end for edge in edges for end in edge})
    first = -7 * distance
    sources, targets = (np.array(column) * distance + first for column in zip(*edges, strict=True))
    g = breadth.Graph.from_edges(sources, targets, threads=threads)
    numbers = {label: i for i, label in enumerate(used)}
    assert g.labels.tolist() == [label * distance + first for label in used]
    start = edges[0][0]
    found = g.bfs(start * distance + first).levels.tolist()
    assert found == oracles.levels(len(used), [(numbers[a], numbers[b]) for a, b in edges], [numbers[start]])


@pytest.mark.parametrize("first", [0, 5, -5])
@pytest.mark.parametrize("rare", [None, 1_000, 300_000, 10**15, -9])
@pytest.mark.parametrize("step", [1, 3])
def test_one_integer_is_unlike_all_others(rare, first, step):
    """Integers are expected in the range of a sample. One that the sample misses must be found too."""
    sources = first + step * (np.arange(20_000) % 100)
    targets = first + step * ((np.arange(20_000) + 1) % 100)
    known = set(sources.tolist())
    if rare is not None:
        targets[100] = rare  # from label 0
        known.add(rare)
    g = breadth.Graph.from_edges(sources, targets, threads=2)
    assert g.labels.tolist() == sorted(known)
    expected = {first + step * i: min(i, 100 - i) for i in range(100)}
    if rare is not None:
        expected[rare] = min(expected.get(rare, 1), 1)
    assert levels_by_label(g, first) == expected


def test_integers_beyond_63_bits():
    huge = 2**64 - 1
    g = breadth.Graph.from_edges(np.array([huge, 5], dtype=np.uint64), np.array([5, 2**63], dtype=np.uint64))
    assert g.labels.tolist() == [5, 2**63, huge]
    assert g.bfs(huge).path_to(2**63) == [huge, 5, 2**63]
    with pytest.raises(KeyError):
        g.index(-1)
    extreme = breadth.Graph.from_edges([-(2**63), 0], [0, 2**63 - 1])
    assert extreme.bfs(-(2**63)).levels.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "labels",
    [["a", "b", "c"], [(1, 2), (3, 4), (5, 6)], [1.5, 2.5, 3.5], [b"y", "x", 3], [frozenset({1}), "1", 1]],
    ids=str,
)
def test_any_hashable(labels):
    a, b, c = labels
    g = breadth.Graph.from_edges([a, b], [b, c])
    assert g.labels.tolist() == labels
    assert g.bfs(a).path_to(c) == labels
    assert g.shortest_path(c, a) == labels[::-1]
    assert c in g
    assert "missing" not in g
    assert [] not in g


def test_strings_of_numpy():
    g = breadth.Graph.from_edges(np.array(["x", "y"]), np.array(["y", "z"]))
    assert g.bfs("x").path_to("z") == ["x", "y", "z"]


def test_columns_of_pandas_and_arrow():
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [1, 5], "b": [5, 9], "w": [2.0, 0.5], "s": ["x", "y"], "t": ["y", "z"]})
    g = breadth.Graph.from_pandas(frame, "a", "b", "w")
    assert g.sssp(1).distances.tolist() == [0, 2, 2.5]
    assert breadth.Graph.from_pandas(frame, "s", "t").bfs("x").levels.tolist() == [0, 1, 2]

    class OnlyStream:  # like a column of a library that numpy does not know
        def __init__(self, values):
            self._values = pa.chunked_array([values])

        def __arrow_c_stream__(self, schema=None):
            return self._values.__arrow_c_stream__(schema)

    arrow = breadth.Graph.from_edges(OnlyStream([1, 5]), pa.array([5, 9]), OnlyStream([2.0, 0.5]))
    assert arrow.sssp(1).distances.tolist() == [0, 2, 2.5]


def test_nothing_is_kept_of_the_columns():
    sources, targets = np.arange(5), np.arange(1, 6)
    g = breadth.Graph.from_edges(sources, targets)
    sources[:] = targets[:] = 0
    assert g.bfs(0).levels.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="read-only"):
        g.labels[0] = 3


def test_what_is_known_of_a_graph():
    g = breadth.Graph.from_edges([1, 2, 2, 3], [2, 1, 2, 1], [1, 2, 3, 4])
    assert (len(g), g.num_edges, g.directed, g.weighted) == (3, 2, False, True)
    assert repr(g) == "<breadth.Graph: 3 vertices, 2 edges, undirected, weighted>"
    assert "<td>3</td>" in g._repr_html_()
    assert g.nbytes > 0
    for arguments in ((), ([1], [2]), ([(1, 2)],)):
        with pytest.raises(TypeError, match="make a Graph with"):
            breadth.Graph(*arguments)


def test_what_is_no_graph_of_a_library():
    for wrong in (5, [1, 2], "graph", np.zeros(3)):
        with pytest.raises(TypeError, match="a graph of networkx is needed, not "):
            breadth.Graph.from_networkx(wrong)
        with pytest.raises(TypeError, match="a graph of igraph is needed, not "):
            breadth.Graph.from_igraph(wrong)
        with pytest.raises(TypeError, match="a DataFrame of pandas is needed, not "):
            breadth.Graph.from_pandas(wrong, "from", "to")
    frame = pytest.importorskip("pandas").DataFrame({"from": [1], "to": [2]})
    for columns in (("from", "too"), ("too", "to"), ("from", "to", "too")):
        with pytest.raises(KeyError, match="the frame has no column 'too', only 'from', 'to'"):
            breadth.Graph.from_pandas(frame, *columns)
    frame.columns = ["to", "to"]
    with pytest.raises(ValueError, match="the frame has 2 columns 'to'; each name must be unique"):
        breadth.Graph.from_pandas(frame, "to", "to")
    frame.columns = pytest.importorskip("pandas").MultiIndex.from_tuples([("from", "id"), ("to", "id")])
    assert breadth.Graph.from_pandas(frame, "from", "to").labels.tolist() == [1, 2]
    assert breadth.Graph.from_pandas(frame, "from", ("to", "id")).labels.tolist() == [1, 2]


def test_graphs_of_nothing():
    for g in (breadth.Graph.from_edges([], []), breadth.Graph.from_networkx(nx.Graph())):
        assert (len(g), g.num_edges, g.labels.tolist()) == (0, 0, [])
        assert len(g.connected_components()) == 0
        assert g.connected_components().groups() == []
        near = g.multi_source_bfs([])
        assert [len(near.levels), len(near.parents), len(near.sources)] == [0, 0, 0]
        assert len(g.k_hop([], 2)) == 0
        with pytest.raises(KeyError, match="no vertices"):
            g.bfs(0)
        assert len(pickle.loads(pickle.dumps(g))) == 0
    alone = breadth.Graph.from_edges([], [], [], vertices=["a"])
    assert alone.bfs("a").levels.tolist() == [0]
    assert alone.sssp("a").distances.tolist() == [0]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_from_networkx(kind):
    theirs = kind()
    theirs.add_nodes_from(["alone", 3, (1, 2)])
    theirs.add_edge(3, "a", weight=5)
    theirs.add_edge("a", (1, 2), weight=2)
    theirs.add_edge(3, (1, 2), weight=9)
    theirs.add_edge("a", "b")
    theirs.add_edge("a", "a", weight=1)
    if theirs.is_multigraph():
        theirs.add_edge(3, "a", weight=1)
    g = breadth.Graph.from_networkx(theirs)
    assert g.labels.tolist() == list(theirs)
    assert (g.directed, g.weighted) == (theirs.is_directed(), False)
    for source in theirs:
        expected = nx.single_source_shortest_path_length(theirs, source)
        assert {v: level for v, level in levels_by_label(g, source).items() if level >= 0} == expected
    weighted = breadth.Graph.from_networkx(theirs, weight="weight")
    for source in theirs:
        expected = nx.single_source_dijkstra_path_length(theirs, source)
        found = zip(weighted.labels.tolist(), weighted.sssp(source).distances.tolist(), strict=True)
        assert {v: distance for v, distance in found if distance < float("inf")} == expected


def test_views_of_networkx():
    theirs = nx.path_graph(6, create_using=nx.DiGraph)
    view = theirs.reverse(copy=False)
    assert breadth.Graph.from_networkx(view).bfs(5).levels.tolist() == [5, 4, 3, 2, 1, 0]
    part = theirs.subgraph([1, 2, 3])
    assert levels_by_label(breadth.Graph.from_networkx(part), 1) == {1: 0, 2: 1, 3: 2}


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil"])
def test_from_and_to_scipy(layout):
    dense = np.array([[0, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    matrix = sp.coo_array(dense).asformat(layout)
    g = breadth.Graph.from_scipy(matrix)
    assert (len(g), g.directed, g.weighted) == (4, True, True)
    assert g.sssp(0).distances.tolist() == [0, 2, 5, float("inf")]
    assert g.to_scipy().toarray().tolist() == dense.tolist()
    both = breadth.Graph.from_scipy(matrix, directed=False, weighted=False)
    assert both.to_scipy().toarray().tolist() == ((dense + dense.T) > 0).astype(int).tolist()
    with pytest.raises(ValueError, match="square"):
        breadth.Graph.from_scipy(sp.csr_array((2, 3)))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, [3, 0]])
def test_to_scipy_and_back(directed, weights):
    g = breadth.Graph.from_edges([0, 1], [1, 2], weights, directed, vertices=range(4))
    matrix = g.to_scipy()
    again = breadth.Graph.from_scipy(matrix, directed=directed)
    assert repr(again) == repr(g)
    assert again.to_arrow() == g.to_arrow()
    if weights is None:
        assert matrix.dtype == bool
        assert matrix.sum(axis=1).tolist() == ([1, 1, 0, 0] if directed else [1, 2, 1, 0])


def test_zeros_that_fill_blocks_of_scipy_are_no_edges():
    dense = np.kron([[0, 2, 0], [0, 0, 3], [1, 0, 0]], [[1, 0], [0, 0]])
    blocks = sp.bsr_array(dense, blocksize=(2, 2))
    for options in ({}, {"weighted": False}, {"directed": False}):
        expected = breadth.Graph.from_scipy(sp.csr_array(dense), **options)
        assert breadth.Graph.from_scipy(blocks, **options).to_arrow() == expected.to_arrow()
    assert blocks.nnz == 12
    stored = sp.csr_array(([0, 5], ([0, 1], [1, 2])), shape=(3, 3))
    assert breadth.Graph.from_scipy(stored).sssp(0).distances.tolist() == [0, 0, 5]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_an_attribute_that_no_edge_of_networkx_has(kind):
    theirs = kind([(0, 1, {"weight": 1, "colour": "red"}), (1, 2, {"weight": 1, 7: 8})])
    for wrong, hint in (("wieght", "is 'weight' meant?"), ("length", "they have 'weight', 'colour', 7")):
        with pytest.raises(ValueError, match=re.escape(f"no edge has the attribute '{wrong}'; {hint}")):
            breadth.Graph.from_networkx(theirs, wrong)
    with pytest.raises(ValueError, match="no edge has the attribute 'weight'; they have none"):
        breadth.Graph.from_networkx(kind([(0, 1)]), "weight")
    for some in ("weight", 7):
        assert breadth.Graph.from_networkx(theirs, some).weighted
    theirs.add_edge(2, 3)
    assert breadth.Graph.from_networkx(theirs, "weight").sssp(0).distances.tolist() == [0, 1, 2, 3]
    assert breadth.Graph.from_networkx(kind(), "weight").num_edges == 0


def test_what_is_no_graph_of_another_library():
    with pytest.raises(TypeError, match=r"scipy is needed, not ndarray: scipy\.sparse\.csr_array\(matrix\) makes one"):
        breadth.Graph.from_scipy(np.eye(3))
    with pytest.raises(TypeError, match="it must be the name of an attribute"):
        breadth.Graph.from_networkx(nx.path_graph(3), weight=lambda _a, _b, _edge: 7)


def test_duplicates_of_scipy_are_summed():
    matrix = sp.coo_array(([1, 2, 4], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    assert breadth.Graph.from_scipy(matrix).sssp(0).distances.tolist() == [0, 3, 7]


def test_from_igraph():
    igraph = pytest.importorskip("igraph")
    theirs = igraph.Graph(n=4, edges=[(0, 1), (1, 2)], edge_attrs={"w": [2, 3]})
    assert breadth.Graph.from_igraph(theirs, "w").sssp(0).distances.tolist() == [0, 2, 5, float("inf")]
    theirs.vs["name"] = ["a", "b", "c", "d"]
    assert breadth.Graph.from_igraph(theirs).bfs("a").path_to("c") == ["a", "b", "c"]
    with pytest.raises(ValueError, match="no attribute"):
        breadth.Graph.from_igraph(theirs, "other")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, [0.5, 2.0, 0.0], np.array([0.1, 0.2, 0.3], dtype=np.float32)], ids=str)
def test_pickling(directed, weights):
    g = breadth.Graph.from_edges(["a", "b", "c"], ["b", "c", "a"], weights, directed, vertices=["z", "c", "b", "a"])
    copy = pickle.loads(pickle.dumps(g))
    assert copy.labels.tolist() == g.labels.tolist()
    assert (copy.num_edges, copy.directed, copy.weighted) == (g.num_edges, g.directed, g.weighted)
    assert copy.bfs("a").levels.tolist() == g.bfs("a").levels.tolist()
    if weights is not None:
        assert copy.sssp("a").distances.tolist() == g.sssp("a").distances.tolist()
        assert copy.sssp("a").distances.dtype == g.sssp("a").distances.dtype


def test_pickling_keeps_labels_that_are_far_apart():
    g = breadth.Graph.from_edges([10**15, 3], [3, -9])
    assert pickle.loads(pickle.dumps(g)).bfs(-9).path_to(10**15) == [-9, 3, 10**15]


def test_reading_files(tmp_path):
    text = tmp_path / "graph.txt"
    text.write_text("10 20 2\n20 40 3\n")
    g = breadth.read(text)
    assert (g.labels.tolist(), g.weighted) == ([10, 20, 40], True)
    assert g.sssp(10).distances.tolist() == [0, 2, 5]
    names = tmp_path / "names.txt"
    names.write_text("Oslo Rome\nRome Bern\n")
    assert breadth.read(str(names), directed=True).bfs("Oslo").path_to("Bern") == ["Oslo", "Rome", "Bern"]
    matrix = tmp_path / "matrix.mtx"
    matrix.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n3 2\n")
    assert breadth.read(matrix).labels.tolist() == [1, 2, 3, 4]
    assert breadth.read(matrix).bfs(1).levels.tolist() == [0, 1, 2, -1]


def test_seeds_of_generated_graphs():
    def edges(seed):
        return breadth.kronecker(8, seed=seed).to_scipy()

    assert (edges(7) != edges((7, 3))).nnz == 0
    assert (edges(2) != breadth.kronecker(8).to_scipy()).nnz == 0
    assert (edges(7) != edges((7, 4))).nnz > 0
    for make in (
        lambda seed: breadth.kronecker(8, seed=seed),
        lambda seed: breadth.kronecker(8, seed=(1, seed)),
        lambda seed: breadth.grid(3, 3, weighted=True, seed=seed),
        lambda seed: breadth.uniform_random(10, 20, seed=seed),
        lambda seed: breadth.small_world(10, seed=seed),
    ):
        for wrong in (-1, 2**64):
            with pytest.raises(ValueError, match=f"seed is {wrong}; it must be from 0 to"):
                make(wrong)
    assert (edges(7) != edges(np.int64(7))).nnz == 0
    for wrong in (1.5, "7", None, (1, 2, 3), (1, 2.5)):
        with pytest.raises(TypeError, match="it must be an integer or a pair of integers"):
            breadth.kronecker(8, seed=wrong)
    for make in (breadth.uniform_random, breadth.small_world, breadth.grid):
        with pytest.raises(TypeError, match=r"^seed is 1\.5; it must be a whole number"):
            make(3, 3, seed=1.5)


@pytest.mark.parametrize("kind", ["found", "given", "far apart", "wide weights", "weights"])
def test_a_column_that_changes_while_it_is_read(kind):
    """The result may be any graph, or an error that names the change, and nothing else."""
    ends = np.random.default_rng(5).integers(0, 2_000_000, (2, 1_000_000))
    first, other = 5, 2**62
    options = {}
    if kind == "given":
        options["vertices"], other = range(2_000_000), 1_999_999
    elif kind == "far apart":
        ends *= 2**40
    elif kind == "wide weights":
        options["weights"] = np.full(ends.shape[1], 0.1)
    elif kind == "weights":
        options["weights"] = np.full(ends.shape[1], 2)
    stop = threading.Event()

    def change():
        while not stop.is_set():
            ends[0, ::1000] = other
            ends[0, ::1000] = first

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(5):
            with contextlib.suppress(ValueError):
                breadth.Graph.from_edges(*ends, **options)
    finally:
        stop.set()
        changing.join()


@pytest.mark.parametrize("kind", [breadth.Graph, breadth.DistributedGraph])
def test_all_that_users_call_is_documented(kind):
    assert [name for name in vars(kind) if not name.startswith("_") and not getattr(kind, name).__doc__] == []
