"""Hubs as a user sees them: their effect on a graph, how ranks exchange them, and degree-separated subgraphs.

Usage: hubs_test.py PROGRAM [LAUNCHER WORD...]
With launcher words (mpiexec -n 3), every case runs on several ranks.
"""

import json

from program_case import ProgramTest, main


class Hubs(ProgramTest):
    def test_makes_vertices_with_many_neighbours_hubs(self):
        results = {}
        for hubs in ("none", "auto", "0", "30"):
            words = ["--scale", "10", "--direction", "push", "--leaves", "levels", "--keys", "4"]
            self.succeed("graph500", *words, "--hubs", hubs, "--json", "r.json")
            results[hubs] = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([results[hubs]["options"]["hubs"] for hubs in ("none", "auto", "30")], ["none", "auto", 30])
        queries = {}
        for hubs, result in results.items():
            runs = result["bfs"]["runs"]
            for run, plain in zip(runs, results["none"]["bfs"]["runs"], strict=True):
                found = [level["claimed"] for level in run["levels"]]
                self.assertEqual(found, [level["claimed"] for level in plain["levels"]])
                self.assertEqual(run["nedge"], plain["nedge"])
            queries[hubs] = sum(level["queries"] for run in runs for level in run["levels"])
        self.assertEqual(queries["0"], 0)
        if results["none"]["ranks"] > 1:
            self.assertGreater(queries["none"], 2 * queries["30"])
            self.assertGreater(queries["30"], 0)

    def test_combines_masks_of_hubs_by_all_reduces_inside_nodes_first_or_meanwhile(self):
        words = ["--scale", "10", "--hubs", "0", "--direction", "push", "--leaves", "levels", "--ranks-per-node", "2"]
        sent = {}
        for how in ("blocking", "two-phase", "nonblocking", "two-phase-nonblocking"):
            in_bulk = ["--exchange", "bulk"] if how == "two-phase-nonblocking" else []
            self.succeed("graph500", *words, *in_bulk, "--hub-masks", how, "--keys", "2", "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(result["options"]["hub_masks"], how)
            sent[how] = sum(level["bytes"] for run in result["bfs"]["runs"] for level in run["levels"])
        self.assertEqual(sent["nonblocking"], sent["blocking"])
        self.assertEqual(sent["two-phase-nonblocking"], sent["two-phase"], "every vertex is a hub: no other messages")
        if result["ranks"] == 3:  # one of them is a node of its own
            self.assertAlmostEqual(sent["two-phase"] / sent["blocking"], 5 / 4, delta=0.01)

    def test_lets_subgraphs_go_their_own_ways(self):
        words = ["--preset", "pan2018", "--scale", "10", "--hubs", "30", "--hub-to-light", "0.02", "--keys", "4"]
        self.succeed("graph500", *words, "--json", "r.json")
        result = json.loads((self.folder / "r.json").read_text())
        options = result["options"]
        self.assertTrue(result["valid"])
        self.assertEqual((options["subgraphs"], options["hub_masks"]), ("apart", "two-phase"))
        self.assertEqual(options["light_parents"], "end")
        self.assertEqual(options["hub_to_light"], {"pull": 0.02, "push": 0.0002})
        pulls = [level.get("pulling_ranks") for run in result["bfs"]["runs"] for level in run["levels"]]
        if result["ranks"] == 1:
            self.assertEqual(set(pulls), {None})
        else:
            self.assertGreater(max(level["hub_to_light"] for level in pulls), 0)
            self.assertLessEqual(max(max(level.values()) for level in pulls), result["ranks"])
        queries = {}
        for subgraphs in ("together", "apart"):
            words = ["--scale", "10", "--hubs", "30", "--subgraphs", subgraphs, "--direction", "push", "--keys", "2"]
            self.succeed("graph500", *words, "--leaves", "levels", "--json", "r.json")
            runs = json.loads((self.folder / "r.json").read_text())["bfs"]["runs"]
            queries[subgraphs] = sum(level["queries"] for run in runs for level in run["levels"])
        self.assertEqual(queries["together"], queries["apart"], "a push sends the same queries in both")

    def test_settles_parents_of_light_vertices_at_the_end(self):
        sent, settled = {}, {}
        for when in ("with", "end"):
            words = ["--preset", "pan2018", "--scale", "11", "--hubs", "20", "--light-parents", when, "--keys", "3"]
            self.succeed("graph500", *words, "--json", "r.json")
            result = json.loads((self.folder / "r.json").read_text())
            self.assertTrue(result["valid"])
            runs = result["bfs"]["runs"]
            sent[when] = sum(level["bytes"] for run in runs for level in run["levels"])
            settled[when] = [run["settled_lights"] for run in runs if "settled_lights" in run]
        self.assertEqual(settled["with"], [])
        self.assertEqual(len(settled["end"]), 0 if result["ranks"] == 1 else 3)
        if result["ranks"] == 1:
            return
        self.assertGreater(min(lights["vertices"] for lights in settled["end"]), 0)
        self.assertLess(sent["end"] + sum(lights["bytes"] for lights in settled["end"]), sent["with"])

    def test_says_what_hubs_make_of_a_graph(self):
        self.write("star.txt", b"".join(f"0 {i}\n".encode() for i in range(1, 9)) + b"1 2\n")
        info = json.loads(self.succeed("info", "star.txt", "--hubs", "3", "--json").stdout)
        hubs = info["hubs"]
        plain = json.loads(self.succeed("info", "star.txt", "--json").stdout)
        self.assertEqual(info["largest_degree"], plain["largest_degree"])
        self.assertEqual(info["edges"], 9)
        if hubs["count"] > 0:
            kinds = ("count", "light_to_light", "light_to_hub", "hub_to_light", "hub_to_hub")
            self.assertEqual([hubs[kind] for kind in kinds], [1, 2, 8, 8, 0])
        else:
            self.assertEqual(hubs["light_to_light"], 18)


if __name__ == "__main__":
    main()
