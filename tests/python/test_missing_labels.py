"""The error for an unknown label suggests similar labels."""

import datetime

import breadth
import numpy as np
import pytest

PATH = ([0, 1, 2], [1, 2, 3])


def test_missing_labels_are_named_with_a_near_one():
    g = breadth.Graph.from_edges(["Oslo", "Rome"], ["Rome", "Bern"])
    for call in (
        g.bfs,
        g.index,
        g.bfs("Oslo").path_to,
        lambda v: g.shortest_path("Oslo", v),
        lambda v: g.k_hop([v], 1),
    ):
        with pytest.raises(KeyError, match="'Romme' is not a vertex; is 'Rome' meant"):
            call("Romme")
    for label in ("Madrid", "o"):  # similar to no label
        with pytest.raises(KeyError, match=f"'{label}' is not a vertex\"$"):
            g.bfs(label)
    with pytest.raises(KeyError, match="3 is not a vertex; labels look like 'Oslo'"):
        g.bfs(3)
    with pytest.raises(KeyError, match="12 is not a vertex; labels are 4 integers from 1 to 30"):
        breadth.Graph.from_edges([1, 9], [5, 30]).bfs(12)
    with pytest.raises(KeyError, match="3 is not a vertex; labels are 4 integers from 0 to 9"):
        breadth.Graph.from_edges([0, 5], [9, 7]).bfs(3)
    with pytest.raises(KeyError, match="7 is not a vertex; labels are integers from 0 to 3"):
        breadth.Graph.from_edges(*PATH).bfs(7)
    for label in ("1", 1.5, None, 10**30):
        with pytest.raises(KeyError):
            breadth.Graph.from_edges(*PATH).bfs(label)
        with pytest.raises(KeyError):
            breadth.Graph.from_edges([1, 9], [5, 30]).bfs(label)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object])
def test_missing_integers_are_named_with_the_nearest(dtype):
    shift = 2**63 if dtype == np.uint64 else 2**70 if dtype is object else 0
    for ends in (([1, 9], [5, 30]), ([9, 1], [30, 5])):
        columns = [np.array([end + shift for end in column], dtype=dtype) for column in ends]
        for vertices in (None, [label for column in columns for label in column.tolist()]):
            g = breadth.Graph.from_edges(*columns, vertices=vertices)
            for label, near in ((12, 9), (20, 30), (0, 1), (31, 30), (6, 5), (-(10**30), 1), (10**30, 30)):
                with pytest.raises(KeyError, match=rf"'{label + shift} is not .*\b{near + shift} is the nearest"):
                    g.bfs(label + shift)
            with pytest.raises(KeyError, match=rf"'{9 + shift}' is not a vertex; is the integer {9 + shift} meant\?"):
                g.bfs(str(9 + shift))
    for label in (1.5, float("nan"), float("inf"), None, "one", "", "12", (1,), b"1", datetime.date(2020, 1, 1)):
        with pytest.raises(KeyError, match="is not a vertex"):
            g.bfs(label)


def test_integers_and_the_strings_that_spell_them():
    with pytest.raises(KeyError, match=r"'2' is not a vertex; is the integer 2 meant\?"):
        breadth.Graph.from_edges(*PATH).bfs("2")
    with pytest.raises(KeyError, match=r"'9' is not a vertex; labels are integers from 0 to 3"):
        breadth.Graph.from_edges(*PATH).bfs("9")
    g = breadth.Graph.from_edges(["10", "x"], ["20", "30"])
    with pytest.raises(KeyError, match=r"20 is not a vertex; is the string '20' meant\?"):
        g.bfs(20)
    with pytest.raises(KeyError, match=r"21 is not a vertex; labels look like '10'"):
        g.bfs(21)
    with pytest.raises(KeyError, match=r"5 is not a vertex; of the integers among labels, 7 is the nearest"):
        breadth.Graph.from_edges(["a", 7], ["b", 1]).bfs(5)


def test_missing_tuples_are_named_with_a_near_one():
    g = breadth.Graph.from_edges([("a", 10), ("b", 25)], [("b", 25), ("c", 31)])
    with pytest.raises(KeyError, match=r"\('b', 24\) is not a vertex; is \('b', 25\) meant\?"):
        g.bfs(("b", 24))
    for label in ((), ("Madrid", "x", 7), (None,)):
        with pytest.raises(KeyError, match=r"is not a vertex.$"):
            g.bfs(label)
    with pytest.raises(KeyError, match=r"'b' is not a vertex; labels look like \('a', 10\)"):
        g.bfs("b")
    with pytest.raises(KeyError, match=r"\(0, 2\) is not a vertex; labels look like 'x'"):
        breadth.Graph.from_edges(["x"], ["y"]).bfs((0, 2))
    with pytest.raises(KeyError, match=r"\(0, 2\) is not a vertex; is \(0, 3\) meant\?"):
        breadth.Graph.from_edges(["x"], [(0, 3)]).bfs((0, 2))
