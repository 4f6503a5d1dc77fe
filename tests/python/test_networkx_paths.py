"""Functions of the networkx backend that count shortest paths or cycles, compared with networkx itself."""

import collections
import fractions
import math

import breadth
import networkx as nx
import pytest
from _breadth_networkx import FUNCTIONS
from breadth import _networkx as backend
from breadth._networkx import _betweenness
from drawn import drawn
from hypothesis import given
from hypothesis import strategies as st
from networkx_cases import KINDS, graphs, nodes_of, ordered, outcome, require_same

has_groups = "group_betweenness_centrality" in FUNCTIONS

WEIGHTS = [None, st.integers(0, 4), st.floats(0, 10), st.sampled_from([2**53, 2**53 + 1, 2**60])]


@pytest.fixture(autouse=True)
def quiet_cache():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def one_by_one(monkeypatch, wanted):
    """Makes the backend add up all nodes one by one, or all levels with numpy."""
    monkeypatch.setattr(_betweenness, "_THIN", math.inf if wanted else 0)


@pytest.mark.parametrize("thin", [False, True])
@given(graphs(), st.data())
@drawn(80)
def test_paths_between_subsets(thin, graph, data):
    with pytest.MonkeyPatch.context() as patch:
        one_by_one(patch, thin)
        sources, targets = (data.draw(st.lists(nodes_of(graph), max_size=5)) for _ in range(2))
        normalized = data.draw(st.booleans())
        require_same(nx.betweenness_centrality_subset, graph, sources, targets, normalized)
        require_same(nx.betweenness_centrality_subset, graph, graph, set(targets), normalized=normalized)
        if backend.can_run("edge_betweenness_centrality_subset", (graph, sources, targets), {}) is True:
            require_same(nx.edge_betweenness_centrality_subset, graph, sources, targets, normalized)
            require_same(nx.edge_betweenness_centrality_subset, graph, list(graph), targets)


@pytest.mark.parametrize("thin", [False, True])
@given(graphs(), st.data())
@drawn(60)
def test_load(thin, graph, data):
    cutoff = data.draw(st.sampled_from([None, False, 0, 1, 2, 2.5, -1, math.inf, math.nan]))
    normalized = data.draw(st.booleans())
    if {type(node) for node in graph} not in ({int}, {str}, {tuple}):
        assert "integers" in backend.can_run("newman_betweenness_centrality", (graph,), {})
        return
    with pytest.MonkeyPatch.context() as patch:
        one_by_one(patch, thin)
        require_same_as_load(graph, cutoff=cutoff, normalized=normalized)
        require_same_as_load(graph, data.draw(nodes_of(graph)), normalized=normalized)


def require_same_as_load(graph, *args, **kwargs):
    """Compares results of load_centrality, which networkx dispatches under another name."""
    assert backend.can_run("newman_betweenness_centrality", (graph, *args), kwargs) is True
    found = nx.load_centrality(graph, *args, backend="breadth", **kwargs)
    assert ordered(found) == ordered(nx.load_centrality(graph, *args, backend="networkx", **kwargs))


@pytest.mark.parametrize("thin", [False, True])
@given(graphs(), st.sampled_from([False, None, 0, 1, 2, 2.5, -1, math.inf, math.nan]))
@drawn(60)
def test_load_of_edges(thin, graph, cutoff):
    with pytest.MonkeyPatch.context() as patch:
        one_by_one(patch, thin)
        require_same(nx.edge_load_centrality, graph)
        require_same(nx.edge_load_centrality, graph, cutoff)


STATES = st.sampled_from([0, 1, 2.5, 0.1, 0.3, -1, 1e300])


@given(graphs(), st.data())
@drawn(80)
def test_percolation(graph, data):
    require_same_as_percolation(graph)
    require_same_as_percolation(graph, states={node: data.draw(STATES) for node in [*graph, "missing"]})
    for node in data.draw(st.lists(st.sampled_from(list(graph)))):
        graph.nodes[node]["heat"] = data.draw(STATES)
    require_same_as_percolation(graph, "heat")


def require_same_as_percolation(graph, *args, **kwargs):
    reason = backend.can_run("percolation_centrality", (graph, *args), kwargs)
    if reason is True:
        require_same(nx.percolation_centrality, graph, *args, **kwargs)
    else:
        assert "sum to 0" in reason


def require_same_through_groups(*args, **kwargs):
    if has_groups:
        require_same(nx.group_betweenness_centrality, *args, **kwargs)


@given(graphs(), st.data())
@drawn(120)
def test_paths_through_groups(graph, data):
    """For some groups of directed graphs networkx raises a KeyError."""
    groups = st.lists(st.sampled_from(list(graph)), max_size=5) | st.sets(nodes_of(graph), max_size=3)
    given_groups = data.draw(groups | st.lists(groups, max_size=3))
    options = {"normalized": data.draw(st.booleans()), "endpoints": data.draw(st.booleans())}
    require_same_through_groups(graph, given_groups, **options)
    require_same_through_groups(graph, [list(graph)[:2], list(graph)[1:4]], **options)


@pytest.mark.parametrize("weights", WEIGHTS, ids=["none", "integers", "floats", "large"])
@given(st.data())
@drawn(40)
def test_indices_of_all_distances(weights, data):
    graph = data.draw(graphs(weights=weights))
    simple = nx.Graph(graph)
    for weight in (None, "weight"):
        require_same(nx.harmonic_diameter, graph, weight=weight)
        require_same(nx.hyper_wiener_index, simple, weight)
    for function in (nx.schultz_index, nx.gutman_index):
        require_same(function, simple)
        require_same(function, nx.path_graph(len(graph)))
        require_same(function, nx.compose(simple, nx.star_graph(list(graph))))


@given(graphs(), st.data())
@drawn(60)
def test_closeness_of_two_sides(graph, data):
    top = data.draw(st.lists(nodes_of(graph)))
    # networkx dispatches this function under another name.
    assert backend.can_run("bipartite_closeness_centrality", (graph, top), {}) is True
    for normalized in (False, True):
        found, expected = (
            outcome(nx.bipartite.closeness_centrality, graph, top, normalized, backend=name)
            for name in ("breadth", "networkx")
        )
        assert found == expected


@given(graphs(kinds=[nx.Graph, nx.DiGraph]), st.data())
@drawn(80)
def test_searches_for_edges(graph, data):
    node = data.draw(nodes_of(graph))
    for sources in (None, node, data.draw(st.lists(nodes_of(graph), max_size=4)), [], [[1]], 7):
        require_same(nx.edge_bfs, graph, sources)


@pytest.mark.parametrize("weights", WEIGHTS, ids=["none", "integers", "floats", "large"])
@given(st.data())
@drawn(40)
def test_closeness_of_groups(weights, data):
    graph = data.draw(graphs(weights=weights))
    group = data.draw(st.lists(nodes_of(graph), max_size=4))
    for weight in (None, "weight", "no such weight"):
        require_same(nx.group_closeness_centrality, graph, group, weight)
    require_same(nx.group_closeness_centrality, graph, "xa")


@given(graphs(kinds=[nx.Graph]))
@drawn(150)
def test_the_shortest_cycle(graph):
    require_same(nx.girth, graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    require_same(nx.girth, graph)


@pytest.mark.parametrize(
    "graph",
    [
        nx.Graph(),
        nx.empty_graph(3),
        nx.Graph([(0, 0)]),
        nx.Graph([(0, 1), (1, 1)]),
        nx.path_graph(40),
        nx.star_graph(40),
        nx.full_rary_tree(3, 60),
        *map(nx.cycle_graph, range(3, 12)),
        nx.lollipop_graph(3, 50),
        nx.disjoint_union(nx.cycle_graph(9), nx.cycle_graph(7)),
        nx.petersen_graph(),
        nx.heawood_graph(),
        nx.tutte_graph(),
        nx.grid_2d_graph(6, 7),
        nx.hexagonal_lattice_graph(5, 9),
        nx.complete_bipartite_graph(3, 40),
        nx.disjoint_union(nx.cycle_graph(70), nx.cycle_graph(60)),
    ],
    ids=str,
)
def test_the_shortest_cycle_of_known_graphs(graph, monkeypatch):
    require_same(nx.girth, graph)
    monkeypatch.setattr(backend._many, "_AT_ONCE", 30)
    require_same(nx.girth, graph)
    monkeypatch.setattr(backend._many, "_STEPS_AT_ONCE", 20)
    require_same(nx.girth, graph)


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("name", ["breadth", "networkx"])
def test_cycles_of_other_graphs_are_refused(kind, name):
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.girth(kind([(0, 1), (1, 0)]), backend=name)


@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("diamonds", [70, 1100])
def test_more_paths_than_floats_count(thin, diamonds, monkeypatch):
    """A count of 2^70 paths is rounded, and a count of 2^1100 is infinite."""
    one_by_one(monkeypatch, thin)
    graph = nx.DiGraph()
    for i in range(0, 3 * diamonds, 3):
        graph.add_edges_from([(i, i + 1), (i, i + 2), (i + 1, i + 3), (i + 2, i + 3)])
    graph.add_edge(4, 3 * diamonds - 2)
    for function in (nx.betweenness_centrality_subset, nx.edge_betweenness_centrality_subset):
        require_same(function, graph, [0, 5], [3 * diamonds, 3 * diamonds - 1, 7])


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_other_shapes(kind):
    for shape in (nx.gnm_random_graph(300, 1500, seed=2), nx.grid_2d_graph(9, 20), nx.random_labeled_tree(250, seed=1)):
        graph = kind(shape)
        nodes = list(graph)
        require_same(nx.betweenness_centrality_subset, graph, nodes[::9], nodes[::5])
        require_same_as_load(graph)
        require_same(nx.group_closeness_centrality, graph, nodes[::30])
        if not graph.is_multigraph():
            require_same(nx.edge_betweenness_centrality_subset, graph, nodes[::9], nodes[::5], True)
            require_same(nx.edge_bfs, graph, nodes[3:5])
        if kind is nx.Graph:
            require_same(nx.girth, graph)


@given(graphs(weights=st.integers(0, 4)))
@drawn(60)
def test_closures(graph):
    before = ordered(graph)
    require_same(nx.transitive_closure, graph)
    assert ordered(graph) == before


SHAPES = {
    "grid": nx.grid_2d_graph(6, 9),
    "kronecker": breadth.kronecker(7, 4, seed=3).to_networkx(),
    "random": nx.gnm_random_graph(90, 400, seed=2),
    "tree": nx.random_labeled_tree(60, seed=1),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_over_all_paths_of_other_shapes(kind, shape):
    """Edges of directed graphs lead in one direction only."""
    graph = kind(list(SHAPES[shape].edges))
    nodes = list(graph)
    require_same(nx.edge_load_centrality, graph)
    require_same(nx.percolation_centrality, graph, states={node: i % 7 / 8 for i, node in enumerate(nodes)})
    require_same_through_groups(graph, nodes[5:8], endpoints=True)
    require_same_through_groups(graph, [nodes[::20], nodes[:14]], normalized=False)
    require_same(nx.harmonic_diameter, graph)
    require_same(nx.transitive_closure, graph)
    if kind is nx.Graph:
        for function in (nx.hyper_wiener_index, nx.schultz_index, nx.gutman_index):
            require_same(function, graph)


def test_empty_graphs():
    require_same(nx.edge_bfs, nx.DiGraph())
    for function in (nx.hyper_wiener_index, nx.schultz_index, nx.gutman_index):
        require_same(function, nx.Graph())
    for kind in KINDS:
        require_same(nx.betweenness_centrality_subset, kind(), [], [], True)
        require_same(nx.betweenness_centrality_subset, kind(), [1], [])
        require_same(nx.group_closeness_centrality, kind(), [])
        require_same_as_load(kind())
        require_same(nx.edge_load_centrality, kind())
        require_same(nx.percolation_centrality, kind())
        require_same(nx.harmonic_diameter, kind())
        require_same(nx.transitive_closure, kind())
        for groups in ([], [[]], [1], [[1]]):
            require_same_through_groups(kind(), groups)
        require_same_as_load(kind(), [1])


def test_arguments_that_are_refused():
    graph = nx.cycle_graph(4)
    nx.set_edge_attributes(graph, -1, "weight")
    for name, arguments, word in [
        ("betweenness_centrality_subset", {"sources": [0], "targets": [1], "weight": "weight"}, "weights"),
        ("betweenness_centrality_subset", {"sources": iter([0, 1]), "targets": [1]}, "collection"),
        ("edge_betweenness_centrality_subset", {"sources": [0], "targets": iter([1])}, "collection"),
        ("newman_betweenness_centrality", {"weight": "weight"}, "weights"),
        ("newman_betweenness_centrality", {"cutoff": "1"}, "limit"),
        ("group_closeness_centrality", {"S": [0], "weight": "weight"}, "negative"),
        ("group_closeness_centrality", {"S": [0], "weight": lambda u, v, d: 1}, "function"),
        ("multi_source_dijkstra", {"sources": iter([0])}, "iterator"),
        ("voronoi_cells", {"center_nodes": iter([0])}, "iterator"),
    ]:
        assert word in backend.can_run(name, (graph,), arguments)
    for name, rest in {"edge_betweenness_centrality": (), "edge_betweenness_centrality_subset": ([0], [1])}.items():
        assert "parallel" in backend.can_run(name, (nx.MultiGraph(graph), *rest), {})
        assert "as an edge" in backend.can_run(name, (nx.Graph([(0, 1), (1, (1, 0))]), *rest), {})
        assert backend.can_run(name, (nx.Graph([(0, 1), (1, (1, 2))]), *rest), {}) is True
    for attribute in (math.nan, math.inf, "heavy", True, 0.5):
        graph[0][1]["weight"] = attribute
        assert isinstance(backend.can_run("group_closeness_centrality", (graph, [0], "weight"), {}), str)


def test_more_arguments_that_are_refused():
    graph = nx.path_graph(4)
    for name, arguments, word in [
        ("edge_load_centrality", {"cutoff": "1"}, "limit"),
        *([("group_betweenness_centrality", {"C": [0], "weight": "weight"}, "weights")] if has_groups else []),
        ("percolation_centrality", {"weight": "weight"}, "weights"),
        ("percolation_centrality", {"states": {0: 1, 1: 1}}, "no state"),
        ("percolation_centrality", {"states": collections.defaultdict(float)}, "no state"),
        ("percolation_centrality", {"states": dict.fromkeys(graph, fractions.Fraction(1))}, "number"),
        ("percolation_centrality", {"states": dict.fromkeys(graph, 2**53 + 1)}, "number"),
        ("percolation_centrality", {"states": {0: 1, 1: 0, 2: 0, 3: 0}}, "sum to 0"),
        ("harmonic_diameter", {"sp": {}}, "sp"),
        ("schultz_index", {"weight": "weight"}, "weights"),
        ("gutman_index", {"weight": "weight"}, "weights"),
        ("edge_bfs", {"orientation": "original"}, "orientation"),
        ("transitive_closure", {"reflexive": None}, "reflexive"),
        ("transitive_closure", {"reflexive": 0}, "reflexive"),
    ]:
        assert word in backend.can_run(name, (graph,), arguments), name
    assert "keys" in backend.can_run("edge_bfs", (nx.MultiGraph(graph),), {})
    for name in ("schultz_index", "gutman_index"):
        assert "weight" in backend.can_run(name, (nx.Graph([(0, "weight")]),), {})
    graph.add_edge(0, 1, weight=-1)
    graph[0][1][None] = 3
    for weight in (None, "weight"):
        assert isinstance(backend.can_run("harmonic_diameter", (graph,), {"weight": weight}), str)


@pytest.mark.skipif(not has_groups, reason="the backend has the steps of networkx 3.6")
def test_groups_that_are_iterators():
    """networkx reads iterators more than once and finds less each time. The backend must do the same."""
    graph = nx.grid_2d_graph(4, 5)
    for make in (
        lambda: iter([(0, 1), (2, 3), (3, 3)]),
        lambda: iter([[(0, 1), (2, 3)], [(3, 3)]]),
        lambda: [iter([(0, 1), (2, 3)]), [(3, 3)]],
    ):
        found, expected = (
            outcome(nx.group_betweenness_centrality, graph, make(), backend=name) for name in ("breadth", "networkx")
        )
        assert found == expected


def test_iterators_that_networkx_reads_once():
    graph = nx.path_graph(200)
    for function, name in ((nx.multi_source_dijkstra_path_length, "sources"), (nx.voronoi_cells, "center_nodes")):
        for known in (None, "networkx"):
            with nx.config(backend_priority=["breadth"]):
                assert len(function(graph, **{name: iter([0])}, backend=known)) < 2
    with nx.config(backend_priority=["breadth"]):
        assert len(nx.betweenness_centrality_subset(graph, iter([0, 5]), iter([7]))) == 200


def test_few_sources_of_a_small_graph_stay_with_networkx():
    graph = nx.path_graph(300)
    for name in ("betweenness_centrality_subset", "edge_betweenness_centrality_subset"):
        assert "nodes" in backend.should_run(name, (graph, [0, 1], [2]), {})
        assert backend.should_run(name, (graph,), {"sources": list(range(20)), "targets": [2]}) is True
    for name in ("newman_betweenness_centrality", "girth"):
        assert backend.should_run(name, (graph,), {}) is True


@pytest.mark.parametrize("view", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_nodes_that_are_missing(kind, view):
    graph = kind([(0, 1), (1, 2), ("m", 2), ("m", "n")])
    if view:
        graph = graph.subgraph([0, 1, 2, "m", "n"])
    for sources in ("missing", "mn", [0, "missing", 1], [1, 0, 1, 9, 8], [], [9], [[1]], 7, [0, {}]):
        require_same(nx.bfs_labeled_edges, graph, sources)
    for node in (7, "missing", [1], {1}, None):
        if not graph.is_directed():
            require_same(nx.node_connected_component, graph, node)
    edges = [nx.bfs_labeled_edges(graph, [0, "missing"], backend=name) for name in ("breadth", "networkx")]
    assert next(edges[0]) == next(edges[1]) == (0, 1, "tree")


@pytest.mark.parametrize("kind", KINDS)
def test_centers_that_are_a_string(kind):
    graph = kind([("d", "e"), ("e", "f")])
    for centers in ("d", "df", "", "x", ["d"], {"d": 1}, ("d", "f", "d"), [None]):
        require_same(nx.voronoi_cells, graph, centers)
        require_same(nx.multi_source_dijkstra, graph, centers)
