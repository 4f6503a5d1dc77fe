"""The calls that networkx dispatches to the backend, those that it runs itself, and its cache."""

import copy
import doctest
import importlib.metadata
import logging
import pathlib
import pickle
import subprocess
import sys

import breadth
import networkx as nx
import numpy as np
import pytest
from _breadth_networkx import CENTROID, FUNCTIONS, get_info
from breadth import _networkx as backend
from breadth._networkx._checks import PATIENCE, SMALL, TINY
from networkx_cases import require_same, require_same_unordered


@pytest.fixture(autouse=True)
def quiet_cache():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def test_the_page():
    page = pathlib.Path(__file__).parents[2] / "docs/networkx.md"
    with nx.config():
        failed, run = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert run > 10
    assert failed == 0


def weighted(*weights):
    graph = nx.path_graph(len(weights) + 1)
    for i, weight in enumerate(weights):
        graph[i][i + 1]["weight"] = weight
    return graph


def test_every_function_that_is_named_is_there_and_no_other():
    registered = set(nx.utils.backends._registered_algorithms)
    assert set(FUNCTIONS) <= registered
    assert registered & set(vars(backend)) == set(FUNCTIONS)
    assert nx.barycenter.name == CENTROID
    assert set(get_info()["functions"]) == set(FUNCTIONS)


def test_networkx_finds_it():
    names = [point.name for point in importlib.metadata.entry_points(group="networkx.backends")]
    assert "breadth" in names
    assert "breadth" in nx.single_source_shortest_path.backends


def test_what_networkx_imports_is_light():
    code = "import sys, networkx; assert not {'numpy', 'breadth', 'breadth._engine'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("weights", "word"),
    [
        ((1, -1), "negative"),
        ((1.0, -0.5), "negative"),
        ((1, 0.5), "float, int"),
        ((10**40, 1), "64 bits"),
        ((float("nan"), 1.0), "NaN"),
        ((float("inf"), 1.0), "infinite"),
        ((True, 1), "bool"),
        ((None, 1), "NoneType"),
        (("1", "2"), "str"),
    ],
)
def test_weights_of_other_kinds_are_refused(weights, word):
    graph = weighted(*weights)
    for name in ("single_source_dijkstra", "single_source_dijkstra_path_length", "bellman_ford_path_length"):
        arguments = {"source": 0, "target": 2} if name == "bellman_ford_path_length" else {"source": 0}
        assert word in backend.can_run(name, (graph,), arguments)
    for function in (nx.dijkstra_path, nx.dijkstra_path_length, nx.single_source_dijkstra):
        with pytest.raises(NotImplementedError):
            function(graph, 0, 2, backend="breadth")
    assert word in str(backend.can_run("diameter", (graph,), {"weight": "weight"}))


def test_a_search_for_one_target_looks_at_weights_on_its_way_only():
    graph = weighted(1, 2, "far away", None)
    for function in (nx.dijkstra_path, nx.single_source_dijkstra):
        assert function(graph, 0, 1, backend="breadth") == function(graph, 0, 1, backend="networkx")
        with pytest.raises(NotImplementedError):
            function(graph, 0, 3, backend="breadth")
    with nx.config(backend_priority=["breadth"], fallback_to_nx=True), pytest.raises(TypeError):
        nx.dijkstra_path(graph, 0, 3)
    edges = nx.Graph([(0, 1, {"weight": 0.5}), (1, 2, {"weight": 1}), (1, 3, {"weight": 0.5})])
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path(edges, 0, 3, backend="breadth")


def test_zero_weights_are_refused_for_paths_of_bellman_and_ford_only():
    graph = weighted(0, 1)
    assert "0" in backend.can_run("bellman_ford_path", (graph, 0, 1), {})
    assert "0" in backend.can_run("shortest_path", (graph, 0, 1, "weight", "bellman-ford"), {})
    assert backend.can_run("all_shortest_paths", (graph, 0, 1, "weight", "bellman-ford"), {}) is True
    assert backend.can_run("single_source_dijkstra", (graph, 0), {}) is True
    assert backend.can_run("bellman_ford_path_length", (graph, 0, 1), {}) is True


def test_arguments_that_are_refused():
    graph = nx.cycle_graph(4)
    hidden = lambda u, v, d: None  # noqa: E731
    for name, arguments in {
        "bfs_edges": {"source": 0, "sort_neighbors": sorted},
        "bfs_tree": {"source": 0, "sort_neighbors": sorted},
        "betweenness_centrality": {"weight": "weight"},
        CENTROID: {"attr": "sum"},
        "local_reaching_centrality": {"v": 0, "paths": {}},
        "dijkstra_path_length": {"source": 0, "target": 1, "weight": hidden},
        "shortest_path": {"source": 0, "target": 1, "weight": hidden},
        "single_source_dijkstra": {"source": 0, "weight": None},
        "closeness_centrality": {"distance": hidden},
        "diameter": {"e": {0: 1}},
        "radius": {"usebounds": True},
        "eccentricity": {"v": [0, 1]},
        "average_shortest_path_length": {"method": "floyd-warshall"},
        "ego_graph": {"n": 0, "undirected": True},
        "single_source_shortest_path": {"source": 0, "cutoff": "1"},
        "dijkstra_path": {"source": 0},
    }.items():
        reason = backend.can_run(name, (graph,), arguments)
        assert isinstance(reason, str), name
    for name in (CENTROID, "center"):
        assert "tree" in backend.can_run(name, (nx.path_graph(3),), {})
    assert "parallel" in backend.can_run("edge_betweenness_centrality", (nx.MultiGraph(graph),), {})


def test_an_older_networkx_runs_its_own_functions(monkeypatch):
    monkeypatch.setattr(backend._checks, "TOO_OLD", True)
    graph = nx.path_graph(SMALL)
    for name in FUNCTIONS:
        assert backend.can_run(name, (graph,), {}) == "networkx is older than 3.6"
    with pytest.raises(NotImplementedError):
        nx.descendants(graph, 0, backend="breadth")
    with nx.config(backend_priority=["breadth"]):
        assert len(nx.descendants(graph, 0)) == SMALL - 1
    assert not backend._checks.is_converted(graph)


def test_distances_beyond_64_bits_go_to_networkx(caplog):
    graph = nx.path_graph(SMALL)
    nx.set_edge_attributes(graph, 2**62, "weight")
    for function, arguments in {
        nx.single_source_dijkstra_path_length: (0,),
        nx.single_source_dijkstra: (0,),
        nx.dijkstra_predecessor_and_distance: (0,),
        nx.dijkstra_path_length: (0, 5),
    }.items():
        caplog.clear()
        with nx.config(backend_priority=["breadth"]), caplog.at_level(logging.DEBUG, "networkx"):
            nx.descendants(graph, 0)  # so that the graph is converted
            assert function(graph, *arguments) == function(graph, *arguments, backend="networkx")
        assert "raised" in caplog.text
        with pytest.raises(NotImplementedError):
            function(graph, *arguments, backend="breadth")


def test_small_graphs_and_searches_of_a_part_stay_with_networkx():
    small, large = nx.path_graph(10), nx.path_graph(SMALL)
    assert "nodes" in backend.should_run("diameter", (small,), {})
    assert backend.should_run("diameter", (nx.path_graph(TINY),), {}) is True
    assert "nodes" in backend.should_run("single_source_shortest_path_length", (small, 0), {})
    assert backend.should_run("single_source_shortest_path_length", (large, 0), {}) is True
    for name, arguments in {
        "has_path": {"source": 0, "target": 1},
        "bidirectional_shortest_path": {"source": 0, "target": 1},
        "shortest_path": {"source": 0, "target": 1},
        "shortest_path_length": {"source": 0, "target": 1},
        "single_source_shortest_path": {"source": 0, "cutoff": 2},
        "bfs_edges": {"source": 0, "depth_limit": 2},
        "ego_graph": {"n": 0},
        "is_bipartite": {},
        "dijkstra_path": {"source": 0, "target": 1},
        "bidirectional_dijkstra": {"source": 0, "target": 1},
    }.items():
        assert "part" in backend.should_run(name, (large,), arguments), name
    nx.single_source_shortest_path_length(large, 0, backend="breadth")
    assert backend.should_run("has_path", (large, 0, 1), {}) is True
    assert backend.should_run("has_path", (), {"G": large, "source": 0, "target": 1}) is True


def test_a_graph_whose_parts_are_searched_again_and_again_is_converted():
    graph = nx.path_graph(SMALL)
    answers = [backend.should_run("has_path", (graph, 0, 1), {}) for _ in range(PATIENCE + 1)]
    assert [answer is True for answer in answers] == [False] * PATIENCE + [True]
    graph.add_edge(0, 2)
    assert backend.should_run("has_path", (graph, 0, 1), {}) is not True


def converted(graph):
    """Returns the only conversion of a graph in networkx's cache, under whichever keys."""
    found = {id(known): known for known in graph.__networkx_cache__.get("backends", {}).get("breadth", {}).values()}
    assert len(found) <= 1
    return next(iter(found.values()), None)


def test_a_conversion_is_kept_for_further_calls_and_other_weights():
    graph = weighted(2, 3, 4)
    nx.single_source_shortest_path_length(graph, 0, backend="breadth")
    first = converted(graph)
    for weight in ("weight", "other", "weight"):
        nx.single_source_dijkstra_path_length(graph, 0, weight=weight, backend="breadth")
    nx.ego_graph(graph, 0, backend="breadth")
    assert converted(graph) is first
    assert first._weights["weight"].engine is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda graph: graph.add_edge(0, 3),
        lambda graph: graph.remove_edge(0, 1),
        lambda graph: graph.add_node("new"),
        lambda graph: graph.remove_node(2),
        lambda graph: graph.update([(1, 3)]),
        lambda graph: graph.clear_edges(),
    ],
)
def test_a_changed_graph_is_converted_again(change):
    graph = weighted(2, 3, 4)
    for name in ("breadth", "networkx"):
        nx.single_source_shortest_path_length(graph, 0, backend=name)
    change(graph)
    for function in (nx.single_source_shortest_path_length, nx.single_source_dijkstra_path_length):
        assert function(graph, 0, backend="breadth") == function(graph, 0, backend="networkx")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_a_weight_that_changes_behind_the_cache_is_seen(kind):
    graph = kind([(0, 1, {"weight": 5}), (1, 2, {"weight": 5}), (0, 2, {"weight": 20})])
    assert nx.dijkstra_path(graph, 0, 2, backend="breadth") == [0, 1, 2]
    kept = converted(graph)
    for *_, attributes in graph.edges(data=True):
        attributes["weight"] = 30 if attributes["weight"] == 5 else 3
    assert converted(graph) is kept
    assert nx.dijkstra_path(graph, 0, 2, backend="breadth") == [0, 2]
    assert nx.dijkstra_path_length(graph, 0, 2, backend="breadth") == 3
    assert nx.shortest_path(graph, target=2, weight="weight", backend="breadth")[0] == [0, 2]
    for *_, attributes in graph.edges(data=True):
        attributes["weight"] = -1
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path(graph, 0, 2, backend="breadth")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_a_graph_that_was_searched_can_be_copied_and_pickled(kind, copied):
    graph = kind(nx.path_graph(5))
    calls = (
        nx.single_target_shortest_path_length,
        nx.single_source_shortest_path_length,
        nx.single_source_dijkstra_path_length,
    )
    for function in calls:
        function(graph, 0, backend="breadth")
    other = copied(graph)
    assert converted(graph) is not None
    assert converted(other) is None
    assert not backend._checks.is_converted(other)
    for change in (lambda: None, lambda: other.remove_edge(0, 1), lambda: other.add_edge(0, 3, weight=5)):
        change()
        for function in (*calls, *reversed(calls)):
            require_same_unordered(function, other, 0)
            assert function(graph, 0, backend="breadth") == function(graph, 0, backend="networkx")
    assert backend._checks.is_converted(other)
    assert pickle.loads(pickle.dumps(converted(other))) is None


def test_an_edge_that_changes_behind_the_cache_is_an_error():
    graph = nx.DiGraph([(0, 1), (1, 2)])
    nx.descendants(graph, 0, backend="breadth")
    graph._adj[2][0] = graph._pred[0][2] = {}
    with pytest.raises(RuntimeError, match="changed"):
        nx.single_target_shortest_path(graph, 0, backend="breadth")


def test_conversions_are_not_shared_without_a_cache():
    graph = nx.path_graph(4)
    with nx.config(cache_converted_graphs=False):
        nx.descendants(graph, 0, backend="breadth")
    assert converted(graph) is None
    graph.__networkx_cache__ = None
    assert nx.descendants(graph, 2, backend="breadth") == {0, 1, 3}


def test_a_graph_that_is_converted_by_hand():
    graph = weighted(2, 3)
    known = backend.convert_from_nx(graph)
    assert len(known) == 3
    assert list(known) == [0, 1, 2]
    assert [0] not in known
    assert nx.dijkstra_path_length(known, 0, 2) == 5
    assert backend.convert_to_nx(known) is graph
    del graph
    assert nx.descendants(known, 0) == {1, 2}
    with pytest.raises(NotImplementedError, match="no longer exists"):
        nx.single_source_dijkstra_path_length(known, 0, backend="breadth")


ITERATORS = (
    nx.all_pairs_dijkstra,
    nx.all_pairs_dijkstra_path,
    nx.all_pairs_dijkstra_path_length,
    nx.all_pairs_bellman_ford_path,
    nx.all_pairs_bellman_ford_path_length,
    lambda graph: nx.all_pairs_all_shortest_paths(graph, weight="weight"),
    lambda graph: nx.single_source_all_shortest_paths(graph, 0, weight="weight"),
    lambda graph: nx.shortest_path(graph, weight="weight"),
    lambda graph: nx.shortest_path(graph, weight="weight", method="bellman-ford"),
    lambda graph: nx.shortest_path_length(graph, weight="weight"),
    lambda graph: nx.shortest_path_length(graph, weight="weight", method="bellman-ford"),
)


@pytest.mark.parametrize("weights", [(2**62, 2**62, 1), (2**62, 2**60), (1.0, 1e-17), (1e-300, 1.0, 1.0)])
def test_iterators_never_end_in_what_networkx_cannot_take_over(weights):
    graph = weighted(*weights)
    for call in ITERATORS:
        expected = list(call(graph))
        with nx.config(backend_priority=["breadth"]), pytest.MonkeyPatch.context() as patched:
            patched.setattr(backend._checks, "_FEW", 0)
            patched.setattr(backend._checks, "SMALL", 0)
            assert list(call(graph)) == expected


def test_arguments_that_only_networkx_understands():
    graph = weighted(1, 2)
    for name, args in (("has_path", (graph, 0, None)), ("has_path", (graph, None, 0))):
        assert backend.can_run(name, args, {}) is not True
    assert backend.can_run("local_reaching_centrality", (graph, None), {}) is not True
    assert backend.can_run("has_path", (graph, 0, 1), {}) is True


@pytest.mark.parametrize("weight", ["weight", None, "other"])
def test_searches_for_all_paths_may_ignore_weights(weight):
    graph = weighted(1, 5, 1)
    graph.add_edge(0, 3, weight=100)
    options = {"weight": weight, "method": "unweighted"}
    for call in (
        lambda **more: nx.all_shortest_paths(graph, 0, 2, **options, **more),
        lambda **more: nx.single_source_all_shortest_paths(graph, 0, **options, **more),
        lambda **more: nx.all_pairs_all_shortest_paths(graph, **options, **more),
    ):
        assert list(call(backend="breadth")) == list(call())


@pytest.mark.parametrize("weights", [(1, -5, 1), (1, "heavy", 1)])
def test_a_target_that_is_no_node_hides_no_unsuitable_weights(weights):
    graph = weighted(*weights)
    for name in ("dijkstra_path", "dijkstra_path_length", "single_source_dijkstra"):
        assert backend.can_run(name, (graph, 0, "absent"), {}) is not True
        assert backend.can_run(name, (graph, 0, 3), {}) is True
    assert backend.can_run("multi_source_dijkstra", (graph, {0}, "absent"), {}) is not True
    assert backend.can_run("dijkstra_path", (weighted(1, 2), 0, "absent"), {}) is True


@pytest.mark.parametrize("of_type", [np.int64, np.int8, np.uint8, np.uint64])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("weight", [1, 2.5])
def test_limits_that_are_integers_of_numpy(of_type, kind, weight):
    graph = kind(nx.grid_2d_graph(5, 5))
    nx.set_edge_attributes(graph, weight, "weight")
    source = (0, 0)
    for limit in map(of_type, (0, 1, 3)):
        require_same(nx.single_source_shortest_path, graph, source, limit)
        require_same_unordered(nx.single_source_shortest_path_length, graph, source, limit)
        require_same(nx.bfs_edges, graph, source, depth_limit=limit)
        require_same(nx.predecessor, graph, source, cutoff=limit)
        require_same(nx.ego_graph, graph, source, limit)
        require_same(nx.ego_graph, graph, source, limit, distance="weight")
        require_same(nx.single_source_dijkstra, graph, source, cutoff=limit)
        require_same(nx.single_source_dijkstra, graph, source, (1, 0), limit)
        for _ in range(2):
            require_same_unordered(nx.single_source_dijkstra_path_length, graph, source, limit)
    assert backend.can_run("single_source_dijkstra", (graph, source), {"cutoff": np.int64(2**60)}) is not True


@pytest.mark.parametrize("name", [None, "breadth", "networkx"])
def test_a_graph_of_breadth_is_no_graph_of_networkx(name):
    for call in (
        lambda graph: nx.shortest_path(graph, 0, 3, backend=name),
        lambda graph: nx.shortest_path(G=graph, source=0, target=3, backend=name),
        lambda graph: nx.single_source_bellman_ford_path_length(graph, 0, backend=name),
    ):
        with pytest.raises(TypeError, match=r"not a breadth.Graph: convert it with to_networkx\(\)"):
            call(breadth.grid(2, 2))
    assert nx.shortest_path(breadth.grid(2, 2).to_networkx(), 0, 3) == [0, 1, 3]
