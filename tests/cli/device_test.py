"""Searches on a GPU and on the simulated GPU, as a user starts them.

Usage: device_test.py PROGRAM [LAUNCHER WORD...]
With launcher words (mpiexec -n 3), every case runs on three ranks.
"""

import json
import os
import unittest

from program_case import LAUNCHER, ProgramTest, main, values_of

GRAPH = b"0 1\n1 2\n2 3\n3 0\n3 4\n4 5\n10 11\n"


class Device(ProgramTest):
    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_runs_the_benchmark_on_the_simulated_gpu(self):
        for direction in ("auto", "push", "pull"):
            words = ["--scale", "9", "--keys", "3", "--device", "simulated", "--direction", direction]
            self.succeed("graph500", *words, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(result["options"]["device"], "simulated")
            self.assertEqual(result["options"]["device_control"], "persistent")
            self.assertEqual([run["valid"] for run in result["bfs"]["runs"]], [True] * 3)
            self.assertEqual(result["bfs"]["device"]["name"], "a simulated GPU")
            self.assertEqual(result["bfs"]["device"]["copies"], 3)
            self.assertGreater(result["bfs"]["device"]["bytes"], 4 * 2 * 16 * 2**8)
            construction = result["construction"]["device"]
            reserved = construction.pop("reserved_bytes")
            self.assertGreater(reserved, 17 * 2 * 16 * 2**9)
            self.assertEqual(construction, {"edge_list_bytes": 8 * 16 * 2**9, "slabs": 1})
            self.assertTrue(any(str(reserved) in note for note in result["rules_notes"]))
            self.assertGreater(result["construction"]["graph_bytes"], 0)

    def test_a_directed_file_is_refused_with_what_to_choose(self):
        """Only the file says that the graph is directed; no option does."""
        graph = self.write("d.mtx", b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n2 3 1\n")
        for command in ("bfs", "sssp"):
            words = [command, graph, "--source", "1", "--device", "simulated"]
            self.fail_with(words, "directed", "--device cpu", status=1)

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_a_run_on_the_device_searches_what_processors_search(self):
        """Runs have the same keys, edges and reached vertices, wherever the edge list comes from."""
        self.succeed("generate", "kronecker", "--scale", "10", "--output", "k.g500")

        def runs(*words):
            self.succeed("graph500", "--keys", "5", "--json", "r.json", *words)
            result = json.loads((self.folder / "r.json").read_text())
            runs = result["bfs"]["runs"]
            self.assertEqual([run["valid"] for run in runs], [True] * 5)
            claimed = [sum(level["claimed"] for level in run["levels"]) + run["leaves"]["claimed"] for run in runs]
            return [run["key"] for run in runs], [run["nedge"] for run in runs], claimed

        expected = runs("--scale", "10")
        for words in (
            ["--scale", "10"],
            ["--scale", "10", "--edge-list", "regenerate"],
            ["--input", "k.g500"],
            ["--input", "k.g500", "--edge-list", "memory"],
            ["--scale", "10", "--device-edges", "streamed", "--device-block", "1000"],
            ["--scale", "10", "--edge-list", "regenerate", "--device-block", "999"],
            ["--scale", "10", "--edge-list", "regenerate", "--device-edges", "resident"],
            ["--input", "k.g500", "--device-edges", "resident"],
            ["--input", "k.g500", "--edge-list", "memory", "--device-edges", "streamed", "--device-block", "7001"],
        ):
            self.assertEqual(runs(*words, "--device", "simulated"), expected, words)
            result = json.loads((self.folder / "r.json").read_text())
            streamed = "--device-block" in words
            held = int(words[words.index("--device-block") + 1]) if streamed else 16 * 2**10
            self.assertEqual(result["construction"]["device"]["edge_list_bytes"], 8 * held, words)
            anew = "the edge list is generated again for each reading, so kernel 1 uses more than the list"
            self.assertEqual(anew in result["rules_broken"], "regenerate" in words and "resident" not in words, words)

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_the_host_keeps_what_is_streamed_from_it(self):
        """If the edge list is streamed, the host keeps it whole and the device one block. If the device has the whole
        list, the host keeps none of it."""
        words = ["--scale", "16", "--device", "gpu"]
        streamed = [*words, "--device-edges", "streamed"]
        plans = [json.loads(self.succeed("plan", *options, "--json").stdout) for options in (words, streamed)]
        self.assertEqual([plan["device_edges"] for plan in plans], ["resident", "streamed"])
        self.assertEqual([plan["edge_list_bytes"] for plan in plans], [0, 12 * 2**20])
        self.assertGreater(plans[1]["peak_bytes"], plans[0]["peak_bytes"] + 12 * 2**20)
        self.assertEqual(plans[0]["device_edge_list_bytes"], 8 * 2**20)
        small = json.loads(self.succeed("plan", *streamed, "--device-block", "4096", "--json").stdout)
        self.assertEqual(small["device_edge_list_bytes"], 8 * 4096)
        self.assertEqual(plans[0]["device_peak_bytes"] - small["device_peak_bytes"], 8 * (2**20 - 4096))
        self.fail_with(["plan", *streamed, "--ranks", "2"], "--ranks", "--device-edges", "exclude", status=2)
        self.fail_with(["plan", "--scale", "9", "--device-edges", "streamed"], "no effect with --device cpu", status=2)

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_counts_the_edges_of_searches_that_are_not_validated(self):
        words = ["--scale", "9", "--keys", "3", "--device", "simulated", "--validate"]
        for policy, verdicts in (("none", [None] * 3), ("first", [True, None, None])):
            self.succeed("graph500", *words, policy, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())["bfs"]["runs"]
            self.assertEqual([run["valid"] for run in result], verdicts)
            self.assertTrue(all(run["nedge"] > 4000 for run in result))

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_runs_both_kernels_on_the_simulated_gpu(self):
        for control in ("persistent", "host"):
            words = ["--scale", "9", "--keys", "2", "--device", "simulated", "--device-control", control]
            self.succeed("graph500", *words, "--kernels", "bfs,sssp", "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            for kernel in ("bfs", "sssp"):
                self.assertEqual([run["valid"] for run in result[kernel]["runs"]], [True] * 2)
                self.assertEqual(result[kernel]["device"]["copies"], 2)
                self.assertIs(result[kernel]["device"]["validates"], True)
                for run in result[kernel]["runs"]:
                    self.check_seconds(run)

    def check_seconds(self, run):
        """Checks the seconds by the device's clock and those of the whole search: no part is missing, and no part
        exceeds the whole."""
        took = run["device_seconds"]
        self.assertEqual(sorted(took), ["all", "names", "start"])
        self.assertGreater(min(took.values()), 0)
        levels = sum(level["seconds"]["compute"] + level["seconds"]["switch"] for level in run["levels"])
        parts = took["start"] + levels + run["leaves"]["seconds"]["compute"] + took["names"]
        rounding = 1e-9
        self.assertLessEqual(parts, took["all"] + rounding)
        self.assertLessEqual(took["all"], run["seconds"] + rounding)

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_finds_shortest_paths_on_the_simulated_gpu(self):
        graph = self.write("graph.txt", b"0 1 0.5\n1 2 0.25\n0 2 1\n2 3 7\n10 11 1\n")
        for source in ("0", "3", "10"):
            words = ["sssp", graph, "--source", source]
            expected = values_of(self.succeed(*words).stdout)
            for options in ([], ["--delta", "0.1"], ["--device-control", "host"]):
                found = values_of(self.succeed(*words, "--device", "simulated", *options).stdout)
                self.assertEqual((found["reached"], found["farthest"]), (expected["reached"], expected["farthest"]))
        refused = ["sssp", graph, "--source", "0", "--directed", "--device", "simulated"]
        self.fail_with(refused, "--directed", "--device simulated", status=2)

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_plans_the_memory_that_is_taken(self):
        for scale, kernel in (("10", "bfs"), ("13", "bfs"), ("12", "sssp")):
            words = ["--scale", scale, "--device", "simulated", "--kernels", kernel]
            plan = json.loads(self.succeed("plan", *words, "--json").stdout)
            self.succeed("graph500", *words, "--keys", "1", "--json", "r.json")
            taken = json.loads((self.folder / "r.json").read_text())[kernel]["device"]["bytes"]
            self.assertAlmostEqual(plan["device_bytes"] / taken, 1, delta=0.02)
            self.assertGreaterEqual(plan["device_peak_bytes"], plan["device_bytes"])
            if kernel == "bfs":
                self.assertEqual(plan["device_edge_list_bytes"], 8 * 16 * 2 ** int(scale))
                self.assertGreater(plan["device_peak_bytes"], plan["device_edge_list_bytes"] + plan["device_bytes"])

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_searches_a_graph_on_the_simulated_gpu(self):
        graph = self.write("graph.txt", GRAPH)
        for source in ("0", "5", "10"):
            words = ["bfs", graph, "--source", source, "--target", "4"]
            found = values_of(self.succeed(*words, "--device", "simulated").stdout)
            expected = values_of(self.succeed(*words).stdout)
            for name in ("reached", "vertices", "levels", "distance"):
                self.assertEqual(found[name], expected[name], (source, name))
            by_host = values_of(self.succeed(*words, "--device", "simulated", "--device-control", "host").stdout)
            self.assertEqual(by_host["levels"], expected["levels"])

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_names_the_gpu_or_says_why_there_is_none(self):
        graph = self.write("graph.txt", GRAPH)
        result = self.run_program("bfs", graph, "--source", "0", "--device", "gpu")
        if result.returncode == 0:
            self.assertEqual(values_of(result.stdout)["reached"], "6")
            self.skipTest("there is a GPU")
        self.fail_with(["bfs", graph, "--source", "0", "--device", "gpu"], "GPU")
        self.fail_with(["graph500", "--scale", "9", "--device", "gpu", "--json", "r.json"], "GPU")

    def test_auto_takes_what_there_is_and_says_why(self):
        """Every command reports the choice in one line: processors if there is no GPU, or if an option excludes it."""
        graph = self.write("graph.txt", b"0 1 0.5\n1 2 0.25\n2 3 7\n")
        plan = json.loads(self.succeed("plan", "--scale", "8", "--device", "gpu", "--json").stdout)
        for command in (
            ["graph500", "--scale", "8", "--keys", "2"],
            ["graph500", "--input", graph, "--keys", "1"],
            ["bfs", graph, "--source", "0"],
            ["sssp", graph, "--source", "0"],
        ):
            excluded = [["--exchange", "bulk"]] + ([["--preset", "tianhe2021"]] if command[0] != "sssp" else [])
            for words in ([], *excluded):
                result = self.succeed(*command, *words, "--device", "auto", "--json", "r.json")
                report = json.loads((self.folder / "r.json").read_text())
                choice = report["device_choice"]
                self.assertEqual(report["options"]["device"], choice["taken"])
                said = [line for line in result.stderr.splitlines() if "--device" in line]
                what = "processors" if choice["taken"] == "cpu" else "a GPU"
                self.assertEqual(said, [f"--device auto: {what}, because {choice['reason']}"])
                if words:
                    reason = f"{' '.join(words)} is not for a GPU"
                    self.assertEqual((choice["taken"], choice["reason"][: len(reason)]), ("cpu", reason))
                elif plan["device_name"] is None:
                    self.assertEqual((choice["taken"], choice["reason"]), ("cpu", plan["device_missing"]))
                else:
                    self.assertEqual(choice["taken"], "gpu")

    def test_says_nothing_of_devices_unless_asked(self):
        for words in ([], ["--device", "cpu"]):
            result = self.succeed("graph500", "--scale", "8", "--keys", "1", *words, "--json", "r.json")
            self.assertNotIn("device", result.stderr)
            report = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(report["options"]["device"], "cpu")
            self.assertNotIn("device_choice", report)

    def test_a_search_from_no_key_comes_before_the_timed_ones(self):
        """The warm-up search is named in the result and in a note. It is not counted among the searches or the
        copies."""
        for kernels in ("bfs", "sssp", "bfs,sssp"):
            words = ["--scale", "8", "--keys", "5", "--kernels", kernels, "--json", "r.json"]
            text = self.succeed("graph500", *words, "--device", "simulated").stdout
            report = json.loads((self.folder / "r.json").read_text())
            for kernel in kernels.split(","):
                keys = [run["key"] for run in report[kernel]["runs"]]
                vertex = report[kernel]["warm_up"]["vertex"]
                self.assertEqual((len(keys), vertex in keys), (5, False))
                self.assertIn(
                    f"# note: an untimed {kernel} search from vertex {vertex}, which is not a search key", text
                )
                self.assertEqual(report[kernel]["device"]["copies"], 5)
            self.succeed("graph500", *words)
            report = json.loads((self.folder / "r.json").read_text())
            self.assertEqual([run["key"] for run in report[kernel]["runs"]], keys)
            self.assertNotIn("warm_up", report[kernel])

    @unittest.skipIf(LAUNCHER, "on one rank")
    def test_a_graph_all_of_whose_vertices_are_keys_is_searched_at_once(self):
        graph = self.write("graph.txt", b"0 1\n1 2\n")
        for kernels in ("bfs", "sssp"):
            words = ["--input", graph, "--keys", "3", "--kernels", kernels, "--device", "simulated", "--json", "r.json"]
            if kernels == "sssp":
                words[1] = self.write("weighted.txt", b"0 1 0.5\n1 2 0.25\n")
            self.succeed("graph500", *words)
            self.assertNotIn("warm_up", json.loads((self.folder / "r.json").read_text())[kernels])

    def test_auto_stages_messages_of_simulated_devices(self):
        for words in ([], ["--device-transport", "auto"]):
            self.succeed("graph500", "--scale", "8", "--keys", "1", "--device", "simulated", *words, "--json", "r.json")
            report = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(report["options"]["device_transport"], "staged")

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_auto_leaves_to_processors_what_no_device_does_on_several_ranks(self):
        for words in (["--device-control", "persistent"], ["--device-edges", "streamed"]):
            command = ["graph500", "--scale", "8", "--keys", "1", "--device", "auto", *words, "--json", "r.json"]
            self.succeed(*command)
            self.assertEqual(json.loads((self.folder / "r.json").read_text())["device_choice"]["taken"], "cpu")

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_several_ranks_search_what_processors_search(self):
        """Runs have the same keys, edges and reached vertices, with and without hubs, in every direction."""

        def benchmark(*words):
            self.succeed("graph500", "--scale", "10", "--keys", "3", *words, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            runs = result["bfs"]["runs"]
            self.assertEqual([run["valid"] for run in runs], [True] * 3)
            claimed = [sum(level["claimed"] for level in run["levels"]) + run["leaves"]["claimed"] for run in runs]
            return result, ([run["key"] for run in runs], [run["nedge"] for run in runs], claimed)

        _, expected = benchmark()
        for hubs in ("none", "auto", "12"):
            direct = ["--device-control", "host", "--device-transport", "direct"]
            for words in (["--direction", "push"], ["--direction", "pull"], direct):
                result, found = benchmark("--device", "simulated", "--hubs", hubs, *words)
                self.assertEqual(result["options"]["device_transport"], "direct" if words == direct else "staged")
                self.assertEqual(found, expected, (hubs, words))
                self.assertEqual(result["options"]["device_control"], "host")
                self.assertEqual(result["options"]["leaves"], "levels")
                self.assertEqual(result["bfs"]["device"]["copies"], 3)
                levels = [level for run in result["bfs"]["runs"] for level in run["levels"]]
                queries = sum(level["queries"] for level in levels)
                self.assertGreater(queries, 0)
                communication = result["bfs"]["communication"]
                self.assertEqual(sum(rank["queries"] for rank in communication["ranks"]), queries)
                self.assertEqual(sum(map(sum, communication["bytes"])), 8 * queries)

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_plans_the_memory_that_ranks_take(self):
        """The plan is close without hubs, and an upper bound with hubs."""
        for hubs, transport, least in (("none", "staged", 0.95), ("none", "direct", 0.95), ("auto", "direct", 0.5)):
            for kernel in ("bfs", "sssp"):
                words = ["--scale", "12", "--device", "simulated", "--hubs", hubs, "--device-transport", transport]
                words += ["--kernels", kernel]
                plan = json.loads(self.succeed("plan", *words, "--ranks", "3", "--json").stdout)
                self.succeed("graph500", *words, "--keys", "1", "--json", "r.json")
                taken = json.loads((self.folder / "r.json").read_text())[kernel]["device"]["bytes"]
                share = taken / (3 * plan["device_bytes_per_rank"])
                self.assertTrue(least < share < 1.03, (hubs, transport, kernel, share))

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_searches_a_graph_on_several_ranks(self):
        graph = self.write("graph.txt", GRAPH)
        for source in ("0", "5", "10"):
            words = ["bfs", graph, "--source", source, "--target", "4"]
            expected = values_of(self.succeed(*words).stdout)
            for options in ([], ["--hubs", "1"], ["--hubs", "0", "--hub-masks", "two-phase"], ["--max-depth", "2"]):
                found = values_of(self.succeed(*words, "--device", "simulated", *options).stdout)
                names = ("vertices",) if "--max-depth" in options else ("reached", "vertices", "levels", "distance")
                for name in names:
                    self.assertEqual(found[name], expected[name], (source, options, name))

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_several_ranks_find_the_paths_that_processors_find(self):
        graph = self.write("graph.txt", b"0 1 0.5\n1 2 0.25\n0 2 1\n2 3 7\n10 11 1\n")
        for source in ("0", "3", "10"):
            words = ["sssp", graph, "--source", source, "--target", "2"]
            expected = values_of(self.succeed(*words).stdout)
            direct = ["--device-transport", "direct", "--delta", "0.1"]
            for options in ([], ["--hubs", "1"], ["--hubs", "0", "--delta", "100"], direct):
                found = values_of(self.succeed(*words, "--device", "simulated", *options).stdout)
                for name in ("reached", "farthest", "distance"):
                    self.assertEqual(found[name], expected[name], (source, options, name))

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_several_ranks_run_both_kernels(self):
        self.succeed("graph500", "--scale", "10", "--keys", "3", "--kernels", "sssp", "--json", "r.json")
        expected = json.loads((self.folder / "r.json").read_text())["sssp"]["runs"]
        for hubs in ("none", "auto", "12"):
            words = ["--scale", "10", "--keys", "3", "--kernels", "bfs,sssp", "--device", "simulated", "--hubs", hubs]
            self.succeed("graph500", *words, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertEqual([run["valid"] for kernel in ("bfs", "sssp") for run in result[kernel]["runs"]], [True] * 6)
            found = result["sssp"]["runs"]
            self.assertEqual([run["nedge"] for run in found], [run["nedge"] for run in expected])
            queries = sum(level["queries"] for run in found for level in run["levels"])
            self.assertGreater(queries, 0)
            communication = result["sssp"]["communication"]
            self.assertEqual(sum(rank["queries"] for rank in communication["ranks"]), queries)
            self.assertEqual(sum(map(sum, communication["bytes"])), 12 * queries)

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_refuses_what_several_ranks_cannot_do(self):
        words = ["graph500", "--scale", "9", "--device", "simulated"]
        self.fail_with([*words, "--device-control", "persistent"], "--device-control persistent and 3 ranks exclude")
        self.fail_with([*words, "--device-edges", "streamed"], "--device-edges streamed and 3 ranks exclude")
        graph = self.write("graph.txt", b"0 1 0.5\n1 2 0.25\n")
        words = ["graph500", "--scale", "9", "--device", "simulated", "--device-transport", "nccl"]
        os.environ["NCCL_LIBRARY"] = "/nowhere/libnccl.so"
        self.addCleanup(os.environ.pop, "NCCL_LIBRARY")
        for command in (
            words,
            ["sssp", graph, "--source", "0", *words[3:]],
            ["bfs", graph, "--source", "0", *words[3:]],
        ):
            self.fail_with(command, "--device-transport nccl needs NCCL", "/nowhere/libnccl.so")
        refused = ["sssp", graph, "--source", "0", "--device", "simulated", "--device-control", "persistent"]
        self.fail_with(refused, "--device-control persistent and 3 ranks exclude")

    @unittest.skipUnless(LAUNCHER, "on several ranks")
    def test_says_on_all_ranks_that_there_is_no_gpu(self):
        words = ["graph500", "--scale", "9", "--keys", "1", "--device", "gpu"]
        if self.run_program(*words).returncode == 0:
            self.skipTest("there is a GPU")
        self.fail_with(words, "GPU")
        self.fail_with([*words, "--device-transport", "direct"], "GPU")

    def test_refuses_what_a_gpu_does_not_have(self):
        for words, parts in [
            (["--summary", "64"], ["--summary 64"]),
            (["--adjacency", "compressed"], ["--adjacency compressed"]),
            (["--order", "label"], ["--order label"]),
            (["--hubs", "9", "--subgraphs", "apart"], ["--subgraphs apart"]),
            (["--partition", "auto-2d"], ["--partition auto-2d"]),
            (["--kernels", "bfs,sssp", "--ball", "9"], ["--ball 9"]),
            (["--preset", "tianhe2021"], ["--preset tianhe2021"]),
        ]:
            refused = ["graph500", "--scale", "9", "--device", "simulated", *words]
            self.fail_with(refused, "--device simulated", "exclude each other", *parts, status=2)
        for words in (["--device-control", "host"], ["--device-transport", "direct"]):
            self.fail_with(["graph500", "--scale", "9", *words], "no effect with --device cpu", words[0], status=2)
        graph = self.write("graph.txt", GRAPH)
        refused = ["bfs", graph, "--source", "0", "--directed", "--device", "gpu"]
        self.fail_with(refused, "--directed", "--device gpu", "undirected", status=2)


if __name__ == "__main__":
    main()
