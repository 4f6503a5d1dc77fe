"""Writes graph files in every format that the program reads, and reads the results that it writes."""

import ast
import csv
import dataclasses
import gzip
import random as random_numbers
import struct
import zlib

from .oracle import rounded

TEXT = [".txt", ".el", ".wel", ".edges", ".edgelist", ".csv", ".tsv"]
TABLES = (".csv", ".tsv")


@dataclasses.dataclass
class FileShape:
    """How the graph is written. `style` is a seed for details without meaning: separators, comments, line ends."""

    ending: str = ".txt"  # with .gz or .zst
    by: str = ""  # for a .breadth file: the ending of the file that it is converted from
    style: int = 0  # 0: one blank, no comments
    rows: int = 0  # for a matrix or METIS file, in which every row is a vertex
    symmetric: bool = False  # for a matrix

    @property
    def written(self):
        return self.by or self.ending

    @property
    def has_rows(self):
        """Whether vertices are 1, 2, 3, ..."""
        return ".mtx" in self.written or self.simple

    @property
    def undirected(self):
        """Whether the file declares that edges have no direction, so that --directed is refused."""
        return self.simple or (".mtx" in self.written and self.symmetric)

    @property
    def simple(self):
        """Whether the format has only edges between two different vertices, once, with whole weights of at least 1."""
        return ".metis" in self.written


def encoded(text):
    return text.encode("utf-8", "surrogateescape")


def weight_text(weight):
    return f"{weight:.9g}"


def edge_lines(edges, style, separators):
    """The lines of an edge list, in one of the ways that the format allows. Several separators stand side by side."""
    random = random_numbers.Random(style)
    comments = style != 0 and random.random() < 0.3
    blanks = style != 0 and random.random() < 0.2
    end = "\r\n" if style != 0 and random.random() < 0.2 else "\n"
    for source, target, weight in edges:
        if comments and random.random() < 0.2:
            yield random.choice(["# 1 2 3", "%", "", "  ", "\t# x"]) + end
        words = [str(source), str(target)] + ([] if weight is None else [weight_text(weight)])
        line = words[0]
        for word in words[1:]:
            line += random.choice(separators) + word
        if blanks:
            line = random.choice(["", " "]) + line + random.choice(["", " "])
        yield line + end


def text_separators(shape):
    """Separators between columns. In a table, all have the character that separates its columns, or none has it."""
    if shape.style == 0:
        return [" "]
    mark = {".csv": ",", ".tsv": "\t"}.get(shape.written[:4])
    choices = [[" "], ["\t"], [","], [" ", "\t", ", ", "  ", " ,\t"]]
    if mark:
        choices = [[mark], [mark, f" {mark}", f"{mark}  "], [" ", "  "]]
    return random_numbers.Random(shape.style + 2).choice(choices)


def text_bytes(edges, shape):
    random = random_numbers.Random(shape.style + 1)
    separators = text_separators(shape)
    data = encoded("".join(edge_lines(edges, shape.style, separators)))
    if shape.style == 0 or not edges:
        return data
    numbers = isinstance(edges[0][0], int)
    if shape.written.startswith(TABLES) and numbers and random.random() < 0.4:
        names = ["source", "target"] if edges[0][2] is None else ["source", "target", "weight"]
        data = encoded(separators[0].join(names)) + b"\n" + data
    if random.random() < 0.2:
        data = data.rstrip(b"\r\n")
    if random.random() < 0.05:
        data = b"\xef\xbb\xbf" + data
    return data


def matrix_bytes(edges, shape):
    weights = [weight for _, _, weight in edges]
    field = "pattern" if not edges or weights[0] is None else "real"
    if field == "real" and all(weight.is_integer() and weight < 1e6 for weight in weights) and shape.style % 2:
        field = "integer"
    symmetry = "symmetric" if shape.symmetric else "general"
    head = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n% of a soak\n{shape.rows} {shape.rows} {len(edges)}\n"
    return head.encode() + b"".join(map(encoded, edge_lines(edges, 0, [" "])))


def metis_bytes(edges, shape):
    random = random_numbers.Random(shape.style)
    weighted = bool(edges) and edges[0][2] is not None
    rows = [[] for _ in range(shape.rows)]
    for source, target, weight in edges:
        for here, there in ((source, target), (target, source)):
            rows[here - 1].append(f"{there} {weight:.0f}" if weighted else str(there))
    lines = [f"{shape.rows} {len(edges)}" + random.choice([" 1", " 001"] if weighted else ["", " 0", " 000"])]
    for row in rows:
        random.shuffle(row)
        lines += ["% of a soak"] if shape.style and random.random() < 0.1 else []
        lines.append(" ".join(row))
    return "".join(line + "\n" for line in lines).encode()


def packed_bytes(edges):
    def halves(name):
        return name & 0xFFFFFFFF, name >> 32

    data = bytearray()
    for source, target, _ in edges:
        (low, high), (other_low, other_high) = halves(source), halves(target)
        data += struct.pack("<IIHH", low, other_low, high, other_high)
    return bytes(data)


def zstd_frame(data):
    """A Zstandard frame of uncompressed blocks, which needs no library."""
    frame = struct.pack("<IBI", 0xFD2FB528, 0xA0, len(data))
    pieces = [data[at : at + (1 << 17)] for at in range(0, len(data), 1 << 17)] or [b""]
    for i, piece in enumerate(pieces):
        last = i == len(pieces) - 1
        frame += struct.pack("<I", len(piece) << 3 | last)[:3] + piece
    return frame


def compressed(data, shape):
    cut = zlib.crc32(data) % (len(data) + 1) if shape.style % 2 else 0  # where two members or frames meet; 0: only one
    if shape.written.endswith(".gz"):
        return (gzip.compress(data[:cut], mtime=0) if cut else b"") + gzip.compress(data[cut:], mtime=0)
    if shape.written.endswith(".zst"):
        return (zstd_frame(data[:cut]) if cut else b"") + zstd_frame(data[cut:])
    return data


def write_graph(folder, edges, shape):
    """Writes the graph and returns the name of its file, from which a .breadth file has yet to be converted."""
    name = "graph" + shape.written
    if ".g500" in shape.written:
        data = packed_bytes(edges)
        if edges and edges[0][2] is not None:
            weights = [weight for _, _, weight in edges]
            (folder / f"{name}.weights").write_bytes(struct.pack(f"<{len(weights)}f", *weights))
    elif ".mtx" in shape.written:
        data = compressed(matrix_bytes(edges, shape), shape)
    elif shape.simple:
        data = compressed(metis_bytes(edges, shape), shape)
    else:
        data = compressed(text_bytes(edges, shape), shape)
    (folder / name).write_bytes(data)
    return name


def read_npy(path):
    """The rows of an array as tuples, and the names of its columns. A single column without a name is called ""."""
    data = path.read_bytes()
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError(f"{path.name} does not start as an array does")
    (size,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10 : 10 + size].decode())
    letters = {"<i8": "q", "<i4": "i", "<f4": "f"}
    columns = header["descr"] if isinstance(header["descr"], list) else [("", header["descr"])]
    layout = struct.Struct("<" + "".join(letters[kind] for _, kind in columns))
    rows = list(layout.iter_unpack(data[10 + size :]))
    if header["shape"] != (len(rows),) or header["fortran_order"]:
        raise ValueError(f"{path.name} has {len(rows)} rows and says {header['shape']}")
    return rows, [name for name, _ in columns]


def read_result(path, words):
    """Reads the file of --output: result[vertex][column]. Vertices are words if `words` is set, else numbers."""
    if path.suffix == ".npy":
        return npy_result(path, words)
    lines = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    columns = lines[0].removeprefix("# ").split(" ")
    if lines.pop() != "" or columns[0] != "label":
        raise ValueError(f"{path.name} is no table")
    result = {}
    for row in csv.reader(lines[1:], delimiter=" ", strict=True):  # names may be in quotes
        values = dict(zip(columns, row, strict=True))
        for name, value in values.items():
            if name == "distance":
                values[name] = rounded(float(value))
            elif name in ("level", "component") or not words:
                values[name] = int(value)
            elif name == "parent" and value == "-1":
                values[name] = -1
        add_row(result, values.pop("label"), values, path)
    return result


def npy_result(path, words):
    rows, columns = read_npy(path)
    if words:
        text = path.with_suffix(".labels.txt").read_bytes().decode("utf-8", "surrogateescape")
        labels = text.split("\n")[:-1]
    else:
        labels = [label for (label,) in read_npy(path.with_suffix(".labels.npy"))[0]]
    result = {}
    for label, row in zip(labels, rows, strict=True):
        values = dict(zip(columns, row, strict=True))
        if words and values.get("parent", -1) != -1:
            values["parent"] = labels[values["parent"]]
        add_row(result, label, values, path)
    return result


def add_row(result, label, values, path):
    if label in result:
        raise ValueError(f"{path.name} has {label!r} twice")
    result[label] = values
