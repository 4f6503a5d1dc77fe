"""Results as JSON, of the benchmark and of searches on a user's own graph.

Usage: json_test.py PROGRAM [LAUNCHER WORD...]
"""

import json
import pathlib
import re

from program_case import LAUNCHER, ProgramTest, main, values_of

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reports.md"
STATISTIC = re.compile("(min|firstquartile|median|thirdquartile|max|mean|stddev)_(time|nedge|TEPS)|harmonic_.*_TEPS")
SET = ("options", "set", "chosen")  # fields whose names or entries are options


def names_in(report):
    """Returns the names of all fields except options."""
    if isinstance(report, list):
        for part in report:
            yield from names_in(part)
    elif isinstance(report, dict):
        for name, part in report.items():
            yield name
            if name not in SET:
                yield from names_in(part)


class Reports(ProgramTest):
    def test_has_no_field_that_the_page_does_not_explain(self):
        explained = set(re.findall(r"`(\w+)`", PAGE.read_text()))
        self.write("graph.wel", "1 2 0.5\n2 3 0.25\n")
        hubs = ["--hubs", "4"] if LAUNCHER else []
        apart = [*hubs, "--subgraphs", "apart", "--light-parents", "end"] if LAUNCHER else []
        for words in (
            ["graph500", "--scale", "7", "--kernels", "bfs,sssp", *hubs],
            ["graph500", "--scale", "7", "--calibrate", "0.5", *apart],
            ["graph500", "--scale", "7", "--preset", "fuentes2014"],
            ["graph500", "--scale", "7", "--device", "auto"],
            ["bfs", "graph.wel", "--source", "1", "--target", "3"],
            ["sssp", "graph.wel", "--source", "1", "--target", "3"],
        ):
            report = json.loads(self.succeed(*words, "--json", "-").stdout)
            names = {name for name in names_in(report) if not STATISTIC.fullmatch(name)}
            self.assertGreater(len(names), 30, words)
            self.assertEqual(names - explained, set(), words)

    def test_names_options_as_they_are(self):
        options = set(re.findall(r"^--([\w-]+)", self.succeed("options").stdout, re.MULTILINE))
        self.write("graph.wel", "1 2 0.5\n2 3 0.25\n")
        of_both = {"sssp-packets", "sssp-replicate"}  # breadth-first search has other values
        for words in (
            ["graph500", "--scale", "5", "--kernels", "bfs,sssp"],
            ["bfs", "graph.wel", "--source", "1", "--max-depth", "1"],
            ["sssp", "graph.wel", "--source", "1", "--max-distance", "2"],
        ):
            report = json.loads(self.succeed(*words, "--json", "-").stdout)
            reported = {name.replace("_", "-") for name in report["options"]}
            self.assertGreater(len(reported), 10)
            self.assertEqual(reported - options - of_both, set(), words)

    def test_writes_the_benchmark_to_standard_output(self):
        result = self.succeed("graph500", "--scale", "8", "--keys", "3", "--json", "-")
        report = json.loads(result.stdout)
        self.assertEqual(len(report["bfs"]["runs"]), 3)
        self.assertIn("\nbfs_harmonic_mean_TEPS: ", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_reports_searches(self):
        self.write("graph.txt", "10 20\n20 30\n30 40\n40 20\n77 77\n500 501\n")
        words = ["bfs", "graph.txt", "--source", "10", "--alpha", "7"]
        values = values_of(self.succeed(*words, "--target", "40", "--json", "r.json").stdout)
        report = json.loads((self.folder / "r.json").read_text())
        graph = {"file": "graph.txt", "directed": False, "weighted": False, "vertices": 7, "tuples": 6, "edges": 5}
        self.assertEqual(report["graph"], graph)
        found = ("source", "reached", "level_count", "nedge", "target", "distance", "path")
        self.assertEqual([report[name] for name in found], [10, 4, 3, 4, 40, 2, [10, 20, 40]])
        self.assertAlmostEqual(report["seconds"] / float(values["seconds"]), 1, 4)
        self.assertAlmostEqual(report["TEPS"] * report["seconds"], 4)
        self.assertEqual((report["options"]["alpha"], report["options"]["preset"]), (7, "auto"))
        self.assertEqual(report["ranks"], int(LAUNCHER[-1]) if LAUNCHER else 1)
        claimed = sum(level["claimed"] for level in report["levels"]) + report["leaves"]["claimed"]
        self.assertEqual(claimed, 3)
        for name in ("reading", "construction"):
            self.assertGreater(report[name]["seconds"], 0)
        for further, parts in (
            (["--max-depth", "1"], {"reached": 2, "level_count": 2, "nedge": None, "TEPS": None}),
            (["--directed", "--target", "10"], {"reached": 4, "nedge": 4, "distance": 0, "path": [10]}),
            (["--target", "501"], {"distance": None, "path": []}),
        ):
            report = json.loads(self.succeed(*words, *further, "--json", "-").stdout)
            self.assertEqual({name: report[name] for name in parts}, parts, further)
        self.assertEqual(report["target"], 501)

    def test_reports_words(self):
        self.write("words.txt", "zoë bob\nbob \\a\n".encode() + b"bob not\xffutf8\n")
        report = json.loads(
            self.succeed("bfs", "words.txt", "--source", "\\a", "--target", "zoë", "--json", "-").stdout
        )
        self.assertEqual((report["source"], report["path"]), ("\\a", ["\\a", "bob", "zoë"]))
        report = json.loads(self.succeed("bfs", "words.txt", "--source", b"not\xffutf8", "--json", "-").stdout)
        self.assertEqual(report["source"], "not\ufffdutf8")

    def test_reports_shortest_paths(self):
        self.write("graph.wel", "a b 1.5\nb c 2\na c 10\nd e 1\nc a 0.25\na a 3\n")
        words = ["sssp", "graph.wel", "--source", "a", "--delta", "0.5", "--json", "-"]
        report = json.loads(self.succeed(*words, "--target", "b").stdout)
        found = ("source", "target", "reached", "nedge", "farthest", "distance", "path")
        self.assertEqual([report[name] for name in found], ["a", "b", 3, 5, 1.5, 1.5, ["a", "b"]])
        self.assertAlmostEqual(report["TEPS"] * report["seconds"], 5)
        self.assertEqual((report["options"]["delta"], report["graph"]["weighted"]), (0.5, True))
        self.assertTrue(report["levels"])
        report = json.loads(self.succeed(*words, "--max-distance", "1", "--target", "e").stdout)
        found = ("reached", "nedge", "TEPS", "distance", "path")
        self.assertEqual([report[name] for name in found], [2, None, None, None, []])
        self.assertEqual(report["options"]["max_distance"], 1)

    def test_lists_options_for_programs(self):
        listed = json.loads(self.succeed("options", "--json").stdout)
        options = {
            command["name"]: {option["name"]: option for option in command["options"]} for command in listed["commands"]
        }
        text = self.succeed("options").stdout
        for of_command in options.values():
            for option in of_command.values():
                if option["kind"] != "argument":
                    self.assertIn(option["range"], text)
        self.assertEqual(options["bfs"]["direction"]["words"], ["auto", "push", "pull"])
        self.assertEqual(options["bfs"]["alpha"]["numbers"], {"least": 1, "most": 1e9, "whole": False})
        self.assertEqual(options["graph500"]["scale"]["numbers"], {"least": 1, "most": 42, "whole": True})
        self.assertEqual((options["bfs"]["graph"]["kind"], options["bfs"]["graph"]["required"]), ("argument", True))
        self.assertEqual(options["sssp"]["directed"]["kind"], "flag")
        self.assertNotIn("numbers", options["bfs"]["output"])
        self.assertEqual((options["bfs"]["output"]["group"], options["bfs"]["alpha"]["group"]), ("everyday", "search"))
        presets = {preset["name"]: preset["sets"] for preset in listed["presets"]}
        self.assertEqual(presets["auto"], {})
        self.assertEqual(presets["fuentes2014"]["packets"], "pairs")
        self.assertNotIn("exchange", presets["fuentes2014"])  # it has the default value
        self.assertEqual(options["graph500"]["input"]["excludes"], ["edgefactor", "seed", "edge-folder"])
        self.assertEqual(options["graph500"]["seed"]["excludes"], ["input"])
        routes = {route["name"]: route["monitors"] for route in listed["routes"]}
        self.assertEqual(list(routes), options["graph500"]["route"]["words"])
        self.assertEqual((routes["direct"], routes["monitor"]), (False, True))

    def test_explains_one_option_or_a_group(self):
        alpha = self.succeed("options", "alpha").stdout
        self.assertEqual(re.findall(r"^--(\S+)", alpha, re.MULTILINE), ["alpha"])
        for part in ("group: search", "default: 20", "range: a number from 1", "from: Beamer et al. 2012"):
            self.assertIn(f"\n    {part}", alpha)
        search = self.succeed("options", "search").stdout
        self.assertIn("\n--beta ", search)
        self.assertNotIn("\n--order ", search)
        self.assertNotIn("Presets", search)
        device = self.succeed("options", "device").stdout  # the word names an option and a group
        self.assertTrue(device.startswith("--device "))
        self.assertIn("\n--device-control ", device)
        self.fail_with(["options", "alhpa"], "alhpa", "the nearest is alpha", "everyday, layout", status=2)
        self.fail_with(["options", "--json", "alpha"], "--json", "alpha", status=2)


if __name__ == "__main__":
    main()
