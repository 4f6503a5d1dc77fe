"""The backend of networkx compared with networkx itself, on random graphs."""

import math

import networkx as nx
import pytest
from _breadth_networkx import CENTROID
from breadth import _networkx as backend
from drawn import drawn
from hypothesis import given
from hypothesis import strategies as st
from networkx_cases import both, by_name, graphs, nodes_of, require_same, require_same_unordered


@pytest.fixture(autouse=True)
def quiet_cache():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


LIMITS = st.sampled_from([None, 0, 1, 2, 3, 1.5, -1, math.inf])


@given(graphs(), st.data())
@drawn(80)
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
    distances = [0, 1, 2, 1.0, 0.5, -1, math.inf, math.nan, None, "1", [1], 2**70]
    require_same(nx.descendants_at_distance, graph, source, data.draw(st.sampled_from(distances)))
    require_same(nx.ego_graph, graph, source, data.draw(st.integers(0, 3)), data.draw(st.booleans()))


@given(graphs(), st.data())
@drawn(60)
def test_searches_from_several_nodes(graph, data):
    sources = data.draw(st.lists(nodes_of(graph), min_size=1, max_size=4) | nodes_of(graph))
    require_same(nx.bfs_layers, graph, sources)
    require_same(nx.bfs_labeled_edges, graph, sources)


@given(graphs())
@drawn(60)
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
@drawn(80)
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


# Weights that 32 bits would round, among them ties, and sums that 64 bits round.
EXACT_FLOATS = st.sampled_from([0.1, 0.2, 0.3, 0.30000000000000004, 0.7, 1.1, 1 / 3]) | st.floats(1e-3, 1e3)
EXACT_INTEGERS = st.integers(1, 3) | st.integers(2**53, 2**53 + 4) | st.integers(1, 2**58)


@pytest.mark.parametrize("weights", [EXACT_FLOATS, EXACT_INTEGERS], ids=["floats", "integers"])
@given(st.data())
@drawn(60)
def test_searches_by_weights_of_64_bits(weights, data):
    graph = data.draw(graphs(weights=weights))
    source, target = data.draw(nodes_of(graph)), data.draw(nodes_of(graph))
    sources = data.draw(st.lists(nodes_of(graph), min_size=1, max_size=4))
    cutoff = data.draw(st.sampled_from([None, 0.3, 2**53, 2**53 + 1, 2.0**53 + 2, -1]))
    require_same(nx.single_source_dijkstra, graph, source, cutoff=cutoff)
    require_same(nx.dijkstra_path, graph, source, target)
    require_same(nx.dijkstra_path_length, graph, source, target)
    require_same(nx.dijkstra_predecessor_and_distance, graph, source, cutoff)
    require_same(nx.multi_source_dijkstra, graph, sources, cutoff=cutoff)
    require_same_unordered(nx.multi_source_dijkstra_path_length, graph, sources, cutoff)
    require_same(nx.all_shortest_paths, graph, source, target, "weight")
    require_same_unordered(nx.voronoi_cells, graph, sources)
    require_same(nx.all_pairs_dijkstra, graph)
    require_same(nx.shortest_path, graph, source, weight="weight")
    require_same(nx.shortest_path, graph, target=target, weight="weight")
    require_same_unordered(nx.shortest_path_length, graph, target=target, weight="weight")
    require_same_unordered(nx.single_source_bellman_ford_path_length, graph, source)
    require_same(nx.ego_graph, graph, source, 3, distance="weight")
    require_same(nx.eccentricity, graph, weight="weight")
    require_same(nx.closeness_centrality, graph, distance="weight")
    require_same(nx.average_shortest_path_length, graph, "weight")
    # Which of several paths is found, and how a sum is rounded, depends on how networkx alternates its two searches.
    function = nx.bidirectional_dijkstra
    found, expected = both(function, graph, source, target)
    assert found == expected or found[0] is NotImplementedError


@given(
    st.one_of(graphs(weights=POSITIVE), graphs(weights=POSITIVE.map(lambda weight: weight / 10)), graphs()), st.data()
)
@drawn(100)
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


def test_bellman_ford_where_rounded_sums_are_equal():
    """networkx does not relax the edges of a node whose predecessor is in the queue, and so never reaches node 8."""
    graph = nx.Graph()
    graph.add_nodes_from(range(10))
    tenths = [(0, 5, 3), (1, 5, 3), (1, 7, 2), (1, 9, 1), (1, 6, 7), (2, 7, 2), (2, 8, 2)]
    tenths += [(3, 4, 1), (3, 6, 1), (3, 5, 1), (4, 5, 2), (4, 6, 2), (7, 9, 1)]
    graph.add_weighted_edges_from((tail, head, weight / 10) for tail, head, weight in tenths)
    for source in graph:
        for _ in range(2):
            require_same(nx.single_source_bellman_ford_path_length, graph, source)
        require_same(nx.bellman_ford_path_length, graph, source, 8)
        require_same(nx.shortest_path_length, graph, source, weight="weight", method="bellman-ford")
    require_same(nx.all_pairs_bellman_ford_path_length, graph)
    require_same(nx.average_shortest_path_length, graph, "weight", "bellman-ford")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_a_single_node_with_a_loop_of_weight_0(kind):
    graph = kind([(0, 0, {"weight": 0})])
    require_same(nx.bellman_ford_predecessor_and_distance, graph, 0)
    require_same(nx.dijkstra_predecessor_and_distance, graph, 0)
    for method in ("dijkstra", "bellman-ford"):
        require_same(nx.all_shortest_paths, graph, 0, 0, "weight", method)


def test_a_cutoff_beyond_64_bits():
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, 1, "weight")
    for _ in range(2):  # the first search does not use the engine
        require_same(nx.single_source_dijkstra_path_length, graph, 0, 2**70)


def test_a_weight_that_is_too_small_to_change_a_distance_goes_to_networkx():
    graph = nx.DiGraph([(0, 1, {"weight": 1.0}), (1, 2, {"weight": 1e-30}), (2, 1, {"weight": 1e-30})])
    require_same(nx.bellman_ford_predecessor_and_distance, graph, 0)
    with pytest.raises(NotImplementedError):
        nx.single_source_bellman_ford(graph, 0, backend="breadth")
    with nx.config(backend_priority=["breadth"]):
        assert nx.single_source_bellman_ford(graph, 0)[1][2] == [0, 1, 2]


@st.composite
def graphs_of_any_weights(draw):
    """Draws a graph with weights of one kind, among them 0 and weights that need 64 bits."""
    return draw(graphs(weights=draw(st.sampled_from(ANY.element_strategies))))


@given(graphs_of_any_weights(), st.data())
@drawn(100)
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
    for _ in range(2):  # the first search does not use the engine
        require_same_unordered(nx.single_source_dijkstra_path_length, graph, source, cutoff)
    require_same_unordered(nx.single_source_bellman_ford_path_length, graph, source)
    require_same_unordered(nx.multi_source_dijkstra_path_length, graph, sources, cutoff)
    require_same(nx.eccentricity, graph, weight="weight")
    require_same(nx.wiener_index, graph, "weight")
    if backend.can_run(CENTROID, (graph,), {"weight": "weight"}) is True:
        require_same(nx.barycenter, graph, "weight")


@given(graphs(weights=st.integers(0, 5)), st.data())
@drawn(40)
def test_lengths_with_weights_of_nought(graph, data):
    source = data.draw(nodes_of(graph))
    require_same_unordered(nx.single_source_dijkstra_path_length, graph, source)
    require_same_unordered(nx.multi_source_dijkstra_path_length, graph, [source, *graph])
    require_same_unordered(nx.single_source_bellman_ford_path_length, graph, source)


@given(st.one_of(graphs(weights=POSITIVE), graphs(weights=POSITIVE.map(lambda weight: weight / 8))), st.data())
@drawn(40)
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
    if backend.can_run(CENTROID, (graph,), {"weight": weight}) is True:
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
@drawn(60)
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
    require_same(nx.global_reaching_centrality, graph, normalized=normalized)
    endpoints = data.draw(st.booleans())
    require_same(nx.betweenness_centrality, graph, count, normalized, None, endpoints, seed)
    if not graph.is_multigraph():
        require_same(nx.edge_betweenness_centrality, graph, count, normalized, None, seed)


@pytest.mark.parametrize("bad", [[1], {}, "missing"], ids=str)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_sources_that_are_no_nodes(kind, bad):
    graph = kind([(0, 1, {"weight": 2}), (1, 2, {"weight": 3})])
    for function in (
        nx.ancestors,
        nx.bfs_edges,
        nx.bfs_predecessors,
        nx.bfs_successors,
        nx.bfs_tree,
        nx.descendants,
        nx.single_source_bellman_ford,
        nx.single_source_bellman_ford_path,
        nx.single_source_bellman_ford_path_length,
        nx.single_source_dijkstra,
        nx.single_source_shortest_path,
    ):
        require_same(function, graph, bad)
    for function in (
        nx.all_shortest_paths,
        nx.bellman_ford_path,
        nx.bellman_ford_path_length,
        nx.dijkstra_path_length,
        nx.efficiency,
        nx.shortest_path,
    ):
        require_same(function, graph, bad, 0)
        require_same(function, graph, 0, bad)
        require_same(function, graph, bad, bad)


def test_ends_that_are_missing_go_to_networkx():
    graph = nx.path_graph(3)
    for ends in ((0, None), (None, 0), (None, "missing")):
        for name in ("efficiency", "has_path"):
            assert "None stands for all nodes" in backend.can_run(name, (graph, *ends), {})


def test_sums_beyond_all_floats():
    graph = nx.path_graph(4)
    nx.set_edge_attributes(graph, 1e308, "weight")
    for _ in range(2):  # without the engine's graph, and on it
        require_same_unordered(nx.single_source_dijkstra_path_length, graph, 0)
        require_same(nx.wiener_index, graph, "weight")


def test_targets_that_are_not_hashable():
    graph = nx.path_graph(4)
    require_same(nx.multi_source_dijkstra, graph, [0], [1])
    require_same(nx.single_source_dijkstra, graph, 0, [1])
    require_same(nx.dijkstra_path_length, graph, 0, [1])
