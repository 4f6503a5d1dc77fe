"""The benchmark and the program as a user starts them: results, exit statuses, and one clear message for what cannot be
done.

Usage: program_test.py PROGRAM [LAUNCHER WORD...]
With launcher words (mpiexec -n 3), every case runs on several ranks.
"""

import json
import os
import signal
import subprocess

from program_case import LAUNCHER, PROGRAM, SECONDS_TO_HANG, ProgramTest, environment, main, values_of

STATISTICS = [
    f"{part}_{quantity}"
    for quantity in ("time", "nedge")
    for part in ("min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev")
] + [
    f"{part}_TEPS"
    for part in ("min", "firstquartile", "median", "thirdquartile", "max", "harmonic_mean", "harmonic_stddev")
]


class Graph500(ProgramTest):
    def test_prints_what_the_specification_wants(self):
        values = values_of(self.succeed("graph500", "--scale", "10").stdout)
        self.assertEqual(list(values)[:4], ["SCALE", "edgefactor", "NBFS", "construction_time"])
        self.assertEqual(list(values)[4:], [f"bfs_{name}" for name in STATISTICS])
        self.assertEqual((values["SCALE"], values["edgefactor"], values["NBFS"]), ("10", "16", "64"))
        self.assertEqual(float(values["bfs_max_nedge"]), 16383)
        self.assertGreater(float(values["bfs_harmonic_mean_TEPS"]), 0)

    def test_prints_the_layout_of_the_reference(self):
        lines = self.succeed("graph500", "--scale", "8", "--output-format", "reference").stdout.splitlines()
        self.assertIn("NBFS:                           64", lines)
        ranked = [line for line in lines if line.startswith("bfs  harmonic_mean_TEPS:     !  ")]
        self.assertEqual(len(ranked), 1)
        float(ranked[0][32:])

    def test_writes_everything_as_json(self):
        self.succeed("graph500", "--scale", "10", "--json", "result.json", "--threads", "2")
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual((result["scale"], result["edgefactor"], result["seed"]), (10, 16, [2, 3]))
        self.assertEqual(result["threads"], 2)
        self.assertTrue(result["complete"] and result["valid"] and result["conforming"])
        self.assertEqual(result["options"]["adjacency"], "rows")
        self.assertGreater(result["construction"]["peak_bytes"], 1 << 20)
        bfs = result["bfs"]
        for name in STATISTICS:
            self.assertIn(name, bfs)
        self.assertEqual(len(bfs["runs"]), 64)
        self.assertEqual(len({run["key"] for run in bfs["runs"]}), 64)
        self.assertEqual([run["key"] for run in bfs["runs"]][:6], [458, 214, 220, 966, 395, 9])
        for run in bfs["runs"]:
            self.assertTrue(run["valid"])
            self.assertEqual(run["levels"][0]["frontier"], 1)
            self.assertEqual(set(run["levels"][0]["seconds"]), {"compute", "communicate", "wait", "switch"})
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["result.json"])

    def test_runs_as_many_keys_as_there_are(self):
        values = values_of(self.succeed("graph500", "--scale", "3").stdout)
        self.assertLessEqual(int(values["NBFS"]), 8)
        self.assertGreater(int(values["NBFS"]), 1)

    def test_says_why_a_run_does_not_conform(self):
        for words, reason in [
            (["--edge-list", "regenerate"], "generated again"),
            (["--edgefactor", "8"], "edge factor"),
            (["--keys", "3"], "search keys"),
            (["--validate", "none"], "not validated"),
            (["--validate", "first"], "63 of 64"),
        ]:
            result = self.succeed("graph500", "--scale", "8", "--json", "r.json", *words)
            self.assertRegex(result.stdout, f"# not conforming: .*{reason}")
            self.assertRegex(result.stderr, rf"not conforming \(.*{reason}.*\): ")
            report = json.loads((self.folder / "r.json").read_text())
            self.assertFalse(report["conforming"])
            self.assertTrue(report["complete"] and report["valid"])

    def test_counts_the_same_edges_however_it_runs(self):
        expected = None
        for words in [
            [],
            ["--edge-list", "regenerate"],
            ["--validate", "none"],
            ["--direction", "push"],
            ["--direction", "pull"],
            ["--adjacency", "compressed", "--fuse-levels", "on"],
            ["--direction", "pull", "--summary", "256"],
            ["--adjacency", "compressed", "--summary", "64"],
            ["--adjacency", "full-scan"],
            ["--adjacency", "skip-list", "--direction", "push"],
            ["--adjacency", "coarse-index"],
            ["--order", "label", "--fuse-levels", "off"],
            ["--neighbours", "labels", "--direction", "push"],
            ["--columns", "0"],
            ["--push-ranges", "off", "--mixed-levels", "off", "--fuse-levels", "off", "--small-level", "0"],
            ["--adaptive-levels", "off"],
            ["--simd", "scalar", "--huge-pages", "off", "--threads", "3"],
        ]:
            self.succeed("graph500", "--scale", "9", "--json", "r.json", *words)
            runs = json.loads((self.folder / "r.json").read_text())["bfs"]["runs"]
            counts = [(run["key"], run["nedge"]) for run in runs]
            expected = expected or counts
            self.assertEqual(counts, expected, words)

    def test_says_what_it_was_to_do_without(self):
        words = ["--order", "label", "--neighbours", "labels", "--columns", "1", "--push-ranges", "off"]
        words += ["--mixed-levels", "off", "--fuse-levels", "off", "--simd", "scalar", "--huge-pages", "off"]
        self.succeed("graph500", "--scale", "8", "--json", "r.json", *words)
        report = json.loads((self.folder / "r.json").read_text())
        expected = {"order": "label", "neighbours": "labels", "columns": 1, "push_ranges": False, "mixed_levels": False}
        expected["fuse_levels"] = False
        self.assertEqual({name: report["options"][name] for name in expected}, expected)
        self.assertEqual((report["machine"]["simd"], report["machine"]["huge_pages"]), ("scalar", False))

    def test_refuses_vectors_that_no_processor_has_all_of(self):
        results = [self.run_program("graph500", "--scale", "8", "--simd", one) for one in ("avx512", "sve2", "neon")]
        self.assertTrue(any(result.returncode != 0 and "scalar" in result.stderr for result in results))

    def test_reads_the_edge_list_from_a_file(self):
        self.succeed("generate", "kronecker", "--scale", "9", "--output", "graph.g500")
        expected = values_of(self.succeed("graph500", "--scale", "9").stdout)
        for words in [[], ["--scale", "9"], ["--edge-list", "memory"]]:
            values = values_of(self.succeed("graph500", "--input", "graph.g500", *words).stdout)
            for name in ("SCALE", "edgefactor", "NBFS", "bfs_max_nedge", "bfs_mean_nedge"):
                self.assertEqual(values[name], expected[name], name)

    def test_takes_options_from_file_and_variables(self):
        self.write("options.toml", "scale = 7\n[graph500]\nkeys = 5\n")
        result = self.succeed(
            "graph500", "--config", "options.toml", variables={"BREADTH_KEYS": "6", "BREADTH_SCALE": "9"}
        )
        values = values_of(result.stdout)
        self.assertEqual((values["SCALE"], values["NBFS"]), ("7", "5"))

    def test_binds_threads_where_nothing_else_did(self):
        processors = sorted(os.sched_getaffinity(0))
        words = ["graph500", "--threads", "2", "--bind", "core"]
        self.succeed(*words, "--scale", "8", "--json", "r.json")
        machine = json.loads((self.folder / "r.json").read_text())["machine"]
        self.assertEqual(machine["bind"], "core")
        self.assertGreaterEqual(machine["processors"], len(processors))
        self.assertEqual(machine["binding"] == "core", machine["binding_reason"] == "")
        if LAUNCHER or machine["binding"] != "core":
            return
        # The system shows that two processors have a thread of their own each.
        process = subprocess.Popen(
            [PROGRAM, *words, "--scale", "12", "--keys", "4096"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        for line in process.stderr:
            if "bfs [" in line:
                break
        bound = [sorted(os.sched_getaffinity(int(task))) for task in os.listdir(f"/proc/{process.pid}/task")]
        process.terminate()
        process.communicate(timeout=SECONDS_TO_HANG)
        alone = [processor for processor in processors if [processor] in bound]
        self.assertGreaterEqual(len(alone), 2, bound)

    def test_leaves_a_binding_alone_and_says_what_is_wrong_with_it(self):
        processors = sorted(os.sched_getaffinity(0))
        if LAUNCHER or len(processors) < 2:
            return
        result = subprocess.run(
            [PROGRAM, "graph500", "--scale", "8", "--threads", "4", "--json", "r.json"],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=environment(),
            timeout=SECONDS_TO_HANG,
            preexec_fn=lambda: os.sched_setaffinity(0, processors[:1]),
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("warning: 4 threads run on 1 of "), 1, result.stderr)
        machine = json.loads((self.folder / "r.json").read_text())["machine"]
        self.assertEqual((machine["binding"], machine["usable_processors"]), ("launcher", 1))

    def test_reports_what_there_is_when_interrupted(self):
        for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGUSR1, 138)]:
            words = ["graph500", "--scale", "14", "--keys", "4096", "--json", "cut.json"]
            # Signals the program itself, because a launcher handles signals in its own way.
            process = subprocess.Popen(
                [PROGRAM, *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=self.folder,
                env=environment(),
            )
            for line in process.stderr:
                if "bfs [" in line:
                    process.send_signal(number)
                    break
            stdout, _ = process.communicate(timeout=SECONDS_TO_HANG)
            self.assertEqual(process.returncode, status)
            self.assertRegex(stdout, r"# incomplete: \d+ of 4096 bfs searches")
            values = values_of(stdout)
            self.assertGreater(int(values["NBFS"]), 0)
            self.assertIn("bfs_harmonic_mean_TEPS", values)
            report = json.loads((self.folder / "cut.json").read_text())
            self.assertFalse(report["complete"] or report["conforming"])
            self.assertEqual(len(report["bfs"]["runs"]), int(values["NBFS"]))

    def test_stops_on_all_ranks_when_one_is_interrupted(self):
        if not LAUNCHER:
            self.skipTest("one rank")
        script = (
            f'if [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 1 ]; then echo $$ > rank1.pid; fi; '
            f'exec "{PROGRAM}" graph500 --scale 12 --keys 4096'
        )
        process = subprocess.Popen(
            [*LAUNCHER, "sh", "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=environment(),
        )
        for line in process.stderr:
            if "bfs [" in line:
                os.kill(int((self.folder / "rank1.pid").read_text()), signal.SIGINT)
                break
        stdout, _ = process.communicate(timeout=SECONDS_TO_HANG)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("# incomplete: ", stdout)

    def test_refuses_what_makes_no_sense(self):
        for words, parts in [
            ([], ["--scale", "--input"]),
            (["--scale", "0"], ["--scale", "'0'", "from 1 to 42"]),
            (["--scale", "43"], ["--scale", "'43'", "from 1 to 42"]),
            (["--scale", "x"], ["--scale", "'x'"]),
            (["--scale", "10", "--sede", "2,3"], ["--sede", "--seed"]),
            (["--scale", "10", "--seed", "2"], ["--seed", "two whole numbers"]),
            (["--scale", "10", "--alpha", "0"], ["--alpha", "'0'"]),
            (["--scale", "10", "--keys", "0"], ["--keys"]),
            (["--scale", "10", "--threads", "0"], ["--threads"]),
            (["--scale", "10", "--kernels", "bsf"], ["--kernels", "bfs"]),
            (["--scale", "10", "--delta", "1"], ["--delta", "--kernels bfs"]),
            (["--scale", "10", "--bucket-batch", "2"], ["--bucket-batch", "--kernels bfs"]),
            (
                ["--scale", "10", "--kernels", "sssp", "--bucket-batch", "0"],
                ["--bucket-batch", "'0'", "from 1 to 1024"],
            ),
            (["--scale", "10", "--kernels", "sssp", "--sweeps", "off", "--ball", "2"], ["--ball 2", "--sweeps off"]),
            (["--scale", "10", "--kernels", "sssp", "--delta", "1", "--ball", "2"], ["--ball 2", "--delta 1"]),
            (["--scale", "10", "--kernels", "sssp", "--alpha", "3"], ["--alpha", "--kernels sssp"]),
            (["--scale", "10", "--kernels", "sssp", "--neighbours", "labels"], ["--neighbours", "--kernels sssp"]),
            (["--scale", "10", "--adjacency", "skiplist"], ["--adjacency", "'skiplist'", "coarse-index"]),
            (["--scale", "10", "--adjacency", "skip-list", "--columns", "1"], ["--columns", "--adjacency skip-list"]),
            (["--scale", "10", "--columns", "5"], ["--columns", "'5'", "from 0 to 4"]),
            (["--scale", "10", "--order", "label", "--leaves", "last"], ["--leaves", "--order label"]),
            (["--scale", "10", "--direction", "pull", "--small-level", "3"], ["--small-level", "--direction pull"]),
            (["--scale", "10", "--direction", "push", "--mixed-levels", "on"], ["--mixed-levels", "--direction auto"]),
            (["--scale", "10", "--direction", "push", "--alpha", "3"], ["--alpha", "--direction push"]),
            (["--scale", "10", "--direction", "pull", "--coalescing", "3"], ["--coalescing", "--direction pull"]),
            (["--scale", "10", "--summary", "100"], ["--summary", "'100'", "64", "4096"]),
            (
                ["--scale", "10", "--direction", "push", "--leaves", "levels", "--summary", "64"],
                ["--summary", "--direction push", "--leaves levels"],
            ),
            (
                ["--scale", "10", "--direction", "push", "--leaves", "levels", "--replicate", "shared"],
                ["--replicate", "--direction push", "--leaves levels"],
            ),
            (["--scale", "10", "--replicate", "share"], ["--replicate", "'share'", "shared-in"]),
            (["--input", "x.g500", "--seed", "2,3"], ["--input", "--seed"]),
            (["--input", "x.g500", "--edgefactor", "16"], ["--input", "--edgefactor"]),
            (["--input", "x.g500", "--edge-list", "regenerate"], ["--input", "--edge-list regenerate"]),
            (["--scale", "10", "--config", "missing.toml"], ["missing.toml"]),
            (["--scale", "10", "more"], ["more"]),
        ]:
            self.fail_with(["graph500", *words], *parts, status=2)
        self.fail_with(
            ["graph500", "--scale", "10"], "BREADTH_SCLAE", "BREADTH_SCALE", status=2, variables={"BREADTH_SCLAE": "3"}
        )

    def test_finds_out_before_the_work_what_cannot_be_done(self):
        self.fail_with(["graph500", "--scale", "10", "--json", "nowhere/result.json"], "nowhere/result.json")
        self.fail_with(["graph500", "--scale", "40"], "too little memory", "GiB")
        self.fail_with(["graph500", "--input", "missing.g500"], "missing.g500")
        self.write("cut.g500", b"x" * 13)
        self.fail_with(["graph500", "--input", "cut.g500"], "cut.g500")
        self.write("empty.g500", b"")
        self.fail_with(["graph500", "--input", "empty.g500"], "empty")


class Program(ProgramTest):
    def test_prints_help_and_version(self):
        self.assertRegex(self.succeed("--version").stdout, r"^breadth \d+\.\d+\.\d+\n$")
        help_text = self.succeed("--help").stdout
        for command in ("graph500", "bfs", "sssp", "generate", "convert", "info", "plan", "tune", "options"):
            self.assertIn(f"\n  {command} ", help_text)
            self.assertIn("--", self.succeed(command, "--help").stdout)
        listed = self.succeed("options").stdout
        self.assertIn("sets: --adjacency coarse-index", self.succeed("options", "checconi2014").stdout)
        self.assertTrue(listed.endswith(self.succeed("options", "presets").stdout))
        self.assertIn("Fuentes et al. 2014", listed)
        self.assertIn("--coalescing", listed)
        self.assertIn("Checconi & Petrini 2014, section II-D and fig. 14", listed)
        for preset in ("auto", "reference", "fuentes2014", "cui2012", "checconi2014", "pan2018", "tianhe2021"):
            self.assertRegex(help_text, f"\n  {preset} ")
            self.assertIn(f"\n{preset}\n", listed)
        self.assertIn("--packets pairs\n    from: Fuentes et al. 2014, sections III and IV", listed)

    def test_names_the_nearest_command(self):
        self.fail_with(["grpah500"], "grpah500", "graph500", "breadth --help", status=2)
        self.fail_with([], "graph500", status=2)
        self.fail_with(["--scale", "3"], "--scale", status=2)

    def test_plans_without_running(self):
        words = ["plan", "--scale", "30", "--ranks", "64", "--threads", "1", "--json"]
        plan = json.loads(self.succeed(*words).stdout)
        self.assertEqual((plan["edge_list_bytes"], plan["full_batch_searches"]), (12 * 16 << 30, 12))
        self.assertGreater(plan["peak_bytes"], plan["edge_list_bytes"] + plan["graph_bytes"])
        messages = plan["full_batch_bytes"] - (12 * 4 + 76 << 30)  # for validation, 11 MB per rank
        self.assertTrue(0 < messages < 64 * 2**24 and plan["full_batch_peak_bytes"] >= plan["peak_bytes"], plan)
        words = ["plan", "--scale", "25", "--ranks", "128", "--preset", "fuentes2014", "--json"]
        fuentes = json.loads(self.succeed(*words).stdout)
        self.assertEqual(fuentes["push_messages_per_rank"], 32512)  # as the paper has it, section IV-B
        self.assertEqual(fuentes["push_bytes"], 2**30 * 16 * 127 / 128)
        self.assertLess(fuentes["distinct_push_bytes"], fuentes["push_bytes"])
        both = json.loads(self.succeed("plan", "--scale", "30", "--kernels", "bfs,sssp", "--json").stdout)
        self.assertEqual(both["edge_list_bytes"], 16 * 16 << 30)
        for key in ("graph_bytes", "peak_bytes"):
            alone = [
                json.loads(self.succeed("plan", "--scale", "30", "--kernels", kernel, "--json").stdout)[key]
                for kernel in ("bfs", "sssp")
            ]
            self.assertLess(alone[0], alone[1])
            self.assertLess(alone[1], both[key])
        pairs = json.loads(self.succeed("plan", "--scale", "30", "--adjacency", "full-scan", "--json").stdout)
        self.assertEqual(pairs["adjacency"], "full-scan")
        self.assertGreater(pairs["graph_bytes"], 2 * pairs["edges"] * 8)
        self.assertEqual(plan["summary"], "none")
        words = ["plan", "--scale", "30", "--ranks", "64", "--json"]
        all_bits = json.loads(self.succeed(*words, "--shared-bits", "all").stdout)
        bitmap = plan["connected_vertices"] // 8
        self.assertAlmostEqual(plan["search_bytes"] - all_bits["search_bytes"], 64 * bitmap, delta=64 * 8)
        self.assertLess(plan["direction_optimising_bytes"], all_bits["direction_optimising_bytes"] / 2)
        summary = json.loads(self.succeed(*words, "--summary", "64").stdout)
        self.assertEqual(summary["summary"], 64)
        self.assertGreater(summary["search_bytes"] - all_bits["search_bytes"], 64 * bitmap)
        words = ["--scale", "30", "--ranks", "64", "--ranks-per-node", "8", "--replicate", "subgroups", "--json"]
        shared = json.loads(self.succeed("plan", *words).stdout)
        self.assertEqual(plan["pull_bytes_per_level"], 63 * plan["connected_vertices"] / 8)
        self.assertEqual(shared["pull_bytes_between_nodes_per_level"], 7 * plan["connected_vertices"] / 8)
        self.assertLess(shared["search_bytes"], plan["search_bytes"])
        text = values_of(self.succeed("plan", "--scale", "30", "--ranks", "64", "--threads", "1").stdout)
        self.assertEqual(int(text["peak_bytes"]) // 1000000, plan["peak_bytes"] // 1000000)

    def test_gives_each_rank_its_share_of_the_processors(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        self.succeed("graph500", "--scale", "5", "--json", "r.json")
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["ranks"], ranks)
        self.assertGreaterEqual(result["threads"], 1)
        self.assertLessEqual(result["threads"] * ranks, max(ranks, os.cpu_count()))

    def test_says_so_when_standard_output_is_full(self):
        if LAUNCHER:
            self.skipTest("the launcher reads standard output itself")
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [PROGRAM, "plan", "--scale", "3"],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=SECONDS_TO_HANG,
                env=environment(),
            )
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output", result.stderr)

    def test_stops_where_ranks_disagree(self):
        if not LAUNCHER:
            self.skipTest("one rank")
        script = f'exec "{PROGRAM}" plan --scale "1${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}"'
        result = subprocess.run(
            [*LAUNCHER, "sh", "-c", script], capture_output=True, text=True, timeout=SECONDS_TO_HANG, env=environment()
        )
        self.assertNotEqual(result.returncode, 0)
        messages = [line for line in result.stderr.splitlines() if line.startswith("breadth: ")]
        self.assertEqual(len(messages), 1, result.stderr)
        self.assertIn("disagree", messages[0])
        self.assertIn("--scale 11", messages[0])


if __name__ == "__main__":
    main()
