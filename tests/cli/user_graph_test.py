"""The commands on a user's own graphs: results with the user's names, and one clear message for what cannot be done.

Usage: user_graph_test.py PROGRAM [LAUNCHER WORD...]
"""

import gzip
import itertools
import json
import os
import struct
import subprocess
import unittest
from random import Random

from program_case import LAUNCHER, PROGRAM, ProgramTest, environment, main, values_of

GRAPH = """# a path with a triangle, a loop and a component of its own
10 20
20,30
30\t40
% another comment
40 20
77 77
500 501
"""


class UserGraph(ProgramTest):
    def table(self, name):
        """Returns the rows of a text result: label -> (parent, level)."""
        lines = (self.folder / name).read_text().splitlines()
        self.assertTrue(lines[0].startswith("#"))
        rows = [line.split() for line in lines if not line.startswith("#")]
        return {label: (parent, int(level)) for label, parent, level in rows}

    def test_searches_and_names_the_way(self):
        self.write("graph.txt", GRAPH)
        values = values_of(
            self.succeed("bfs", "graph.txt", "--source", "10", "--target", "40", "--output", "out.txt").stdout
        )
        self.assertEqual((values["reached"], values["levels"], values["vertices"]), ("4", "3", "7"))
        self.assertEqual((values["distance"], values["path"]), ("2", "10 20 40"))
        self.assertEqual(
            self.table("out.txt"),
            {
                "10": ("10", 0),
                "20": ("10", 1),
                "30": ("20", 2),
                "40": ("20", 2),
                "77": ("-1", -1),
                "500": ("-1", -1),
                "501": ("-1", -1),
            },
        )
        self.assertGreater(float(values["seconds"]), 0)

    def test_numbers_the_components_of_a_graph(self):
        self.write("graph.txt", GRAPH)
        values = values_of(self.succeed("components", "graph.txt", "--output", "out.txt", "--json", "r.json").stdout)
        self.assertEqual((values["components"], values["largest"], values["vertices"]), ("3", "4", "7"))
        rows = dict(line.split() for line in (self.folder / "out.txt").read_text().splitlines()[1:])
        self.assertEqual(rows, {"10": "0", "20": "0", "30": "0", "40": "0", "77": "1", "500": "2", "501": "2"})
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((report["components"], report["largest"], report["graph"]["vertices"]), (3, 4, 7))
        self.assertGreater(report["seconds"], 0)

    def test_finds_the_components_of_random_graphs(self):
        for seed in range(4):
            random = Random(seed)
            count = random.choice((1, 30, 400))
            edges = [(random.randrange(count), random.randrange(count)) for _ in range(random.randrange(1, count + 1))]
            self.write("graph.csv", "source,target\n" + "".join(f"v{a},v{b}\n" for a, b in edges))
            self.succeed("convert", "graph.csv", "graph.breadth", "--directed")
            first: dict[int, int] = {}

            def root(vertex, first=first):
                while first.setdefault(vertex, vertex) != vertex:
                    vertex = first[vertex]
                return vertex

            for a, b in edges:
                first[root(a)] = root(b)
            groups: dict[int, set[str]] = {}
            for vertex in list(first):
                groups.setdefault(root(vertex), set()).add(f"v{vertex}")
            for name in ("graph.csv", "graph.breadth"):
                values = values_of(self.succeed("components", name, "--output", "out.txt").stdout)
                found: dict[str, set[str]] = {}
                for line in (self.folder / "out.txt").read_text().splitlines()[1:]:
                    label, component = line.split()
                    found.setdefault(component, set()).add(label)
                self.assertCountEqual(found.values(), groups.values(), seed)
                self.assertEqual(values["components"], str(len(groups)))
                self.assertEqual(values["largest"], str(max(map(len, groups.values()))))
                self.assertEqual(sorted(found, key=int), [str(i) for i in range(len(groups))])

    def test_tables_have_quotes(self):
        self.write("graph.csv", '"from","to",hours\nNew York,Boston,1.25\n"San Jose, CA",New York,"5.5"\n')
        names = ["graph.csv", "graph.tsv", "graph.breadth", "again.csv"]
        for name, copy in itertools.pairwise(names):
            self.succeed("convert", name, copy)
        written = (self.folder / "again.csv").read_text()
        self.assertEqual(written, 'New York,Boston,1.25\n"San Jose, CA",New York,5.5\n')
        for name in names:
            self.assertEqual(values_of(self.succeed("info", name).stdout)["labels"], "3")
            words = ["bfs", name, "--source", "Boston", "--target", "San Jose, CA", "--output", "out.txt"]
            self.assertEqual(values_of(self.succeed(*words).stdout)["path"], 'Boston "New York" "San Jose, CA"')
            rows = (self.folder / "out.txt").read_text().splitlines()[1:]
            self.assertEqual(rows, ["Boston Boston 0", '"New York" Boston 1', '"San Jose, CA" "New York" 2'])
        self.fail_with(["convert", "graph.csv", "graph.txt"], "'New York' has white space or a comma")
        self.write("open.csv", 'a,b\n"c,d\n')
        self.fail_with(["info", "open.csv"], "open.csv:2: column 1 begins with a quote that this line does not close")
        self.write("rows.csv", '"","source","target"\n"1","a","b"\n')
        self.fail_with(["bfs", "rows.csv", "--source", "a"], "rows.csv:1: 'source' and 'target' name 2 columns")

    def test_only_the_benchmark_needs_an_edge_between_two_vertices(self):
        self.write("loops.txt", "1 1 0.5\n2 2 1\n1 1 2\n")
        message = "breadth: 'loops.txt' has no vertex to search from: all of its edges are self-loops"
        devices = [[], ["--device", "simulated"]] if not LAUNCHER else [[]]
        for words in (["--kernels", "bfs"], ["--kernels", "sssp"], ["--kernels", "bfs,sssp"], *devices):
            self.fail_with(["graph500", "--input", "loops.txt", *words], message)
            self.fail_with(["graph500", "--input", "loops.txt", *words, "--json", "r.json"], message)
        for command in ("bfs", "sssp"):
            for source in ("1", "2"):
                found = values_of(self.succeed(command, "loops.txt", "--source", source).stdout)
                self.assertEqual((found["reached"], found["vertices"]), ("1", "2"))
        generated = ["graph500", "--scale", "1", "--edgefactor", "1"]
        self.fail_with(
            generated,
            "the graph of --seed 2,3 has no vertex to search from: all of its edges are self-loops; "
            "choose another, or a larger --scale",
        )

    def test_obeys_direction_and_depth(self):
        self.write("graph.txt", GRAPH)
        for words, reached in [
            (["--source", "30", "--directed"], "3"),
            (["--source", "30"], "4"),
            (["--source", "10", "--max-depth", "1"], "2"),
            (["--source", "77"], "1"),
            (["--source", "501", "--directed"], "1"),
        ]:
            for direction in ("auto", "push", "pull"):
                values = values_of(self.succeed("bfs", "graph.txt", *words, "--direction", direction).stdout)
                self.assertEqual(values["reached"], reached, words)
        text = self.succeed("bfs", "graph.txt", "--source", "501", "--target", "10").stdout
        self.assertTrue(text.endswith("distance: -1\n"), text)

    def test_takes_words_negative_numbers_and_compressed_files(self):
        words = "alice bob\nbob carol\ncarol dave\n"
        self.write("words.txt", words)
        values = values_of(self.succeed("bfs", "words.txt", "--source", "alice", "--target", "dave").stdout)
        self.assertEqual(values["path"], "alice bob carol dave")
        for name, data in [("words.txt", words.encode()), ("words.txt.gz", gzip.compress(words.encode()))]:
            self.write(name, data)
            self.succeed("bfs", name, "--source", "bob", "--output", "out.txt")
            self.assertEqual(self.table("out.txt")["dave"], ("carol", 2))
        self.write("far.txt", "-9000000000000000000 5\n5 9000000000000000000\n")
        self.succeed("bfs", "far.txt", "--source", "5", "--output", "out.txt")
        self.assertEqual(self.table("out.txt")["9000000000000000000"], ("5", 1))

    def test_writes_numpy_files(self):
        self.write("graph.txt", GRAPH)
        self.succeed("bfs", "graph.txt", "--source", "10", "--output", "out.npy")
        self.assertEqual(
            sorted(path.name for path in self.folder.iterdir()), ["graph.txt", "out.labels.npy", "out.npy"]
        )
        for name in ("out.npy", "out.labels.npy"):
            self.assertEqual((self.folder / name).read_bytes()[:6], b"\x93NUMPY")

    def test_replaces_the_labels_of_an_old_result(self):
        self.write("numbers.txt", GRAPH)
        self.write("words.txt", "alice bob\n")
        for name, source, labels in [("numbers.txt", "10", "npy"), ("words.txt", "bob", "txt")] * 2:
            self.succeed("bfs", name, "--source", source, "--output", "out.npy")
            self.assertEqual([path.name for path in self.folder.glob("out.labels.*")], [f"out.labels.{labels}"])
        (self.folder / "out.npy").unlink()  # the files that are left belong to no existing result
        self.succeed("bfs", "numbers.txt", "--source", "10", "--output", "out.npy")
        self.assertEqual(len(list(self.folder.glob("out.labels.*"))), 2)

    def test_converts_without_loss(self):
        self.succeed("generate", "kronecker", "--scale", "8", "--weights", "--output", "k.g500")
        self.succeed("convert", "k.g500", "k.breadth")
        self.succeed("convert", "k.breadth", "k.txt")
        self.succeed("convert", "k.txt", "again.g500")
        for ending in ("", ".weights"):
            self.assertEqual(
                (self.folder / f"again.g500{ending}").read_bytes(), (self.folder / f"k.g500{ending}").read_bytes()
            )
        for name in ("k.g500", "k.breadth", "k.txt"):
            info = json.loads(self.succeed("info", name, "--json").stdout)
            self.assertEqual((info["tuples"], info["weighted"], info["directed"]), (4096, True, False))
            self.assertEqual(info["edges"] + info["duplicates"] + info["self_loops"], 4096)

    def test_makes_the_same_file_on_any_number_of_ranks(self):
        self.succeed("generate", "kronecker", "--scale", "10", "--seed", "2,3", "--output", "k.g500")
        edges = (self.folder / "k.g500").read_bytes()
        self.assertEqual(len(edges), 12 * 16384)
        first = [struct.unpack_from("<III", edges, 12 * i) for i in range(4)]
        self.assertEqual(first, [(299, 797, 0), (684, 861, 0), (185, 385, 0), (428, 328, 0)])

    def test_makes_other_graphs_that_search_and_validate(self):
        for model, edges in (
            ("uniform", 16 << 10),
            ("grid", 2 * 1024 - 64),
            ("small-world", 16 << 10),
            ("tails", 8704),
        ):
            for options in ([], ["--mixed"]):
                self.succeed("generate", model, "--scale", "10", "--output", "made.txt", *options)
                info = json.loads(self.succeed("info", "made.txt", "--json").stdout)
                self.assertEqual(info["tuples"], edges, model)
                self.assertNotIn("invalid", self.succeed("graph500", "--input", "made.txt", "--keys", "4").stderr)

    def test_finds_a_file_of_the_generator_conforming(self):
        self.succeed("generate", "kronecker", "--scale", "8", "--output", "k.breadth")
        self.assertNotIn("not conforming", self.succeed("graph500", "--input", "k.breadth").stdout)
        self.succeed("generate", "kronecker", "--scale", "8", "--weights", "--output", "w.g500")
        for place in ("file", "memory"):
            words = ["graph500", "--input", "w.g500", "--kernels", "bfs,sssp", "--edge-list", place]
            text = self.succeed(*words).stdout
            self.assertNotIn("not conforming", text)
            self.assertIn("sssp_harmonic_mean_TEPS", text)
        weights = bytearray((self.folder / "w.g500.weights").read_bytes())
        weights[0:4] = struct.pack("<f", 0.5)
        self.write("w.g500.weights", bytes(weights))
        self.assertNotIn("not conforming", self.succeed("graph500", "--input", "w.g500").stdout)
        self.assertIn(
            "# not conforming: the edge list of w.g500",
            self.succeed("graph500", "--input", "w.g500", "--kernels", "sssp").stdout,
        )
        self.succeed("generate", "kronecker", "--scale", "8", "--seed", "5,7", "--output", "other.g500")
        self.assertIn(
            "# not conforming: the edge list of other.g500", self.succeed("graph500", "--input", "other.g500").stdout
        )

    def test_says_what_is_wrong_with_a_file(self):
        for name, content, parts in [
            ("mixed.txt", "1 2\n3 4 5\n", ["mixed.txt:2:", "3 columns"]),
            ("short.txt", "1 2\n\n3\n", ["short.txt:3:"]),
            ("large.txt", "1 2\n1 99999999999999999999\n", ["large.txt:2:"]),
            ("empty.txt", "", ["empty.txt"]),
            ("only.txt", "# nothing\n", ["only.txt"]),
            ("bad.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n", ["bad.mtx:3:"]),
            ("cut.g500", b"x" * 25, ["cut.g500"]),
            ("wrong.breadth", b"BREADTH" * 100, ["wrong.breadth"]),
            ("cut.txt.gz", gzip.compress(b"1 2\n" * 1000)[:-20], ["cut.txt.gz"]),
        ]:
            self.write(name, content)
            self.fail_with(["bfs", name, "--source", "1"], *parts)
            self.fail_with(["info", name], *parts)
        self.fail_with(["bfs", "missing.txt", "--source", "1"], "missing.txt")
        self.succeed("generate", "kronecker", "--scale", "8", "--output", "k.breadth")
        damaged = bytearray((self.folder / "k.breadth").read_bytes())
        damaged[len(damaged) // 2] ^= 1
        self.write("damaged.breadth", bytes(damaged))
        self.fail_with(["bfs", "damaged.breadth", "--source", "53"], "damaged.breadth", "checksum")

    def test_says_what_is_wrong_with_a_command(self):
        self.write("graph.txt", GRAPH)
        self.fail_with(["bfs", "graph.txt", "--source", "21"], "21", "not in", "from 10 to 501", "20 and 30")
        self.fail_with(["bfs", "graph.txt", "--source", "10", "--target", "9999"], "9999")
        self.fail_with(["bfs", "graph.txt", "--source", "10", "--output", "nowhere/out.txt"], "nowhere/out.txt")
        self.fail_with(["generate", "kronecker", "--scale", "8", "--output", "nowhere/k.g500"], "nowhere/k.g500")
        for output in ("k.g500", "k.txt"):  # 56 and 18 PB
            words = ["generate", "uniform", "--scale", "42", "--edgefactor", "1024", "--output", output]
            self.fail_with(words, f"too little room for '{output}'", "GiB are free on its disk")
        self.fail_with(["convert", "missing.txt", "k.g500"], "missing.txt")
        os.mkfifo(self.path("pipe.txt"))
        for name, called in (("-", "standard input"), ("/dev/stdin", "standard input"), ("pipe.txt", "the pipe")):
            for words in (["bfs", name, "--source", "1"], ["info", name], ["graph500", "--input", name]):
                self.fail_with(words, f"cannot read a graph from {called}", "save it to a file first", status=2)
        self.write("wide.g500", struct.pack("<III", 0, 0, 1 << 24))  # one edge, from 0 to 2^40
        for words in (
            ["bfs", "wide.g500", "--source", "0"],
            ["info", "wide.g500"],
            ["graph500", "--input", "wide.g500"],
        ):
            self.fail_with(words, "too little memory", "GiB")
        for words, parts in [
            (["bfs", "graph.txt"], ["--source"]),
            (["bfs", "--source", "10"], ["graph"]),
            (["bfs", "graph.xyz", "--source", "10"], ["no file 'graph.xyz'"]),
            (["bfs", ".", "--source", "10"], ["'.' has no ending", ".mtx"]),
            (["graph500", "--input", "nowhere"], ["no file 'nowhere'", "ending"]),
            (["bfs", "graph.txt", "--source", "10", "--output", "out.png"], ["out.png", ".npy"]),
            (["bfs", "graph.txt", "--source", "10", "--max-depth", "-1"], ["--max-depth"]),
            (
                ["bfs", "graph.txt", "--source", "10", "--max-depth", "1", "--leaves", "last"],
                ["--leaves last and --max-depth 1 exclude each other"],
            ),
            (["generate", "kronecke", "--scale", "8", "--output", "k.g500"], ["kronecke"]),
            (["generate", "kronecker", "--output", "k.g500"], ["--scale"]),
            (
                ["generate", "kronecker", "--scale", "8", "--whole-weights", "9", "--output", "k.g500"],
                ["--whole-weights", "kronecker"],
            ),
            (
                ["generate", "grid", "--scale", "8", "--weights", "--whole-weights", "9", "--output", "k.g500"],
                ["--weights", "--whole-weights"],
            ),
            (["generate", "grid", "--scale", "8", "--edgefactor", "3", "--output", "k.g500"], ["--edgefactor", "grid"]),
            (["generate", "kronecker", "--scale", "8", "--mixed", "--output", "k.g500"], ["--mixed", "kronecker"]),
            (["graph500", "--input", "graph.txt", "--edge-list", "file"], ["--edge-list file"]),
        ]:
            self.fail_with(words, *parts, status=2)

    def test_refuses_before_it_reads_what_cannot_fit(self):
        self.write("large.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 1000000000000\n1 2\nnot read\n")
        self.write(
            "rows.mtx", f"%%MatrixMarket matrix coordinate pattern general\n{10**14} {10**14} 1{'0' * 15}\n1 2\n"
        )
        lines = "1 2\n" * (1 << 20)
        for name, content in [("large.txt", lines), ("large.txt.gz", gzip.compress(lines.encode()))]:
            with open(self.write(name, content), "r+b") as file:
                file.truncate(1 << 43)  # a hole: nothing on the disk
        for name, *parts in [
            ("large.mtx", "header", "says 9 vertices and 1000000000000 entries"),
            ("rows.mtx", "header", f"says {10**14} vertices"),
            ("large.txt", "an estimate"),
            ("large.txt.gz", "an estimate"),
        ]:
            self.fail_with(["bfs", name, "--source", "1"], "too little memory", "GiB", name, *parts)
            self.fail_with(["convert", name, "out.g500"], "too little memory", "GiB", name)
            self.fail_with(["graph500", "--input", name], "too little memory", "GiB", name)
        self.fail_with(["info", "large.mtx"], "too little memory")

    def test_asks_whether_labels_beyond_memory_are_of_a_packed_file(self):
        with open(self.path("noise.g500"), "wb") as file:
            file.write(bytes(range(100, 124)))
        asks = ["too little memory", "'noise.g500' has 2 edges and labels up to ", ": is it a packed file?"]
        for command in (["info", "noise.g500"], ["bfs", "noise.g500", "--source", "1"]):
            self.fail_with(command, *asks)

    @unittest.skipIf(LAUNCHER, "ranks take address space of their own")
    def test_refuses_compressed_text_as_it_grows(self):
        starts = subprocess.run(["bash", "-c", f"ulimit -v 500000; exec {PROGRAM} --help"], capture_output=True)
        if starts.returncode != 0:
            self.skipTest("a sanitizer takes more address space than there is")
        beginning = "".join(f"{label} {label * 7919}\n" for label in range(10**11, 10**11 + 200000))
        dense = gzip.compress(b"1 2\n" * (1 << 20))
        self.write("grows.txt.gz", gzip.compress(beginning.encode()) + 100 * dense)
        refused = 0
        for kibibytes in (500000, 600000, 700000, 800000, 1000000):
            before = sorted(self.folder.iterdir())
            command = f"ulimit -v {kibibytes}; exec {PROGRAM} convert grows.txt.gz out.g500 --threads 1"
            result = subprocess.run(
                ["bash", "-c", command], capture_output=True, text=True, cwd=self.folder, env=environment()
            )
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, r"too little memory for 'grows.txt.gz': after \d+ edges")
            refused += "free" in result.stderr
            self.assertEqual(result.stdout, "")
            self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertGreater(refused, 0, "no figures")

    @unittest.skipIf(LAUNCHER, "ranks take address space of their own")
    def test_refuses_to_write_metis_without_room_to_sort(self):
        limit = "ulimit -v 500000"
        if subprocess.run(["bash", "-c", f"{limit}; exec {PROGRAM} --help"], capture_output=True).returncode != 0:
            self.skipTest("a sanitizer takes more address space than there is")
        self.write("edges.g500", struct.pack("<III", 0, 1, 0) * 6_000_000)  # 12 million ends, 36 bytes each
        before = sorted(self.folder.iterdir())
        command = f"{limit}; exec {PROGRAM} convert edges.g500 out.graph --threads 1"
        result = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, cwd=self.folder, env=environment()
        )
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(
            result.stderr, r"too little memory for 'out.graph': .* needs 412 MiB .* MiB are free; use more"
        )
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_says_what_a_file_cannot_keep(self):
        """A text or packed file does not record that edges are directed; the other formats do."""
        self.write("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")
        for output, warnings in (("m.txt", 1), ("m.g500", 1), ("m.breadth", 0), ("again.mtx", 0)):
            note = self.succeed("convert", "m.mtx", output).stderr
            self.assertEqual(note.count("read it with --directed"), warnings, note)
        self.assertEqual(self.succeed("convert", "m.txt", "plain.g500").stderr, "")

    def test_says_that_numbers_of_vertices_change(self):
        """A format that only numbers vertices counts from 0 or from 1."""
        self.write("t.txt", "1 2\n2 3\n")
        for input, output, note in (
            (
                "t.txt",
                "t.mtx",
                "in 't.mtx' are those of 't.txt' plus 1, because matrix market files number vertices from 1\n",
            ),
            (
                "t.txt",
                "t.graph",
                "in 't.graph' are those of 't.txt' plus 1, because metis files number vertices from 1\n",
            ),
            ("t.txt", "t.breadth", ""),
            ("t.mtx", "again.mtx", ""),
            (
                "t.mtx",
                "t.g500",
                "in 't.g500' are those of 't.mtx' minus 1, because packed files number vertices from 0\n",
            ),
            ("t.g500", "again.txt", ""),
        ):
            self.assertTrue(self.succeed("convert", input, output).stderr.endswith(note), note)
            if not note:
                self.assertEqual(self.succeed("convert", input, output).stderr, "")
        with open(self.path("again.txt")) as file:
            self.assertEqual(file.read(), "2 1\n3 2\n")
        for name, source in (("t.txt", "1"), ("t.mtx", "2"), ("t.g500", "1")):
            self.assertEqual(values_of(self.succeed("bfs", name, "--source", source).stdout)["levels"], "3", name)

    def test_records_that_the_edges_of_a_text_are_directed(self):
        self.write("t.txt", "1 2\n2 3\n3 1\n1 3\n")
        for name in ("t.breadth", "t.mtx"):
            self.assertNotIn("directed", self.succeed("convert", "t.txt", name, "--directed").stderr)
            values = values_of(self.succeed("info", name).stdout)
            self.assertEqual((values["directed"], values["edges"]), ("true", "4"))
        self.assertIn("read it with --directed", self.succeed("convert", "t.txt", "u.txt", "--directed").stderr)
        self.fail_with(["convert", "t.txt", "t.graph", "--directed"], "cannot hold directed edges")

    def test_refuses_directions_that_a_file_denies(self):
        """The file lists each edge once, from either end, so half of the directions would be missing."""
        self.write("m.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
        for name in ("m.graph", "m.breadth"):
            self.succeed("convert", "m.mtx", name)
        for name in ("m.mtx", "m.graph", "m.breadth"):
            for command in (["info"], ["bfs", "--source", "1"]):
                refused = self.run_program(*command, name, "--directed")
                self.assertEqual(refused.returncode, 1)
                self.assertIn(f"'{name}' says that its edges are undirected: leave out --directed", refused.stderr)

    def test_names_options_that_need_several_ranks(self):
        self.write("graph.txt", "10 20 1.5\n20 30 2\n")
        for command in ("bfs", "sssp"):
            note = self.succeed(command, "graph.txt", "--source", "10", "--exchange", "bulk").stderr
            self.assertEqual("on one rank exchange has no effect\n" in note, not LAUNCHER, note)
            self.assertNotIn("no effect", self.succeed(command, "graph.txt", "--source", "10").stderr)

    def test_keeps_the_graph_that_it_reads(self):
        """A graph is never overwritten by results, whatever path names it."""
        self.write("graph.txt", GRAPH)
        os.link(self.path("graph.txt"), self.path("same.txt"))
        os.symlink("graph.txt", self.path("linked.txt"))
        for output in ("graph.txt", "./graph.txt", "same.txt", "linked.txt"):
            for words in (
                ["bfs", "graph.txt", "--source", "10", "--output", output],
                ["bfs", "graph.txt", "--source", "10", "--json", output],
                ["convert", "graph.txt", output],
                ["graph500", "--input", "graph.txt", "--json", output],
                ["tune", "graph.txt", "--output", output],
            ):
                self.fail_with(words, f"'{output}' is read", "would be replaced", status=2)
        self.assertEqual((self.folder / "graph.txt").read_text(), GRAPH)
        self.write("my.labels.txt", GRAPH)
        words = ["bfs", "my.labels.txt", "--source", "10", "--output", "my.npy"]
        self.fail_with(words, "'my.labels.txt' is read, as graph, and would be replaced", status=2)
        self.succeed("generate", "kronecker", "--scale", "4", "--weights", "--output", "packed.g500")
        self.write("options.toml", "keys = 1\n")
        for words in (
            ["sssp", "packed.g500", "--source", "1", "--json", "packed.g500.weights"],
            ["graph500", "--input", "packed.g500", "--kernels", "sssp", "--json", "packed.g500.weights"],
            ["graph500", "--scale", "4", "--config", "options.toml", "--json", "options.toml"],
        ):
            self.fail_with(words, f"'{words[-1]}' is read", "choose another name for --json", status=2)
        for output, report in (("r.txt", "./r.txt"), ("r.npy", "r.labels.npy")):
            words = ["bfs", "graph.txt", "--source", "10", "--output", output, "--json", report]
            self.fail_with(words, "--output and --json", output.split(".")[0], status=2)

    def test_leaves_a_file_alone_that_it_cannot_replace(self):
        self.write("graph.txt", "1 2\n3 4 5\n")
        kept = self.write("out.txt", "precious")
        self.fail_with(["bfs", "graph.txt", "--source", "1", "--output", kept], "graph.txt:2:")
        self.assertEqual((self.folder / "out.txt").read_text(), "precious")


if __name__ == "__main__":
    main()
