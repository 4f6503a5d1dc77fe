"""Graphs and results that are copied, pickled, and sent to other processes."""

import copy
import multiprocessing
import pickle

import breadth
import numpy as np
import pytest


def again(value):
    return pickle.loads(pickle.dumps(value))


class Cities(breadth.Graph):
    """A subclass of Graph that a user defines."""


@pytest.mark.parametrize("copied", [again, copy.copy, copy.deepcopy])
def test_results(copied):
    pytest.importorskip("pandas")
    g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2], vertices=["a", "b", "c", "z"])
    for found in (g.bfs("a"), g.bfs("a", parents=False), g.sssp("a"), g.multi_source_bfs(["a"])):
        other = copied(found)
        assert repr(other) == repr(found)
        assert other.to_pandas().equals(found.to_pandas())
        if found._parents is not None:
            assert dict(other.paths) == dict(found.paths)
        for name in ("source", "reached", "seconds", "statistics"):
            assert getattr(other, name, None) == getattr(found, name, None)
    components = copied(g.connected_components())
    assert components.sizes.tolist() == [3, 1]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_searches_in_other_processes(method):
    g = breadth.kronecker(8, weighted=True)
    sources = [1, 2, 3]
    with multiprocessing.get_context(method).Pool(2) as pool:
        for search in (g.bfs, g.sssp):
            found = pool.map_async(search, sources).get(60)
            assert [one.parents.tolist() for one in found] == [search(source).parents.tolist() for source in sources]


def test_graphs():
    g = breadth.Graph.from_edges([0, 1], [1, 2], [1, 2])
    assert copy.copy(g) is g
    assert copy.deepcopy([g])[0] is g


@pytest.mark.parametrize("copied", [again, copy.copy, copy.deepcopy])
def test_graphs_of_other_kinds(copied):
    cities = Cities.from_edges(["a"], ["b"], [2.5])
    cities.names = ["Oslo"]
    other = copied(cities)
    assert type(other) is Cities
    assert (other.names, other.labels.tolist(), other.num_edges) == (["Oslo"], ["a", "b"], 1)
    assert (other.names is cities.names) == (copied is copy.copy)
    other.more = 1
    assert not hasattr(cities, "more")
    assert other.sssp("a").distances.tolist() == [0, 2.5]


class Named(breadth.Graph):
    __slots__ = ("__secret", "name", "unset")

    def keep(self, secret):
        self.__secret = secret
        return self

    def secret(self):
        return self.__secret


class Placed(Named):
    __slots__ = "places"  # noqa: PLC0205 - Python allows this


class Open(Placed):
    """Has the slots of its bases, and attributes."""


@pytest.mark.parametrize("copied", [again, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("kind", [Placed, Open])
def test_graphs_of_kinds_with_slots(copied, kind):
    g = kind.from_edges(["a"], ["b"], [2.5]).keep(7)
    g.name, g.places = "Norway", ["Oslo"]
    if kind is Open:
        g.more = 1
    other = copied(g)
    assert type(other) is kind
    assert (other.name, other.places, other.secret(), hasattr(other, "unset")) == ("Norway", ["Oslo"], 7, False)
    assert (other.places is g.places) == (copied is copy.copy)
    assert getattr(other, "more", None) == (1 if kind is Open else None)
    assert other.sssp("a").distances.tolist() == [0, 2.5]


def test_an_attribute_that_is_the_graph_itself_is_its_copy():
    cities = Cities.from_edges(["a"], ["b"])
    cities.itself = cities
    for copied in (again, copy.deepcopy):
        other = copied(cities)
        assert other is not cities
        assert other.itself is other


@pytest.mark.parametrize("copied", [again, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("kind", [breadth.Graph, Cities])
@pytest.mark.parametrize("ends", [([0, 0], [1, 1]), ([1, 0], [1, 1])], ids=["parallel", "loop"])
@pytest.mark.parametrize("of_type", [np.int64, np.uint64, np.float64, np.float32])
def test_the_type_of_distances_does_not_depend_on_edges_that_are_kept(copied, kind, ends, of_type):
    for directed in (False, True):
        g = kind.from_edges(*ends, np.array([2**60 + 1, 1], dtype=of_type), directed, vertices=[0, 1, 2])
        other = copied(g)
        assert other.distance_type == g.distance_type
        assert other.distance_type == (np.int64 if of_type in (np.int64, np.uint64) else of_type)
        assert other.sssp(0).distances.tolist() == g.sssp(0).distances.tolist()
        assert again(other).num_edges == 1


def test_results_keep_their_leaves():
    found = breadth.kronecker(8).bfs(1)
    assert found.leaves is not None
    assert again(again(found)).leaves == found.leaves


def test_paths_say_what_they_are():
    g = breadth.Graph.from_edges([0], [1], vertices=range(3))
    assert repr(g.bfs(0).paths) == "<breadth.Paths: to 2 of 3 vertices>"
    assert np.array_equal(again(g.bfs(0)).levels, [0, 1, -1])
