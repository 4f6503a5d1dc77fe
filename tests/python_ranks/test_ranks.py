"""Graphs on several ranks, compared with plain searches on one."""

import contextlib
import functools
import gc
import itertools
import math
import os
import pathlib
import random
import re

import breadth
import examples
import numpy as np
import oracles
import pytest
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
ROOT = pathlib.Path(__file__).parents[2]


def dealt(draw, edges):
    """Returns this rank's random part of the edges, which may be empty. Every rank draws the same numbers."""
    rank_of_each = [draw.randrange(WORLD.size) for _ in edges]
    if draw.random() < 0.3:
        rank_of_each = [WORLD.size - 1] * len(edges)
    mine = [edge for edge, rank in zip(edges, rank_of_each, strict=True) if rank == WORLD.rank]
    return list(map(list, zip(*mine, strict=True))) if mine else [[], [], []]


def whole(result):
    """Returns the whole result of all ranks, on every rank."""
    return WORLD.bcast(result.gather())


def require_tree(found, edges, directed, source, of_edge):
    """Checks that the edge from each vertex's parent is as long as the difference of their values."""
    values = dict(zip(found["labels"].tolist(), found[of_edge].tolist(), strict=True))
    lengths = {}
    for tail, head, weight in edges:
        length = weight if of_edge == "distances" else 1
        for ends in [(tail, head)] if directed else [(tail, head), (head, tail)]:
            lengths[ends] = min(length, lengths.get(ends, math.inf))
    for label, parent in zip(found["labels"].tolist(), found["parents"].tolist(), strict=True):
        if values[label] in (-1, math.inf):
            assert parent in (-1, None)
        elif label == source:
            assert parent == source
        else:
            assert values[parent] + lengths[parent, label] == values[label]


def require_nearest(g, names, present, edges, directed, draw):
    """Compares searches from several vertices, and searches of a few levels, with an oracle."""
    sources = draw.choices(present, k=draw.randrange(5))
    depth = draw.choice([None, 0, 1, 3])
    result = g.multi_source_bfs([names[vertex] for vertex in sources], max_depth=depth)
    found = whole(result)
    levels = oracles.levels(len(names), edges, sources, directed, depth)
    assert found["labels"].tolist() == [names[vertex] for vertex in present]
    assert found["levels"].tolist() == [levels[vertex] for vertex in present]
    assert result.reached == sum(level >= 0 for level in levels)
    tails = {}
    for tail, head, _ in edges:
        for ends in [(tail, head)] if directed else [(tail, head), (head, tail)]:
            tails.setdefault(names[ends[1]], {})[names[ends[0]]] = levels[ends[0]]
    source_of = dict(zip(found["labels"].tolist(), found["sources"].tolist(), strict=True))
    for label, level, parent in zip(*(found[name].tolist() for name in ("labels", "levels", "parents")), strict=True):
        if level < 0:
            assert {parent, source_of[label]} <= {-1, None}
        elif level == 0:
            assert parent == label == source_of[label]
        else:
            assert tails[label][parent] == level - 1
            assert source_of[parent] == source_of[label]
    within = g.k_hop([names[vertex] for vertex in sources], 2).tolist()
    hops = oracles.levels(len(names), edges, sources, directed, 2)
    assert list(itertools.chain(*WORLD.allgather(within))) == [names[vertex] for vertex in present if hops[vertex] >= 0]


def require_ends_at_targets(search, names, present, column, expected, draw):
    """Checks that a search with targets has the values of a full search up to the farthest target, and none beyond
    it."""
    targets = draw.choices(present, k=draw.randrange(4))
    nothing = -1 if column == "levels" else math.inf
    is_reached = all(expected[target] not in (-1, math.inf) for target in targets)
    most = max((expected[target] for target in targets), default=0) if is_reached else math.inf
    values = [expected[vertex] if expected[vertex] <= most else nothing for vertex in present]
    result = search(targets=[names[target] for target in targets])
    assert whole(result)[column].tolist() == values
    assert result.reached == sum(value not in (-1, math.inf) for value in values)


NAMES = {
    "close integers": lambda draw, n: list(range(n)),
    "integers with gaps": lambda draw, n: sorted(draw.sample(range(-(10**12), 10**12), n)),
    "strings": lambda draw, n: sorted(draw.sample([f"{place}-ä-{i}" for i, place in enumerate("abcdefghij" * 20)], n)),
}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", NAMES)
def test_random_graphs(kind, directed):
    draw = random.Random(f"{kind} {directed} {WORLD.size}")
    for _ in range(12):
        n = draw.randrange(2, 60)
        names = NAMES[kind](draw, n)
        count = draw.randrange(1, 4 * n)
        edges = [(draw.randrange(n), draw.randrange(n), draw.randrange(6)) for _ in range(count)]
        named = [(names[tail], names[head], weight) for tail, head, weight in edges]
        present = sorted({end for edge in edges for end in edge[:2]})
        sources, targets, weights = dealt(draw, named)
        weighted = draw.random() < 0.7
        g = breadth.DistributedGraph.from_edges(
            sources, targets, np.array(weights, dtype=np.float64) if weighted else None, directed, threads=2
        )
        assert (len(g), g.directed, g.weighted) == (len(present), directed, weighted)
        source = draw.choice(present)
        found = whole(g.bfs(names[source]))
        levels = oracles.levels(n, edges, [source], directed)
        assert found["labels"].tolist() == [names[vertex] for vertex in present]
        assert found["levels"].tolist() == [levels[vertex] for vertex in present]
        require_tree(found, named, directed, names[source], "levels")
        require_nearest(g, names, present, edges, directed, draw)
        search = functools.partial(g.bfs, names[source], direction=draw.choice(["auto", "push"]))
        require_ends_at_targets(search, names, present, "levels", levels, draw)
        target = draw.choice(present)
        path = g.shortest_path(names[source], names[target])
        assert (path is None) == (levels[target] < 0)
        assert path is None or (path[0], path[-1], len(path)) == (names[source], names[target], levels[target] + 1)
        components = g.connected_components()
        expected = oracles.components(len(present), [[present.index(end) for end in edge[:2]] for edge in edges])
        found = whole(components)
        assert found["labels"].tolist() == [names[vertex] for vertex in present]
        assert found["components"].tolist() == expected
        assert components.sizes.tolist() == np.bincount(expected).tolist()
        known = f"{max(expected) + 1} components, {len(present)} vertices"
        assert repr(components) == f"<breadth.DistributedComponents: {known}>"
        if weighted:
            result = g.sssp(names[source])
            found = whole(result)
            distances = oracles.distances(n, edges, source, directed)
            assert found["distances"].tolist() == [distances[vertex] for vertex in present]
            require_tree(found, named, directed, names[source], "distances")
            assert result.reached == sum(distance < math.inf for distance in distances)
            search = functools.partial(g.sssp, names[source])
            require_ends_at_targets(search, names, present, "distances", distances, draw)


def test_paths_and_limits():
    path = list(range(40))
    mine = path[WORLD.rank :: WORLD.size]
    g = breadth.DistributedGraph.from_edges(mine, [vertex + 1 for vertex in mine], [0.5] * len(mine), vertices=45)
    assert g.bfs(3).path_to(6) == [3, 4, 5, 6]
    assert g.bfs(3).path_to(43) is None
    assert g.sssp(5).path_to(3) == [5, 4, 3]
    assert whole(g.bfs(0, max_depth=2))["levels"].tolist() == [0, 1, 2] + [-1] * 42
    assert whole(g.sssp(0, cutoff=1.2))["distances"].tolist() == [0, 0.5, 1] + [math.inf] * 42
    assert whole(g.sssp(0))["distances"].tolist() == [vertex / 2 for vertex in range(41)] + [math.inf] * 4
    assert whole(g.bfs(0, targets=[3, 2]))["levels"].tolist() == [0, 1, 2, 3] + [-1] * 41
    assert whole(g.sssp(0, targets=[4]))["distances"].tolist() == [0, 0.5, 1, 1.5, 2] + [math.inf] * 40
    assert g.bfs(0, targets=[44]).reached == 41
    assert g.shortest_path(7, 4) == [7, 6, 5, 4]
    assert g.shortest_path(7, 44) is None
    assert g.num_edges == 40
    assert WORLD.allgather(g.nbytes)[0] > 0
    assert f"rank {WORLD.rank} of {WORLD.size}" in repr(g)


WEIGHTS = {
    "of 32 bits": (np.float32, lambda draw: draw.random()),
    "doubles": (np.float64, lambda draw: draw.random()),
    "doubles of every size": (np.float64, lambda draw: draw.random() * 10.0 ** draw.randrange(-200, 200)),
    "small integers": (np.int64, lambda draw: draw.randrange(256)),
    "integers whose sums 32 bits round": (np.int64, lambda draw: draw.randrange(2**23, 2**24)),
    "large integers": (np.int64, lambda draw: draw.randrange(2**50)),
    "unsigned integers": (np.uint64, lambda draw: draw.randrange(2**55)),
}
LAYOUTS = [{}, {"adjacency": "compressed"}, {"hubs": 4}, {"neighbours": "labels"}, {"order": "label"}]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", WEIGHTS)
def test_distances_are_as_exact_as_on_one_rank(kind, directed):
    draw = random.Random(f"{kind} {directed} {WORLD.size}")
    dtype, weight = WEIGHTS[kind]
    for turn in range(8):
        n = draw.randrange(2, 60)
        edges = [(draw.randrange(n), draw.randrange(n), weight(draw)) for _ in range(draw.randrange(1, 4 * n))]
        columns = [list(column) for column in zip(*edges, strict=True)]
        sources, targets, weights = dealt(draw, edges)
        exact = turn != 0 or "every size" in kind
        alone = breadth.Graph.from_edges(
            *columns[:2], np.array(columns[2], dtype=dtype), directed, vertices=range(n), exact=exact
        )
        g = breadth.DistributedGraph.from_edges(
            sources, targets, np.array(weights, dtype=dtype), directed, vertices=n, exact=exact, **draw.choice(LAYOUTS)
        )
        assert g.distance_type == alone.distance_type
        source = draw.randrange(n)
        expected = alone.sssp(source)
        exchange = {"exchange": "bulk"} if draw.random() < 0.3 else {"coalescing": draw.randrange(1, 20)}
        found = whole(g.sssp(source, **exchange))
        assert found["distances"].dtype == expected.distances.dtype
        assert np.array_equal(found["distances"], expected.distances)
        require_tree_of(found, columns, np.array(columns[2]).astype(expected.distances.dtype), directed, source)
        limit = sorted(expected.distances.tolist())[n // 2]
        limited = whole(g.sssp(source, cutoff=limit))["distances"]
        assert np.array_equal(limited, alone.sssp(source, cutoff=limit).distances)
        target = draw.randrange(n)
        nearer = whole(g.sssp(source, targets=[target], **exchange))["distances"]
        assert np.array_equal(nearer, alone.sssp(source, targets=[target]).distances)
        path, lengths = g.sssp(source).path_to(target), expected.distances
        assert (path is None) == (expected.path_to(target) is None)
        if path is not None:
            assert (path[0], path[-1]) == (source, target)
            assert all(lengths[before] <= lengths[after] for before, after in itertools.pairwise(path))
        assert np.array_equal(whole(g.bfs(source))["levels"], alone.bfs(source).levels)


def require_tree_of(found, columns, weights, directed, source):
    """Checks that the distance of each vertex is its parent's distance plus the edge's weight, in the type of the
    distances."""
    lengths = {}
    for tail, head, length in zip(*columns[:2], weights, strict=True):
        for ends in [(tail, head)] if directed else [(tail, head), (head, tail)]:
            lengths[ends] = min(length, lengths.get(ends, length))
    distances = found["distances"]
    for label, parent in enumerate(found["parents"].tolist()):
        if parent == -1:
            assert distances[label] in (np.inf, 2**63 - 1)
        elif label != source:
            assert distances[parent] + lengths[parent, label] == distances[label]


def test_ranks_without_edges_give_weights_of_any_type():
    for empty in (np.float64, np.float32, np.int64):
        if WORLD.rank == 0:
            g = breadth.DistributedGraph.from_edges([0, 1], [1, 2], np.array([2**60 + 1, 3]), vertices=3)
        else:
            g = breadth.DistributedGraph.from_edges([], [], np.empty(0, dtype=empty), vertices=3)
        assert whole(g.sssp(0))["distances"].tolist() == [0, 2**60 + 1, 2**60 + 4]


@pytest.mark.parametrize("weighted", [False, True])
def test_kronecker_is_that_of_one_process(weighted):
    g = breadth.DistributedGraph.kronecker(9, weighted=weighted)
    alone = breadth.kronecker(9, weighted=weighted)
    assert (len(g), g.num_edges) == (len(alone), alone.num_edges)
    for source in (3, 77):
        assert np.array_equal(whole(g.bfs(source))["levels"], alone.bfs(source).levels)
        if weighted:
            assert np.array_equal(whole(g.sssp(source))["distances"], alone.sssp(source).distances)
    found = g.connected_components()
    assert len(found) == len(alone.connected_components())
    assert np.array_equal(whole(found)["components"], alone.connected_components().of_vertex)


OPTIONS = {
    "bfs": [
        {"exchange": "bulk"},
        {"pull": "messages"},
        {"route": "local"},
        {"route": "monitor"},
        {"direction": "push", "coalescing": 4},
    ],
    "sssp": [{"exchange": "bulk"}, {"delta": 0.1}, {"sweeps": "off", "coalescing": 4}],
}


@pytest.mark.parametrize(("search", "options"), [(name, some) for name in OPTIONS for some in OPTIONS[name]])
def test_options_between_ranks(search, options):
    g = breadth.DistributedGraph.kronecker(9, weighted=search == "sssp")
    values = {"bfs": "levels", "sssp": "distances"}[search]
    expected = whole(getattr(g, search)(5))[values]
    for _ in range(2):
        assert np.array_equal(whole(getattr(g, search)(5, **options))[values], expected)


@contextlib.contextmanager
def raised_everywhere(kind, words=""):
    with pytest.raises(kind) as caught:
        yield
    texts = WORLD.allgather(str(caught.value))
    assert all(re.search(words, text) for text in texts), texts


class FailsAlone:
    """A column that raises, on one rank alone, an exception that other ranks could not construct."""

    def __iter__(self):
        class OwnError(RuntimeError):
            def __init__(self):
                super().__init__("an error of its own")

        raise OwnError


def test_lists_to_scan_are_searched_from_one_source():
    g = breadth.DistributedGraph.from_edges([0], [1], adjacency="full-scan")
    assert g.bfs(0).reached == 2
    assert sorted(itertools.chain(*WORLD.allgather(g.k_hop([0], 1).tolist()))) == [0, 1]
    for search in (lambda: g.multi_source_bfs([0, 1]), lambda: g.k_hop([0, 1], 1)):
        with raised_everywhere(ValueError, "a search from several sources runs on .* --adjacency rows"):
            search()
    with raised_everywhere(KeyError, "7 is not a vertex"):
        g.k_hop([0, 7], 1)
    with raised_everywhere(KeyError, "7 is not a vertex"):
        g.bfs(0, targets=[1, 7])
    with raised_everywhere(TypeError, "sources is 0; it must be several vertices"):
        g.multi_source_bfs(0)


def test_too_little_memory_is_a_memory_error_on_every_rank():
    with raised_everywhere(MemoryError, "too little memory: .* needed"):
        breadth.DistributedGraph.kronecker(40)


def test_sums_that_32_bits_have_no_room_for():
    weight = np.float32(3e38)
    g = breadth.DistributedGraph.from_edges([0, 1], [1, 2], np.array([weight, weight]))
    assert g.distance_type == np.float64
    assert whole(g.sssp(0))["distances"].tolist() == [0, float(weight), 2 * float(weight)]


def test_errors_of_weights_are_raised_on_every_rank():
    last = WORLD.rank == WORLD.size - 1
    graph_of = breadth.DistributedGraph.from_edges
    with raised_everywhere(ValueError, r"weights\[1\] is -2"):
        graph_of([0, 1], [1, 2], [1, -2] if last else [1, 2])
    with raised_everywhere(ValueError, r"weights\[1\] is nan"):
        graph_of([0, 1], [1, 2], [0.1, math.nan if last else 2])
    with raised_everywhere(ValueError, r"weights\[0\] is 1e\+39: 32 bits hold weights"):
        graph_of([0], [1], [1e39 if last else 0.1], exact=False)
    with raised_everywhere(ValueError, rf"weights\[0\] is {2**64 - 1}: distances are integers of 64 bits"):
        graph_of([0], [1], [2**64 - 1 if last else 2**60 + 1])
    g = graph_of([0, 1], [1, 2], [2**62 + 1, 2**62 + 1])
    with raised_everywhere(OverflowError, "go beyond"):
        g.sssp(0)
    assert whole(g.sssp(1))["distances"].tolist() == [2**62 + 1, 0, 2**62 + 1]
    with raised_everywhere(ValueError, "sweeps has no effect with 64-bit weights"):
        g.sssp(1, sweeps=False)


def test_names_that_are_not_utf8_are_errors_on_every_rank(tmp_path):
    for name, content, words in (
        (b"latin.txt", b"Bern Rome\nRome Z\xfcrich\n", r"latin\.txt' is not UTF-8: it has the label 'Z.*rich'"),
        (b"Z\xfcrich.txt", b"", r"Z.*rich\.txt' is empty|reason: rename it"),  # Python 3.10 loses the engine's message
    ):
        path = os.path.join(WORLD.bcast(os.fsencode(tmp_path)), name)
        if WORLD.rank == 0:
            pathlib.Path(os.fsdecode(path)).write_bytes(content)
        WORLD.barrier()
        with raised_everywhere(ValueError, words):
            breadth.DistributedGraph.read(os.fsdecode(path))


def test_errors_of_columns_and_files_are_raised_on_every_rank(tmp_path):
    last = WORLD.rank == WORLD.size - 1
    graph_of = breadth.DistributedGraph.from_edges
    with raised_everywhere(RuntimeError, "an error of its own"):
        graph_of(FailsAlone() if last else [0], [1])
    with raised_everywhere(ValueError, "differ in length: 2, 1"):
        graph_of([0, 1], [1] if last else [1, 2])
    with raised_everywhere(ValueError, "2 is not a vertex: there are 2"):
        graph_of([0, 1], [1, 2 if last else 1], vertices=2)
    with raised_everywhere(ValueError, "no vertices"):
        graph_of([], [])
    with raised_everywhere(TypeError, "all integers or all strings"):
        graph_of([0, "a"] if last else [0, 1], [1, 2])
    if WORLD.size > 1:
        with raised_everywhere(TypeError, "integers on some ranks and strings on others"):
            graph_of(["a"] if last else [1], ["b"] if last else [2])
        with raised_everywhere(ValueError, "some ranks give weights"):
            graph_of([1], [2], [1] if last else None)
        with raised_everywhere(ValueError, "integers on some ranks and floating-point numbers on others"):
            graph_of([1], [2], [1] if last else [0.5])
    with raised_everywhere(FileNotFoundError, "nowhere.txt"):
        breadth.DistributedGraph.read("nowhere.txt")
    path = WORLD.bcast(str(tmp_path / "bad.txt"))
    if WORLD.rank == 0:
        pathlib.Path(path).write_text("1 2\n3 4 5 6 7\n")
    WORLD.barrier()
    with raised_everywhere(ValueError, "bad.txt:2"):
        breadth.DistributedGraph.read(path)
    path = WORLD.bcast(str(tmp_path / "negative.wel"))
    if WORLD.rank == 0:
        pathlib.Path(path).write_text("1 2 0.5\n3 4 -1\n")
    WORLD.barrier()
    with raised_everywhere(ValueError, "negative.wel:2: weight '-1' is below 0"):
        breadth.DistributedGraph.read(path)
    g = graph_of([1, 5], [5, 9])
    for missing in (2, "1", "\ud800", 1.5, 10**30):
        with raised_everywhere(KeyError, "is not a vertex"):
            g.bfs(missing)
    with raised_everywhere(ValueError, "no weights"):
        g.sssp(1)
    with raised_everywhere(ValueError, "there is no option"):
        g.bfs(1, directon="push")
    with raised_everywhere(ValueError, "max_depth is -1"):
        g.bfs(1, max_depth=-1)
    with raised_everywhere(TypeError, "from_edges"):
        breadth.DistributedGraph()
    assert whole(g.bfs(1))["levels"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("ending", ["txt", "mtx"])
def test_files(ending, tmp_path):
    path = WORLD.bcast(str(tmp_path / os.fsdecode(b"Z\xfcrich.")) + ending)  # a path that is not UTF-8
    if WORLD.rank == 0:
        head = "%%MatrixMarket matrix coordinate real general\n5 5 3\n" if ending == "mtx" else ""
        pathlib.Path(path).write_text(f"{head}1 2 1.5\n2 4 2\n1 4 9\n")
    WORLD.barrier()
    g = breadth.DistributedGraph.read(path, directed=True)
    found = whole(g.sssp(1))
    assert found["labels"].tolist() == ([1, 2, 4] if ending == "txt" else [1, 2, 3, 4, 5])
    distances = dict(zip(found["labels"].tolist(), found["distances"].tolist(), strict=True))
    assert [distances[label] for label in (1, 2, 4)] == [0, 1.5, 3.5]
    assert g.sssp(1).path_to(4) == [1, 2, 4]
    components = whole(g.connected_components())["components"]
    assert components.tolist() == ([0, 0, 0] if ending == "txt" else [0, 0, 1, 0, 2])


@pytest.mark.parametrize("names", [list(range(40)), [f"v{i}" for i in range(40)]])
def test_gathers_in_pieces(monkeypatch, names):
    mine = range(WORLD.rank, 39, WORLD.size)
    g = breadth.DistributedGraph.from_edges([names[i] for i in mine], [names[i + 1] for i in mine])
    found = g.bfs(names[0])
    at_once = found.gather(root=WORLD.size - 1)
    monkeypatch.setattr("breadth._rank_results._GATHERED_AT_ONCE", 3 * WORLD.size)
    in_pieces = found.gather(root=WORLD.size - 1)
    assert (in_pieces is None) == (WORLD.rank != WORLD.size - 1)
    if in_pieces is not None:
        assert sorted(in_pieces["labels"].tolist()) == sorted(names)
        assert all(in_pieces[name].tolist() == column.tolist() for name, column in at_once.items())


def test_a_part_of_the_ranks():
    part = WORLD.Split(WORLD.rank % 2, WORLD.rank)
    g = breadth.DistributedGraph.from_edges([0, 1], [1, 2 + WORLD.rank % 2], comm=part)
    assert g.comm is part
    found = part.bcast(g.bfs(0).gather())
    assert found["labels"].tolist() == [0, 1, 2 + WORLD.rank % 2]
    assert found["levels"].tolist() == [0, 1, 2]
    del g
    gc.collect()
    part.Free()


@pytest.mark.parametrize("seed", [1, 2])
def test_ranks_drop_graphs_at_different_times(seed):
    """Searches whose memory the ranks share, which MPI frees only on all ranks together."""
    for name in ("shared", "subgroups"):
        kept = [breadth.DistributedGraph.kronecker(7, seed=seed + i, weighted=True) for i in range(3)]
        reached = [g.bfs(3, replicate=name).reached + g.sssp(3).reached for g in kept]
        order = random.Random(WORLD.rank + seed).sample(range(3), 3)
        kept[order[0]] = None
        if WORLD.rank == 0:
            kept[order[1]] = None
        g = breadth.DistributedGraph.kronecker(7, seed=seed + 2, weighted=True)
        assert g.bfs(3, replicate=name).reached + g.sssp(3).reached == reached[2]
        for place in order:
            kept[place] = None
        assert g.bfs(3, replicate=name).reached + g.sssp(3, replicate="leader").reached == reached[2]


def test_graphs_of_one_process_need_no_other_rank():
    if WORLD.rank == 0:
        assert breadth.Graph.from_edges([0, 1], [1, 2]).bfs(0).levels.tolist() == [0, 1, 2]


@pytest.mark.skipif(WORLD.size > 1, reason="they show what one rank has that is alone")
@pytest.mark.parametrize("name", examples.OF_RANKS)
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert examples.failures_of(name) == ""


def test_the_page():
    """Runs the example of docs/cluster.md."""
    (example,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/cluster.md").read_text(), re.DOTALL | re.MULTILINE)
    printed = []
    exec(example, {"print": lambda *words: printed.append(" ".join(map(str, words)))})
    expected = re.findall(r"# prints (.*)", example)
    assert printed == (expected if WORLD.rank == 0 else [])
    assert expected
