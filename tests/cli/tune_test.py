"""Tuning and profiles as a user meets them: what is written, how later runs use it, and what is refused.

Usage: tune_test.py PROGRAM [LAUNCHER WORD...]
What tuning finds depends on the clock: nothing here depends on what it finds.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import tomllib

from program_case import LAUNCHER, PROGRAM, SECONDS_TO_HANG, ProgramTest, environment, main, values_of

RANKS = int(LAUNCHER[-1]) if LAUNCHER else 1
PROFILE = """# by hand
[options]
alpha = 7.5
leaves = "levels"
[machine]
"""


class Tune(ProgramTest):
    def profile(self, name):
        return tomllib.loads((self.folder / name).read_text())

    def check_profile(self, name, stdout):
        """Checks the parts of every profile, and that standard output agrees with them."""
        profile = self.profile(name)
        self.assertEqual(set(profile), {"options", "tuning", "machine", "graph"})
        between_ranks = {"coalescing", "exchange", "hubs", "packets", "replicate"} if RANKS > 1 else set()
        tunables = {"alpha", "beta", "leaves", "small-level", "summary"} | between_ranks
        missing = {name.split()[-1] for name in profile["tuning"]["not_tried"]}
        self.assertLessEqual(set(profile["options"]), tunables)
        self.assertLessEqual(tunables - set(profile["options"]), missing)
        self.assertIn(profile["options"].get("leaves", "last"), ("last", "levels"))
        self.assertGreaterEqual(profile["tuning"]["speedup"], 1)
        # Each tried value of --hubs needed a graph of its own.
        self.assertEqual(profile["tuning"]["graphs"], 5 if "hubs" in profile["options"] else 1)
        self.assertRegex(profile["tuning"]["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(profile["machine"]["ranks"], RANKS)
        self.assertEqual(profile["machine"]["cores"], os.cpu_count())
        values = values_of(stdout)
        self.assertEqual(values["profile"], name)
        for option, value in profile["options"].items():
            self.assertEqual(values[option], str(value))
        return profile

    def test_a_run_tries_what_nobody_gave(self):
        words = ["graph500", "--scale", "17", "--keys", "2", "--validate", "first", "--json", "r.json"]
        between_ranks = ["replicate", "exchange", "packets", "coalescing"]

        def calibration(*more):
            run = self.succeed(*words, *more)
            report = json.loads(pathlib.Path(self.path("r.json")).read_text())
            self.assertEqual("# calibrated: " in run.stdout, "calibration" in report)
            return report.get("calibration"), report["options"]

        for given, kept in (("ending", "counts"), ("ending", "auto"), ("coalescing", "64")):
            tried, options = calibration("--calibrate", "0.2", f"--{given}", kept)
            self.assertEqual((options["exchange"], str(options[given])), ("asynchronous", kept))
            if RANKS > 1:
                left = [name for name in between_ranks if name not in ("exchange", given)]
                self.assertEqual(list(tried["chosen"]), left)
        asked = ["graph500", "--scale", "8", "--keys", "2", "--calibrate", "1"]
        why = "the graph has " if RANKS > 1 else "there is one rank"
        self.assertIn(f"no options are tried (--calibrate), because {why}", self.succeed(*asked).stderr)
        self.assertNotIn("--calibrate", self.succeed(*asked[:-2]).stderr)
        for given in (["--calibrate", "0"], ["--preset", "cui2012"], ["--direction", "pull"]):
            self.assertIsNone(calibration(*given)[0], given)
        tried, options = calibration("--packets", "pairs", "--alpha", "19")
        if RANKS == 1:
            self.assertIsNone(tried)
            return
        self.assertEqual(list(tried["chosen"]), [name for name in between_ranks if name != "packets"])
        for name, value in {**tried["chosen"], "packets": "pairs", "alpha": 19}.items():
            self.assertEqual(options[name], value)
        self.assertEqual(tried["keys"], 8)
        won = any(trial["kept"] for trial in tried["trials"])
        self.assertTrue(won or tried["speedup"] == 1)
        self.assertLess(tried["seconds"], 60)

    def test_writes_what_later_runs_take(self):
        words = ["--scale", "8", "--threads", "2"]
        tuned = self.succeed("tune", *words, "--keys", "2", "--time", "20", "--output", "p.toml")
        profile = self.check_profile("p.toml", tuned.stdout)
        self.assertEqual(profile["machine"]["threads"], 2)
        self.assertEqual(profile["tuning"]["keys"], 2)
        graph = profile["graph"]
        self.assertEqual((graph["scale"], graph["edgefactor"], graph["seed"]), (8, 16, [2, 3]))
        self.assertEqual(graph["adjacency"], "rows")
        self.assertGreater(graph["edges"], graph["vertices"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["p.toml"])

        result = self.succeed("graph500", *words, "--profile", "p.toml", "--json", "r.json")
        self.assertNotIn("warning", result.stderr)
        self.assertIn("# profile: p.toml (", result.stdout)
        report = json.loads((self.folder / "r.json").read_text())
        values = {option.replace("-", "_"): value for option, value in profile["options"].items()}
        self.assertEqual(report["profile"], {"path": "p.toml", "set": values})
        for option, value in profile["options"].items():
            self.assertIn(report["options"][option.replace("-", "_")], (value, str(value)))
        self.assertTrue(report["valid"] and report["conforming"])

        for other, part in [(["--threads", "1"], "2 threads, not 1"), (words[2:], "")]:
            stderr = self.succeed("graph500", "--scale", "7", *other, "--profile", "p.toml").stderr
            warnings = [line for line in stderr.splitlines() if line.startswith("warning: ")]
            self.assertEqual(len(warnings), 1 if part else 0, stderr)
            self.assertIn(part, "".join(warnings))

    def test_tunes_for_a_graph_of_the_user(self):
        numbers = random.Random(1)
        edges = "".join(f"v{numbers.randrange(300)} v{numbers.randrange(300)}\n" for _ in range(2000))
        self.write('a "graph".txt', edges)
        words = ["--adjacency", "skip-list", "--keys", "2", "--time", "20", "--output", "p.toml"]
        tuned = self.succeed("tune", 'a "graph".txt', *words)
        graph = self.check_profile("p.toml", tuned.stdout)["graph"]
        self.assertEqual((graph["file"], graph["adjacency"]), ('a "graph".txt', "skip-list"))
        found = values_of(
            self.succeed("bfs", 'a "graph".txt', "--source", "v1", "--threads", "1", "--profile", "p.toml").stdout
        )
        self.assertTrue(found["profile"].startswith("p.toml ("), found["profile"])
        self.assertEqual(int(found["vertices"]), graph["vertices"])

    def test_replaces_a_profile_only_by_a_whole_one(self):
        kept = self.write("p.toml", "precious")
        for words, parts, status in [
            (
                ["--scale", "12", "--time", "0.001"],
                ["--time 0.001", "too short", "with 64 --keys, judging included; use --time "],
                1,
            ),
            (["--scale", "3"], ["the graph is too small"], 1),
            (["missing.txt"], ["missing.txt"], 1),
        ]:
            self.fail_with(["tune", *words, "--output", kept], *parts, status=status)
            self.assertEqual((self.folder / "p.toml").read_text(), "precious")
        self.succeed("tune", "--scale", "8", "--keys", "1", "--time", "20", "--output", kept)
        self.assertIn("options", self.profile("p.toml"))

    def test_leaves_nothing_when_interrupted(self):
        kept = self.write("p.toml", "precious")
        for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            for output in (kept, "new.toml"):
                # Signals the program itself, because a launcher handles signals in its own way.
                process = subprocess.Popen(
                    [PROGRAM, "tune", "--scale", "14", "--keys", "4096", "--time", "600", "--output", output],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    cwd=self.folder,
                    env=environment(),
                )
                for line in process.stderr:
                    if "measuring" in line:
                        process.send_signal(number)
                        break
                stdout, _ = process.communicate(timeout=SECONDS_TO_HANG)
                self.assertEqual((process.returncode, stdout), (status, ""))
                self.assertEqual([path.name for path in self.folder.iterdir()], ["p.toml"])
                self.assertEqual((self.folder / "p.toml").read_text(), "precious")

    def test_refuses_what_makes_no_sense(self):
        for words, parts in [
            ([], ["--output"]),
            (["--output", "p.toml"], ["--scale", "graph file"]),
            (["graph.txt", "--scale", "8", "--output", "p.toml"], ["--scale", "graph file"]),
            (["graph.txt", "--seed", "2,3", "--output", "p.toml"], ["--seed", "graph file"]),
            (["graph.xyz", "--output", "p.toml"], ["graph.xyz"]),
            (["--scale", "8", "--directed", "--output", "p.toml"], ["--directed"]),
            (["--scale", "8", "--time", "0", "--output", "p.toml"], ["--time", "'0'"]),
            (["--scale", "8", "--keys", "0", "--output", "p.toml"], ["--keys", "'0'"]),
            (["--scale", "8", "--alpha", "3", "--output", "p.toml"], ["--alpha"]),
        ]:
            self.fail_with(["tune", *words], *parts, status=2)
        self.fail_with(["tune", "--scale", "8", "--output", "nowhere/p.toml"], "nowhere/p.toml")


class Profile(ProgramTest):
    def options_of(self, *words, variables=None):
        """Returns the options and the profile of a run, from its JSON."""
        self.succeed("graph500", "--scale", "6", "--json", "r.json", *words, variables=variables)
        report = json.loads((self.folder / "r.json").read_text())
        return report["options"], report.get("profile")

    def test_is_weaker_than_all_that_is_said(self):
        self.write("p.toml", PROFILE)
        self.write("options.toml", "alpha = 9\n")
        self.write("both.toml", 'profile = "p.toml"\nalpha = 9\n')
        whole = {"alpha": 7.5, "leaves": "levels"}
        for words, variables, alpha, used in [
            (["--profile", "p.toml"], {}, 7.5, whole),
            ([], {"BREADTH_PROFILE": "p.toml"}, 7.5, whole),
            (["--profile", "p.toml", "--alpha", "8"], {}, 8, {"leaves": "levels"}),
            (["--profile", "p.toml"], {"BREADTH_ALPHA": "10"}, 10, {"leaves": "levels"}),
            (["--profile", "p.toml", "--config", "options.toml"], {}, 9, {"leaves": "levels"}),
            (["--config", "both.toml"], {"BREADTH_ALPHA": "10"}, 9, {"leaves": "levels"}),
            (["--profile", "p.toml", "--alpha", "8", "--leaves", "last"], {}, 8, {}),
        ]:
            options, profile = self.options_of(*words, variables=variables)
            self.assertEqual(options["alpha"], alpha, words)
            self.assertEqual(options["leaves"], used.get("leaves", "last"), words)
            self.assertEqual(profile, {"path": "p.toml", "set": used}, words)
        options, profile = self.options_of()
        self.assertEqual((options["alpha"], options["leaves"], profile), (20, "last", None))

    def test_is_in_nobodys_way(self):
        self.write("p.toml", PROFILE)
        self.write("graph.txt", "1 2\n2 3\n")
        self.options_of("--profile", "p.toml", "--direction", "push")
        result = self.succeed("bfs", "graph.txt", "--source", "1", "--max-depth", "1", "--profile", "p.toml")
        values = values_of(result.stdout)
        self.assertEqual((values["reached"], values["profile"]), ("2", "p.toml (alpha 7.5, leaves levels)"))

    def test_is_named_in_the_layout_of_the_reference_too(self):
        self.write("p.toml", PROFILE)
        words = ["graph500", "--scale", "6", "--profile", "p.toml", "--output-format", "reference"]
        self.assertIn("# profile: p.toml (alpha 7.5, leaves levels)\n", self.succeed(*words).stdout)

    def test_warns_where_it_was_made_for_something_else(self):
        self.write(
            "p.toml", f'[options]\n[machine]\ncpu = "an abacus"\ncores = 100000\nranks = {RANKS + 1}\nthreads = 77\n'
        )
        stderr = self.succeed("graph500", "--scale", "6", "--profile", "p.toml").stderr
        warnings = [line for line in stderr.splitlines() if line.startswith("warning: ")]
        self.assertEqual(len(warnings), 1, stderr)
        for part in ("p.toml", "an abacus", "100000 cores", f"{RANKS + 1} ranks, not {RANKS}", "77 threads"):
            self.assertIn(part, warnings[0])

    def test_that_says_something_wrong_is_refused(self):
        for content, parts in [
            ("[options]\nalpah = 3\n", ["p.toml:2", "alpah", "alpha"]),
            ("[options]\nscale = 3\n", ["p.toml:2", "scale"]),
            ("\n[options]\nalpha = 0\n", ["p.toml:3", "alpha", "'0'"]),
            ('[options]\nleaves = "first"\n', ["p.toml:2", "leaves", "last, levels"]),
            ("[options]\ncoalescing = 1.5\n", ["p.toml:2", "coalescing"]),
            ("alpha = 3\n", ["p.toml:1", "alpha", "[options]"]),
            ("[option]\nalpha = 3\n", ["p.toml:1", "[option]", "[options]"]),
            ("[options]\n[option]\n", ["p.toml:2", "[option]", "[options]"]),
            ("", ["p.toml", "is not a profile", "[options]"]),
            ("[machine]\nranks = 3\n", ["p.toml", "is not a profile", "[options]"]),
            ("[machine]\nrank = 3\n", ["p.toml:2", "rank", "ranks"]),
            ("[machine]\nranks = -3\n", ["p.toml:2", "ranks", "'-3'"]),
            ("[options]\nalpha = 3\nalpha = 4\n", ["p.toml:3"]),
            ("[options\n", ["p.toml:1"]),
        ]:
            self.write("p.toml", content)
            for command in (["graph500", "--scale", "6"], ["bfs", "graph.txt", "--source", "1"]):
                self.fail_with([*command, "--profile", "p.toml"], *parts, status=2)
        wanted = "a line is KEY = VALUE with words in quotes, [TABLE] or # COMMENT"
        for content, message in [
            ("[options\n", f"1: cannot read '[options': {wanted}"),
            ("alpha 7\n", f"1: cannot read 'alpha 7': {wanted}"),
            ('[options]\r\nleaves = "levels\r\n', f"2: cannot read 'leaves = \"levels': {wanted}"),
            ("[machine]\ncpu =\n", f"2: cannot read 'cpu =': {wanted}"),
            (
                "[options]\nalpha = 3\nalpha = 4 # or 5\n",
                "3: 'alpha = 4 # or 5' repeats an option or table of an earlier line",
            ),
            ("[options]\n[options]\n", "2: '[options]' repeats an option or table of an earlier line"),
            ("[graph]\nseed = [2,\n3\n", "3: the file ends, but its last value or bracket is not closed"),
            ('[graph]\nfile = """a\n', "2: the file ends, but its last value or bracket is not closed"),
            ("[options]\nleaves = levels\n", '2: a text must be in quotes: leaves = "levels"'),
            ("[options]\nleaves = first\n", "2; it must be one of last, levels"),
            ("[options]\nalpha =\n", "2; it must be a number from 1 to 1000000000"),
            ('[options]\nalpha = 2\n[graph]\nscale = "x"\n', "4: scale in [graph] must be a number"),
            ("[options]\nalpha = 2\n[tuning]\nversion = 3\n", "4: version in [tuning] must be a text in quotes"),
        ]:
            self.write("p.toml", content)
            self.fail_with(["graph500", "--scale", "6", "--profile", "p.toml"], f"p.toml:{message}", status=2)
        (self.folder / "p.toml").write_bytes(b"alpha = \0\x7f\n")
        self.fail_with(
            ["graph500", "--scale", "6", "--profile", "p.toml"], "profile p.toml: it is not a text file", status=2
        )
        self.write("p.toml", PROFILE)
        message = "p.toml is a profile of breadth tune: give it as --profile"
        self.fail_with(["graph500", "--scale", "6", "--config", "p.toml"], message, status=2)
        self.fail_with(["graph500", "--scale", "6", "--profile", "missing.toml"], "missing.toml", status=2)
        self.fail_with(["graph500", "--scale", "6", "--profile", ""], "--profile", status=2)


if __name__ == "__main__":
    main()
