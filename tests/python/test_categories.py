"""Columns of categories give the same graph as their labels do without codes."""

import datetime

import breadth
import numpy as np
import pytest

from_edges = breadth.Graph.from_edges
SOURCES = ["d", "a", "d", "c", "a"]
TARGETS = ["c", "b", "e", "b", "d"]


def _categorical(labels):
    pd = pytest.importorskip("pandas")
    return pd.Categorical(labels, categories=[*sorted({*labels} - {None}), "unused"])


def _chunked(labels):
    pa = pytest.importorskip("pyarrow")
    return pa.chunked_array([pa.array(part, pa.string()).dictionary_encode() for part in (labels[:2], labels[2:])])


def _enum(labels):
    pl = pytest.importorskip("polars")
    return pl.Series(labels, dtype=pl.Enum([*sorted({*labels} - {None}), "unused"]))


def _polars_categorical(labels):
    pl = pytest.importorskip("polars")
    pl.Series(["others", "before"], dtype=pl.Categorical)
    return pl.Series(labels, dtype=pl.Categorical)


MAKERS = {
    "pandas": _categorical,
    "Series": lambda labels: pytest.importorskip("pandas").Series(_categorical(labels), index=[7] * len(labels)),
    "Index": lambda labels: pytest.importorskip("pandas").CategoricalIndex(_categorical(labels)),
    "Arrow in pandas": lambda labels: pytest.importorskip("pandas").Series(
        _chunked(labels), dtype=pytest.importorskip("pandas").ArrowDtype(_chunked(labels).type)
    ),
    "Arrow": lambda labels: pytest.importorskip("pyarrow").array(labels).dictionary_encode(),
    "chunks": _chunked,
    "slice": lambda labels: _chunked(["x", *labels, "y"]).slice(1, len(labels)),
    "Enum": _enum,
    "polars": _polars_categorical,
}


@pytest.mark.parametrize("make", MAKERS)
def test_categories_are_the_labels(make):
    plain = from_edges(SOURCES, TARGETS, directed=True)
    coded = MAKERS[make](SOURCES), MAKERS[make](TARGETS)
    for columns in (coded, (coded[0], TARGETS), (SOURCES, coded[1]), (coded[0], _categorical(TARGETS))):
        g = from_edges(*columns, directed=True)
        assert g.labels.tolist() == plain.labels.tolist()
        for label in plain.labels:
            assert g.bfs(label).levels.tolist() == plain.bfs(label).levels.tolist()
        vertices = ["z", *"edcba"]
        g = from_edges(*columns, directed=True, vertices=vertices)
        expected = from_edges(SOURCES, TARGETS, directed=True, vertices=vertices)
        assert g.bfs("d").levels.tolist() == expected.bfs("d").levels.tolist()
    with pytest.raises(KeyError, match=r"'c' is not a vertex: sources\[3\] is not in vertices"):
        from_edges(*coded, vertices=["a", "b", "d", "e"])
    with pytest.raises(ValueError, match="columns differ in length: 5, 1"):
        from_edges(coded[0], ["a"])


@pytest.mark.parametrize("make", MAKERS)
def test_categories_that_are_missing(make):
    for labels in (["a", None, "b"], [None, "b", "b"], ["a", "b", None]):
        row = labels.index(None)
        coded = MAKERS[make](labels)
        with pytest.raises(ValueError, match=rf"sources\[{row}\] is missing: every edge has two ends"):
            from_edges(coded, ["a", "b", "c"])
        with pytest.raises(ValueError, match=rf"targets\[{row}\] is missing: every edge has two ends"):
            from_edges(["a", "b", "c"], coded)
        with pytest.raises(KeyError, match=rf"is not a vertex: targets\[{row}\] is not in vertices"):
            from_edges(["a", "b", "c"], coded, vertices=["a", "b", "c"])


@pytest.mark.parametrize("library", ["pandas", "Arrow"])
@pytest.mark.parametrize(
    "labels",
    [
        [5, 3, 9, 3],
        np.array([2**63, 3, 2**64 - 1, 5], dtype=np.uint64),
        [1.5, 2.0, 0.5, 7.0],
        [datetime.datetime(2020, 1, day) for day in (4, 2, 3, 2)],
        np.array([1, 2000, 3000, 1], dtype="M8[ns]"),
    ],
    ids=["integers", "large integers", "floats", "moments", "nanoseconds"],
)
def test_categories_that_are_no_strings(labels, library):
    def coded(part):
        if library == "pandas":
            return pytest.importorskip("pandas").Categorical(part)
        return pytest.importorskip("pyarrow").array(part).dictionary_encode()

    plain = from_edges(labels[:3], labels[1:])
    for columns in ((coded(labels[:3]), coded(labels[1:])), (coded(labels[:3]), labels[1:])):
        g = from_edges(*columns)
        assert (g.labels.tolist(), g.labels.dtype) == (plain.labels.tolist(), plain.labels.dtype)
        assert g.bfs(labels[0]).levels.tolist() == plain.bfs(labels[0]).levels.tolist()
        again = from_edges(*columns, vertices=[*dict.fromkeys(labels)])
        assert again.bfs(labels[0]).path_to(labels[2]) == plain.bfs(labels[0]).path_to(labels[2])


@pytest.mark.parametrize("make", MAKERS)
def test_no_elements_of_categories(make):
    if make == "slice":
        pytest.skip("has elements")
    assert len(from_edges(MAKERS[make](["a"])[:0], MAKERS[make](["a"])[:0])) == 0
    assert from_edges(MAKERS[make](["a"])[:0], [], vertices=["a"]).labels.tolist() == ["a"]


def test_equal_values_of_a_dictionary_are_one_vertex():
    pa = pytest.importorskip("pyarrow")
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.uint8()), pa.array(["a", "b", "a"]))
    g = from_edges(column, ["b", "c", "c"])
    assert g.labels.tolist() == ["a", "b", "c"]
    assert g.num_edges == 3
