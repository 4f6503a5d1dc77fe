"""What a run of the benchmark says of itself: its last line for a person, whether validation alternates with searches,
and which choices of a preset mean nothing.

Usage: conforming_test.py PROGRAM [LAUNCHER WORD...]
"""

import json

from program_case import LAUNCHER, ProgramTest, main

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
        self.assertRegex(result.stdout, "^# note: each kernel searches a graph of its own")
        result, report = self.report_of()
        self.assertEqual(report["rules_notes"], [])
        self.assertRegex(result.stdout, "^SCALE: 8\n")

    def test_names_choices_that_mean_nothing_on_one_rank(self):
        idle = ["exchange", "packets", "hubs", "hub-masks", "pull", "ending"]
        result, report = self.report_of("--preset", "checconi2014")
        line = f"checconi2014 on one rank: {', '.join(idle[:-1])} and {idle[-1]} have no effect"
        self.assertEqual(line in result.stderr.splitlines(), RANKS == 1, result.stderr)
        self.assertEqual(report["without_effect"], idle if RANKS == 1 else [])
        _, report = self.report_of("--preset", "checconi2014", "--pull", "replicated", "--hubs", "none")
        idle = ["exchange", "packets", "hub-masks", "ending"]
        self.assertEqual(report["without_effect"], idle if RANKS == 1 else [])
        result, report = self.report_of()
        self.assertEqual(report["without_effect"], [])
        self.assertNotIn("effect", result.stderr)


if __name__ == "__main__":
    main()
