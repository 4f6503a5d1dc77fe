"""Graphs that are written to files and tables, and read back."""

import csv
import os
import re
import socket
import stat
import subprocess
import sys
from random import Random

import breadth
import numpy as np
import oracles
import pytest


def edges_by_label(g):
    """Returns every edge, an undirected one in both directions, in an arbitrary but fixed order."""
    sources, targets, weights = g._engine.edges(True)
    labels = g.labels.tolist()
    values = [1] * len(sources) if weights is None else weights.tolist()
    ends = zip(sources.tolist(), targets.tolist(), values, strict=True)
    return sorted(((labels[a], labels[b], weight) for a, b, weight in ends), key=repr)


LABELS = {
    "range": range(4),
    "range from 7": range(7, 11),
    "integers": [-5, 3, 9, 10**17],
    "integers in any order": [9, -5, 10**17, 3],
    "strings": ["Oslo", "Rome", "Bern", "Zürich"],
    "comments": ["#a", "%b", "c#", "d%"],
    "odd": ["New York", ' "a", ', "\t,#", '"'],
    "integers as strings": ["10", "9", "1", "x"],
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, [0.5, 2, 0], np.array([0.1, 0.2, 0.3], dtype=np.float32)], ids=str)
def test_breadth_files_keep_everything(labels, directed, weights, tmp_path):
    a, b, c, alone = labels
    g = breadth.Graph.from_edges([a, b, c], [b, c, a], weights, directed, vertices=labels)
    path = tmp_path / "graph.breadth"
    g.save(path)
    again = breadth.read(path)
    assert sorted(again.labels.tolist()) == sorted(labels)
    assert (again.num_edges, again.directed, again.weighted) == (g.num_edges, g.directed, g.weighted)
    assert edges_by_label(again) == edges_by_label(g)
    assert again.bfs(alone).reached == 1
    assert os.listdir(tmp_path) == ["graph.breadth"]


@pytest.mark.parametrize(("ending", "name"), [(e, n) for e in ("csv", "tsv") for n in ("comments", "odd")])
def test_tables_keep_odd_labels(ending, name, tmp_path):
    a, b, c, _ = LABELS[name]
    g = breadth.Graph.from_edges([a, b, c, c], [b, c, a, c], [1, 2.5, 3, 4], directed=True)
    path = tmp_path / f"graph.{ending}"
    g.save(path)
    assert edges_by_label(breadth.read(path, directed=True)) == edges_by_label(g)


def draw_value(random):
    """Draws a label of a table: neither empty nor all digits, often with a character that has a meaning."""
    return "".join(random.choices('ab7, "\t#%-\xe9\ufeff', k=random.randint(0, 9))) + random.choice("xyz")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("ending", "mark"), [("csv", ","), ("tsv", "\t")])
def test_tables_agree_with_the_csv_module(seed, ending, mark, tmp_path):
    random = Random(seed)
    names = {draw_value(random): None for _ in range(15)}
    edges = [(*random.choices(list(names), k=2), random.randint(0, 99) / 4) for _ in range(40)]
    path = tmp_path / f"graph.{ending}"
    with open(path, "w", newline="", encoding="utf-8") as file:
        quoting = random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
        if any(name[0] in " \t#%,\ufeff" for name in names):  # the module does not quote these
            quoting = random.choice([csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
        table = csv.writer(file, delimiter=mark, quoting=quoting, lineterminator=random.choice(["\n", "\r\n"]))
        table.writerows([("source", "target", "weight"), *edges])
    g = breadth.read(path, directed=True)
    assert edges_by_label(g) == lightest(edges)
    again = tmp_path / f"again.{ending}"
    g.save(again)
    with open(again, newline="", encoding="utf-8") as file:
        rows = [(a, b, float(weight)) for a, b, weight in csv.reader(file, delimiter=mark, strict=True)]
    assert sorted(rows, key=repr) == lightest(edges)


def lightest(edges):
    """Returns the lightest of the edges between each two vertices, without self-loops."""
    kept = {}
    for a, b, weight in edges:
        if a != b:
            kept[a, b] = min(weight, kept.get((a, b), weight))
    return sorted(((a, b, weight) for (a, b), weight in kept.items()), key=repr)


def test_a_table_as_pandas_writes_it(tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "flights.csv"
    frame = pandas.DataFrame({"from": ["New York", "a,b", 'the "c"'], "to": ["a,b", 'the "c"', "#d"], "km": [1, 2, 3]})
    frame.to_csv(path, index=False)
    assert breadth.read(path).sssp("New York").distance_to("#d") == 6
    frame.to_csv(path, index=False, quoting=csv.QUOTE_ALL)
    assert breadth.read(path).sssp("New York").distance_to("#d") == 6
    frame[["from", "to"]].to_csv(path, quoting=csv.QUOTE_ALL)
    with pytest.raises(ValueError, match=r"flights\.csv:1: 'from' and 'to' name 2 columns, but line 2 has 3; name the"):
        breadth.read(path)
    path.write_text('a,"b\nc,d\n')
    with pytest.raises(ValueError, match=r"flights\.csv:1: column 2 begins with a quote that this line does not close"):
        breadth.read(path)


@pytest.mark.parametrize("ending", ["txt", "csv", "el"])
@pytest.mark.parametrize("name", ["range", "range from 7", "integers", "integers in any order", "strings"])
def test_text_keeps_edges(ending, name, tmp_path):
    a, b, c, alone = LABELS[name]
    g = breadth.Graph.from_edges([a, b], [b, c], [1, 2.5], directed=True, vertices=LABELS[name])
    path = tmp_path / f"graph.{ending}"
    g.save(str(path))
    again = breadth.read(path, directed=True)
    assert edges_by_label(again) == edges_by_label(g)
    assert alone not in again


@pytest.mark.parametrize("name", ["grid", "random", "kronecker", "star"])
@pytest.mark.parametrize("ending", ["breadth", "txt", "mtx", "g500"])
def test_larger_graphs(name, ending, tmp_path):
    n, edges = oracles.GRAPHS[name]
    sources, targets = zip(*edges, strict=True)
    weights = np.random.default_rng(5).random(len(edges)).astype(np.float32)
    g = breadth.Graph.from_edges(sources, targets, weights)
    path = tmp_path / f"graph.{ending}"
    first_row = 1 if ending == "mtx" else 0
    shifted = breadth.Graph.from_edges(sources, targets, weights, vertices=range(n))
    shifted.save(path)
    again = breadth.read(path)
    found = [(a - first_row, b - first_row, weight) for a, b, weight in edges_by_label(again)]
    assert sorted(found) == sorted(edges_by_label(g))


def test_metis_holds_undirected_graphs_with_whole_weights(tmp_path):
    path = tmp_path / "graph.graph"
    g = breadth.Graph.from_edges([0, 1], [1, 2], [2, 3], vertices=range(5))
    g.save(path)
    assert path.read_text() == "5 2 1\n2 2\n1 2 3 3\n2 3\n\n\n"
    again = breadth.read(path)
    assert (len(again), again.directed) == (5, False)
    assert sorted((a - 1, b - 1, w) for a, b, w in edges_by_label(again)) == sorted(edges_by_label(g))
    with pytest.raises(
        ValueError, match=r"^'.*\.graph' cannot hold directed edges: metis files are undirected; a \.breadth"
    ):
        breadth.Graph.from_edges([0], [1], directed=True).save(path)
    with pytest.raises(ValueError, match="whole weights"):
        breadth.Graph.from_edges([0], [1], [0.5]).save(path)


def test_packed_tuples_hold_undirected_graphs(tmp_path):
    path = tmp_path / "graph.g500"
    for weights in (None, [0.5, 1]):
        with pytest.raises(ValueError, match=r"^'.*\.g500' cannot hold directed edges: .* \.breadth and \.mtx files"):
            breadth.Graph.from_edges([0, 1], [1, 2], weights, directed=True).save(path)
    assert os.listdir(tmp_path) == []
    for ending in ("breadth", "mtx"):
        breadth.Graph.from_edges([0, 1], [1, 2], directed=True, vertices=range(3)).save(tmp_path / f"graph.{ending}")
        assert breadth.read(tmp_path / f"graph.{ending}").directed


def test_a_file_is_replaced_when_the_new_one_is_whole(tmp_path):
    path = tmp_path / "graph.breadth"
    first = breadth.Graph.from_edges(["a"], ["b"])
    first.save(path)
    with pytest.raises(ValueError, match="pickle"):
        breadth.Graph.from_edges([(1, 2)], ["b"]).save(path)
    assert breadth.read(path).labels.tolist() == ["a", "b"]
    breadth.Graph.from_edges(["c"], ["d"]).save(path)
    assert breadth.read(path).labels.tolist() == ["c", "d"]
    assert os.listdir(tmp_path) == ["graph.breadth"]


def test_a_line_begins_with_the_end_that_begins_no_comment(tmp_path):
    path = tmp_path / "graph.txt"
    breadth.Graph.from_edges(["#a"], ["b"]).save(path)
    assert breadth.read(path).labels.tolist() == ["#a", "b"]


def test_what_no_file_has(tmp_path):
    path = tmp_path / "graph.breadth"
    for labels in (["a\n", "c"], ["a", "c\0"], ["\x7f", "c"]):
        with pytest.raises(ValueError, match="a line end or a control character; pickle keeps it"):
            breadth.Graph.from_edges(labels[:1], labels[1:]).save(path)
    for labels in (["a b", "c"], ["a,b", "c"], ["a", "c\td"]):
        with pytest.raises(ValueError, match=r"white space or a comma, .*graph\.txt'; a \.csv or \.breadth file keeps"):
            breadth.Graph.from_edges(labels[:1], labels[1:]).save(tmp_path / "graph.txt")
    with pytest.raises(ValueError, match=r"empty string.*; pickle keeps it"):
        breadth.Graph.from_edges([""], ["c"]).save(path)
    for labels, blamed in (
        ([1, "a"], "1 beside 'a'"),
        (["a", 3], "3 beside 'a'"),
        ([1, (1, 2)], "(1, 2)"),
        ([b"a", "a"], "b'a'"),
        ([True, False], "True"),
        ([1, 2**63], "9223372036854775808"),
        ([1.5, 2.5], "1.5"),
    ):
        with pytest.raises(ValueError, match=rf"not {re.escape(blamed)}; pickle keeps any labels"):
            breadth.Graph.from_edges(labels[:1], labels[1:]).save(path)
    with pytest.raises(ValueError, match="at least one edge"):
        breadth.Graph.from_edges([], [], vertices=["a"]).save(path)
    with pytest.raises(ValueError, match="begin a comment"):
        breadth.Graph.from_edges(["#a"], ["b"], directed=True).save(tmp_path / "graph.txt")
    for ending in ("mtx", "g500", "graph"):
        for names in ([7, 8], ["a", "b"], [1, 3]):
            with pytest.raises(ValueError, match="keeps labels"):
                breadth.Graph.from_edges(names[:1], names[1:]).save(tmp_path / f"graph.{ending}")
    g = breadth.Graph.from_edges([0], [1])
    for ending in ("graph", "graph.xyz", "graph.txt.gz"):
        with pytest.raises(ValueError, match=r"ending|compressed"):
            g.save(tmp_path / ending)
    assert os.listdir(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        g.save(tmp_path / "missing" / "graph.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(IsADirectoryError):
        g.save(tmp_path / "folder.txt")
    if os.getuid() != 0:
        (tmp_path / "folder.txt").chmod(stat.S_IRUSR | stat.S_IXUSR)
        with pytest.raises(PermissionError):
            g.save(tmp_path / "folder.txt" / "graph.txt")


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv"])
@pytest.mark.parametrize("weights", [None, [1, 2, 3]], ids=str)
@pytest.mark.parametrize(
    "ends",
    [
        (["1", "2", "a"], ["2", "3", "b"]),
        (["a", "1", "3"], ["b", "2", "4"]),
        (["a", "1", "c"], ["b", "2", "2"]),
        (["a", "1.5", "c"], ["b", "2.5", "d"]),
        (["1.5", "a", "inf"], ["2.5", "b", "x"]),
        (["a", "b", "+1"], ["b", "c", "007"]),
    ],
    ids=str,
)
def test_strings_that_look_like_numbers(ends, weights, ending, tmp_path):
    """The first lines of a text determine the kind of its labels, and whether its columns have names."""
    g = breadth.Graph.from_edges(*ends, weights, directed=True)
    path = tmp_path / f"graph.{ending}"
    try:
        g.save(path)
    except ValueError as error:
        assert "as the names of columns" in str(error)
        assert (ending, weights) != ("txt", None)
        assert weights is None
        return
    assert edges_by_label(breadth.read(path, directed=True)) == edges_by_label(g)


def test_strings_that_text_cannot_keep(tmp_path):
    digits = breadth.Graph.from_edges(["1", "2"], ["2", "10"])
    with pytest.raises(ValueError, match=r"strings such as '\d+' would be read as integers; a \.breadth file keeps"):
        digits.save(tmp_path / "graph.txt")
    digits.save(tmp_path / "graph.breadth")
    assert breadth.read(tmp_path / "graph.breadth").labels.tolist() == ["1", "10", "2"]
    for ending in ("txt", "breadth"):
        with pytest.raises(ValueError, match=r"'\\ud800' cannot be written"):
            breadth.Graph.from_edges(["\ud800"], ["b"]).save(tmp_path / f"graph.{ending}")


@pytest.mark.parametrize("weight", [2**60 + 1, 2**53 + 1, 2**24 + 1, 2**63 - 1])
def test_weights_that_files_would_round(weight, tmp_path):
    for dtype in (np.int64, np.uint64):
        g = breadth.Graph.from_edges([0, 1], [1, 2], np.array([weight, 2**40], dtype=dtype))
        with pytest.raises(
            ValueError, match=rf"weight {weight} cannot be stored exactly in 32-bit.* exact=False has the nearest"
        ):
            g.save(tmp_path / "graph.breadth")
    breadth.Graph.from_edges([0, 1], [1, 2], [2**60, 2**40]).save(tmp_path / "graph.breadth")
    assert breadth.read(tmp_path / "graph.breadth").sssp(0).distances.tolist() == [0, 2**60, 2**60 + 2**40]


@pytest.mark.parametrize("name", [b"graph.txt", "Z\u00fcrich \N{GRINNING FACE}.txt".encode(), b"Z\xfcrich.breadth"])
def test_names_of_files(name, tmp_path):
    path = os.fsencode(tmp_path) + b"/" + name
    g = breadth.Graph.from_edges([0, 1], [1, 2])
    for kind in (bytes, os.fsdecode):
        g.save(kind(path))
        assert breadth.read(kind(path)).labels.tolist() == [0, 1, 2]
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    with open(path, "wb"):
        pass
    with pytest.raises(ValueError, match=r"is empty$|reason: rename it"):  # Python 3.10 loses the engine's message
        breadth.read(path)
    for of_no_format in (b"odd.", b"\xff.odd"):
        other = os.fsencode(tmp_path) + b"/" + of_no_format
        with open(other, "wb"):
            pass
        with pytest.raises(ValueError, match=r"no ending that tells its format.*\.pq|hides the reason: rename it"):
            breadth.read(other)


def test_what_the_system_refuses_is_its_error(tmp_path):
    code = """
import errno, resource, signal
import breadth

g = breadth.kronecker(10)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 12, 1 << 12))
for ending in ("breadth", "txt", "mtx", "g500"):
    try:
        g.save(f"graph.{ending}")
    except OSError as error:
        assert error.errno == errno.EFBIG
        assert error.filename == f"graph.{ending}"
        assert "ulimit" in str(error)
        print("refused")
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.stdout.split(), run.stderr) == (["refused"] * 4, "")
    assert os.listdir(tmp_path) == []
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket.txt"))
        with pytest.raises(OSError, match="No such device or address"):
            breadth.read(tmp_path / "socket.txt")


def test_a_name_without_an_ending_that_is_known(tmp_path):
    (tmp_path / "noext").write_text("0 1\n")
    with pytest.raises(
        ValueError, match=r"no ending that tells its format; the known endings are \.txt .*, \.parquet \.pq"
    ):
        breadth.read(tmp_path / "noext")


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("id,source,target", "'source' and 'target' are columns 2 and 3"),
        ("Weight,From,To", "'From' and 'To' are columns 2 and 3"),
        ("src,weight,dst", "'src' and 'dst' are columns 1 and 3"),
        ("target,source,weight", "'source' and 'target' are columns 2 and 1"),
    ],
)
def test_ends_of_edges_that_are_in_other_columns(tmp_path, header, named):
    path = tmp_path / "edges.csv"
    path.write_text(f"{header}\n1,2,3\n2,3,4\n")
    with pytest.raises(ValueError, match=rf"edges\.csv:1: {named}; an edge has its ends in the first two columns"):
        breadth.read(path)


@pytest.mark.parametrize("names", [("source", "target"), ("u", "v")])
@pytest.mark.parametrize(("ending", "mark"), [("csv", ","), ("tsv", "\t")])
def test_numbers_of_rows_are_not_taken_for_vertices(tmp_path, names, ending, mark):
    path = tmp_path / f"edges.{ending}"
    for first in ([""], []):  # as pandas and as R write them
        path.write_text("".join(mark.join(row) + "\n" for row in ([*first, *names], "012", "123")))
        message = rf"edges\.{ending}:1: '{names[0]}' and '{names[1]}' name 2 columns, but line 2 has 3; "
        with pytest.raises(ValueError, match=message + "name the weights, or leave out the numbers of rows$"):
            breadth.read(path)
    path.write_text(mark.join([*names, "km"]) + "\n" + mark.join("012") + "\n")
    assert breadth.read(path).sssp(0).distance_to(1) == 2
