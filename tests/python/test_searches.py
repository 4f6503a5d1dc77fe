"""Searches compared with oracles on degenerate, random, grid and Kronecker graphs."""

import itertools
import random

import breadth
import numpy as np
import oracles
import pytest
from drawn import drawn
from hypothesis import given
from hypothesis import strategies as st

every_graph = pytest.mark.parametrize("name", oracles.GRAPHS)
both_kinds = pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])


def graph_of(n, edges, directed=False, **options):
    columns = list(zip(*edges, strict=True)) or [[], []]
    weights = columns[2] if len(columns) > 2 else None
    return breadth.Graph.from_edges(columns[0], columns[1], weights, directed, vertices=range(n), **options)


def require_tree(n, edges, directed, found, sources):
    """Checks that each parent is one level above its vertex, and that an edge leads from the parent to the vertex."""
    joined = {edge[:2] for edge in edges}
    if not directed:
        joined |= {(b, a) for a, b in joined}
    for vertex in range(n):
        parent = found.parents[vertex]
        if vertex in sources:
            assert parent == vertex
        elif found.levels[vertex] < 0:
            assert parent == -1
        else:
            assert (parent, vertex) in joined
            assert found.levels[parent] == found.levels[vertex] - 1


@every_graph
@both_kinds
@pytest.mark.parametrize("threads", [1, 3])
def test_bfs(name, directed, threads):
    n, edges = oracles.GRAPHS[name]
    g = graph_of(n, edges, directed, threads=threads)
    for source in sorted({0, n // 2, n - 1}):
        found = g.bfs(source)
        assert found.levels.tolist() == oracles.levels(n, edges, [source], directed)
        assert found.levels.dtype == found.parents.dtype == np.int64
        assert found.reached == np.count_nonzero(found.levels >= 0)
        require_tree(n, edges, directed, found, {source})


@every_graph
@both_kinds
def test_bfs_to_a_depth(name, directed):
    n, edges = oracles.GRAPHS[name]
    g = graph_of(n, edges, directed)
    for depth in (0, 1, 2, 7, 10**30):
        assert g.bfs(0, max_depth=depth).levels.tolist() == oracles.levels(n, edges, [0], directed, depth)


@every_graph
@both_kinds
@pytest.mark.parametrize("threads", [1, 3])
def test_multi_source_bfs(name, directed, threads):
    n, edges = oracles.GRAPHS[name]
    g = graph_of(n, edges, directed)
    sources = random.Random(name).choices(range(n), k=min(n, 5))
    found = g.multi_source_bfs(sources, threads=threads)
    alone = [oracles.levels(n, edges, [source], directed) for source in sources]
    assert found.levels.tolist() == oracles.levels(n, edges, sources, directed)
    require_tree(n, edges, directed, found, set(sources))
    for vertex in range(n):
        reaching = [i for i in range(len(sources)) if alone[i][vertex] == found.levels[vertex] >= 0]
        assert found.sources[vertex] == (sources[reaching[0]] if reaching else -1)
    assert g.k_hop(sources, 2).tolist() == [v for v in range(n) if 0 <= found.levels[v] <= 2]


@every_graph
@both_kinds
def test_shortest_path(name, directed):
    n, edges = oracles.GRAPHS[name]
    g = graph_of(n, edges, directed)
    joined = {edge[:2] for edge in edges} | (set() if directed else {edge[1::-1] for edge in edges})
    draw = random.Random(name)
    for source, target in [(0, 0), (0, n - 1), *((draw.randrange(n), draw.randrange(n)) for _ in range(8))]:
        level = oracles.levels(n, edges, [source], directed)[target]
        path = g.shortest_path(source, target)
        if level < 0:
            assert path is None
            continue
        assert (path[0], path[-1], len(path)) == (source, target, level + 1)
        assert all(step in joined for step in itertools.pairwise(path))


@every_graph
@both_kinds
@pytest.mark.parametrize("threads", [1, 3])
def test_components(name, directed, threads):
    n, edges = oracles.GRAPHS[name]
    found = graph_of(n, edges, directed).connected_components(threads=threads)
    expected = oracles.components(n, edges)
    assert found.of_vertex.tolist() == expected
    assert len(found) == max(expected) + 1
    assert repr(found) == f"<breadth.Components: {len(found):,} components, {n:,} vertices>"
    assert [group.tolist() for group in found.groups()] == [
        [v for v in range(n) if expected[v] == component] for component in range(len(found))
    ]
    assert found.sizes.tolist() == [expected.count(component) for component in range(len(found))]


@every_graph
@both_kinds
@pytest.mark.parametrize("threads", [1, 3])
def test_sssp(name, directed, threads):
    n, edges = oracles.GRAPHS[name]
    draw = random.Random(name)
    weighted = [(*edge, draw.randint(0, 20)) for edge in edges]
    if not weighted:
        weighted = [(0, 0, 1)]
    g = graph_of(n, weighted, directed, threads=threads)
    for source in sorted({0, n - 1}):
        found = g.sssp(source)
        expected = oracles.distances(n, weighted, source, directed)
        assert found.distances.tolist() == expected
        assert found.distances.dtype == np.float64
        limited = g.sssp(source, cutoff=17)
        assert limited.distances.tolist() == [d if d <= 17 else float("inf") for d in expected]
        for vertex in range(n):
            path = found.path_to(vertex)
            assert (path is None) == (expected[vertex] == float("inf"))
            assert path is None or (path[0], path[-1]) == (source, vertex)
        # A weighted graph can also be searched without its weights.
        assert g.bfs(source).levels.tolist() == oracles.levels(n, weighted, [source], directed)


@every_graph
@both_kinds
def test_distances(name, directed):
    n, edges = oracles.GRAPHS[name]
    draw = random.Random(name)
    weighted = [(*edge, draw.randint(0, 20)) for edge in edges] or [(0, 0, 1)]
    g = graph_of(n, weighted, directed)
    sources, targets = draw.choices(range(n), k=4), draw.choices(range(n), k=6)
    levels = np.array([oracles.levels(n, edges, [source], directed) for source in sources])
    sums = np.array([oracles.distances(n, weighted, source, directed) for source in sources], float)
    for found, expected in [
        (g.distances(sources), levels),
        (g.distances(sources, targets, threads=2), levels[:, targets]),
        (g.distances(np.array(sources), weighted=True), sums),
        (g.distances(sources, targets, weighted=True), sums[:, targets]),
        (g.distances([], targets), levels[:0, targets]),
        (g.distances(sources, []), levels[:, :0]),
    ]:
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()


@every_graph
def test_reverse(name):
    n, edges = oracles.GRAPHS[name]
    weighted = [(*edge, i % 7) for i, edge in enumerate(edges)] or [(0, 0, 1)]
    turned = [(b, a, w) for a, b, w in weighted]
    g = graph_of(n, weighted, directed=True).reverse()
    assert g.bfs(0).levels.tolist() == oracles.levels(n, turned, [0], True)
    assert g.sssp(n - 1).distances.tolist() == oracles.distances(n, turned, n - 1, True)
    assert (g.directed, len(g), g.distance_type) == (True, n, graph_of(n, weighted).distance_type)
    undirected = graph_of(n, edges)
    assert undirected.reverse() is undirected
    cities = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [2**60, 1], directed=True).reverse()
    assert cities.sssp("c").distances.tolist() == [2**60 + 1, 1, 0]


def test_wrong_distances():
    g = breadth.grid(1, 3)
    for sources, targets in [([0, 7], None), ([0], [1, 7])]:
        with pytest.raises(KeyError, match="7"):
            g.distances(sources, targets)
    with pytest.raises(ValueError, match="weights"):
        g.distances([0], weighted=True)
    with pytest.raises(TypeError, match="sources"):
        g.distances(0)
    large = breadth.Graph.from_edges([0], [1], vertices=range(2**18))
    with pytest.raises(MemoryError, match=r"262,144 by 262,144: 512.0 GiB needed, and .* available"):
        large.distances(range(2**18))


@given(st.integers(1, 12), st.data())
@drawn(150)
def test_any_small_graph(n, data):
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 9)), min_size=1, max_size=30))
    directed = data.draw(st.booleans())
    source, target = data.draw(vertex), data.draw(vertex)
    g = graph_of(n, edges, directed)
    hops = oracles.levels(n, edges, [source], directed)
    assert g.bfs(source).levels.tolist() == hops
    assert g.sssp(source).distances.tolist() == oracles.distances(n, edges, source, directed)
    assert g.connected_components().of_vertex.tolist() == oracles.components(n, edges)
    path = g.shortest_path(source, target)
    assert (len(path) - 1 if path else -1) == hops[target]


@pytest.mark.parametrize("options", [{"direction": "push"}, {"direction": "pull"}, {"fuse_levels": False, "alpha": 2}])
def test_options_of_the_engine_change_no_level(options):
    n, edges = oracles.GRAPHS["kronecker"]
    g = graph_of(n, edges, threads=2)
    found = g.bfs(5, **options)
    assert found.levels.tolist() == oracles.levels(n, edges, [5])
    if "direction" in options:
        assert {level["direction"] for level in found.statistics} == {options["direction"]}


def test_statistics_count_what_levels_did():
    found = breadth.grid(20, 20).bfs(0)
    assert [level["frontier"] for level in found.statistics][:3] == [1, 2, 3]
    assert sum(level["claimed"] for level in found.statistics) == 399
    assert all(level["seconds"] >= 0 for level in found.statistics)


def test_results_as_paths_and_frames():
    pytest.importorskip("pandas")
    g = breadth.Graph.from_edges(["a", "b", "x"], ["b", "c", "y"])
    found = g.bfs("a")
    assert found.paths["c"] == ["a", "b", "c"]
    assert g.labels.tolist() == ["a", "b", "x", "c", "y"]
    assert list(found.paths) == ["a", "b", "c"]
    assert len(found.paths) == 3
    assert "x" not in found.paths
    assert "nowhere" not in found.paths
    with pytest.raises(KeyError):
        found.paths["x"]
    assert found.path_to("y") is None
    frame = found.to_pandas()
    assert frame["level"].tolist() == [0, 1, -1, 2, -1]
    assert frame["parent"].fillna("-").tolist() == ["a", "a", "-", "b", "-"]
    without = g.bfs("a", parents=False)
    assert without.to_pandas().columns.tolist() == ["vertex", "level"]
    with pytest.raises(ValueError, match="without parents"):
        without.path_to("b")
    nearest = g.multi_source_bfs(["a", "y"]).to_pandas()
    assert nearest["source"].tolist() == ["a", "a", "y", "a", "y"]
    assert g.connected_components().to_pandas()["component"].tolist() == [0, 0, 1, 0, 1]


def test_parents_among_integers_stay_integers_in_frames():
    pd = pytest.importorskip("pandas")
    g = breadth.Graph.from_edges([5, 2**60 + 1], [2**60 + 1, 7], vertices=[5, 2**60 + 1, 7, 9])
    frame = g.bfs(5).to_pandas()
    assert frame["parent"].dtype == "Int64"
    assert frame["parent"].tolist() == [5, 5, 2**60 + 1, pd.NA]
    assert frame.merge(frame, left_on="parent", right_on="vertex")["level_y"].tolist() == [0, 0, 1]
    assert g.multi_source_bfs([7]).to_pandas()["source"].isna().tolist() == [False, False, False, True]


def test_generators():
    grid = breadth.grid(5, 4)
    assert grid.bfs(0).levels.tolist() == oracles.levels(20, oracles.grid_edges(5, 4), [0])
    kronecker = breadth.kronecker(8, 4, weighted=True)
    assert (len(kronecker), kronecker.weighted) == (256, True)
    assert kronecker.sssp(1).distances.dtype == np.float32
    assert len(breadth.uniform_random(50, 100)) == 50
    assert breadth.small_world(50, 2, 10).num_edges <= 100
    with pytest.raises(ValueError, match="scale"):
        breadth.kronecker(99)


def test_results_keep_their_arrays():
    """The memory of deleted arrays is reused for later results, but not while a view of the array exists."""
    g = breadth.kronecker(10, weighted=True)
    kept, shown, copies = [], [], []
    for source in range(20):
        found, paths = g.bfs(source), g.sssp(source)
        arrays = [found.levels, found.parents, paths.distances, paths.parents]
        copies.append([array.copy() for array in arrays])
        if source % 2:
            kept.append((source, arrays))
        else:
            shown.append((source, [array[10:] for array in arrays]))
        del found, paths, arrays
    for source, arrays in kept:
        assert all(np.array_equal(a, b) for a, b in zip(arrays, copies[source], strict=True))
    for source, arrays in shown:
        assert all(np.array_equal(a, b[10:]) for a, b in zip(arrays, copies[source], strict=True))


@every_graph
@both_kinds
@pytest.mark.parametrize("layout", [{}, {"adjacency": "compressed"}, {"order": "label"}], ids=str)
def test_neighbours_and_degrees(name, directed, layout):
    n, edges = oracles.GRAPHS[name]
    g = graph_of(n, edges, directed, **layout)
    rows = oracles.neighbours(n, edges, directed)
    joined = [sorted({w for w, _ in row} - {v}) for v, row in enumerate(rows)]
    assert [g.neighbors(v).tolist() for v in range(n)] == joined
    assert g.degrees.tolist() == [len(row) for row in joined]


def test_neighbours_by_label():
    g = breadth.Graph.from_edges([30, 20, 20], [20, 10, 40], [1, 2, 2**60], directed=True)
    assert g.neighbors(20).tolist() == [10, 40]
    assert g.neighbors(40).tolist() == []
    assert g.labels[g.degrees.argmax()] == 20
    with pytest.raises(KeyError, match="50"):
        g.neighbors(50)
    pairs = breadth.Graph.from_edges([0], [1], adjacency="full-scan")
    assert pairs.degrees.tolist() == [1, 1]
    with pytest.raises(ValueError, match="adjacency"):
        pairs.neighbors(0)


@every_graph
@both_kinds
def test_weighted_shortest_path(name, directed):
    n, edges = oracles.GRAPHS[name]
    weighted = [(a, b, (a * 7 + b * 7) % 5) for a, b, *_ in edges]
    if not weighted:
        return
    g = graph_of(n, weighted, directed)
    weight = {}
    for a, b, w in weighted:
        for edge in {(a, b), (a, b) if directed else (b, a)}:
            weight[edge] = min(w, weight.get(edge, w))
    distances = oracles.distances(n, weighted, 0, directed)
    for target in sorted({0, 1 % n, n // 2, n - 1}):
        path = g.shortest_path(0, target, weighted=True)
        if distances[target] == float("inf"):
            assert path is None
            continue
        assert (path[0], path[-1]) == (0, target)
        assert sum(weight[edge] for edge in itertools.pairwise(path)) == distances[target]


def test_weighted_shortest_path_without_weights():
    with pytest.raises(ValueError, match="no weights"):
        breadth.grid(1, 3).shortest_path(0, 2, weighted=True)


def test_integers_have_the_type_that_numpy_calls_int64():
    g = breadth.Graph.from_edges([5, 7], [7, 9], [2**60, 1])
    r, nearest, components = g.bfs(5), g.multi_source_bfs([5]), g.connected_components()
    for array in (
        *(g.labels, g.degrees, g.neighbors(5), g.k_hop([5], 1), g.sssp(5).distances, g.sssp(5).parents),
        *(r.levels, r.parents, nearest.levels, nearest.parents, nearest.sources),
        *(components.of_vertex, components.sizes, components.groups()[0]),
    ):
        assert isinstance(array[0], np.int64)
        assert "dtype" not in repr(array)
