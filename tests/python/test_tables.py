"""Graphs and results as Arrow tables, and graphs from Parquet files."""

import datetime
import re
import uuid
from decimal import Decimal

import breadth
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_edges_as_a_table():
    g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2], vertices=["a", "b", "c", "alone"])
    table = g.to_arrow()
    assert table.column_names == ["source", "target", "weight"]
    assert table.schema.field("source").type in (pa.string(), pa.large_string())
    assert sorted(table.to_pylist(), key=lambda edge: edge["weight"]) == [
        {"source": "b", "target": "a", "weight": 1.5},
        {"source": "c", "target": "b", "weight": 2.0},
    ]
    directed = breadth.Graph.from_edges([10, 30], [20, 10], directed=True).to_arrow()
    assert directed.column_names == ["source", "target"]
    assert sorted(map(tuple, map(dict.values, directed.to_pylist()))) == [(10, 20), (30, 10)]
    again = breadth.Graph.from_edges(directed["source"], directed["target"], directed=True)
    assert again.labels.tolist() == [10, 20, 30]
    empty = breadth.Graph.from_edges([], [])
    assert empty.to_arrow().num_rows == 0
    assert empty.multi_source_bfs([]).to_arrow().num_rows == 0


def test_results_as_tables():
    g = breadth.Graph.from_edges(["a", "b", "x"], ["b", "c", "y"], [1, 2, 3])
    assert g.labels.tolist() == ["a", "b", "x", "c", "y"]
    rows = g.bfs("a").to_arrow().to_pydict()
    assert rows == {
        "vertex": ["a", "b", "x", "c", "y"],
        "level": [0, 1, -1, 2, -1],
        "parent": ["a", "a", None, "b", None],
    }
    assert g.bfs("a", parents=False).to_arrow().column_names == ["vertex", "level"]
    rows = g.sssp("a").to_arrow().to_pydict()
    assert rows["distance"] == [0, 1, float("inf"), 3, float("inf")]
    assert rows["parent"] == ["a", "a", None, "b", None]
    rows = g.multi_source_bfs(["a", "y"]).to_arrow().to_pydict()
    assert (rows["source"], rows["level"]) == (["a", "a", "y", "a", "y"], [0, 1, 1, 2, 0])
    assert g.connected_components().to_arrow().to_pydict()["component"] == [0, 0, 1, 0, 1]
    integers = breadth.Graph.from_edges([5], [9], vertices=[5, 9, 7]).bfs(5).to_arrow()
    assert integers.to_pydict()["parent"] == [5, 5, None]


@pytest.mark.parametrize("labels", [["a", "b", "c"], [5, 7, 10**12]], ids=str)
def test_parquet(labels, tmp_path):
    a, b, c = labels
    path = tmp_path / "edges.parquet"
    g = breadth.Graph.from_edges([a, b], [b, c], [0.5, 2], directed=True)
    pq.write_table(g.to_arrow(), path)
    again = breadth.read(path, directed=True)
    assert sorted(again.to_arrow().to_pylist(), key=repr) == sorted(g.to_arrow().to_pylist(), key=repr)
    assert again.sssp(a).distances[again.index(c)] == 2.5


def test_columns_of_parquet(tmp_path):
    path = tmp_path / "roads.pq"
    columns = {"from": ["a", "b"], "to": ["b", "c"], "km": [1.5, 2.0], "name": ["x", "y"]}
    pq.write_table(pa.table(columns), path)
    g = breadth.read(path, source="from", target="to", weight="km")
    assert g.sssp("a").distances.tolist() == [0, 1.5, 3.5]
    assert not breadth.read(path, source="from", target="to").weighted
    with pytest.raises(ValueError, match=r"no column 'source', only from, to, km, name; source= says which it is$"):
        breadth.read(path)
    with pytest.raises(ValueError, match=r"no column 'miles', only from, to, km, name$"):
        breadth.read(path, source="from", target="to", weight="miles")
    pq.write_table(pa.table({"source": ["a", None], "target": ["b", "c"]}), path)
    with pytest.raises(ValueError, match=r"source\[1\] is missing"):
        breadth.read(path)
    text = tmp_path / "graph.txt"
    text.write_text("1 2\n")
    with pytest.raises(ValueError, match="are for parquet files"):
        breadth.read(text, source="a")
    with pytest.raises(ValueError, match="are for parquet files"):
        breadth.read(text, vertices=[1, 2])
    with pytest.raises(FileNotFoundError):
        breadth.read(tmp_path / "missing.parquet")
    for wrong in ("sources", "targets", "weights"):
        with pytest.raises(ValueError, match=rf"there is no option {wrong}; is {wrong[:-1]}= meant\?"):
            breadth.read(path, **{wrong: "from"})
    (tmp_path / "torn.parquet").write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match=r"torn.parquet' cannot be read as parquet: "):
        breadth.read(tmp_path / "torn.parquet")


def test_parquet_takes_what_columns_take(tmp_path):
    path = tmp_path / "roads.parquet"
    pq.write_table(pa.table({"source": ["a"], "target": ["b"], "weight": [0.1]}), path)
    g = breadth.read(path, vertices=["c", "b", "a"], exact=False)
    assert g.labels.tolist() == ["c", "b", "a"]
    assert g.distance_type == np.float32
    assert breadth.read(path).distance_type == np.float64
    with pytest.raises(ValueError, match=r"there is no option colour: read takes directed, source, .*, exact, "):
        breadth.read(path, colour=1)
    with pytest.raises(ValueError, match=r"^order is 'up'; it must be one of "):
        breadth.read(path, order="up")


@pytest.mark.parametrize(
    ("columns", "error", "said"),
    [
        ({"a": [1, 2], "b": [2, 3], "km": [1.5, -1]}, ValueError, r"km[1] is -1: a weight is "),
        ({"a": [1, 2], "b": [2, 3], "km": [True, None]}, ValueError, r"km[1] is missing"),
        ({"a": [1, 2], "b": [2, 3], "km": np.array([1, 2], "M8[s]")}, ValueError, r"km are of type datetime64"),
        ({"a": [1.0, np.nan], "b": [2, 3], "km": [1, 1]}, ValueError, r"a[1] is missing: every edge has two ends"),
        ({"a": [[1], [2]], "b": [2, 3], "km": [1, 1]}, TypeError, r"a[0] is array([1]), which cannot be a label: "),
        ({"a": [1, 2], "b": [2, 4], "km": [1, 1]}, KeyError, r"4 is not a vertex: b[1] is not in vertices"),
    ],
    ids=["negative", "missing", "type", "label", "list", "unknown"],
)
def test_errors_of_parquet_name_the_file_and_the_column(columns, error, said, tmp_path):
    path = tmp_path / "edges.parquet"
    pq.write_table(pa.table(columns), path)
    vertices = [1, 2, 3] if error is KeyError else None
    with pytest.raises(error, match=re.escape(f"edges.parquet': {said}")):
        breadth.read(path, source="a", target="b", weight="km", vertices=vertices)


def test_parquet_is_written_by_pyarrow_as_the_error_says(tmp_path):
    path = tmp_path / "edges.parquet"
    g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2.0])
    with pytest.raises(ValueError, match=r"edges\.parquet': .* pyarrow\.parquet\.write_table\(g\.to_arrow\(\), path\)"):
        g.save(path)
    assert not path.exists()
    pq.write_table(g.to_arrow(), path)
    assert breadth.read(path).sssp("a").distance_to("c") == 3.5


def test_labels_that_arrow_has_no_type_for():
    mixed = breadth.Graph.from_edges([1, "a"], ["a", (2, 3)])
    for call in (mixed.to_arrow, mixed.bfs(1).to_arrow, mixed.connected_components().to_arrow):
        with pytest.raises(TypeError, match=r"no type of Arrow keeps all labels of several kinds"):
            call()
    with pytest.raises(TypeError, match=r"no type of Arrow keeps all labels such as frozenset\(\{1\}\)"):
        breadth.Graph.from_edges([frozenset([1])], [frozenset()]).to_arrow()


UTC = datetime.timezone(datetime.timedelta())  # datetime.UTC is not in Python 3.10


@pytest.mark.parametrize(
    ("label", "other"),
    [
        (datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 12)),
        (datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, tzinfo=UTC)),
        (datetime.time(1), datetime.time(1, tzinfo=UTC)),
        (np.datetime64("20000-01-01", "s"), np.datetime64("2020-01-01T00:00:00.000000001", "ns")),
        (b"a", "a"),
        (("a",), (b"a",)),
        (("a", ("b",)), ("b",)),
        (uuid.UUID(int=1), b"0" * 16),
        (2**70, 1),
        (-1, 2**63),
        (Decimal("Infinity"), Decimal(1)),
        ("\ud800", "a"),
    ],
    ids=repr,
)
def test_labels_that_arrow_would_change(label, other):
    g = breadth.Graph.from_edges([label], [other])
    for call in (g.to_arrow, g.bfs(label).to_arrow):
        with pytest.raises(TypeError, match="no type of Arrow keeps all"):
            call()


@pytest.mark.parametrize(
    ("label", "other"),
    [
        (datetime.datetime(2020, 1, 1, tzinfo=UTC), datetime.datetime(2021, 1, 1, tzinfo=UTC)),
        (np.datetime64("20000-01-01", "s"), np.datetime64("2020-01-01T00:00:00.001", "ms")),
        (("a", "b"), ("b", "c")),
        (Decimal("1.50"), Decimal(2)),
        (1, 2.5),
    ],
    ids=repr,
)
def test_labels_that_arrow_keeps(label, other):
    table = breadth.Graph.from_edges([label], [other]).to_arrow()
    assert table["source"][0] != table["target"][0]


@pytest.mark.parametrize("weights", [None, [1.5, 2.5, 0.25], [2**60 + 1, 1, 3]])
@pytest.mark.parametrize("directed", [False, True])
def test_edges_of_pandas_and_networkx(directed, weights):
    pytest.importorskip("pandas")
    nx = pytest.importorskip("networkx")
    labels = [1, "a", (2, 3), "alone"]
    g = breadth.Graph.from_edges(labels[:3], [*labels[1:3], 1], weights, directed, vertices=labels)
    frame = g.to_pandas()
    assert list(frame.columns) == ["source", "target"] + ["weight"] * (weights is not None)
    given = [None] * 3 if weights is None else weights
    found = {(row.source, row.target): getattr(row, "weight", None) for row in frame.itertuples()}
    ends = list(zip(labels[:3], [*labels[1:3], 1], strict=True))
    if directed:
        assert found == dict(zip(ends, given, strict=True))
    assert {frozenset(edge): weight for edge, weight in found.items()} == dict(
        zip(map(frozenset, ends), given, strict=True)
    )
    theirs = g.to_networkx()
    assert type(theirs) is (nx.DiGraph if directed else nx.Graph)
    assert list(theirs) == labels
    assert all(theirs.has_edge(*edge) for edge in ends)
    again = breadth.Graph.from_networkx(theirs, None if weights is None else "weight")
    assert (again.num_vertices, again.num_edges, again.labels.tolist()) == (4, 3, labels)
    if weights is not None:
        assert again.distance_type == g.distance_type
        assert again.sssp(1).distances.tolist() == g.sssp(1).distances.tolist()


def test_tables_of_edges_without_any():
    pytest.importorskip("pandas")
    empty = breadth.Graph.from_edges([], [])
    assert list(empty.to_pandas().columns) == ["source", "target"]
    assert len(empty.multi_source_bfs([]).to_pandas()) == 0
    assert empty.num_vertices == len(pytest.importorskip("networkx").Graph(empty.to_networkx())) == 0
    assert {type(node) for node in breadth.grid(2, 2).to_networkx()} == {int}


@pytest.mark.parametrize("weight", [2, 2**60 + 1, 0.5, np.float32(0.5)])
def test_one_vertex_of_a_result(weight):
    g = breadth.Graph.from_edges(["a", "x"], ["b", "y"], np.array([weight, weight]))
    for found in (g.bfs("a"), g.bfs("a", parents=False), g.multi_source_bfs(["a"])):
        assert [found.level_of(label) for label in "abx"] == [0, 1, None]
        with pytest.raises(KeyError, match="'z' is not a vertex"):
            found.level_of("z")
    distances = g.sssp("a")
    assert [distances.distance_to(label) for label in "abx"] == [0, weight, None]
    assert type(distances.distance_to("b")) is (int if weight == 2**60 + 1 else float)
    with pytest.raises(KeyError, match="'z' is not a vertex"):
        distances.distance_to("z")


@pytest.mark.parametrize("names", [["source", "target", "source"], ["source", "target", "weight", "weight"]], ids=str)
def test_parquet_with_two_columns_of_one_name(names, tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table([pa.array([1])] * len(names), names=names), tmp_path / "edges.parquet")
    with pytest.raises(ValueError, match=f"edges.parquet' has 2 columns '{names[-1]}'"):
        breadth.read(tmp_path / "edges.parquet")
