"""Presets, the exchange of queries and frontiers between ranks, and the counts of it, as a user sees them.

Usage: exchange_test.py PROGRAM [LAUNCHER WORD...]
With launcher words (mpiexec -n 3), every case runs on several ranks.
"""

import json

from program_case import LAUNCHER, ProgramTest, main


class Exchange(ProgramTest):
    def options_of(self, *words, variables=None):
        self.succeed("graph500", "--scale", "8", "--json", "r.json", *words, variables=variables or {})
        return json.loads((self.folder / "r.json").read_text())["options"]

    def test_takes_from_a_preset_what_nobody_gave(self):
        automatic = self.options_of()
        self.assertEqual(automatic["preset"], "auto")
        self.assertEqual((automatic["direction"], automatic["packets"]), ("auto", "runs"))
        self.assertEqual(self.options_of("--preset", "auto"), automatic)
        fuentes = {
            "preset": "fuentes2014",
            "adjacency": "rows",
            "order": "label",
            "neighbours": "labels",
            "columns": 0,
            "direction": "push",
            "summary": "none",
            "leaves": "levels",
            "exchange": "asynchronous",
            "packets": "pairs",
            "coalescing": 256,
        }
        options = self.options_of("--preset", "fuentes2014")
        self.assertEqual({name: options[name] for name in fuentes}, fuentes)
        self.assertEqual(self.options_of(variables={"BREADTH_PRESET": "fuentes2014"}), options)
        self.assertEqual(self.options_of("--preset", "reference")["coalescing"], 2520)
        # Flags, variables and files each override the preset.
        self.write("run.toml", b'preset = "fuentes2014"\npackets = "runs"\n')
        words = ["--config", "run.toml", "--neighbours", "vertices", "--exchange", "bulk"]
        mixed = self.options_of(*words, variables={"BREADTH_ORDER": "degree"})
        expected = {"packets": "runs", "neighbours": "vertices", "exchange": "bulk", "order": "degree"}
        self.assertEqual({name: mixed[name] for name in fuentes}, fuentes | expected)

    def test_ends_levels_by_marks_consensus_or_counts(self):
        """Every way to detect the end of a level counts the same messages, because its own messages are not counted."""
        words = ["--scale", "10", "--direction", "push", "--leaves", "levels", "--keys", "2", "--threads", "1"]
        words += ["--packets", "pairs"]  # the length of runs depends on the order of threads
        sent = []
        for ending in ("marks", "consensus", "counts"):
            self.succeed("graph500", *words, "--ending", ending, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertTrue(result["valid"])
            self.assertEqual(result["options"]["ending"], ending)
            sent.append(
                [(level["messages"], level["bytes"]) for run in result["bfs"]["runs"] for level in run["levels"]]
            )
        self.assertEqual(sent[0], sent[1])
        self.assertEqual(sent[0], sent[2])
        self.assertEqual(self.options_of("--preset", "checconi2014")["ending"], "counts")
        self.assertEqual(self.options_of()["ending"], "auto")

    def test_counts_what_ranks_tell_each_other(self):
        words = ["--preset", "fuentes2014", "--coalescing", "64", "--keys", "4", "--json", "r.json"]
        self.succeed("graph500", "--scale", "12", *words)
        result = json.loads((self.folder / "r.json").read_text())
        ranks, bfs = result["ranks"], result["bfs"]
        if ranks == 1:
            self.assertNotIn("communication", bfs)
            return
        communication = bfs["communication"]
        totals = {name: sum(rank[name] for rank in communication["ranks"]) for name in ("messages", "bytes", "queries")}
        for name in ("messages", "bytes"):
            matrix = communication[name]
            self.assertEqual([len(row) for row in matrix], [ranks] * ranks)
            self.assertEqual([sum(row) for row in matrix], [rank[name] for rank in communication["ranks"]])
            self.assertEqual([matrix[i][i] for i in range(ranks)], [0] * ranks)
        for name, total in totals.items():
            self.assertEqual(sum(level[name] for run in bfs["runs"] for level in run["levels"]), total)
        self.assertEqual(totals["bytes"], 16 * totals["queries"])
        predicted = 4 * communication["predicted_bytes_per_search"]
        self.assertAlmostEqual(totals["bytes"] / predicted, 1, delta=0.01)
        partial = sum(rank["partial_packets"] for rank in communication["ranks"])
        predicted = 4 * ranks * communication["predicted_messages_per_rank_and_search"]
        self.assertLessEqual(totals["messages"] - partial, 1.01 * predicted)
        self.assertGreaterEqual(totals["messages"], 0.99 * predicted)
        for rank in communication["ranks"]:
            self.assertEqual(set(rank["seconds"]), {"receive_tests", "send_tests", "finish_tests", "all_reduce"})

    def test_shares_bits_of_unvisited_vertices_alone(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        sent = {}
        for bits in ("auto", "all", "unvisited"):
            words = ["--scale", "12", "--keys", "8", "--calibrate", "0", "--json", "result.json"]
            self.succeed("graph500", *words, "--shared-bits", bits, "--ranks-per-node", "1")
            result = json.loads((self.folder / "result.json").read_text())
            self.assertTrue(result["valid"])
            self.assertEqual(result["options"]["shared_bits"], bits)
            parts = [[*run["levels"], run["leaves"]] for run in result["bfs"]["runs"]]
            sent[bits] = sum(part["bytes"] for run in parts for part in run if part.get("direction") != "push")
        self.assertEqual(sent["auto"], sent["unvisited"])
        if ranks == 1:
            self.assertEqual(sent["all"], 0)
        else:
            self.assertLess(sent["unvisited"], 0.7 * sent["all"])

    def test_replicates_frontiers_in_every_way(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        for way in ("allgather", "leader", "shared-in", "shared", "subgroups"):
            words = ["--scale", "10", "--keys", "8", "--summary", "64", "--json", "result.json"]
            self.succeed("graph500", *words, "--replicate", way, "--ranks-per-node", "2")
            result = json.loads((self.folder / "result.json").read_text())
            self.assertTrue(result["valid"])
            self.assertEqual((result["options"]["replicate"], result["options"]["ranks_per_node"]), (way, 2))
            for run in result["bfs"]["runs"]:
                pulls = [level for level in run["levels"] if level["direction"] == "pull"] + [run["leaves"]]
                between = sum(level["bytes_between_nodes"] for level in pulls)
                self.assertEqual(between > 0, ranks > 2)
                if way in ("shared", "subgroups") or ranks == 1:
                    self.assertEqual(between, sum(level["bytes"] for level in pulls))
                self.assertAlmostEqual(sum(run["phases"].values()), run["seconds"])

    def test_pulls_by_messages(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        words = ["--scale", "10", "--keys", "8", "--pull", "messages", "--json", "result.json"]
        for more in ([], ["--direction", "pull", "--exchange", "bulk"], ["--adjacency", "skip-list"]):
            self.succeed("graph500", *words, *more)
            result = json.loads((self.folder / "result.json").read_text())
            self.assertTrue(result["valid"])
            self.assertEqual(result["options"]["pull"], "messages")
            for run in result["bfs"]["runs"]:
                pulls = [level for level in run["levels"] if level["direction"] == "pull"] + [run["leaves"]]
                self.assertEqual(sum(level["answers"] for level in pulls) > 0, ranks > 1)
                for level in pulls:
                    self.assertLessEqual(level["answers"], level["queries"])
                    self.assertEqual(level["bytes"] > 0, level["queries"] > 0)
                    self.assertEqual(level["question_bytes"] > 0, level["queries"] > 0)
                    self.assertEqual(level["bytes"] > level["question_bytes"], level["answers"] > 0)

    def test_searches_on_grids_of_ranks(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        for partition in ("auto-2d", f"1x{ranks}", f"{ranks}x1"):
            words = ["--scale", "10", "--keys", "8", "--partition", partition, "--json", "result.json"]
            self.succeed("graph500", *words)
            result = json.loads((self.folder / "result.json").read_text())
            self.assertTrue(result["valid"])
            expected = f"1x{ranks}" if partition == "auto-2d" and ranks < 4 else partition
            self.assertIn(result["options"]["partition"], (expected, "2x2"))
            plan = json.loads(self.succeed("plan", *words[:2], *words[4:6], "--ranks", str(ranks), "--json").stdout)
            for run in result["bfs"]["runs"]:
                self.assertEqual(run["leaves"]["claimed"], 0)
                for level in run["levels"]:
                    padded = plan["expand_bytes_per_level"] * 1.01 + 8 * ranks * ranks
                    self.assertLessEqual(level["bytes"] - 8 * level["queries"], padded)
                folded = sum(8 * level["queries"] for level in run["levels"])
                self.assertLessEqual(folded, plan["fold_bytes"] * 1.01)
        wrong = [([f"{ranks + 1}x1"], 1), (["2by3"], 2), (["0x1"], 2), ([f"1x{ranks}", "--alpha", "3"], 2)]
        for words, status in wrong:
            self.fail_with(["graph500", "--scale", "8", "--partition", *words], "partition", status=status)
        self.write("graph.txt", "1 2\n2 3\n")  # its memory is estimated before it is read
        self.fail_with(["bfs", "graph.txt", "--source", "1", "--partition", *wrong[0][0]], "partition")

    def test_sends_by_every_route(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        self.write("groups.txt", "# all but the last rank\n" + "7\n" * (ranks - 1) + "3  # alone\n")
        self.write("network.txt", "".join(f"{rank} {rank // 2} 0 {rank // 2}\n" for rank in range(ranks)))
        files = ["--groups", "groups.txt", "--topology", "network.txt"]
        commands = json.loads(self.succeed("options", "--json").stdout)["commands"]
        options = next(command["options"] for command in commands if command["name"] == "graph500")
        choices = {option["name"]: option["words"] for option in options}
        for words in (
            *(["--route", route] for route in choices["route"]),
            *(["--route", route, "--unique", "on", "--exchange", "bulk"] for route in choices["route"][1:]),
            *(["--route", "monitor", "--monitor", policy] for policy in choices["monitor"]),
        ):
            common = ["--scale", "10", "--keys", "4", "--direction", "push", "--kernels", "bfs,sssp"]
            self.succeed("graph500", *common, *files, *words, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertTrue(result["valid"])
            given = dict(zip(words[::2], words[1::2], strict=True))
            options = result["options"]
            self.assertEqual((options["route"], options["groups"]), (given["--route"], "groups.txt"))
            self.assertEqual(options["topology"], "network.txt")
            self.assertEqual(options["monitor"], given.get("--monitor", "orchestra"))
            self.assertEqual(options["unique"], "--unique" in given)
            for kernel in ("bfs", "sssp") if ranks > 1 else ():
                self.check_distances(result[kernel]["communication"], ranks)

    def check_distances(self, communication, ranks):
        """Compares sums over the matrix with the files: all ranks but the last form a group, and two ranks share a
        cabinet."""
        distances, messages = communication["distances"], communication["messages"]
        self.assertEqual((distances["groups"], distances["largest_group"]), (2, max(1, ranks - 1)))
        pairs = [(i, j) for i in range(ranks) for j in range(ranks) if i != j]
        for name in ("messages", "bytes"):
            matrix = communication[name]
            between = sum(matrix[i][j] for i, j in pairs if ranks - 1 in (i, j))
            self.assertEqual(distances["between_groups"][name], between)
            self.assertEqual(distances["inside_groups"][name], sum(map(sum, matrix)) - between)
        near = sum(messages[i][j] for i, j in pairs if i // 2 == j // 2)
        far = sum(map(sum, messages)) - near
        hops = {"chip": 2 * (near + far), "board": near + 2 * far, "bunch": 2 * far, "cabinet": 2 * far}
        self.assertEqual(distances["hops"], hops | {"all": sum(hops.values())})
        tests = ("receive_tests", "send_tests", "finish_tests")
        seconds = sum(rank["seconds"][name] for rank in communication["ranks"] for name in tests) / ranks
        all_bytes = sum(map(sum, communication["bytes"]))
        self.assertAlmostEqual(distances["efficiency_bytes_per_second"] / (all_bytes / seconds), 1, places=6)

    def test_relaxations_after_sweeps_travel_as_they_are_told(self):
        words = ["--scale", "14", "--keys", "4", "--threads", "1", "--kernels", "sssp", "--coalescing", "1"]
        # Ranks that share distances may find out in time that there is nothing left to send.
        self.succeed("graph500", *words, "--replicate", "allgather", "--json", "r.json")
        sssp = json.loads((self.folder / "r.json").read_text())["sssp"]
        self.assertIn("pull", {level["direction"] for run in sssp["runs"] for level in run["levels"]})
        if not LAUNCHER:
            return
        relaxations = sum(rank["queries"] for rank in sssp["communication"]["ranks"])
        self.assertGreater(relaxations, 0)
        self.assertEqual(sum(map(sum, sssp["communication"]["messages"])), relaxations)

    def test_compresses_relaxations(self):
        """Compressed packets do the same work in fewer bytes. Packets that are not compressed are runs, whichever
        format breadth-first searches use."""
        words = ["--scale", "12", "--keys", "4", "--threads", "1", "--delta", "0.01", "--exchange", "bulk"]
        words += ["--ranks-per-node", "1"]  # on one node, the skipped relaxations depend on timing
        bytes_of = {}
        for packets, kernels, name in [
            ("runs", "sssp", "runs"),
            ("compressed", "sssp", "compressed"),
            ("pairs", "bfs,sssp", "runs"),
        ]:
            self.succeed("graph500", *words, "--packets", packets, "--kernels", kernels, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertTrue(result["valid"])
            self.assertEqual(result["options"]["sssp_packets"], name)
            if LAUNCHER:
                bytes_of[packets] = sum(map(sum, result["sssp"]["communication"]["bytes"]))
        if LAUNCHER:
            self.assertEqual(bytes_of["pairs"], bytes_of["runs"])
            self.assertLess(bytes_of["compressed"], 0.8 * bytes_of["runs"])
        self.write("graph.wel", "a b 1.5\nb c 2\na c 10\n")
        search = ["sssp", "graph.wel", "--source", "a", "--target", "c"]
        self.assertIn("distance: 3.5\n", self.succeed(*search, "--packets", "compressed").stdout)
        self.fail_with([*search, "--packets", "pairs"], "--packets", "'pairs'", status=2)

    def test_searches_a_graph_by_every_route(self):
        self.write("g.wel", "".join(f"{i} {i * 7 % 60} {i % 5}\n" for i in range(1, 60)))
        self.write("groups.txt", "1\n" * (int(LAUNCHER[-1]) if LAUNCHER else 1))
        for command in ("bfs", "sssp"):
            texts = set()
            monitors = ["--route", "monitor", "--groups", "groups.txt"]
            for words in ([], ["--route", "local", "--group-size", "2", "--exchange", "bulk"], monitors):
                self.succeed(command, "g.wel", "--source", "1", "--output", "r.txt", *words)
                rows = [line.split() for line in (self.folder / "r.txt").read_text().splitlines()]
                texts.add(str([(row[0], row[2 if command == "bfs" else 1]) for row in rows]))
            self.assertEqual(len(texts), 1, "levels and distances are the same")

    def test_refuses_files_of_ranks_that_say_nothing(self):
        self.write("more.txt", "1\n" * 20)
        self.write("words.txt", "1\n\nx\n")
        self.write("long.txt", "1 2 3 4 5\n")
        self.write("large.txt", "1\n99999999999\n")
        self.write("sign.txt", "1\n2 -\n")
        self.write("empty.txt", "# nothing\n")
        for words, parts in [
            (["--groups", "more.txt"], ["groups more.txt has lines for 20 ranks, but the run has "]),
            (["--groups", "words.txt"], ["words.txt:3", "whole number"]),
            (["--topology", "long.txt"], ["long.txt:1", "4 whole numbers"]),
            (["--groups", "large.txt"], ["large.txt:2", "whole number"]),
            (["--topology", "sign.txt"], ["sign.txt:2", "whole number"]),
            (["--topology", "empty.txt"], ["empty.txt", "no lines"]),
            (["--groups", "missing.txt"], ["cannot read missing.txt"]),
        ]:
            self.fail_with(["graph500", "--scale", "10", *words], *parts)

    def test_refuses_what_does_not_go_together(self):
        for words, parts in [
            (["--scale", "10", "--hub-masks", "two-phase"], ["--hub-masks", "--hubs none"]),
            (["--scale", "10", "--subgraphs", "apart"], ["--subgraphs apart", "--hubs none"]),
            (
                ["--scale", "10", "--hubs", "9", "--hub-masks", "two-phase-nonblocking"],
                ["--hub-masks two-phase-nonblocking", "--exchange asynchronous", "--subgraphs apart"],
            ),
            (["--preset", "pan2018", "--adjacency", "full-scan"], ["--subgraphs apart", "--adjacency full-scan"]),
            (
                ["--scale", "10", "--hubs", "9", "--light-parents", "end"],
                ["--light-parents end", "--subgraphs together"],
            ),
            (["--preset", "pan2018", "--alpha", "9"], ["--alpha", "--subgraphs apart of --preset pan2018"]),
            (["--preset", "pan2018", "--leaves", "last"], ["--leaves last", "--subgraphs apart of --preset pan2018"]),
            (["--hubs", "9", "--hub-to-hub", "1"], ["--hub-to-hub", "--subgraphs together"]),
            (["--preset", "pan2018", "--direction", "push", "--hub-to-hub", "1"], ["--hub-to-hub", "--direction push"]),
            (["--preset", "pan2018", "--light-to-hub", "1,2"], ["--light-to-hub", "one factor, or two"]),
            (["--scale", "10", "--hubs", "few"], ["--hubs", "'few'", "none, auto"]),
            (["--scale", "10", "--hubs", "9", "--neighbours", "labels"], ["--hubs 9", "--neighbours labels"]),
            (["--scale", "10", "--hubs", "9", "--preset", "reference"], ["--hubs 9", "--neighbours labels"]),
            (["--scale", "10", "--columns", "1", "--kernels", "sssp"], ["--columns", "--kernels sssp"]),
            (["--scale", "10", "--columns", "5"], ["--columns", "'5'", "0 to 4"]),
            (["--scale", "10", "--columns", "-1"], ["--columns", "'-1'", "0 to 4"]),
            (
                ["--scale", "10", "--weighted-columns", "5", "--kernels", "sssp"],
                ["--weighted-columns", "'5'", "0 to 4"],
            ),
            (["--scale", "10", "--packets", "pairs", "--kernels", "sssp"], ["--packets pairs", "shortest paths"]),
            (["--scale", "10", "--replicate", "shared-in", "--kernels", "sssp"], ["--replicate", "shortest paths"]),
            (
                ["--scale", "10", "--ball", "8", "--kernels", "sssp", "--sweeps", "off"],
                ["--ball 8", "--sweeps off"],
            ),
            (["--scale", "10", "--hubs", "9", "--partition", "auto-2d"], ["--hubs 9", "--partition auto-2d"]),
            (["--scale", "10", "--partition", "auto-2d", "--route", "local"], ["--route local", "--partition auto-2d"]),
            (["--scale", "10", "--unique", "on"], ["--unique on", "--route direct"]),
            (["--scale", "10", "--route", "local", "--monitor", "random"], ["--monitor", "--route local"]),
            (["--scale", "10", "--groups", "g", "--group-size", "2"], ["--groups", "--group-size"]),
            (["--scale", "10", "--route", "local", "--direction", "pull"], ["--route", "--direction pull"]),
            (["--scale", "10", "--partition", "auto-2d", "--adjacency", "rows"], ["--partition", "--adjacency"]),
            (["--scale", "10", "--partition", "auto-2d", "--replicate", "leader"], ["--partition", "--replicate"]),
            (["--scale", "10", "--partition", "auto-2d", "--kernels", "sssp"], ["--partition", "--kernels"]),
            (["--scale", "10", "--partition", "1x1", "--direction", "pull"], ["--partition 1x1", "--direction pull"]),
            (["--scale", "10", "--pull", "messages", "--summary", "64"], ["--summary", "--pull messages"]),
            (["--scale", "10", "--pull", "messages", "--replicate", "shared"], ["--replicate", "--pull messages"]),
            (["--scale", "10", "--pull", "messages", "--shared-bits", "all"], ["--shared-bits", "--pull messages"]),
            (["--scale", "10", "--summary", "64", "--shared-bits", "all"], ["--shared-bits all", "--summary 64"]),
            (["--scale", "10", "--shared-bits", "some"], ["--shared-bits", "'some'", "unvisited"]),
            (["--scale", "10", "--partition", "auto-2d", "--shared-bits", "all"], ["--partition", "--shared-bits"]),
            (
                ["--scale", "10", "--direction", "push", "--leaves", "levels", "--pull", "messages"],
                ["--pull", "--direction push", "--leaves levels"],
            ),
            (["--scale", "10", "--exchange", "bulk", "--coalescing", "3"], ["--coalescing", "--exchange bulk"]),
            (["--scale", "10", "--exchange", "bulk", "--ending", "counts"], ["--ending", "--exchange bulk"]),
            (["--scale", "10", "--direction", "pull", "--ending", "marks"], ["--ending", "--direction pull"]),
            (["--scale", "10", "--direction", "pull", "--packets", "pairs"], ["--packets", "--direction pull"]),
            (["--scale", "10", "--direction", "pull", "--exchange", "bulk"], ["--exchange", "--direction pull"]),
            (["--scale", "10", "--preset", "fuentes"], ["--preset", "'fuentes'", "fuentes2014"]),
            (
                ["--scale", "10", "--preset", "fuentes2014", "--alpha", "3"],
                ["--alpha", "--direction push of --preset fuentes2014"],
            ),
            (
                ["--scale", "10", "--preset", "fuentes2014", "--adjacency", "compressed"],
                ["--adjacency compressed", "--neighbours labels of --preset fuentes2014"],
            ),
            (["--scale", "10", "--fuse-levels", "on", "--order", "label"], ["--fuse-levels on", "--order label"]),
            (
                ["--scale", "10", "--fuse-levels", "on", "--preset", "cui2012"],
                ["--fuse-levels on", "--order label of --preset cui2012"],
            ),
            (
                ["--scale", "10", "--fuse-levels", "on", "--adjacency", "skip-list"],
                ["--fuse-levels on", "--adjacency skip-list"],
            ),
            (
                ["--scale", "10", "--preset", "reference", "--leaves", "last"],
                ["--leaves last", "--order label of --preset reference"],
            ),
            (
                ["--scale", "10", "--preset", "reference", "--direction", "auto", "--leaves", "last"],
                ["--leaves last", "--order label of --preset reference"],
            ),
        ]:
            self.fail_with(["graph500", *words], *parts, status=2)


if __name__ == "__main__":
    main()
