"""What a run of the benchmark reports about itself: its last line for people, whether validation alternates with
searches, where its edge list is, what would fit into memory, and which choices of a preset have no effect.

Usage: conforming_test.py PROGRAM [LAUNCHER WORD...]
"""

import json
import re
import signal
import subprocess

from program_case import LAUNCHER, PROGRAM, SECONDS_TO_HANG, ProgramTest, environment, main

RANKS = int(LAUNCHER[-1]) if LAUNCHER else 1


class LastLine(ProgramTest):
    def last_line(self, *words):
        return self.succeed("graph500", "--scale", "8", *words).stderr.splitlines()[-1]

    def test_says_how_the_run_went(self):
        self.assertRegex(
            self.last_line(),
            r"^64 searches, all valid, conforming: [\d.e-]+ GTEPS \(harmonic mean\), kernel 1 [\d.e-]+ s$",
        )
        self.assertRegex(self.last_line("--json", "-"), r"^64 searches, all valid, conforming: ")
        self.assertRegex(
            self.last_line("--validate", "none", "--keys", "3"),
            r"^3 searches, not validated, not conforming \(3 search keys, not 64; 3 of 3 bfs searches were not "
            r"validated\): [\d.e-]+ GTEPS",
        )
        self.assertRegex(
            self.last_line("--kernels", "bfs,sssp"),
            r"^bfs: 64 searches, all valid, [\d.e-]+ GTEPS \(harmonic mean\); sssp: 64 searches, all valid, "
            r"[\d.e-]+ GTEPS \(harmonic mean\); conforming; kernel 1 [\d.e-]+ s$",
        )


class Rules(ProgramTest):
    def report_of(self, *words):
        result = self.succeed("graph500", "--scale", "8", "--json", "r.json", *words)
        return result, json.loads((self.folder / "r.json").read_text())

    def test_validates_each_search_before_the_next(self):
        for kernels in ("bfs", "sssp"):
            _, report = self.report_of("--validate", "alternate", "--kernels", kernels)
            self.assertTrue(report["conforming"])
            self.assertEqual(report["options"]["validate"], "alternate")
            self.assertEqual({run["validate_batch"] for run in report[kernels]["runs"]}, {1})
            self.assertTrue(all(run["valid"] for run in report[kernels]["runs"]))

    def test_notes_that_each_kernel_has_a_graph_of_its_own(self):
        result, report = self.report_of("--kernels", "bfs,sssp")
        self.assertTrue(report["conforming"])
        self.assertEqual(len(report["rules_notes"]), 1)
        self.assertRegex(result.stdout, "^# note: each kernel searches its own graph")
        result, report = self.report_of()
        self.assertEqual(report["rules_notes"], [])
        self.assertRegex(result.stdout, "^SCALE: 8\n")

    def test_names_choices_that_mean_nothing_on_one_rank(self):
        idle = ["hubs", "pull", "hub-masks", "ending", "packets"]
        result, report = self.report_of("--preset", "checconi2014")
        line = f"on one rank {', '.join(idle[:-1])} and {idle[-1]} have no effect"
        self.assertEqual(line in result.stderr.splitlines(), RANKS == 1, result.stderr)
        self.assertEqual(report["without_effect"], idle if RANKS == 1 else [])
        _, report = self.report_of("--preset", "checconi2014", "--pull", "replicated", "--hubs", "none")
        self.assertEqual(report["without_effect"], idle if RANKS == 1 else [])
        result, report = self.report_of("--exchange", "bulk")
        self.assertEqual("on one rank exchange has no effect" in result.stderr.splitlines(), RANKS == 1)
        self.assertEqual(report["without_effect"], ["exchange"] if RANKS == 1 else [])
        result, report = self.report_of()
        self.assertEqual(report["without_effect"], [])
        self.assertNotIn("effect", result.stderr)


class EdgeFile(ProgramTest):
    def test_is_made_by_the_run_and_gone_with_it(self):
        (self.folder / "edges").mkdir()
        words = ["graph500", "--scale", "9", "--edge-list", "file", "--edge-folder", "edges", "--json", "r.json"]
        for kernels in ("bfs", "bfs,sssp"):
            self.succeed(*words, "--kernels", kernels)
            report = json.loads((self.folder / "r.json").read_text())
            self.assertTrue(report["conforming"] and report["valid"])
            self.assertEqual((report["options"]["edge_list"], report["options"]["edge_folder"]), ("file", "edges"))
            self.assertGreater(report["generation"]["seconds"], 0)
            self.assertEqual(list((self.folder / "edges").iterdir()), [])
        self.succeed("graph500", "--scale", "8", "--edge-list", "file", variables={"TMPDIR": self.path("edges")})
        # Folders belong to mpiexec, which may still be removing them.
        left = [path for path in (self.folder / "edges").iterdir() if not path.is_dir() and path.exists()]
        self.assertEqual(left, [])

    def test_is_gone_however_the_run_ends(self):
        (self.folder / "edges").mkdir()
        words = ["graph500", "--scale", "12", "--edge-list", "file", "--edge-folder", "edges", "--keys", "4096"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = subprocess.Popen(
                [*LAUNCHER, PROGRAM, *words],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                cwd=self.folder,
                env=environment(),
            )
            self.assertTrue(any(line.startswith("kernel 1") for line in process.stderr))
            self.assertEqual(list((self.folder / "edges").iterdir()), [])
            process.send_signal(number)
            process.communicate(timeout=SECONDS_TO_HANG)
            self.assertEqual(list((self.folder / "edges").iterdir()), [])

    def test_is_refused_where_it_cannot_be_made(self):
        words = ["graph500", "--scale", "8", "--edge-list", "file", "--edge-folder"]
        self.fail_with([*words, "nowhere"], "cannot make a file for the edge list in 'nowhere'")
        missing = {"TMPDIR": self.path("missing")}
        self.run_program("graph500", "--scale", "6", variables=missing)
        if not LAUNCHER and not (self.folder / "missing").exists():  # launchers and Open MPI 5 make the folder
            says = "(from TMPDIR): No such file or directory; choose another folder with --edge-folder"
            self.fail_with(words[:-1], f"in '{self.path('missing')}' {says}", variables=missing)
        needs = "--edge-folder needs --edge-list file"
        self.fail_with(["graph500", "--scale", "8", "--edge-folder", "."], needs, status=2)
        self.fail_with(["graph500", "--input", "x.g500", "--edge-folder", "."], "--edge-folder", "--input", status=2)


class WhatFits(ProgramTest):
    def test_is_said_where_a_run_does_not_fit(self):
        for words in ([], ["--kernels", "bfs,sssp"]):
            arguments = ["--scale", "34", *words]
            self.fail_with(["graph500", *arguments], "too little memory", "it would fit on", "machines like this one")
            message = self.run_program("graph500", *arguments).stderr
            file, compressed = "--edge-list file", "--adjacency compressed"
            for options in (file, compressed, f"{file} and {compressed}"):
                ranks = ["--ranks", str(RANKS), "--ranks-per-node", str(RANKS)]
                plan = self.succeed("plan", *arguments, *options.replace(" and", "").split(), *ranks, "--json")
                peak = json.loads(plan.stdout)["peak_bytes"] / 2**30
                said = re.search(rf"with {options} \(([\d.]+) GiB", message)
                self.assertIsNotNone(said, message)
                self.assertAlmostEqual(float(said[1]) / peak, 1, 1)
            self.assertRegex(message, r"--edge-list file \([^)]* of disk in ")
        self.assertNotIn("compressed", self.run_program("graph500", "--scale", "34", "--kernels", "sssp").stderr)


if __name__ == "__main__":
    main()
