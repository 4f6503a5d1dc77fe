"""Plain searches that share no code with the engine, and graphs to search."""

from __future__ import annotations

import heapq
import random
from collections import deque


def neighbours(n, edges, directed=False):
    rows = [[] for _ in range(n)]
    for edge in edges:
        weight = edge[2] if len(edge) > 2 else 1
        rows[edge[0]].append((edge[1], weight))
        if not directed:
            rows[edge[1]].append((edge[0], weight))
    return rows


def levels(n, edges, sources, directed=False, max_depth=None):
    rows = neighbours(n, edges, directed)
    found = [-1] * n
    for source in sources:
        found[source] = 0
    queue = deque(sources)
    while queue:
        vertex = queue.popleft()
        if max_depth is not None and found[vertex] == max_depth:
            continue
        for neighbour, _ in rows[vertex]:
            if found[neighbour] < 0:
                found[neighbour] = found[vertex] + 1
                queue.append(neighbour)
    return found


def distances(n, edges, source, directed=False):
    rows = neighbours(n, edges, directed)
    found = [float("inf")] * n
    found[source] = 0
    heap = [(0, source)]
    while heap:
        distance, vertex = heapq.heappop(heap)
        if distance > found[vertex]:
            continue
        for neighbour, weight in rows[vertex]:
            if distance + weight < found[neighbour]:
                found[neighbour] = distance + weight
                heapq.heappush(heap, (distance + weight, neighbour))
    return found


def components(n, edges):
    """Returns the components, numbered in the order of their first vertices."""
    rows = neighbours(n, edges)
    found = [-1] * n
    count = 0
    for start in range(n):
        if found[start] >= 0:
            continue
        stack = [start]
        found[start] = count
        while stack:
            for neighbour, _ in rows[stack.pop()]:
                if found[neighbour] < 0:
                    found[neighbour] = count
                    stack.append(neighbour)
        count += 1
    return found


def random_edges(n, m, seed, weights=0):
    draw = random.Random(seed)
    ends = [(draw.randrange(n), draw.randrange(n)) for _ in range(m)]
    return [(*end, draw.randint(0, weights)) for end in ends] if weights else ends


def grid_edges(rows, columns):
    right = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    below = [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]
    return right + below


def kronecker_edges(scale, edgefactor, seed):
    """Returns edges of the benchmark's kind, but not the same edges."""
    draw = random.Random(seed)
    edges = []
    for _ in range(edgefactor << scale):
        source = target = 0
        for _ in range(scale):
            down, right = draw.choices(((0, 0), (0, 1), (1, 0), (1, 1)), (57, 19, 19, 5))[0]
            source, target = 2 * source + down, 2 * target + right
        edges.append((source, target))
    return edges


GRAPHS = {
    "one vertex": (1, []),
    "only a self-loop": (1, [(0, 0)]),
    "isolated": (5, []),
    "one edge": (2, [(0, 1)]),
    "duplicates and self-loops": (4, [(0, 1), (1, 0), (0, 1), (2, 2), (1, 2)]),
    "path": (300, [(i, i + 1) for i in range(299)]),
    "star": (200, [(0, i) for i in range(1, 200)]),
    "grid": (30 * 17, grid_edges(30, 17)),
    "sparse": (400, random_edges(400, 250, 1)),
    "random": (300, random_edges(300, 1500, 2)),
    "kronecker": (1 << 10, kronecker_edges(10, 8, 3)),
}
