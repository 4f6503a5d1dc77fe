"""Every preset finds valid trees and is listed, and its planned values match those of a run.

Usage: preset_test.py PROGRAM [LAUNCHER WORD...]
"""

import json
import re

from program_case import LAUNCHER, ProgramTest, main

PRESETS = ("auto", "reference", "fuentes2014", "cui2012", "checconi2014", "pan2018", "tianhe2021")


class Presets(ProgramTest):
    def result_of(self, *words):
        self.succeed("graph500", "--json", "r.json", *words)
        return json.loads((self.folder / "r.json").read_text())

    def test_finds_valid_trees_by_each(self):
        listed = self.succeed("options").stdout
        listed = re.findall(r"^([a-z]+\d*)$", listed[listed.index("Presets") :], re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(PRESETS))
        for preset in PRESETS:
            nodes = ["--ranks-per-node", "2", "--watchdog", "60"]
            result = self.result_of("--scale", "10", "--keys", "16", "--preset", preset, *nodes)
            self.assertTrue(result["valid"], preset)
            self.assertEqual(len(result["bfs"]["runs"]), 16)
            options = result["options"]
            self.assertEqual((options["preset"], options["watchdog"]), (preset, 60))
            expected = {
                "checconi2014": ("messages", "direct", "auto"),
                "pan2018": ("replicated", "local", "auto"),
                "tianhe2021": ("replicated", "monitor", 99),
            }
            if preset in expected:
                self.assertEqual((options["pull"], options["route"], options["hubs"]), expected[preset])

    def test_finds_shortest_paths_as_the_reference(self):
        words = ["--scale", "10", "--keys", "4", "--preset", "reference", "--kernels"]
        for kernels, more, delta in (("sssp", [], 0.1), ("bfs,sssp", [], 0.1), ("sssp", ["--delta", "0.3"], 0.3)):
            result = self.result_of(*words, kernels, *more)
            self.assertTrue(result["valid"])
            options = result["options"]
            chosen = [options[name] for name in ("delta", "sweeps", "order", "weighted_columns", "sssp_packets")]
            self.assertEqual(chosen, [delta, False, "label", 0, "runs"])
            directions = {level["direction"] for run in result["sssp"]["runs"] for level in run["levels"]}
            self.assertEqual(directions, {"push"})

    def test_plans_what_is_left_of_unique_queries(self):
        words = ["plan", "--scale", "30", "--ranks", "64", "--route", "local", "--group-size", "8", "--json"]
        routed, unique = (json.loads(self.succeed(*words, "--unique", way).stdout) for way in ("off", "on"))
        least = unique.pop("unique_push_bytes_between_groups_at_least")
        self.assertEqual(unique, routed)
        self.assertTrue(0 < least < unique["push_bytes_between_groups"] / 2, least)

    def test_says_that_one_group_needs_no_route(self):
        words = ["--scale", "8", "--keys", "2", "--route", "local"]
        for group, idle in (("0", ["route"]), ("1", [])):
            result = self.result_of(*words, "--group-size", group)
            self.assertEqual(result["without_effect"], idle if LAUNCHER else ["route", "group-size"])

    def test_plans_no_messages_of_any_size(self):
        """The size of messages is unknown in a bulk exchange and for compressed packets."""
        words = ["plan", "--scale", "14", "--ranks", "4", "--hubs", "100", "--json"]
        known = json.loads(self.succeed(*words).stdout)
        for way, kept in ((["--exchange", "bulk"], "push_bytes"), (["--packets", "compressed"], "route")):
            plan = json.loads(self.succeed(*words, *way).stdout)
            self.assertTrue(all(known[name] == value for name, value in plan.items() if name != "hubs"))
            self.assertIn(kept, plan)
            for part in (plan, plan["hubs"]):
                self.assertFalse([name for name in part if "messages" in name])
            self.assertEqual("push_bytes" in plan["hubs"], kept == "push_bytes")

    def test_plans_what_a_search_sends(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        for bits in ("all", "unvisited"):
            words = ["--scale", "16", "--packets", "pairs", "--shared-bits", bits]
            planned = json.loads(self.succeed("plan", *words, "--ranks", str(ranks), "--json").stdout)
            runs = self.result_of(*words, "--keys", "32", "--calibrate", "0")["bfs"]["runs"]
            sent = sum(part["bytes"] for run in runs for part in [*run["levels"], run["leaves"]]) / len(runs)
            self.assertEqual(sent == 0, ranks == 1)
            self.assertAlmostEqual(planned["direction_optimising_bytes"] / 1e5, sent / 1e5, delta=0.2 * sent / 1e5)

    def test_plans_hubs_and_their_messages(self):
        ranks = int(LAUNCHER[-1]) if LAUNCHER else 1
        words = ["--scale", "13", "--hubs", "100", "--packets", "pairs"]
        plan = json.loads(self.succeed("plan", *words, "--ranks", str(ranks), "--json").stdout)
        if ranks == 1:
            self.assertNotIn("hubs", plan)
            return
        self.succeed("generate", "kronecker", "--scale", "13", "--output", "edges.g500")
        info = json.loads(self.succeed("info", "edges.g500", "--hubs", "100", "--json").stdout)["hubs"]
        for name in ("count", "light_to_light", "light_to_hub", "hub_to_light", "hub_to_hub", "tabulated_bytes"):
            self.assertAlmostEqual(plan["hubs"][name] / info[name], 1, delta=0.05, msg=name)
        result = self.result_of(*words, "--direction", "push", "--leaves", "levels", "--keys", "4")
        sent = sum(rank["bytes"] for rank in result["bfs"]["communication"]["ranks"]) / 4
        self.assertAlmostEqual(sent / plan["hubs"]["push_bytes"], 1, delta=0.05)


if __name__ == "__main__":
    main()
