"""Kernel 3 of the benchmark, and breadth sssp on a user's own graphs: distances and paths, and one clear message for
weights that are no lengths.

Usage: shortest_path_test.py PROGRAM [LAUNCHER WORD...]
"""

import gzip
import heapq
import json
import math
import struct

from program_case import ProgramTest, main, values_of


def shortest_lengths(text, source, directed):
    """Returns the distance of each vertex, from the lines of a text file by Dijkstra's algorithm."""
    edges = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        a, b, weight = line.split()
        edges.setdefault(a, []).append((b, float(weight)))
        if not directed:
            edges.setdefault(b, []).append((a, float(weight)))
    distances = {source: 0.0}
    waiting = [(0.0, source)]
    while waiting:
        far, vertex = heapq.heappop(waiting)
        if far > distances[vertex]:
            continue
        for other, weight in edges.get(vertex, []):
            if far + weight < distances.get(other, math.inf):
                distances[other] = far + weight
                heapq.heappush(waiting, (far + weight, other))
    return distances


class Kernel3(ProgramTest):
    def test_runs_both_kernels(self):
        result = self.succeed("graph500", "--scale", "8", "--kernels", "bfs,sssp", "--json", "r.json")
        values = values_of(result.stdout)
        self.assertEqual(values["bfs_max_nedge"], values["sssp_max_nedge"])
        self.assertNotIn("not conforming", result.stdout)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([run["key"] for run in report["bfs"]["runs"]], [run["key"] for run in report["sssp"]["runs"]])
        self.assertTrue(all(run["valid"] for run in report["sssp"]["runs"]))
        words = ["--ball", "7", "--hubs-first", "off", "--weighted-columns", "3", "--bucket-batch", "2"]
        words += ["--small-batch", "0", "--fuse", "off", "--known-distances", "off"]
        self.succeed("graph500", "--scale", "8", "--kernels", "sssp", *words, "--json", "r.json")
        reported = json.loads((self.folder / "r.json").read_text())["options"]
        expected = {"ball": 7, "hubs_first": False, "weighted_columns": 3, "bucket_batch": 2}
        expected |= {"small_batch": 0, "fuse": False, "known_distances": False}
        self.assertLessEqual(expected.items(), reported.items())
        alone = values_of(self.succeed("graph500", "--scale", "8", "--kernels", "sssp", "--delta", "0.25").stdout)
        self.assertEqual(alone["sssp_mean_nedge"], values["sssp_mean_nedge"])
        self.assertNotIn("bfs_mean_nedge", alone)
        text = self.succeed("graph500", "--scale", "8", "--kernels", "sssp", "--output-format", "reference").stdout
        self.assertRegex(text, r"\nsssp harmonic_mean_TEPS:     !  \d")

    def test_plans_what_they_keep_of_other_ranks(self):
        """Sweeps replicate the distances of all ranks. Buckets do if distances are known; otherwise each rank keeps
        only its own."""

        def search_bytes(*words, ranks="64"):
            words = ["--scale", "30", "--ranks", ranks, "--kernels", "sssp", *words, "--json"]
            return json.loads(self.succeed("plan", *words).stdout)["search_bytes"]

        alone = search_bytes("--sweeps", "off", "--known-distances", "off")
        self.assertEqual(search_bytes("--delta", "0.1", "--known-distances", "off"), alone)
        few_nodes = search_bytes("--sweeps", "off", "--known-distances", "off", ranks="8")
        self.assertLess(few_nodes, search_bytes("--order", "label", ranks="8"))
        self.assertEqual(search_bytes("--order", "label", "--known-distances", "off", ranks="8"), few_nodes)
        self.assertGreater(search_bytes(), 2 * alone)
        self.assertEqual(search_bytes("--preset", "reference"), search_bytes("--sweeps", "off", "--delta", "0.1"))
        for words, other in (["--delta", "0.1"], "bfs"), (["--direction", "push"], "sssp"):
            named = f"{' '.join(words)} and --kernels {other} exclude each other"
            self.fail_with(["plan", "--scale", "9", "--kernels", other, *words], named, status=2)
        self.fail_with(
            ["plan", "--scale", "9", "--kernels", "sssp", "--sweeps", "off", "--ball", "3"], "--ball", status=2
        )

    def test_takes_kernels_in_any_order(self):
        for named, kernels in [("sssp,bfs", "bfs,sssp"), ("bfs,sssp,bfs", "bfs,sssp"), ("sssp,sssp", "sssp")]:
            self.succeed("graph500", "--scale", "6", "--kernels", named, "--json", "r.json")
            report = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(report["options"]["kernels"], kernels)
            self.assertEqual([name for name in report if name in ("bfs", "sssp")], kernels.split(","))
        for named in ("", ",", "bfs,", ",sssp", "bfs, sssp", "bfs,dfs"):
            words = ["graph500", "--scale", "6", "--kernels", named]
            self.fail_with(words, "--kernels", f"'{named}'", "bfs, sssp, or several with commas between", status=2)


class ShortestPaths(ProgramTest):
    def test_finds_shortest_paths(self):
        weighted = "a b 1.5\nb c 2\na c 10\nd e 1\nc a 0\na b 7\n"
        self.write("graph.wel", weighted)
        self.succeed("convert", "graph.wel", "graph.breadth")
        self.write("graph.wel.gz", gzip.compress(weighted.encode()))
        for name in ("graph.wel", "graph.wel.gz", "graph.breadth"):
            words = ["sssp", name, "--source", "a", "--target", "b", "--output", "out.txt"]
            values = values_of(self.succeed(*words).stdout)
            self.assertEqual((values["reached"], values["vertices"], values["farthest"]), ("3", "5", "1.5"))
            self.assertEqual((values["distance"], values["path"]), ("1.5", "a b"))
            self.assertEqual(
                (self.folder / "out.txt").read_text().splitlines(),
                ["# label distance parent", "a 0 a", "b 1.5 a", "c 0 a", "d inf -1", "e inf -1"],
            )
            for delta in ("0.001", "1", "1000"):
                self.assertEqual(values_of(self.succeed(*words, "--delta", delta).stdout)["distance"], "1.5")
            values = values_of(self.succeed(*words[:3], "a", "--directed", "--target", "c").stdout)
            self.assertEqual((values["distance"], values["path"]), ("3.5", "a b c"))
        for words, lines in [
            (["--target", "e"], ["distance: inf"]),
            (["--target", "a"], ["distance: 0", "path: a"]),
            (["--max-distance", "1.25", "--target", "b"], ["distance: inf"]),
            (["--max-distance", "1.5", "--target", "b"], ["distance: 1.5", "path: a b"]),
            (["--max-distance", "3.4028235e+38", "--target", "b"], ["distance: 1.5", "path: a b"]),
        ]:
            text = self.succeed("sssp", "graph.wel", "--source", "a", *words).stdout
            self.assertEqual(text.splitlines()[-len(lines) :], lines)
            self.assertNotIn("path: a e", text)

    def test_finds_shortest_paths_in_matrices_and_packed_files(self):
        self.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 0.5\n2 3 0.25\n3 1 9\n")
        values = values_of(self.succeed("sssp", "m.mtx", "--source", "1", "--target", "3").stdout)
        self.assertEqual((values["distance"], values["path"], values["vertices"]), ("0.75", "1 2 3", "4"))
        self.succeed("convert", "m.mtx", "m.g500")
        values = values_of(
            self.succeed("sssp", "m.g500", "--source", "0", "--target", "2", "--output", "out.npy").stdout
        )
        self.assertEqual((values["distance"], values["path"]), ("0.75", "0 1 2"))
        table = (self.folder / "out.npy").read_bytes()
        self.assertIn(b"('distance', '<f4'), ('parent', '<i8')", table)
        self.assertEqual(list(struct.iter_unpack("<fq", table[-36:])), [(0.0, 0), (0.5, 0), (0.75, 1)])

    def test_says_what_is_wrong_with_weights(self):
        for name, content, parts in [
            ("none.txt", "1 2\n2 3\n", ["none.txt", "no weights", "third column"]),
            ("negative.txt", "1 2 3\n2 3 -1\n", ["negative.txt:2:", "'-1'", "below 0"]),
            ("nan.txt", "1 2 3\n# no\n2 3 nan\n", ["nan.txt:3:", "'nan'"]),
            ("word.txt", "1 2 3\n2 3 x\n", ["word.txt:2:", "'x'"]),
            ("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n", ["none.mtx", "pattern"]),
            ("far.txt", "1 2 3e38\n2 3 3e38\n", ["far.txt", "3.4e+38", "--max-distance"]),
        ]:
            self.write(name, content)
            self.fail_with(["sssp", name, "--source", "1"], *parts)
        self.succeed("bfs", "negative.txt", "--source", "1")  # bfs ignores weights
        values = values_of(
            self.succeed("sssp", "far.txt", "--source", "1", "--target", "3", "--max-distance", "3.2e38").stdout
        )
        self.assertEqual((values["reached"], values["distance"]), ("2", "inf"))
        for ending, place in (("g500", "edge 2, from 2 to 3"), ("breadth", "edge 2, from 2 to 3")):
            self.succeed("convert", "negative.txt", f"n.{ending}")
            self.fail_with(["sssp", f"n.{ending}", "--source", "1"], f"n.{ending}", place, "weight -1")
            self.fail_with(["graph500", "--input", f"n.{ending}", "--kernels", "sssp"], place, "weight -1")
        self.succeed("convert", "none.txt", "bare.g500")
        self.fail_with(["sssp", "bare.g500", "--source", "1"], "bare.g500.weights")
        self.fail_with(["graph500", "--input", "bare.g500", "--kernels", "bfs,sssp"], "bare.g500.weights")
        for words, parts in [
            (["sssp", "far.txt"], ["--source"]),
            (["sssp", "far.txt", "--source", "1", "--max-distance", "-1"], ["--max-distance", "'-1'"]),
            (["sssp", "far.txt", "--source", "1", "--delta", "-1"], ["--delta", "'-1'"]),
            (["sssp", "far.txt", "--source", "1", "--output", "out.png"], ["out.png", ".npy"]),
            (["sssp", "far.txt", "--source", "1", "--alpha", "3"], ["--alpha"]),
        ]:
            self.fail_with(words, *parts, status=2)

    def test_says_which_distances_do_not_fit(self):
        """Also for paths that only some edges lead along, and in the benchmark, which validates."""
        self.write("far.txt", "1 2 3e38\n2 3 3e38\n3 4 1\n")
        self.fail_with(["sssp", "far.txt", "--source", "1", "--directed"], "far.txt", "3.4e+38", "--max-distance")
        values = values_of(self.succeed("sssp", "far.txt", "--source", "2", "--directed", "--target", "4").stdout)
        self.assertEqual((values["reached"], values["distance"]), ("3", "3e+38"))
        result = self.run_program("graph500", "--input", "far.txt", "--kernels", "sssp")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("goes beyond 3.4e+38, the largest that 32 bits hold", result.stderr)

    def test_names_the_edge_whose_weight_is_no_length(self):
        """Checks every format, and that the first wrong edge is named, on whichever rank it is."""
        lines = [f"{i} {i + 1} 1" for i in range(1, 400)]
        for wrong, text in [(-2.5, "-2.5"), (math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")]:
            for places in ([0], [398], [250, 390]):
                self.write("good.txt", "\n".join(lines))
                self.succeed("convert", "good.txt", "bad.g500")
                weights = bytearray((self.folder / "bad.g500.weights").read_bytes())
                for place in places:
                    struct.pack_into("<f", weights, 4 * place, wrong)
                self.write("bad.g500.weights", bytes(weights))
                self.succeed("convert", "bad.g500", "bad.breadth")
                first = places[0]
                for name in ("bad.g500", "bad.breadth"):
                    ends = f"edge {first + 1}, from {first + 1} to {first + 2}, has weight {text};"
                    self.fail_with(["sssp", name, "--source", "1"], name, ends)
        names = "\n".join(["anna bert 1", "bert carl -3", "carl anna -4"])
        self.write("names.txt", names)
        self.succeed("convert", "names.txt", "names.breadth")
        self.fail_with(["sssp", "names.breadth", "--source", "anna"], "edge 2, from bert to carl, has weight -3;")
        self.write("far.txt", "100 7000 1\n7000 5 -3\n")
        self.succeed("convert", "far.txt", "far.breadth")
        self.fail_with(["sssp", "far.breadth", "--source", "100"], "edge 2, from 7000 to 5, has weight -3;")
        self.write("bare.txt", "1 2\n2 3\n")
        self.succeed("convert", "bare.txt", "bare.breadth")
        self.fail_with(["sssp", "bare.breadth", "--source", "1"], "bare.breadth", "without weights")
        self.write("names.txt.gz", gzip.compress(names.encode()))
        self.fail_with(["sssp", "names.txt.gz", "--source", "anna"], "names.txt.gz:2:", "'-3'", "below 0")
        for kind, wrong in (("integer", "-7"), ("real", "-0.5"), ("real", "nan"), ("real", "-inf"), ("real", "1e39")):
            self.write("m.mtx", f"%%MatrixMarket matrix coordinate {kind} general\n3 3 2\n1 2 5\n2 3 {wrong}\n")
            self.fail_with(["sssp", "m.mtx", "--source", "1"], "m.mtx:4:", f"'{wrong}'")

    def test_finds_the_lengths_and_ways_of_another_program(self):
        """Compares distances with Dijkstra's algorithm. Weights are integers, so that sums are exact."""
        models = {
            "grid": ["grid", "--scale", "8", "--whole-weights", "9", "--mixed"],
            "tails": ["tails", "--scale", "8", "--edgefactor", "4", "--whole-weights", "3"],
            "star": None,
        }
        ways = [
            ["--hubs", "12"],
            ["--delta", "2", "--exchange", "bulk"],
            ["--delta", "1000", "--route", "local", "--packets", "compressed"],
            ["--sweeps", "off", "--hubs", "3", "--coalescing", "1"],
        ]
        for name, model in models.items():
            if model:
                self.succeed("generate", *model, "--output", "graph.txt")
            else:
                lines = [f"0 {i} {i % 7}\n{i} {i * 5 % 300 + 1} {i % 4}\n" for i in range(1, 301)]
                self.write("graph.txt", "".join(lines))
            for directed in (False, True):
                distances = shortest_lengths((self.folder / "graph.txt").read_text(), "17", directed)
                farthest = max(distances, key=distances.get)
                for i, way in enumerate(([], *ways)):
                    most = distances[farthest] // 2 if i % 2 else math.inf
                    options = [*way, *(["--directed"] if directed else [])]
                    options += ["--max-distance", str(most)] if i % 2 else []
                    words = ["sssp", "graph.txt", "--source", "17", "--output", "out.txt", *options]
                    text = self.succeed(*words, "--target", farthest).stdout
                    self.check_lengths(f"{name} {words}", distances, most)
                    self.check_way(text, distances, farthest, most)

    def check_lengths(self, what, distances, most):
        rows = [line.split() for line in (self.folder / "out.txt").read_text().splitlines()[1:]]
        found = {label: float(distance) for label, distance, _ in rows}
        expected = {label: distances.get(label, math.inf) for label in found}
        self.assertEqual(found, {label: far if far <= most else math.inf for label, far in expected.items()}, what)

    def check_way(self, text, distances, target, most):
        """Checks that the path ends at the target, and that its edges are as long as the distances say."""
        if distances[target] > most:
            self.assertTrue(text.endswith("distance: inf\n"), text)
            return
        values = values_of(text)
        path = values["path"].split()
        self.assertEqual((path[0], path[-1], float(values["distance"])), ("17", target, distances[target]))
        rows = [line.split() for line in (self.folder / "out.txt").read_text().splitlines()[1:]]
        parents = {label: parent for label, _, parent in rows}
        self.assertEqual([parents[label] for label in path[1:]], path[:-1])


if __name__ == "__main__":
    main()
