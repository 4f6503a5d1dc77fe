"""The backend of networkx compared with networkx itself, on larger and unusual graphs."""

from collections import OrderedDict

import networkx as nx
import numpy as np
import pytest
from breadth import _networkx as backend
from networkx_cases import KINDS, by_name, ordered, outcome, require_same, require_same_unordered


@pytest.fixture(autouse=True)
def quiet_cache():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ["grid", "random", "star", "path"])
def test_larger_graphs(kind, shape):
    """Levels and ties with more nodes than the backend visits one by one."""
    draw = np.random.default_rng(5)
    shapes = {
        "grid": nx.grid_2d_graph(12, 40),
        "random": nx.gnm_random_graph(400, 2000, seed=3),
        "star": nx.star_graph(400),
        "path": nx.path_graph(200),
    }
    graph = kind(shapes[shape])
    for edge in graph.edges(data=True):
        edge[2]["weight"] = int(draw.integers(1, 6))
    nodes = list(graph)
    source, target = nodes[3], nodes[-1]
    require_same(nx.single_source_shortest_path, graph, source)
    require_same(nx.bidirectional_shortest_path, graph, source, target)
    require_same(nx.bfs_labeled_edges, graph, [source, target])
    require_same(nx.predecessor, graph, source)
    require_same(nx.single_source_dijkstra, graph, source)
    require_same(nx.multi_source_dijkstra, graph, nodes[5:9])
    require_same(nx.dijkstra_predecessor_and_distance, graph, source)
    require_same(nx.bfs_edges, graph, source, reverse=True)
    require_same(nx.eccentricity, graph)
    require_same(nx.closeness_centrality, graph)
    require_same(nx.harmonic_centrality, graph)
    require_same(nx.global_efficiency, graph)
    require_same(nx.betweenness_centrality, graph, 40, seed=1)


def test_more_sources_than_are_counted_at_a_time():
    graph = nx.barbell_graph(40, 1400)
    require_same(nx.closeness_centrality, graph)
    require_same(nx.harmonic_centrality, graph, range(30, 60))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_all_searches_of_a_graph_return_the_same_in_the_same_order(kind):
    """The first search runs without the engine. Later ones run with it, or without it if they visit few nodes."""
    graph = kind(nx.gnm_random_graph(500, 1500, seed=8))
    nx.set_edge_attributes(graph, 3, "weight")
    known = backend.convert_from_nx(graph)
    source = max(graph, key=graph.degree)
    for function in (nx.single_source_shortest_path_length, nx.single_target_shortest_path_length):
        first = ordered(function(known, source))
        assert by_name(first) == by_name(ordered(function(graph, source, backend="networkx")))
        assert [ordered(function(known, source)) for _ in range(3)] == [first] * 3
        near = ordered(function(known, source, cutoff=1))
        assert near == [(node, level) for node, level in first if level[1] <= 1]
    lengths = [ordered(nx.single_source_dijkstra_path_length(known, source)) for _ in range(3)]
    assert lengths == lengths[:1] * 3


def test_graphs_without_nodes():
    for kind in KINDS:
        for function in (nx.connected_components, nx.weakly_connected_components, nx.is_connected, nx.is_bipartite):
            require_same(function, kind())
        require_same(nx.average_shortest_path_length, kind())
        require_same(nx.closeness_centrality, kind())
        for function in (nx.diameter, nx.eccentricity, nx.radius, nx.periphery, nx.center):
            assert "no nodes" in backend.can_run(function.__name__, (kind(),), {})
        require_same(nx.bfs_edges, kind(), 1)
        require_same(nx.multi_source_dijkstra, kind(), [])


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_undirected_views_whose_edges_weigh_more_one_way(kind):
    directed = kind()
    directed.add_weighted_edges_from([(0, 1, 4), (1, 0, 5), (1, 2, 1), (2, 3, 2), (3, 2, 7), (0, 3, 9), (3, 0, 6)])
    view = directed.to_undirected(as_view=True)
    for _ in range(3):  # the first search does not use the engine
        for source in view:
            require_same_unordered(nx.single_source_dijkstra_path_length, view, source)
            require_same_unordered(nx.single_source_bellman_ford_path_length, view, source)
            require_same_unordered(nx.shortest_path_length, view, target=source, weight="weight")
            require_same(nx.single_source_dijkstra, view, source)
            require_same(nx.bidirectional_dijkstra, view, source, 2)
        for function in (nx.eccentricity, nx.diameter, nx.radius, nx.center, nx.periphery):
            require_same(function, view, weight="weight")
        for function in (nx.average_shortest_path_length, nx.wiener_index, nx.barycenter):
            require_same(function, view, "weight")
        require_same(nx.closeness_centrality, view, distance="weight")
    assert dict(nx.all_pairs_dijkstra_path_length(view, backend="breadth"))[1][0] == 5


def test_views_and_subclasses():
    graph = nx.gnm_random_graph(60, 150, seed=2, directed=True)
    for view in (
        graph.reverse(copy=False),
        graph.subgraph(range(40)),
        graph.to_undirected(as_view=True),
        nx.freeze(graph),
        nx.subgraph_view(graph, filter_edge=lambda tail, head: (tail + head) % 3),
    ):
        require_same(nx.single_source_shortest_path, view, 3)
        require_same(nx.ancestors, view, 3)
        require_same(nx.single_source_dijkstra, view, 3)


@pytest.mark.parametrize(
    "view_of",
    [
        lambda graph: graph.subgraph(range(15)),
        lambda graph: graph.subgraph(range(18)).subgraph(range(15)),
        lambda graph: graph.edge_subgraph(list(graph.edges)),
        lambda graph: graph.reverse(copy=False),
        lambda graph: graph.reverse(copy=False).subgraph(range(15)),
        lambda graph: graph.to_undirected(as_view=True),
        lambda graph: graph.to_directed(as_view=True),
        lambda graph: nx.restricted_view(graph, [19], []),
        lambda graph: nx.subgraph_view(graph, filter_edge=lambda *ends: ends[0] != 17),
    ],
)
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_a_view_is_seen_as_it_is_when_the_graph_under_it_changes(kind, view_of):
    graph = kind(nx.path_graph(20))
    nx.set_edge_attributes(graph, 2, "weight")
    view = view_of(graph)

    def require_all_the_same():
        for call in (
            lambda name: nx.single_source_shortest_path_length(view, 0, backend=name),
            lambda name: nx.single_target_shortest_path_length(view, 0, backend=name),
            lambda name: nx.single_source_dijkstra_path_length(view, 0, backend=name),
            lambda name: nx.single_source_bellman_ford_path_length(view, 0, backend=name),
            lambda name: nx.dijkstra_path_length(view, 9, 0, backend=name),
            lambda name: nx.has_path(view, 0, 14, backend=name),
        ):
            assert by_name(outcome(call, "breadth")) == by_name(outcome(call, "networkx"))

    require_all_the_same()
    graph.remove_edge(10, 11)
    require_all_the_same()
    graph.add_edge(0, 8, weight=1)
    graph.remove_node(12)
    require_all_the_same()
    assert not backend._checks.is_converted(view)


def test_no_view_is_converted_for_searches_of_its_parts(monkeypatch):
    monkeypatch.setattr(backend._checks, "SMALL", 0)
    view = nx.path_graph(20).subgraph(range(15))
    answers = {backend.should_run("has_path", (view, 0, 1), {}) for _ in range(backend._checks.PATIENCE + 2)}
    assert len(answers) == 1
    assert "part" in answers.pop()


def test_views_whose_filter_looks_at_the_order_of_ends():
    plain = nx.subgraph_view(nx.path_graph(5), filter_edge=lambda tail, head: tail != 2)
    parallel = nx.MultiGraph([(0, 1), (1, 2), (1, 2), (2, 3)])
    keyed = nx.subgraph_view(parallel, filter_edge=lambda tail, head, key: key == 0 or tail < head)
    for view in (plain, keyed):
        with pytest.raises(NotImplementedError):
            nx.single_source_shortest_path_length(view, 0, backend="breadth")
        expected = nx.single_source_shortest_path_length(view, 0, backend="networkx")
        with nx.config(backend_priority=["breadth"], fallback_to_nx=True):
            assert nx.single_source_shortest_path_length(view, 0) == expected
            assert nx.bfs_tree(view, 0).edges == nx.bfs_tree(view, 0, backend="networkx").edges
    assert expected == {0: 0, 1: 1, 2: 2, 3: 3}
    require_same(nx.single_source_shortest_path, nx.subgraph_view(nx.DiGraph(plain), filter_node=lambda node: node), 1)


def test_views_of_parallel_edges():
    graph = nx.MultiGraph([(0, 1, {"weight": 5}), (0, 1, {"weight": 2}), (1, 2, {"weight": 3}), (0, 2, {"weight": 9})])
    for view in (
        graph.edge_subgraph([(0, 1, 0), (1, 2, 0)]),
        graph.subgraph([0, 1]),
        nx.subgraph_view(graph, filter_edge=lambda tail, head, key: key == 1),
    ):
        require_same(nx.single_source_shortest_path, view, 0)
        require_same(nx.single_source_dijkstra, view, 0)
        require_same(nx.is_connected, view)


class Name:
    """A node with its own hash and equality."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Name) and self.name == other.name

    def __repr__(self):
        return f"Name({self.name!r})"


def equal_nodes(function, *args, **kwargs):
    """Returns the result of a call, in which nodes may be replaced by equal ones, or its exception."""
    try:
        return function(*args, **kwargs)
    except nx.NetworkXException as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1), (True, 2), (2.0, 3), (np.int64(3), 4)],
        [(-5, -7), (-7, -6), (-6, 10)],
        [(2**63, 1), (-(2**70), 1), (2**63, -(2**70))],
        [(0, 10**9), (10**9, 2), (2, 0)],
        [(5, 4), (4, 3), (3, 5), (9, 3)],
        [("a", "b"), ("".join(["b"]), "c"), ("c", ("a", 1)), (("a", 1), frozenset())],
        [(Name(1), Name(2)), (Name(2), Name(3)), (Name(1), 1)],
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_nodes_of_every_kind(edges, kind):
    graph = kind(edges)
    for source in [edges[0][0], edges[1][0], "missing", 1, 2.0, False]:
        for function in (nx.single_source_shortest_path, nx.single_target_shortest_path, nx.descendants):
            assert equal_nodes(function, graph, source, backend="breadth") == equal_nodes(function, graph, source)
        found, expected = (
            equal_nodes(nx.dijkstra_path, graph, source, edges[-1][1], backend=name) for name in ("breadth", "networkx")
        )
        assert found == expected
    require_same(nx.bfs_edges, graph, edges[0][1])


def test_an_error_of_a_node_comes_through():
    class Broken(Name):
        broken = False

        __hash__ = Name.__hash__

        def __eq__(self, other):
            if Broken.broken:
                raise ZeroDivisionError
            return super().__eq__(other)

    graph = nx.Graph([(Broken(1), Broken(2)), (Broken(1), Broken(3))])
    Broken.broken = True
    with pytest.raises(ZeroDivisionError):
        backend.convert_from_nx(graph)


class Attributes(dict):
    def get(self, key, default=None):
        return 7


def test_graphs_of_other_dicts():
    class Listed(nx.Graph):
        node_dict_factory = adjlist_inner_dict_factory = adjlist_outer_dict_factory = OrderedDict

    class Attributed(nx.Graph):
        edge_attr_dict_factory = Attributes

    listed = Listed([(3, 1), (1, 2), (3, 4)])
    listed._adj[3].move_to_end(1)
    require_same(nx.single_source_shortest_path, listed, 3)
    require_same(nx.bfs_edges, listed, 3)
    attributed = Attributed([(0, 1), (1, 2)])
    require_same(nx.single_source_shortest_path, attributed, 0)
    assert "dict" in backend.can_run("single_source_dijkstra", (attributed, 0), {})
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path(attributed, 0, 2, backend="breadth")
    assert "hashable" in backend.can_run("single_source_dijkstra", (nx.path_graph(3), 0), {"weight": ["weight"]})


def test_parallel_edges_of_two_kinds_are_refused():
    graph = nx.MultiGraph([(0, 1, {"weight": 2}), (0, 1, {"weight": 1.5})])
    assert "float, int" in backend.can_run("single_source_dijkstra", (graph, 0), {})


def test_iterators_outlive_their_graph():
    graph = nx.DiGraph([(0, 1), (1, 2)])
    edges = nx.bfs_edges(graph, 2, reverse=True, backend="breadth")
    paths = nx.single_source_all_shortest_paths(graph, 0, "weight", backend="breadth")
    lengths = nx.all_pairs_dijkstra_path_length(graph, backend="breadth")
    all_edges = nx.edge_bfs(graph, 1, backend="breadth")
    labeled = nx.bfs_labeled_edges(graph, [1, "missing"], backend="breadth")
    del graph
    assert list(edges) == [(2, 1), (1, 0)]
    assert [node for node, _ in paths] == [0, 1, 2]
    assert dict(lengths)[0] == {0: 0, 1: 1, 2: 2}
    assert list(all_edges) == [(1, 2)]
    assert next(labeled) == (1, 2, "tree")
    with pytest.raises(KeyError, match="missing"):
        next(labeled)


def test_a_view_in_which_networkx_counts_neighbours_that_it_does_not_show():
    graph = nx.MultiDiGraph([(0, 1), (1, 0)])
    view = nx.subgraph_view(graph, filter_edge=lambda tail, head, key: tail == 1)
    for name in ("color", "sets"):
        assert "counts" in backend.can_run(name, (view,), {})
        assert backend.can_run(name, (graph,), {}) is True


def test_errors_for_missing_nodes_of_a_view():
    view = nx.path_graph(4).subgraph([0, 1, 2])
    require_same(nx.betweenness_centrality_subset, view, [0, 3], [1])
    require_same(nx.edge_betweenness_centrality_subset, view, [[0]], [1])
