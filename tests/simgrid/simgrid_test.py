"""Searches on many simulated ranks: trees are valid, and monitors reduce long-distance messages.

Usage: simgrid_test.py PROGRAM [CASE]
"""

import itertools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from simulation import NETWORKS, routes, simulate

MANY = 512
SOME = 64


class ManyRanks(unittest.TestCase):
    def distances(self, name, ranks, *words):
        """Returns the distances that the messages of valid searches travelled."""
        network = NETWORKS[name](ranks)
        words = ["graph500", *words, "--group-size", str(network.group)]
        report = simulate(network, ranks, words, program=PROGRAM)
        self.assertEqual(report["ranks"], ranks)
        self.assertTrue(report["valid"] and report["complete"], words)
        return report["bfs"]["communication"]["distances"]

    def test_every_way_is_valid(self):
        """With every route, trees are valid and fewer messages cross between groups than with direct routes. Blocks of
        64 labels leave no rank without vertices."""
        forwarding = [options for name, options in routes(PROGRAM).items() if name != "direct"]
        self.assertGreater(len(forwarding), 3)
        for exchange in ("asynchronous", "bulk"):
            for route, network in zip(forwarding, itertools.cycle(NETWORKS), strict=False):
                words = [
                    "--scale",
                    "12",
                    "--edgefactor",
                    "4",
                    "--keys",
                    "1",
                    "--direction",
                    "push",
                    "--exchange",
                    exchange,
                ]
                straight = self.distances(network, SOME, *words)["between_groups"]["messages"]
                crossing = self.distances(network, SOME, *words, *route)["between_groups"]["messages"]
                self.assertGreater(crossing, 0)
                self.assertLess(crossing, straight, (exchange, route))

    def expect_fewer_long_distance_messages(self, network):
        """With monitors, a level sends one message at most per pair of communicating groups, instead of one per pair of
        ranks."""
        words = ["--scale", "15", "--edgefactor", "1", "--keys", "1", "--direction", "push", "--exchange", "bulk"]
        straight = self.distances(network, MANY, *words, "--route", "direct")
        monitored = self.distances(network, MANY, *words, "--route", "monitor")
        self.assertLess(4 * monitored["between_groups"]["messages"], straight["between_groups"]["messages"])
        self.assertLess(monitored["hops"]["all"], straight["hops"]["all"])

    def test_fat_tree(self):
        self.expect_fewer_long_distance_messages("fat tree")

    def test_dragonfly(self):
        self.expect_fewer_long_distance_messages("dragonfly")

    def test_torus(self):
        self.expect_fewer_long_distance_messages("torus")


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
