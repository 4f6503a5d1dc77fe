"""The backend of networkx against networkx itself."""

import math
from collections import OrderedDict

import networkx as nx
import numpy as np
import pytest
from breadth import _networkx as backend
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


@pytest.fixture(autouse=True)
def quiet_cache():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def outcome(function, *args, **kwargs):
    """What a call returns or raises, with the order of what it returns."""
    try:
        return ordered(function(*args, **kwargs))
    except Exception as error:
        return type(error), str(error)


def ordered(result):
    if isinstance(result, dict):
        return [(key, ordered(value)) for key, value in result.items()]
    if isinstance(result, nx.Graph):
        return type(result), result.graph, list(result.nodes(data=True)), list(result.edges(data=True))
    if isinstance(result, list | tuple) or hasattr(result, "__next__"):
        return [ordered(value) for value in result]
    return type(result), result


def by_name(outcome):
    """The same without the order of dicts: networkx promises none."""
    return sorted(outcome, key=repr) if isinstance(outcome, list) else outcome


def both(function, *args, **kwargs):
    refused = backend.can_run(function.__name__, args, kwargs)
    assert refused is True, refused
    expected = outcome(function, *args, backend="networkx", **kwargs)
    found = outcome(function, *args, backend="breadth", **kwargs)
    return found, expected


def require_same(function, *args, **kwargs):
    found, expected = both(function, *args, **kwargs)
    assert found == expected or repr(found) == repr(expected)  # a NaN equals none


def require_same_unordered(function, *args, **kwargs):
    found, expected = both(function, *args, **kwargs)
    assert by_name(found) == by_name(expected)


@st.composite
def graphs(draw, weights=None, kinds=KINDS):
    kind = draw(st.sampled_from(kinds))
    labels = draw(st.sampled_from([range(10), "jihgfedcba", [3, 1, 2, 0], [10**12, -5, 7], [(0, 1), "x", 2.5, 9]]))
    graph = kind()
    graph.add_nodes_from(draw(st.lists(st.sampled_from(list(labels)), min_size=1)))
    ends = st.tuples(st.sampled_from(list(labels)), st.sampled_from(list(labels)))
    for tail, head in draw(st.lists(ends, max_size=30)):
        attributes = {} if weights is None else {"weight": draw(weights)}
        graph.add_edge(tail, head, **attributes)
    return graph


def nodes_of(graph):
    return st.sampled_from([*graph, "missing"])


LIMITS = st.sampled_from([None, 0, 1, 2, 3, 1.5, -1, math.inf])


@given(graphs(), st.data())
@settings(max_examples=80, deadline=None)
def test_searches_of_edges(graph, data):
    source, target, limit = data.draw(nodes_of(graph)), data.draw(nodes_of(graph)), data.draw(LIMITS)
    reverse = data.draw(st.booleans())
    require_same_unordered(nx.single_source_shortest_path_length, graph, source, limit)
    require_same_unordered(nx.single_target_shortest_path_length, graph, source, limit)
    require_same(nx.single_source_shortest_path, graph, source, limit)
    require_same(nx.single_target_shortest_path, graph, source, limit)
    require_same(nx.predecessor, graph, source, cutoff=limit, return_seen=True)
    require_same(nx.predecessor, graph, source, target)
    require_same(nx.bfs_edges, graph, source, reverse, limit)
    require_same(nx.bfs_predecessors, graph, source, limit)
    require_same(nx.bfs_successors, graph, source, limit)
    require_same(nx.bfs_tree, graph, source, reverse, limit)
    require_same(nx.bidirectional_shortest_path, graph, source, target)
    require_same(nx.has_path, graph, source, target)
    require_same(nx.shortest_path, graph, source, target)
    require_same(nx.shortest_path, graph, source=source)
    require_same(nx.shortest_path, graph, target=target)
    require_same(nx.shortest_path_length, graph, source, target)
    require_same_unordered(nx.shortest_path_length, graph, target=target)
    require_same(nx.all_shortest_paths, graph, source, target)
    require_same(nx.single_source_all_shortest_paths, graph, source)
    require_same(nx.descendants, graph, source)
    require_same(nx.ancestors, graph, source)
    require_same(nx.descendants_at_distance, graph, source, data.draw(st.sampled_from([0, 1, 2, 1.0, 0.5, -1])))
    require_same(nx.ego_graph, graph, source, data.draw(st.integers(0, 3)), data.draw(st.booleans()))


@given(graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_searches_from_several_nodes(graph, data):
    sources = data.draw(st.lists(nodes_of(graph), min_size=1, max_size=4) | nodes_of(graph))
    require_same(nx.bfs_layers, graph, sources)
    require_same(nx.bfs_labeled_edges, graph, sources)


@given(graphs())
@settings(max_examples=60, deadline=None)
def test_components_and_sides(graph):
    for function in (
        nx.connected_components,
        nx.number_connected_components,
        nx.is_connected,
        nx.weakly_connected_components,
        nx.number_weakly_connected_components,
        nx.is_weakly_connected,
        nx.is_bipartite,
        nx.bipartite.sets,
    ):
        require_same(function, graph)
    require_same(nx.is_strongly_connected, graph)
    require_same(nx.bipartite.color, graph)
    for node in [*graph, "missing"]:
        require_same(nx.node_connected_component, graph, node)


ANY = st.one_of(
    st.integers(0, 4),
    st.integers(0, 2**40),
    st.floats(0, 10),
    st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.0, 1e300]),
)
POSITIVE = st.one_of(st.integers(1, 4), st.integers(1, 1000))


@given(
    st.one_of(graphs(weights=POSITIVE), graphs(weights=POSITIVE.map(lambda weight: weight / 4)), graphs()), st.data()
)
@settings(max_examples=80, deadline=None)
def test_searches_by_weight(graph, data):
    source, target = data.draw(nodes_of(graph)), data.draw(nodes_of(graph))
    sources = data.draw(st.lists(nodes_of(graph), min_size=1, max_size=4))
    cutoff = data.draw(st.sampled_from([None, 0, 2, 5.5, -1, math.inf]))
    require_same(nx.single_source_dijkstra, graph, source, cutoff=cutoff)
    require_same(nx.single_source_dijkstra, graph, source, target)
    require_same(nx.single_source_dijkstra_path, graph, source, cutoff)
    require_same_unordered(nx.single_source_dijkstra_path_length, graph, source, cutoff)
    require_same(nx.dijkstra_path, graph, source, target)
    require_same(nx.dijkstra_path_length, graph, source, target)
    require_same(nx.dijkstra_predecessor_and_distance, graph, source, cutoff)
    require_same(nx.multi_source_dijkstra, graph, sources, cutoff=cutoff)
    require_same(nx.multi_source_dijkstra_path, graph, sources, cutoff)
    require_same_unordered(nx.multi_source_dijkstra_path_length, graph, sources, cutoff)
    require_same_unordered(nx.voronoi_cells, graph, sources)
    require_same(nx.bidirectional_dijkstra, graph, source, target)
    require_same(nx.shortest_path, graph, source, target, "weight")
    require_same(nx.all_shortest_paths, graph, source, target, "weight")
    require_same(nx.single_source_all_shortest_paths, graph, source, "weight")
    require_same(nx.shortest_path, graph, source, weight="weight")
    require_same(nx.shortest_path, graph, target=target, weight="weight")
    require_same(nx.shortest_path_length, graph, source, target, "weight")
    require_same_unordered(nx.shortest_path_length, graph, target=target, weight="weight")
    require_same_unordered(nx.single_source_bellman_ford_path_length, graph, source)
    require_same(nx.bellman_ford_path_length, graph, source, target)
    require_same(nx.ego_graph, graph, source, 3, distance="weight")


@given(
    st.one_of(graphs(weights=POSITIVE), graphs(weights=POSITIVE.map(lambda weight: weight / 10)), graphs()), st.data()
)
@settings(max_examples=100, deadline=None)
def test_bellman_and_ford(graph, data):
    source, target = data.draw(nodes_of(graph)), data.draw(nodes_of(graph))
    require_same(nx.single_source_bellman_ford, graph, source)
    require_same(nx.single_source_bellman_ford, graph, source, target)
    require_same(nx.single_source_bellman_ford_path, graph, source)
    require_same(nx.bellman_ford_path, graph, source, target)
    require_same(nx.bellman_ford_path_length, graph, source, target)
    require_same(nx.bellman_ford_predecessor_and_distance, graph, source)
    require_same(nx.shortest_path, graph, source, target, "weight", "bellman-ford")
    require_same(nx.all_pairs_bellman_ford_path, graph)


def test_a_weight_that_is_too_small_to_change_a_distance_goes_to_networkx():
    graph = nx.DiGraph([(0, 1, {"weight": 1.0}), (1, 2, {"weight": 1e-30}), (2, 1, {"weight": 1e-30})])
    require_same(nx.bellman_ford_predecessor_and_distance, graph, 0)
    with pytest.raises(NotImplementedError):
        nx.single_source_bellman_ford(graph, 0, backend="breadth")
    with nx.config(backend_priority=["breadth"]):
        assert nx.single_source_bellman_ford(graph, 0)[1][2] == [0, 1, 2]


@st.composite
def graphs_of_any_weights(draw):
    """Weights of one kind, among them 0 and such as only 64 bits have."""
    return draw(graphs(weights=draw(st.sampled_from(ANY.element_strategies))))


@given(graphs_of_any_weights(), st.data())
@settings(max_examples=100, deadline=None)
def test_dijkstra_by_any_weights(graph, data):
    source, target = data.draw(nodes_of(graph)), data.draw(nodes_of(graph))
    sources = data.draw(st.lists(nodes_of(graph), min_size=1, max_size=4))
    cutoff = data.draw(st.sampled_from([None, 0, 0.1, 2, 5.5, -0.5, 2**70, math.inf, -math.inf, math.nan]))
    require_same(nx.single_source_dijkstra, graph, source, target, cutoff)
    require_same(nx.multi_source_dijkstra, graph, sources, target, cutoff)
    require_same(nx.multi_source_dijkstra, graph, sources, cutoff=cutoff)
    require_same(nx.dijkstra_path, graph, source, target)
    require_same(nx.bidirectional_dijkstra, graph, source, target)
    require_same(nx.dijkstra_predecessor_and_distance, graph, source, cutoff)
    require_same(nx.voronoi_cells, graph, sources)
    require_same(nx.all_shortest_paths, graph, source, target, "weight")
    require_same(nx.all_shortest_paths, graph, source, target, "weight", "bellman-ford")
    require_same(nx.bellman_ford_predecessor_and_distance, graph, source)
    require_same(nx.bellman_ford_path_length, graph, source, target)
    for _ in range(2):  # the first search is not the engine's
        require_same_unordered(nx.single_source_dijkstra_path_length, graph, source, cutoff)
    require_same_unordered(nx.single_source_bellman_ford_path_length, graph, source)
    require_same_unordered(nx.multi_source_dijkstra_path_length, graph, sources, cutoff)
    require_same(nx.eccentricity, graph, weight="weight")
    require_same(nx.wiener_index, graph, "weight")
    if backend.can_run("barycenter", (graph,), {"weight": "weight"}) is True:
        require_same(nx.barycenter, graph, "weight")


@given(graphs(weights=st.integers(0, 5)), st.data())
@settings(max_examples=40, deadline=None)
def test_lengths_with_weights_of_nought(graph, data):
    source = data.draw(nodes_of(graph))
    require_same_unordered(nx.single_source_dijkstra_path_length, graph, source)
    require_same_unordered(nx.multi_source_dijkstra_path_length, graph, [source, *graph])
    require_same_unordered(nx.single_source_bellman_ford_path_length, graph, source)


@given(st.one_of(graphs(weights=POSITIVE), graphs(weights=POSITIVE.map(lambda weight: weight / 8))), st.data())
@settings(max_examples=40, deadline=None)
def test_searches_from_each_node(graph, data):
    weight = data.draw(st.sampled_from([None, "weight"]))
    for function in (nx.eccentricity, nx.diameter, nx.radius, nx.periphery):
        require_same(function, graph, weight=weight)
    if backend.can_run("center", (graph,), {"weight": weight}) is True:
        require_same(nx.center, graph, weight=weight)
    node = data.draw(nodes_of(graph).filter(lambda node: node in graph))
    require_same(nx.eccentricity, graph, node, weight=weight)
    require_same(nx.average_shortest_path_length, graph, weight)
    require_same(nx.closeness_centrality, graph, distance=weight, wf_improved=data.draw(st.booleans()))
    require_same(nx.closeness_centrality, graph, node)
    require_same(nx.wiener_index, graph, weight)
    require_same(nx.all_pairs_all_shortest_paths, graph, weight)
    if backend.can_run("barycenter", (graph,), {"weight": weight}) is True:
        require_same(nx.barycenter, graph, weight)
    require_same(nx.all_pairs_shortest_path, graph)
    require_same(nx.all_pairs_dijkstra, graph)
    require_same(nx.all_pairs_dijkstra_path, graph)
    require_same(nx.shortest_path, graph, weight=weight)
    for function in (
        nx.all_pairs_shortest_path_length,
        nx.all_pairs_dijkstra_path_length,
        nx.all_pairs_bellman_ford_path_length,
        nx.shortest_path_length,
    ):
        found, expected = both(function, graph)
        assert [(node, by_name(lengths)) for node, lengths in found] == [
            (node, by_name(lengths)) for node, lengths in expected
        ]


@given(graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_centrality_and_efficiency(graph, data):
    nodes = st.lists(st.sampled_from(list(graph)), unique_by=id)
    normalized = data.draw(st.booleans())
    count = data.draw(st.sampled_from([None, 1, 2, len(graph), 50]))
    seed = data.draw(st.integers(0, 3))
    require_same(nx.global_efficiency, graph)
    require_same(nx.efficiency, graph, data.draw(nodes_of(graph)), data.draw(nodes_of(graph)))
    require_same(nx.harmonic_centrality, graph)
    require_same(nx.harmonic_centrality, graph, data.draw(nodes), sources=data.draw(nodes))
    require_same(nx.harmonic_centrality, graph, data.draw(st.none() | nodes), sources=data.draw(st.none() | nodes))
    require_same(nx.local_reaching_centrality, graph, data.draw(nodes_of(graph)), normalized=normalized)
    endpoints = data.draw(st.booleans())
    require_same(nx.betweenness_centrality, graph, count, normalized, None, endpoints, seed)
    if not graph.is_multigraph():
        require_same(nx.edge_betweenness_centrality, graph, count, normalized, None, seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ["grid", "random", "star", "path"])
def test_larger_graphs(kind, shape):
    """Levels and ties of more nodes than are visited one by one."""
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
    """The first without the engine, later ones with it, or without it where they see little."""
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
        require_same(nx.diameter, kind())
        require_same(nx.eccentricity, kind())
        require_same(nx.bfs_edges, kind(), 1)
        require_same(nx.multi_source_dijkstra, kind(), [])


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
    """A node with a hash and an equality of its own."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Name) and self.name == other.name

    def __repr__(self):
        return f"Name({self.name!r})"


def equal_nodes(function, *args, **kwargs):
    """What a call returns, in which nodes may be others that are equal, or raises."""
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
    del graph
    assert list(edges) == [(2, 1), (1, 0)]
    assert [node for node, _ in paths] == [0, 1, 2]
    assert dict(lengths)[0] == {0: 0, 1: 1, 2: 2}
