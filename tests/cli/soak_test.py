"""Whether the soak (tools/soak.py) finds programs that answer wrongly, crash, hang or refuse without a reason, and
nothing in a correct program.

Usage: soak_test.py PROGRAM
"""

import json
import pathlib
import random
import re
import subprocess
import sys

from program_case import PROGRAM, ProgramTest, environment, main

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

from soak import oracle  # noqa: E402
from soak.cases import Case, draw_case  # noqa: E402
from soak.catalogue import Catalogue, named_options  # noqa: E402

OPTIONS = [
    {"name": "order", "kind": "value", "words": ["degree", "label"]},
    {"name": "direction", "kind": "value", "words": ["auto", "push"]},
    {"name": "alpha", "kind": "value", "words": [], "numbers": {"least": 1, "most": 1e9, "whole": False}},
]
LISTED = {"commands": [{"name": "bfs", "options": OPTIONS}, {"name": "plan", "options": OPTIONS}], "presets": []}
# Scripts that stand in for Breadth.
FAKE = f"""#!/bin/sh
if [ "$1" = options ]; then
  echo '{json.dumps(LISTED)}'
  exit
fi
"""
WRONG_BY_LABEL = f"""
'{PROGRAM}' "$@" || exit
case "$*" in
  bfs*--order=label*) if [ -f out.txt ]; then sed -i '$s/[^ ]*$/77/' out.txt; fi ;;
esac
"""
REACHED_ONE_TOO_MANY = f"""
'{PROGRAM}' "$@" > output || exit
sed 's/^reached: .*/reached: 12345/' output
"""
CRASHING = """
case "$*" in
  bfs*) kill -SEGV $$ ;;
esac
"""
SANITIZED = """
echo '==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1' >&2
exit 1
"""
HANGING = """
sleep 1000 &
echo $! >> PIDS
wait
"""


def refusing(message):
    return f"echo '{message}' >&2\nexit 1\n"


class Soak(ProgramTest):
    def soak(self, program, *words):
        command = [sys.executable, TOOLS / "soak.py", "--breadth", program, "--keep", self.path("kept"), "--seed", "7"]
        command += ["--jobs", "1", "--bad", "1", "--shrink-seconds", "200", *words]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment())

    def fake(self, text):
        return self.write_program("breadth", FAKE + text.replace("PIDS", self.path("pids")))

    def find(self, text, kind, sort, *words):
        """Soaks a fake program, in which the soak must find one kind of error. Returns the folder with the shrunk
        case."""
        result = self.soak(self.fake(text), *(words or ["--cases", "40"]))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, rf"soak: case \d+ {kind}: {sort}:")
        self.assertRegex(result.stdout, rf"[, ]1 {kind}")
        self.assertIn("\nsoak: 1 bad cases\n", result.stdout)
        (kept,) = (self.folder / "kept").iterdir()
        for name in ("found", "small"):
            self.assertTrue((kept / name / "case.json").is_file())
        return kept / "small"

    def test_finds_nothing_where_all_is_right(self):
        result = self.soak(PROGRAM, "--cases", "10")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"^soak: seed 7\n")
        self.assertRegex(result.stdout, r"10 cases in \d+ s: \d+ right, \d refused, 0 wrong, 0 crashed, 0 hung")
        self.assertNotIn("not drawn", result.stdout)

    def test_finds_and_shrinks_wrong_answers(self):
        kept = self.find(WRONG_BY_LABEL, "wrong", "levels")
        case = Case.from_json((kept / "case.json").read_text())
        self.assertEqual((case.options, case.places, case.threads), ({"order": "label"}, {}, 1))
        self.assertEqual((len(case.edges), case.target, case.shape.ending), (1, None, ".txt"))
        again = subprocess.run([kept / "again.sh"], capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(" 77\n", (kept / "out.txt").read_text())
        self.assertNotIn("77", (kept / "expected.txt").read_text())
        for program, status in ((self.folder / "breadth", 1), (PROGRAM, 0)):
            self.assertEqual(self.soak(program, "--again", kept).returncode, status)
        (self.folder / "kept").rename(self.folder / "other")
        self.find(REACHED_ONE_TOO_MANY, "wrong", "reached", "--shrink-seconds", "1", "--cases", "5")

    def test_finds_crashes(self):
        kept = self.find(CRASHING, "crashed", "signal SIGSEGV")
        self.assertEqual(len(Case.from_json((kept / "case.json").read_text()).edges), 0)
        again = subprocess.run([kept / "again.sh"], capture_output=True, env=environment({"BREADTH": "/bin/false"}))
        self.assertEqual(again.returncode, 1)
        (self.folder / "kept").rename(self.folder / "other")
        self.find(SANITIZED, "crashed", "AddressSanitizer")

    def test_ends_what_hangs(self):
        self.find(HANGING, "hung", "no end", "--timeout", "0.2", "--shrink-seconds", "1", "--cases", "1")
        pids = (self.folder / "pids").read_text().split()
        self.assertTrue(pids)
        for pid in pids:
            try:
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            except FileNotFoundError:
                continue
            self.assertIn(state, ("Z", "X"), pid)  # ended, although nobody has waited for it

    def test_finds_refusals_without_a_reason(self):
        for i, (text, sort) in enumerate(
            [
                ("exit 1\n", "silent"),
                (refusing("breadth: one") + refusing("breadth: two"), "unclear"),
                ("echo 'breadth: --order' >&2\n" + refusing("breadth: and --alpha"), "silent"),
                (refusing("breadth: --summary and --pull exclude each other"), "unclear"),
                ("echo x > out.txt\n" + refusing("breadth: --order is wrong"), "output"),
            ]
        ):
            self.find(text, "wrong", sort, "--shrink-seconds", "0", "--cases", "5")
            (self.folder / "kept").rename(self.folder / str(i))

    def test_fails_where_all_is_refused(self):
        result = self.soak(self.fake(refusing("breadth: --order: too little memory")), "--cases", "5")
        self.assertEqual(result.returncode, 1)
        self.assertIn("soak: not one case was right\n", result.stdout)

    def test_draws_the_same_of_the_same_seed(self):
        catalogue = Catalogue(LISTED)
        first, second, other = (
            [draw_case(random.Random(f"{seed}:{number}"), catalogue, 4) for number in range(30)] for seed in (1, 1, 2)
        )
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)
        for case in first:
            self.assertEqual(Case.from_json(case.to_json()), case)
        self.assertEqual({case.command for case in first}, {"bfs"})
        self.assertGreater(len({case.shape.ending for case in first}), 4)

    def test_takes_options_from_their_declarations(self):
        listed = json.loads(self.succeed("options", "--json").stdout)
        catalogue = Catalogue(listed)
        self.assertEqual(catalogue.not_drawn(), [])
        self.assertGreater(len(catalogue.drawn("graph500")), 40)
        for command, names in ((command, catalogue.drawn(command)) for command in catalogue.commands):
            for name in names:
                value = catalogue.draw_value(random.Random(1), command, name)
                self.assertTrue(re.fullmatch(r"\S+", value), f"{command} --{name} {value}")
        self.assertEqual(named_options("--a-b x of BREADTH_C_D and --e=1: no"), {"a-b", "c-d", "e"})


class Oracle(ProgramTest):
    EDGES = (("a", "b", 4.0), ("b", "c", 1.0), ("a", "d", 1.0), ("d", "b", 1.0), ("x", "y", 0.0))
    ZEROS = (("s", "a", 0.0), ("a", "b", 0.0), ("b", "a", 0.0))

    def test_finds_levels_and_distances(self):
        both_ways = oracle.neighbours_of(self.EDGES, directed=False)
        self.assertEqual(oracle.levels_from(both_ways, "a"), {"a": 0, "b": 1, "d": 1, "c": 2})
        self.assertEqual(oracle.levels_from(both_ways, "a", 1), {"a": 0, "b": 1, "d": 1})
        self.assertEqual(oracle.distances_from(both_ways, "a"), {"a": 0, "d": 1, "b": 2, "c": 3})
        self.assertEqual(oracle.distances_from(both_ways, "a", 2), {"a": 0, "d": 1, "b": 2})
        one_way = oracle.neighbours_of(self.EDGES, directed=True)
        self.assertEqual(oracle.levels_from(one_way, "d"), {"d": 0, "b": 1, "c": 2})
        self.assertEqual(oracle.levels_from(one_way, "c"), {"c": 0})
        twice = oracle.neighbours_of([(1, 2, 5.0), (1, 2, 3.0), (2, 1, 4.0)], directed=True)
        self.assertEqual(oracle.distances_from(twice, 1), {1: 0, 2: 3})
        self.assertEqual(oracle.traversed_edges(self.EDGES, {"a", "b", "x"}), 1)

    def test_adds_in_32_bits(self):
        large = float(1 << 24)
        path = oracle.neighbours_of([(1, 2, large), (2, 3, 1.0), (3, 4, 1.0), (1, 4, large + 2)], directed=True)
        self.assertEqual(oracle.distances_from(path, 1), {1: 0, 2: large, 3: large, 4: large})
        self.assertEqual(oracle.rounded(0.1), 0.10000000149011612)
        far = oracle.neighbours_of([(1, 2, 3e38), (2, 3, 3e38), (3, 4, 0.0)], directed=True)
        distances = oracle.distances_from(far, 1)
        self.assertEqual(distances, {1: 0, 2: oracle.rounded(3e38)})
        self.assertTrue(oracle.overflows(far, distances))
        self.assertFalse(oracle.overflows(path, oracle.distances_from(path, 1)))

    def test_sees_what_is_wrong_with_a_tree(self):
        neighbours = oracle.neighbours_of(self.EDGES, directed=False)
        levels = oracle.levels_from(neighbours, "a")

        def problem(parents, values=levels, step=lambda value, weight: value + 1):
            return oracle.tree_problem(neighbours, "a", values, parents, step)

        right = {"a": "a", "b": "a", "d": "a", "c": "b"}
        self.assertIsNone(problem(right))
        self.assertIn("'a' has parent 'b'", problem(right | {"a": "b"}))
        self.assertIn("no edge from 'a' to 'c'", problem(right | {"c": "a"}))
        self.assertIn("is at 1, its parent 'd' at 1", problem(right | {"b": "d"}))
        self.assertIn("not reached", problem(right | {"c": "x"}))
        distances = oracle.distances_from(neighbours, "a")
        self.assertIn("'b' is at 2", problem(right, distances, lambda value, weight: value + weight))
        self.assertIsNone(problem(right | {"b": "d"}, distances, lambda value, weight: value + weight))
        zeros = oracle.neighbours_of(self.ZEROS, directed=True)
        values = {"s": 0.0, "a": 0.0, "b": 0.0}
        for parents, circle in (({"s": "s", "a": "b", "b": "a"}, True), ({"s": "s", "a": "s", "b": "a"}, False)):
            found = oracle.tree_problem(zeros, "s", values, parents, lambda value, weight: value + weight)
            self.assertEqual(found is not None and "never lead" in found, circle)

    def test_sees_what_is_wrong_with_a_path(self):
        neighbours = oracle.neighbours_of(self.EDGES, directed=True)

        def problem(path, length):
            return oracle.path_problem(neighbours, path, ("a", "c"), length, lambda value, weight: value + weight)

        self.assertIsNone(problem(["a", "d", "b", "c"], 3))
        self.assertIsNone(problem(["a", "b", "c"], 5))
        self.assertIn("not 3", problem(["a", "b", "c"], 3))
        self.assertIn("no edge from 'd' to 'c'", problem(["a", "d", "c"], 2))
        self.assertIn("does not lead", problem(["a", "d", "b"], 2))


if __name__ == "__main__":
    main()
