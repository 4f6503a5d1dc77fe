"""Columns as libraries make them: missing values are refused, and equal values are one vertex."""

import datetime
import uuid
from decimal import Decimal
from fractions import Fraction

import breadth
import numpy as np
import pytest

from_edges = breadth.Graph.from_edges


@pytest.mark.parametrize("place", ["sources", "targets", "weights"])
def test_masked_elements_are_missing(place):
    columns = {"sources": [1, 2, 3], "targets": [4, 5, 6], "weights": [1.0, 2.0, 3.0]}
    expected = from_edges(**columns)
    columns[place] = np.ma.array(columns[place], mask=[False, False, False])
    made = from_edges(**columns)
    assert made.labels.tolist() == expected.labels.tolist()
    for source in [1, 2, 3]:
        assert made.sssp(source).distances.tolist() == expected.sssp(source).distances.tolist()
    columns[place] = np.ma.array(columns[place], mask=[False, True, False])
    with pytest.raises(ValueError, match=rf"{place}\[1\] is missing: it is masked"):
        from_edges(**columns)


@pytest.mark.parametrize("units", [("ns", "ns"), ("ns", "us"), ("s", "ns"), ("D", "ns"), ("D", "s")])
def test_moments_are_vertices_whatever_their_unit(units):
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="M8[D]")
    g = from_edges(days[:2].astype(f"M8[{units[0]}]"), days[1:].astype(f"M8[{units[1]}]"))
    first, _, last = labels = [datetime.datetime(2020, 1, day) for day in (1, 2, 3)]
    assert g.labels.tolist() == labels
    assert g.bfs(first).path_to(last) == labels
    for unit in ("D", "s", "ns"):
        assert g.index(days[2].astype(f"M8[{unit}]")) == 2
    assert g.k_hop(days[:1].astype("M8[ns]"), 1).tolist() == labels[:2]
    pd = pytest.importorskip("pandas")
    assert g.index(pd.Timestamp(last)) == 2
    assert pd.Timestamp(last, tz="UTC") not in g


def test_moments_that_datetime_has_no_room_for():
    times = np.array([1, 2, 3001], dtype="M8[ns]")
    g = from_edges(times[:2], times[1:])
    assert g.labels.tolist() == list(times)
    assert g.index(times[2]) == 2
    far = np.array([10**12, 2 * 10**12], dtype="M8[s]")
    assert from_edges(far[:1], far[1:]).labels.tolist() == list(far)
    lasting = np.array([1, 2], dtype="m8[ms]")
    assert from_edges(lasting[:1], lasting[1:].astype("m8[ns]")).index(np.timedelta64(2, "ms")) == 1
    pd = pytest.importorskip("pandas")
    assert g.index(pd.Timestamp(3001)) == 2


def test_integers_are_in_rising_order_whatever_holds_them():
    for labels in ([9, 5, 7], [2**63, 1, 2**64 - 1], [2**70, 1, -5], [2**63, -1, 2**62 + 1]):
        for make in (list, lambda labels: np.array(labels, dtype=object)):
            g = from_edges(make(labels[:2]), make(labels[1:]))
            assert g.labels.tolist() == sorted(labels)
            assert g.bfs(labels[0]).path_to(labels[2]) == labels
    assert from_edges(np.array([3, 1], dtype=object), [1, 2]).labels.dtype == np.int64


def test_integers_that_floats_round_are_told_apart():
    labels = [2**53 + 1, 2**62 + 1, 2**62 + 2, 2**62 + 3, 2**63 + 1, 2**63 + 2]
    g = from_edges(np.array(labels[:-1], dtype=np.uint64), np.array(labels[1:], dtype=np.uint64))
    for kind in (int, np.uint64):
        assert [g.index(kind(label)) for label in labels] == list(range(6))
    for absent in (2**62, 2**62 + 4, 2**53, -1, 2**64):
        assert absent not in g


def test_one_long_string_takes_no_memory_for_the_others():
    long = "x" * 10_000_000
    g = from_edges([long, *map(str, range(100_000))], ["a"] * 100_001)
    assert len(g) == 100_002


@pytest.mark.parametrize("column", ["abc", b"abc", 3, None])
def test_what_is_no_column(column):
    with pytest.raises(TypeError, match=r"sources is .*; it must be a column"):
        from_edges(column, [1, 2, 3])
    if column is not None:
        with pytest.raises(TypeError, match=r"weights is .*; it must be a column"):
            from_edges([1, 2, 3], [2, 3, 4], column)
        with pytest.raises(TypeError, match=r"vertices is .*; it must be several vertices"):
            from_edges(["a"], ["b"], vertices=column)


def test_objects_that_are_no_labels():
    for call in (lambda: from_edges(["a", []], ["b", "c"]), lambda: from_edges(["a"], ["a"], vertices=["a", []])):
        with pytest.raises(TypeError, match=r"\[1\] is \[\], which cannot be a label"):
            call()


@pytest.mark.parametrize("make", [list, np.array, iter])
def test_all_vertices(make):
    g = from_edges([5], [2], vertices=make([5, 1, 2]))
    assert (g.labels.tolist(), g.labels.dtype) == ([5, 1, 2], np.dtype(np.int64))
    assert [type(label) for label in g.bfs(5).path_to(2)] == [int, int]
    with pytest.raises(ValueError, match=r"vertices\[2\] is 'a', the same as vertices\[0\]"):
        from_edges(["a"], ["b"], vertices=make(["a", "b", "a"]))
    for missing in (None, float("nan")):
        with pytest.raises(ValueError, match=r"vertices\[1\] is missing"):
            from_edges(["a"], ["a"], vertices=["a", missing])


INTEGERS = {
    "consecutive": [7, 8, 9, 10],
    "negative": [-2, -1, 0, 1],
    "rising": [1, 4, 5, 90],
    "far": [-(2**63), -5, 3, 2**63 - 1],
    "unordered": [90, 4, 5, 1],
    "falling": [4, 3, 2, 1],
    "far and unordered": [3, 2**63 - 1, -5, -(2**63)],
    "unsigned": [2**63, 2**64 - 1, 5, 2**62 + 1],
    "unsigned and consecutive": [2**63 - 1, 2**63, 2**63 + 1, 2**63 + 2],
}


@pytest.mark.parametrize("make", ["list", "range or narrow", "int64", "uint64", "objects", "pandas", "Int64", "Arrow"])
@pytest.mark.parametrize("name", INTEGERS)
def test_vertices_that_are_integers_keep_their_order(name, make):
    labels = INTEGERS[name]
    if (make == "int64" and max(labels) >= 2**63) or (make == "uint64" and min(labels) < 0):
        pytest.skip("too wide")
    kind = np.uint64 if max(labels) >= 2**63 or make == "uint64" else np.int64
    narrow = np.int8 if max(labels) < 2**7 and min(labels) >= -(2**7) else kind
    nullable = "UInt64" if kind == np.uint64 else "Int64"
    makers = {
        "list": lambda column: column,
        "range or narrow": lambda column: np.array(column, dtype=narrow),
        "int64": np.array,
        "uint64": lambda column: np.array(column, dtype=np.uint64),
        "objects": lambda column: np.array(column, dtype=object),
        "pandas": lambda column: pytest.importorskip("pandas").Series(np.array(column, dtype=kind)),
        "Int64": lambda column: pytest.importorskip("pandas").Series(column, dtype=nullable),
        "Arrow": lambda column: pytest.importorskip("pyarrow").array(np.array(column, dtype=kind)),
    }
    vertices = makers[make](labels)
    for columns in (([0, 2], [1, 3]), ([3, 3, 0], [0, 1, 3])):
        sources, targets = ([labels[i] for i in column] for column in columns)
        expected = from_edges(*columns, vertices=range(4)).bfs(3).levels.tolist()
        for column in (list, lambda ends: np.array(ends, dtype=narrow), lambda ends: np.array(ends, dtype=object)):
            g = from_edges(column(sources), column(targets), vertices=vertices)
            assert g.labels.tolist() == labels
            assert [g.index(label) for label in labels] == [0, 1, 2, 3]
            assert g.bfs(labels[3]).levels.tolist() == expected
            assert 0 in g if 0 in labels else 0 not in g
    for wrong in {-(2**63), 2**63 - 1, 2**63, 2**64 - 1, 2, 60} - set(labels):
        with pytest.raises(KeyError, match=rf"{wrong} is not a vertex: targets\[1\] is not in vertices"):
            from_edges(labels[:2], [labels[0], wrong], vertices=vertices)
    with pytest.raises(
        ValueError, match=rf"vertices\[4\] is {labels[1]}, the same as vertices\[1\]: each vertex may occur only once"
    ):
        from_edges([], [], vertices=makers[make]([*labels, labels[1]]))


@pytest.mark.parametrize("spread", [1, 3, 1000])
def test_vertices_that_are_many_integers(spread):
    rng = np.random.default_rng(spread)
    labels = spread * rng.permutation(300) - 50
    sources, targets = rng.integers(0, 300, (2, 900))
    expected = from_edges(sources, targets, vertices=range(300)).bfs(0)
    made = from_edges(labels[sources], labels[targets], vertices=labels)
    assert made.bfs(labels[0]).levels.tolist() == expected.levels.tolist()
    labels[0] = 10**6  # the graph keeps a copy
    assert 10**6 not in made
    assert made.labels[0] != 10**6


def test_vertices_of_arrow():
    pa = pytest.importorskip("pyarrow")
    g = from_edges(["a"], ["b"], vertices=pa.array(["b", "a", "c"]))
    assert g.labels.tolist() == ["b", "a", "c"]
    assert g.k_hop(pa.array(["a"]), 1).tolist() == ["b", "a"]
    assert g.bfs("a", targets=pa.array(["b"])).levels.tolist() == [1, 0, -1]


class OnlyAStream:
    """A table with nothing but Arrow's stream interface, as relations of DuckDB."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "kind",
    [
        lambda table: table,
        lambda table: table.to_batches()[0],
        lambda table: table.to_reader(),
        OnlyAStream,
        lambda table: pytest.importorskip("pandas") and table.to_pandas(),
    ],
    ids=["table", "batch", "reader", "stream", "pandas"],
)
def test_a_table_of_one_column_is_that_column(kind):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": ["x", "y"], "b": ["y", "z"], "km": [1.5, 2.5]})
    g = from_edges(kind(table.select(["a"])), kind(table.select(["b"])), kind(table.select(["km"])))
    assert g.sssp("x").distances.tolist() == [0, 1.5, 4]
    assert g.k_hop(kind(table.select(["b"])), 0).tolist() == ["y", "z"]
    numbers = pa.table({"a": pa.chunked_array([[1, 2], [5]])}).combine_chunks()
    assert from_edges(kind(numbers), [2, 3, 1]).labels.tolist() == [1, 2, 3, 5]
    coded = pa.table({"a": pa.array(["x", "y"]).dictionary_encode()})
    assert from_edges(kind(coded), ["y", "z"]).labels.tolist() == ["x", "y", "z"]
    for wrong in ("sources", "targets", "weights"):
        columns = {"sources": ["x", "y"], "targets": ["y", "z"], wrong: kind(table)}
        with pytest.raises(ValueError, match=f"{wrong} is a table with the columns 'a', 'b', 'km'; it must be one"):
            from_edges(**columns)
    with pytest.raises(ValueError, match=r"sources\[1\] is missing"):
        from_edges(kind(pa.table({"a": ["x", None]})), ["y", "z"])


def _arrow_chunks(column):
    return pytest.importorskip("pyarrow").chunked_array([column[:1], column[1:]])


def _pandas_of_arrow(column):
    pd = pytest.importorskip("pandas")
    return pd.Series(pd.array(_arrow_chunks(column), dtype=pd.ArrowDtype(column.type)))


def _arrow_table(column):
    return pytest.importorskip("pyarrow").table({"a": column})


AS_ARROW = {
    "array": lambda column: column,
    "chunks": _arrow_chunks,
    "stream": lambda column: OnlyAStream(_arrow_chunks(column)),
    "table": _arrow_table,
    "codes": lambda column: column.dictionary_encode(),
    "pandas": _pandas_of_arrow,
    "polars": lambda column: pytest.importorskip("polars").from_arrow(column),
}


@pytest.mark.parametrize("kind", AS_ARROW)
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Oslo", "+05:30"])
def test_moments_of_arrow_keep_their_time_zone(kind, unit, zone):
    pa = pytest.importorskip("pyarrow")
    if kind == "polars" and (unit == "s" or zone[0] == "+"):
        pytest.skip("polars has no such type")
    moments = [datetime.datetime(2020, 1, day, tzinfo=datetime.timezone(datetime.timedelta())) for day in (3, 1, 2)]
    column = pa.array(moments, pa.timestamp(unit, zone))
    labels = AS_ARROW[kind](column)
    g = from_edges(labels, moments[1:] + moments[:1], directed=True)
    assert g.labels.tolist() == column.to_pylist() == moments
    assert g.labels[0].utcoffset() is not None
    assert g.bfs(moments[0]).path_to(moments[2]) == moments
    assert moments[0].replace(tzinfo=None) not in g
    assert g.k_hop(AS_ARROW[kind](column), 0).tolist() == moments
    assert from_edges([], [], vertices=AS_ARROW[kind](column)).labels.tolist() == moments
    assert g.bfs(moments[0]).to_arrow()["vertex"].to_pylist() == moments
    with pytest.raises(ValueError, match=r"sources\[1\] is missing"):
        from_edges(AS_ARROW[kind](pa.array([moments[0], None], column.type)), moments[1:])


@pytest.mark.parametrize("kind", [kind for kind in AS_ARROW if kind != "polars"])
def test_dates_of_arrow_are_dates_in_every_unit(kind):
    pa = pytest.importorskip("pyarrow")
    first, second = datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)
    days, in_ms = (AS_ARROW[kind](pa.array([first, second], unit)) for unit in (pa.date32(), pa.date64()))
    g = from_edges(in_ms, [second, first])
    assert g.labels.tolist() == [first, second]
    assert g.k_hop(in_ms, 0).tolist() == from_edges(days, in_ms).labels.tolist() == [first, second]
    times = np.array(["2020-01-01T00:00", "2020-01-03T12:00"], dtype="M8[m]")
    assert from_edges(in_ms, times).index(np.datetime64(first)) == 0


@pytest.mark.parametrize("kind", [kind for kind in AS_ARROW if kind not in ("codes", "polars")])
def test_identifiers_of_arrow(kind):
    pa = pytest.importorskip("pyarrow", minversion="18")
    identifiers = [uuid.UUID(int=number) for number in (7, 1, 5)]
    column = pa.array([one.bytes for one in identifiers], pa.uuid())
    g = from_edges(AS_ARROW[kind](column), identifiers[1:] + identifiers[:1], directed=True)
    assert g.labels.tolist() == identifiers
    assert g.bfs(identifiers[0]).path_to(identifiers[2]) == identifiers
    assert g.k_hop(AS_ARROW[kind](column), 0).tolist() == identifiers
    assert g.bfs(identifiers[0]).to_arrow()["vertex"].to_pylist() == identifiers


def test_ranges_beyond_64_bits():
    vertices = range(2**63 - 1, 2**63 + 2)
    g = from_edges([2**63], [2**63 + 1], vertices=vertices)
    assert g.labels.tolist() == list(vertices)


def test_weights_that_are_objects():
    for kind in (list, lambda weights: np.array(weights, dtype=object)):
        assert from_edges([0, 1], [1, 2], kind([2, 3])).sssp(0).distances.tolist() == [0, 2, 5]
        assert from_edges([0, 1], [1, 2], kind([2, 0.5])).sssp(0).distances.tolist() == [0, 2, 2.5]
        for wrong, text in (
            (None, "is missing"),
            (Decimal("1.5"), r"is Decimal\('1.5'\): weights must be integers or floats"),
            ("2", "is '2': weights must be integers or floats"),
            (-1, "is -1: a weight is a finite number of at least 0"),
            (2**64, "integer weights must fit in 64 bits"),
        ):
            with pytest.raises(ValueError, match=rf"weights\[1\] {text}|{text}"):
                from_edges([0, 1], [1, 2], kind([2**63 if wrong == -1 else 1, wrong]))


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="a longdouble is a float64 here")
@pytest.mark.parametrize("kind", [list, np.array])
def test_weights_that_are_longdoubles_are_not_rounded(kind):
    third = np.longdouble(1) / 3
    assert from_edges([0], [1], kind([np.longdouble("0.25")])).sssp(0).distances.tolist() == [0, 0.25]
    for wrong, text in ((third, r"0\.33333333333333333\d+"), (np.longdouble("1e400"), r"1e\+400")):
        with pytest.raises(ValueError, match=rf"weights\[1\] is {text}, which a float64 cannot hold exactly"):
            from_edges([0, 1], [1, 2], kind([np.longdouble(1), wrong]))
    for wrong in ("nan", "inf", "-1"):
        with pytest.raises(ValueError, match=rf"weights\[0\] is {wrong}: a weight is a finite number of at least 0"):
            from_edges([0], [1], kind([np.longdouble(wrong)]))


def test_large_integers_beside_larger_ones_are_not_rounded():
    with pytest.raises(ValueError, match=r"weights\[1\] is 9223372036854775808: distances are integers of 64 bits"):
        from_edges([0, 1], [1, 2], [2**62 + 1, 2**63])


@pytest.mark.parametrize("several", ["ab", 0, None])
def test_one_vertex_is_not_several(several):
    g = from_edges([0, 1], [1, 2])
    for call in (g.multi_source_bfs, lambda labels: g.k_hop(labels, 1)):
        with pytest.raises(TypeError, match=r"sources is .*; it must be several vertices"):
            call(several)
    if several is not None:
        with pytest.raises(TypeError, match=r"targets is .*; it must be several vertices"):
            g.bfs(0, targets=several)


@pytest.mark.parametrize("labels", [[0, 1, 2], [10, 5, 99], [2**63, 5, 7]])
def test_numbers_that_equal_integers_are_these(labels):
    """pandas stores a column of integers with a gap as floats, and DuckDB's sums of integers are decimals."""
    g = from_edges(labels[:2], labels[1:])
    for kind in (float, np.float64, np.float32, Decimal, Fraction):
        if int(kind(labels[0])) == labels[0]:
            assert g.bfs(kind(labels[0])).path_to(kind(labels[2])) == labels
    for wrong in (1.5, float("nan"), float("inf"), -1e300, Decimal("1.5"), Decimal("NaN"), Decimal("Infinity")):
        assert wrong not in g
        with pytest.raises(KeyError, match=r"is not a vertex"):
            g.index(wrong)
    assert from_edges(np.array([0.0, 1.0]), [1, 2], vertices=range(3)).bfs(0).levels.tolist() == [0, 1, 2]


@pytest.mark.parametrize("other", [-1, 1, 2**70])
def test_integers_of_numpy_in_a_list_are_integers(other):
    """numpy would convert such a list to floats or to objects."""
    g = from_edges([np.uint64(2**63), np.int8(5)], [other, 2])
    assert g.labels.tolist() == sorted([2**63, 5, other, 2])
    assert {type(label) for label in g.labels.tolist()} == {int}
    assert g.bfs(other).path_to(np.uint64(2**63)) == [other, 2**63]
    assert g.bfs(np.int64(2)).path_to(5) == [2, 5]


def test_truths_of_numpy_are_integers_as_those_of_python_are():
    for g in (from_edges([0, 1], [1, 2]), from_edges([0, 1], [1, 7]), from_edges([1, 0], [7, 1], vertices=[7, 1, 0])):
        for truths in ((False, True), (np.False_, np.True_), np.array([False, True])):
            assert g.bfs(truths[0]).path_to(truths[1]) == [0, 1]
            assert g.k_hop(truths, 0).size == 2
    assert np.True_ not in from_edges([2], [7])


def test_integers_of_128_bits():
    pl = pytest.importorskip("polars")

    def column(integers):
        return pl.Series(integers, dtype=pl.Int128)

    g = from_edges(column([9, 5]), column([5, 7]), column([2, 3]))
    assert (g.labels.tolist(), g.labels.dtype) == ([5, 7, 9], np.dtype(np.int64))
    assert g.sssp(9).distances.tolist() == [2, 5, 0]
    assert g.k_hop(column([9]), 1).tolist() == [5, 9]
    again = from_edges(column([9, 5]), [5, 7], vertices=column([9, 7, 5]))
    assert again.bfs(9).levels.tolist() == [0, 2, 1]
    large = from_edges(column([2**100, 1]), column([1, -5]))
    assert large.bfs(2**100).path_to(-5) == [2**100, 1, -5]
    with pytest.raises(ValueError, match=r"targets\[1\] is missing: every edge has two ends"):
        from_edges([1, 2], column([2, None]))
    with pytest.raises(ValueError, match=r"weights\[1\] is 18446744073709551616: integer weights must fit in 64 bits"):
        from_edges([1, 2], [2, 3], column([1, 2**64]))


def test_strings_of_polars_are_these_to_the_last_letter():
    pl = pytest.importorskip("polars")
    labels = ["a", "a\0", "", "\0", "é"]
    g = from_edges(pl.Series(labels[:-1]), pl.Series(labels[1:]))
    assert g.labels.tolist() == labels
    assert g.bfs("a").path_to("é") == labels
    assert g.multi_source_bfs(pl.Series(["a\0"])).levels.tolist() == [1, 0, 1, 2, 3]
    assert from_edges(pl.Series(labels), ["a"] * 5, vertices=pl.Series(labels)).num_edges == 4
    long = "b" * 2**20  # numpy would pad 2**16 strings to this length, in 256 GiB
    assert from_edges(pl.Series(["a"] * 2**16), pl.Series(["c"] * (2**16 - 1) + [long])).k_hop([long], 1).size == 2
    with pytest.raises(ValueError, match=r"sources\[1\] is missing: every edge has two ends"):
        from_edges(pl.Series(["a", None]), ["b", "c"])
    with pytest.raises(ValueError, match=r"weights\[0\] is '1': weights must be integers or floats"):
        from_edges(["a"], ["b"], pl.Series(["1"]))
