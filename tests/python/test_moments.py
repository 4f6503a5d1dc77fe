"""Moments and durations as labels: equal ones are one vertex, whatever their unit, library and column."""

import datetime

import breadth
import numpy as np
import pytest

from_edges = breadth.Graph.from_edges
SHARED = "2020-01-02"
COLUMNS = {  # a column, another column that shares one moment with it, and this moment as a label
    "nanoseconds": (
        np.array(["2020-01-01T00:00:00.000000001", SHARED], dtype="M8[ns]"),
        np.array([SHARED, "2020-01-03"], dtype="M8[ns]"),
        datetime.datetime(2020, 1, 2),
    ),
    "attoseconds": (
        np.array([1, 10**18], dtype="M8[as]"),
        np.array([1, 2], dtype="M8[s]"),
        datetime.datetime(1970, 1, 1, 0, 0, 1),
    ),
    "year 20000": (
        np.array(["20000-01-01", SHARED], dtype="M8[D]"),
        np.array([SHARED, "2020-01-03"], dtype="M8[D]"),
        datetime.date(2020, 1, 2),
    ),
    "before year 1": (
        np.array(["-0001-01-01", SHARED], dtype="M8[s]"),
        np.array([SHARED, "2020-01-03"], dtype="M8[ns]"),
        datetime.datetime(2020, 1, 2),
    ),
    "durations": (
        np.array([1, 2000], dtype="m8[ns]"),
        np.array([2, 3], dtype="m8[us]"),
        datetime.timedelta(microseconds=2),
    ),
    "months": (np.array([1, 12], dtype="m8[M]"), np.array([1, 2], dtype="m8[Y]"), np.timedelta64(1, "Y")),
}


def _pandas(column):
    pd = pytest.importorskip("pandas")
    kind = column.dtype.kind
    if np.datetime_data(column.dtype)[0] not in ("s", "ms", "us", "ns"):
        pytest.skip("pandas has no such unit")
    return pd.DatetimeIndex(column) if kind == "M" else pd.TimedeltaIndex(column)


def _arrow(column):
    pa = pytest.importorskip("pyarrow")
    if np.datetime_data(column.dtype)[0] not in ("D", "s", "ms", "us", "ns") or column.dtype == np.dtype("m8[D]"):
        pytest.skip("Arrow has no such unit")
    return pa.array(column)


def _polars(column):
    pl = pytest.importorskip("polars")
    if np.datetime_data(column.dtype)[0] not in ("ms", "us", "ns"):
        pytest.skip("polars has no such unit")
    return pl.Series(column)


MAKERS = {
    "numpy": lambda column: column,
    "bytes swapped": lambda column: column.astype(column.dtype.newbyteorder(">")),
    "objects": list,
    "array of objects": lambda column: np.fromiter(column, dtype=object, count=len(column)),
    "pandas": _pandas,
    "pandas objects": lambda column: list(_pandas(column)),
    "Arrow": _arrow,
    "polars": _polars,
}


@pytest.mark.parametrize("second", ["numpy", "same"])
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", COLUMNS)
def test_one_moment_is_one_vertex(name, make, second):
    first, last, shared = COLUMNS[name]
    columns = MAKERS[make](first), MAKERS[make](last) if second == "same" else last
    g = from_edges(*columns)
    assert len(g) == 3
    assert shared in g
    assert g.bfs(first[0]).levels.tolist()[g.index(last[1])] == 2
    for moment in (first[1], last[0]):
        assert g.labels.tolist()[g.index(moment)] == shared
    several = [[first[0], *last]]
    if first.dtype == last.dtype:  # otherwise numpy overflows
        moments = np.unique(np.concatenate([first, last]))
        several += [moments, MAKERS[make](moments)]
    for vertices in several:
        again = from_edges(*columns, vertices=vertices)
        assert set(again.labels.tolist()) == set(g.labels.tolist())
        assert again.bfs(first[0]).level_of(last[1]) == 2


def test_the_rest_of_a_column_does_not_matter():
    far = np.datetime64("20000-01-01T12", "s")
    odd = np.datetime64("2020-01-01T00:00:00.000000001", "ns")
    noon = np.datetime64("2020-01-02T12", "h")
    for other in (far, odd):
        for unit in ("s", "ns") if other is far else ("ns",):
            if unit == "ns" and other is far:
                column = np.fromiter([far, noon.astype("M8[ns]")], dtype=object, count=2)
            else:
                column = np.array([other, noon], dtype=f"M8[{unit}]")
            assert from_edges(column[:1], column[1:]).labels.tolist() == [other, datetime.datetime(2020, 1, 2, 12)]
            assert len(from_edges(column, [noon, other])) == 2


def test_units_of_moments_that_datetime_has_no_room_for():
    units = [np.datetime64("20000-01-02", unit) for unit in ("D", "h", "m", "s", "ms", "us")]
    g = from_edges(units, units[::-1])
    assert len(g) == 1
    assert {g.index(moment) for moment in units} == {0}
    years = np.array([10**15, 2 * 10**15], dtype="M8[Y]")
    assert from_edges(years, years[::-1].astype("M8[M]")).labels.tolist() == list(years)
    assert np.datetime64("20000-01-03") not in g


def test_days_are_dates_unless_a_column_has_finer_moments():
    days = np.array(["2020-01-01", "2020-01-02", "20000-01-01"], dtype="M8[D]")
    first, second = datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)
    assert from_edges(days[:1], days[1:2]).labels.tolist() == [first, second]
    assert from_edges([first], days[1:2]).labels.tolist() == [first, second]
    assert from_edges(days[:2], list(days[:2].astype("M8[s]"))[::-1]).labels.dtype == object
    assert len(from_edges(list(days), list(days.astype("M8[s]")))) == 3
    for labels in (days, list(days), days.astype("M8[s]"), [first, second, days[2]]):
        for column in (days, list(days), days.astype("M8[s]"), list(days.astype("M8[s]"))):
            assert from_edges(column[:2], column[1:], vertices=labels).bfs(days[0]).levels.tolist() == [0, 1, 2]


def test_durations_are_not_moments():
    g = from_edges(np.array([1], dtype="m8[s]"), np.array([1], dtype="M8[s]"))
    assert len(g) == 2
    assert g.labels.tolist() == [datetime.timedelta(seconds=1), datetime.datetime(1970, 1, 1, 0, 0, 1)]


def test_messages_and_paths_have_no_raw_integers():
    column = np.array(["2020-01-01T00:00:00.000000001", SHARED, "2020-01-03"], dtype="M8[ns]")
    with pytest.raises(KeyError, match=r"datetime.datetime\(2020, 1, 3, 0, 0\) is not a vertex: targets\[1\]"):
        from_edges(column[:2], column[1:], vertices=column[:2])
    with pytest.raises(KeyError, match=r"00:00:00\.000000001'.* is not a vertex: sources\[0\]"):
        from_edges(column[:2], column[1:], vertices=column[1:])
    with pytest.raises(
        ValueError, match=r"vertices\[1\] is datetime.datetime\(2020, 1, 2, 0, 0\), the same as vertices\[0\]"
    ):
        from_edges([], [], vertices=[column[1], column[1].astype("M8[s]")])
    path = from_edges(column[:2], column[1:]).bfs(column[0]).path_to(column[2])
    assert path == [column[0], datetime.datetime(2020, 1, 2), datetime.datetime(2020, 1, 3)]
    for missing in (np.array([SHARED, "NaT"], dtype="M8[ns]"), [column[0], np.datetime64("NaT")]):
        with pytest.raises(ValueError, match=r"targets\[1\] is missing"):
            from_edges(column[:2], missing)


@pytest.mark.parametrize("name", ["nanoseconds", "year 20000", "durations"])
def test_moments_in_tables(name):
    pytest.importorskip("pyarrow")
    first, last, _ = COLUMNS[name]
    g = from_edges(first, last, directed=True)
    for table in (g.to_arrow(), g.bfs(first[0]).to_arrow()):
        column = table[table.column_names[0]].to_numpy()
        assert column.dtype.kind == first.dtype.kind
        assert set(column) <= {*first, *last}
    again = from_edges(g.to_arrow()["source"], g.to_arrow()["target"], directed=True)
    assert set(again.labels.tolist()) == set(g.labels.tolist())
