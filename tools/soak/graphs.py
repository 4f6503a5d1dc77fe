"""Random graphs: edges between vertices numbered from 0, names for the vertices, and weights for the edges."""

from .oracle import rounded

WORDS = {
    *("a", "b", "alice", "ü", "名前", "é", "e\u0301", "🙂", "x=1", '"q"', "it's", ";", "|", "&", "$HOME", "`ls`", "*"),
    *("[1]", "(2)", "<tag>", "{json}", "\\n", "~", "^", "?", "!", "@", "-", "--", "+", ".", "a#b", "a%b"),
    *("--source", "-x", "1e5", "0x10", "1.5", "nan", "inf", "007x", "1_000", "00", "12", "3"),
}
ONLY_SECOND = ["#", "#b", "%", "%%MatrixMarket"]  # these would start a comment as the first word of a line


def empty(random):
    return []


def one_edge(random):
    return [(0, 1)]


def only_loops(random):
    return [(vertex, vertex) for vertex in range(random.randint(1, 5)) for _ in range(random.randint(1, 3))]


def only_duplicates(random):
    return [random.choice([(0, 1), (1, 0)]) for _ in range(random.randint(2, 40))]


def kronecker(random, edges):
    scale = random.randint(2, 12)
    pairs = []
    for _ in range(edges):
        source = target = 0
        for _ in range(scale):
            quadrant = random.choices(((0, 0), (0, 1), (1, 0), (1, 1)), (57, 19, 19, 5))[0]
            source, target = 2 * source + quadrant[0], 2 * target + quadrant[1]
        pairs.append((source, target))
    return pairs


def uniform(random, edges):
    vertices = max(1, int(edges * random.choice([0.1, 0.5, 1, 2])))
    return [(random.randrange(vertices), random.randrange(vertices)) for _ in range(edges)]


def multigraph(random, edges):
    vertices = random.randint(1, 6)
    return [(random.randrange(vertices), random.randrange(vertices)) for _ in range(edges)]


def grid(random, edges):
    width = random.randint(1, max(1, int(edges**0.5)))
    vertices = max(2, edges // 2)
    along = [(v, v + 1) for v in range(vertices - 1) if (v + 1) % width]
    return along + [(v, v + width) for v in range(vertices - width)]


def path(random, edges):
    return [(v, v + 1) if random.random() < 0.9 else (v + 1, v) for v in range(edges)]


def circle(random, edges):
    return [(v, (v + 1) % edges) for v in range(edges)]


def star(random, edges):
    inward = random.random() < 0.3
    return [(v, 0) if inward else (0, v) for v in range(1, edges + 1)]


def hubs(random, edges):
    """A few vertices with most of the edges, and leaves."""
    centres = random.randint(1, 5)
    vertices = centres + max(1, edges // 2)
    return [(random.randrange(centres), random.randrange(vertices)) for _ in range(edges)]


def tree(random, edges):
    return [(random.randrange(v), v) for v in range(1, edges + 1)]


def complete(random, edges):
    vertices = max(2, int((2 * edges) ** 0.5))
    return [(a, b) for a in range(vertices) for b in range(a)]


LARGE = [kronecker, uniform, grid, path, circle, star, hubs, tree, complete, multigraph]
DEGENERATE = [empty, one_edge, only_loops, only_duplicates]


def islands(random, edges):
    """Several graphs that are not connected with each other."""
    pairs = []
    first = 0
    while len(pairs) < edges:
        piece = random.choice(LARGE)(random, random.randint(1, max(2, edges // 4)))
        pairs += [(first + source, first + target) for source, target in piece]
        first = 1 + max((max(pair) for pair in pairs), default=-1)
    return pairs


def draw_pairs(random):
    """Draws the edges of a graph, as pairs of vertex numbers."""
    if random.random() < 0.06:
        return random.choice(DEGENERATE)(random)
    edges = int(2 ** random.choices([random.uniform(1, 6), random.uniform(5, 9), random.uniform(9, 13)], (5, 4, 1))[0])
    pairs = random.choice([*LARGE, islands])(random, edges)
    if random.random() < 0.3:  # adds loops and duplicates to any graph
        pairs += [random.choice([(a, b), (b, a), (a, a)]) for a, b in random.choices(pairs, k=len(pairs) // 8 + 1)]
    if random.random() < 0.5:
        random.shuffle(pairs)
    return pairs


def integer_names(random, count, kind):
    """Draws `count` different numbers, none of them -1, which stands for no vertex in results."""
    match kind:
        case "dense":
            names = list(range(count))
        case "offset":
            first = random.choice([1, 7, 1 << 20, 1 << 47, (1 << 63) - 1 - count])
            names = list(range(first, first + count))
        case "gaps":
            names = random.sample(range(10 * count + 5), count)
        case "large":
            numbers = {(1 << 63) - 1, 0}
            while len(numbers) < count:
                numbers.add(int(2 ** random.uniform(0, 63)) % (1 << 63))
            names = list(numbers)[:count]
        case "signed":
            numbers = {-(1 << 63)}
            while len(numbers) < count:
                numbers.add(random.choice([-1, 1]) * int(2 ** random.uniform(1, 50)) % (1 << 62) - 5)
            names = [name for name in numbers if name != -1]
            names += [1 << 62] * (count - len(names))
    if random.random() < 0.7:
        random.shuffle(names)
    return names


def word_names(random, count, plain):
    """Draws `count` different words. `plain` words cannot be taken for names of columns or for numbers."""
    names = {}
    if not plain:
        names = dict.fromkeys(random.sample(sorted(WORDS), min(count, random.randint(0, len(WORDS)))))
        if random.random() < 0.1:
            names["\udcff\udc80raw"] = None  # bytes that are not UTF-8
        if random.random() < 0.1:
            names["long" * random.choice([20, 250])] = None
    while len(names) < count:
        names[f"{random.choice(['v', 'name', 'Ünit'])}{random.choice(['', '-', ':', '.'])}{len(names)}"] = None
    names = list(names)[:count]
    random.shuffle(names)
    return names


WEIGHTS = {
    "ones": lambda random: 1.0,
    "whole": lambda random: float(random.randint(0, 9)),
    "unit": lambda random: random.random(),
    "zeros": lambda random: random.choice([0.0, 0.0, 1.0, random.random()]),
    "ties": lambda random: random.choice([0.25, 0.5, 0.5]),
    "tiny": lambda random: 2.0 ** -random.randint(100, 149),
    "mixed": lambda random: random.random() * 2.0 ** random.randint(-60, 60),
    "large": lambda random: random.random() * 3e38,
}


def draw_weights(random, count, kind):
    return [rounded(WEIGHTS[kind](random)) for _ in range(count)]
