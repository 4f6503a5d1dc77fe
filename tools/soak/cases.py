"""One case: a graph, the shape of its file, a search on it, and the options, ranks and threads of the run."""

import dataclasses
import json

from . import graphs
from .catalogue import FILES
from .files import TEXT, FileShape, write_graph
from .oracle import rounded

REPORT = "report.json"


@dataclasses.dataclass
class Case:
    command: str
    edges: list = dataclasses.field(default_factory=list)  # (source, target, weight or None)
    shape: FileShape = dataclasses.field(default_factory=FileShape)
    generated: bool = False  # graph500 makes the graph itself
    directed: bool = False
    source: object = None
    target: object = None  # None: no --target
    limit: object = None  # --max-depth or --max-distance
    output: str = ".txt"  # ending of the result's file; empty: no file
    report: bool = False  # --json
    options: dict = dataclasses.field(default_factory=dict)  # values as texts, by name
    places: dict = dataclasses.field(default_factory=dict)  # "variable" or "file" by name; else command line
    files: dict = dataclasses.field(default_factory=dict)  # contents of the options' files, by option
    ranks: int = 1
    threads: int = 1

    @property
    def graph_name(self):
        return "graph" + self.shape.ending

    @property
    def words_for_names(self):
        return any(isinstance(name, str) for edge in self.edges for name in edge[:2])

    @property
    def weighted(self):
        return bool(self.edges) and self.edges[0][2] is not None

    @property
    def leads_one_way(self):
        return self.directed or (".mtx" in self.shape.written and not self.shape.symmetric)

    @property
    def vertices(self):
        if self.shape.has_rows:
            return set(range(1, self.shape.rows + 1))
        return {name for edge in self.edges for name in edge[:2]}

    def words(self):
        """The words after `breadth`."""
        words = [self.command]
        if self.command != "graph500":
            words.append(self.graph_name)
            words += [f"--source={self.source}"] if self.source is not None else []
            words += [f"--target={self.target}"] if self.target is not None else []
            words += [f"--output=out{self.output}"] if self.output else []
            words += ["--directed"] if self.directed else []
            if self.limit is not None:
                words.append(f"--max-{'depth' if self.command == 'bfs' else 'distance'}={self.limit}")
        elif not self.generated:
            words.append(f"--input={self.graph_name}")
        words += [f"--json={REPORT}"] if self.report else []
        for name, text in self.options.items():
            if name not in self.places:
                words.append(f"--{name}={text}")
        if "file" in self.places.values():
            words.append("--config=options.toml")
        return [*words, f"--threads={self.threads}"]

    def variables(self):
        """The environment variables that set options."""
        return {
            "BREADTH_" + name.upper().replace("-", "_"): self.options[name]
            for name, place in self.places.items()
            if place == "variable"
        }

    def write(self, folder):
        """Writes the files that the program reads. Returns the name of the graph's file, or "" if there is none."""
        lines = [f'{name} = "{self.options[name]}"\n' for name, place in self.places.items() if place == "file"]
        if lines:
            (folder / "options.toml").write_text("".join(lines))
        for name, content in self.files.items():
            (folder / f"{name}.txt").write_text(content)
        return "" if self.generated else write_graph(folder, self.edges, self.shape)

    def to_json(self):
        return json.dumps(dataclasses.asdict(self), indent=1)

    @classmethod
    def from_json(cls, text):
        values = json.loads(text)
        values["edges"] = [tuple(edge) for edge in values["edges"]]
        values["shape"] = FileShape(**values["shape"])
        return cls(**values)

    def set_options(self, options, random):
        """Sets the options of the case, with their places and the files that they name."""
        self.options = options
        self.places = {name: place for name, place in self.places.items() if name in options}
        self.files = {
            name: self.files.get(name) or FILES[name](random, self.ranks) for name in options if name in FILES
        }


def draw_shape(random):
    style = 0 if random.random() < 0.3 else random.randrange(1, 1 << 30)
    ending = random.choice([*TEXT, ".mtx", ".mtx", ".metis", ".metis", ".g500", ".g500", ".breadth", ".breadth"])
    by = random.choice([".txt", ".txt", ".csv", ".mtx", ".metis", ".g500", ".txt.gz"]) if ending == ".breadth" else ""
    if ending in (*TEXT, ".mtx", ".metis") and random.random() < 0.25:
        ending += random.choice([".gz", ".zst"])
    return FileShape(ending, by, style, symmetric=random.random() < 0.5)


def draw_names(random, shape, pairs):
    """Draws the names of the vertices, by their numbers."""
    count = 1 + max((max(pair) for pair in pairs), default=-1)
    if shape.has_rows:
        shape.rows = max(1, count + random.choice([0, 0, 1, 5, 70]))
        return [row + 1 for row in random.sample(range(shape.rows), count)]
    if shape.written == ".g500":
        return graphs.integer_names(random, count, random.choice(["dense", "gaps"]))
    kind = random.choice(["dense", "dense", "offset", "gaps", "large", "signed", "words", "words"])
    if kind != "words":
        return graphs.integer_names(random, count, kind)
    names = graphs.word_names(random, count, plain=shape.written.startswith((".csv", ".tsv")))
    sources = {source for source, _ in pairs}
    for vertex, odd in zip((v for v in range(count) if v not in sources), graphs.ONLY_SECOND, strict=False):
        if random.random() < 0.1:
            names[vertex] = odd
    if pairs and all(names[vertex].isdigit() for vertex in pairs[0]):
        names[pairs[0][0]] = "first"
    return names


def draw_graph(random, case, weights):
    pairs = graphs.draw_pairs(random)
    case.shape = draw_shape(random)
    names = draw_names(random, case.shape, pairs)
    drawn = graphs.draw_weights(random, len(pairs), random.choice(weights)) if weights else [None] * len(pairs)
    case.edges = [(names[a], names[b], weight) for (a, b), weight in zip(pairs, drawn, strict=True)]
    if case.shape.simple:
        case.edges = simple_edges(case.edges)


def simple_edges(edges):
    """The first edge between any two vertices, with a whole weight."""
    first = {}
    for source, target, weight in edges:
        if source != target:
            whole = None if weight is None else float(max(1, min(round(weight), 1 << 20)))
            first.setdefault(frozenset((source, target)), (source, target, whole))
    return list(first.values())


def draw_output(random, case):
    case.output = random.choice([".txt", ".txt", ".npy"])
    case.report = random.random() < 0.3


def draw_search(random, case):
    """Draws the source, the target and the limit of a bfs or sssp search."""
    vertices = sorted(case.vertices, key=str)
    connected = [edge[0] for edge in case.edges] or vertices
    case.source = random.choice(connected if random.random() < 0.8 else vertices) if vertices else 0
    if random.random() < 0.02:
        case.source = "nobody" if case.words_for_names else 123456789012345678
    if vertices and random.random() < 0.5:
        case.target = random.choice(vertices)
    if random.random() < 0.15:
        deep = random.choice([0, 1, 1, 2, 3, 10])
        case.limit = deep if case.command == "bfs" else rounded(deep * random.choice([0.3, 1.0, 1e10]))
    case.directed = random.random() < 0.3 and not case.shape.undirected


def draw_case(random, catalogue, most_ranks):
    command = random.choices(*zip(*catalogue.shares(), strict=True))[0]
    case = Case(command)
    if command == "graph500":
        case.report = True
        case.generated = random.random() < 0.5
        kinds = ["ones", "whole", "unit", "zeros", "ties"]
    else:
        kinds = list(graphs.WEIGHTS)
    if not case.generated:
        draw_graph(random, case, kinds if command == "sssp" or random.random() < 0.4 else [])
    if command in ("bfs", "sssp"):
        draw_search(random, case)
    if command != "graph500":
        draw_output(random, case)
    case.threads = random.choice([1, 1, 2, 3])
    if random.random() < 0.35:
        case.ranks = random.randint(1, most_ranks)
    options = catalogue.draw_options(random, command)
    if command == "graph500":  # the default keys take long, and only a generated graph has a scale
        options["keys"] = catalogue.draw_value(random, command, "keys")
        options.pop("scale", None)
    if case.generated:
        options["scale"] = catalogue.draw_value(random, command, "scale")
    for name in options:
        if random.random() < 0.1:
            case.places[name] = random.choice(["variable", "file"])
    case.set_options(options, random)
    return case
