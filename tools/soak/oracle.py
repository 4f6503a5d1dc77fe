"""The results that searches must have, by the plainest algorithms. Nothing here depends on how the engine works.

An edge is (source, target, weight); names are numbers or words, and weights are None or floats of 32 bits.
"""

import heapq
import itertools
import math
import struct

INFINITY = math.inf


def rounded(value):
    """A number rounded to a float of 32 bits; infinity if it is too large for one."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(INFINITY, value)


def neighbours_of(edges, directed):
    """The weights of the edges between two vertices: neighbours[vertex][neighbour]."""
    neighbours = {}
    for source, target, weight in edges:
        neighbours.setdefault(source, {}).setdefault(target, set()).add(weight)
        backward = neighbours.setdefault(target, {})
        if not directed:
            backward.setdefault(source, set()).add(weight)
    return neighbours


def levels_from(neighbours, source, deepest=INFINITY):
    """The level of each reached vertex: how many edges it is away from the source."""
    levels = {source: 0}
    frontier = [source]
    depth = 0
    while frontier and depth < deepest:
        depth += 1
        found = []
        for vertex in frontier:
            for other in neighbours.get(vertex, ()):
                if other not in levels:
                    levels[other] = depth
                    found.append(other)
        frontier = found
    return levels


def components_of(neighbours, vertices):
    """The vertices of each component, the weakly connected ones if edges lead one way."""
    both_ways = {vertex: set(neighbours.get(vertex, ())) for vertex in vertices}
    for vertex, others in neighbours.items():
        for other in others:
            both_ways[other].add(vertex)
    components = []
    left = set(vertices)
    while left:
        component = set(levels_from(both_ways, left.pop()))
        left -= component
        components.append(component)
    return components


def distances_from(neighbours, source, farthest=INFINITY):
    """The distance of each reached vertex, by Dijkstra's algorithm, with each sum rounded to 32 bits."""
    distances = {source: 0.0}
    settled = set()
    waiting = [(0.0, 0, source)]
    order = 0  # so that equal distances never compare names
    while waiting:
        distance, _, vertex = heapq.heappop(waiting)
        if vertex in settled:
            continue
        settled.add(vertex)
        for other, weights in neighbours.get(vertex, {}).items():
            length = rounded(distance + min(weights))
            if length <= farthest and length < distances.get(other, INFINITY):
                distances[other] = length
                order += 1
                heapq.heappush(waiting, (length, order, other))
    return distances


def overflows(neighbours, distances):
    """Whether a vertex is unreached only because the distances to it do not fit 32 bits."""
    return any(
        other not in distances and rounded(distance + min(weights)) == INFINITY
        for vertex, distance in distances.items()
        for other, weights in neighbours.get(vertex, {}).items()
    )


def tree_problem(neighbours, source, values, parents, step):
    """What is wrong with a tree of parents, or None. `values` are the levels or distances of its reached vertices.
    step(value, weight) is the value at the end of an edge of this weight, from a vertex with this value."""
    if parents.get(source) != source:
        return f"the source {source!r} has parent {parents.get(source)!r}, not itself"
    for vertex, value in values.items():
        parent = parents.get(vertex)
        if vertex == source:
            continue
        if parent not in values:
            return f"the parent {parent!r} of {vertex!r} is not reached"
        weights = neighbours[parent].get(vertex, ())
        if not weights:
            return f"there is no edge from {parent!r} to {vertex!r}, whose parent it is"
        if value not in [step(values[parent], weight) for weight in weights]:
            return f"{vertex!r} is at {value}, its parent {parent!r} at {values[parent]}, with edges of {weights}"
    return circle_problem(source, values, parents)


def circle_problem(source, values, parents):
    """What is wrong if a vertex's parents never lead to the source, or None. Weights of zero make circles possible."""
    leads = {source}
    for vertex in values:
        way = []
        at = vertex
        while at not in leads:
            way.append(at)
            at = parents[at]
            if len(way) > len(values):
                return f"the parents of {vertex!r} never lead to the source"
        leads.update(way)
    return None


def path_problem(neighbours, path, ends, value, step):
    """What is wrong with a path whose length must be `value`, or None. `ends` are its source and its target."""
    source, target = ends
    if not path or path[0] != source or path[-1] != target:
        return f"the path {path} does not lead from {source!r} to {target!r}"
    lengths = {0}
    for vertex, other in itertools.pairwise(path):
        weights = neighbours.get(vertex, {}).get(other, ())
        lengths = {step(length, weight) for length in lengths for weight in weights}
        if not lengths:
            return f"the path has no edge from {vertex!r} to {other!r}"
    return None if value in lengths else f"the path {path} is {sorted(lengths)} long, not {value}"


def traversed_edges(edges, reached):
    """The number of edge tuples with both ends reached, as the benchmark counts them."""
    return sum(source in reached and target in reached for source, target, _ in edges)
