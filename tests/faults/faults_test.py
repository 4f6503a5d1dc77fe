"""Runs each command with one call that fails at any place: memory that is missing, a disk that is full or broken, a
thread that does not start. The program must still do its work, or end with one message and leave every file as it was.

Usage: faults_test.py PROGRAM FAULTS [LAUNCHER WORD...]
FAULTS is the library to preload that makes calls fail. With several ranks, only calls of the last rank fail, which ends
all of them. With TEST_DEEP=1 nearly every call fails once, otherwise some.
"""

import json
import os
import pathlib
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
FAULTS = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else ""

from program_case import LAUNCHER, ProgramTest, main  # noqa: E402

DEEP = os.environ.get("TEST_DEEP") == "1"
LAST = int(LAUNCHER[-1]) - 1 if LAUNCHER else 0
EARLIER = b"what an earlier run left"

# The kinds of calls that can fail, and the effects to try.
FAILURES = {
    "write": ["ENOSPC", "EFBIG", "EIO", "EDQUOT", "EINTR", "short"],
    "sync": ["EIO", "ENOSPC"],
    "read": ["EIO", "EINTR", "short"],
    "rename": ["EIO"],
    "thread": ["EAGAIN"],
    "large": ["ENOMEM"],
    "allocate": ["ENOMEM"],
}
HARMLESS = ["EINTR", "short"]
# The most places at which a kind of call fails in one command. On one rank in deep tests these are all places, except
# for allocations, of which there are thousands.
MOST_PLACES = (4 if LAUNCHER else 300) if DEEP else (1 if LAUNCHER else 2)

TEXT = "".join(f"v{i} v{(i * 7 + 3) % 40} {1 + i % 5}.5\n" for i in range(40))


def outline(name, data):
    """Returns what every complete file has in common: its largest parts, and the key of its last line."""
    text = data.decode()
    parts = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    return name, sorted(parts), text.splitlines()[-1].split("=")[0], text[-1]


class Faults(ProgramTest):
    """Each test is a command on files of its own."""

    def run_failing(self, words, fault):
        """Returns the result of the program, and the notes of the library."""
        log = self.folder / "faults.log"
        log.unlink(missing_ok=True)
        variables = {"LD_PRELOAD": FAULTS, "FAULT": fault, "FAULT_LOG": str(log)}
        if LAUNCHER:
            variables["FAULT_RANK"] = str(LAST)
        result = self.run_program(*words, variables=variables)
        notes = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return result, notes

    def content(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def restore(self, files):
        for path in self.folder.iterdir():
            if path.name not in files:
                path.unlink()
        for name, data in files.items():
            (self.folder / name).write_bytes(data)

    def check(self, result, before, complete):
        """Checks a result. `complete` are the files that a run without a fault leaves."""
        self.assertIn(result.returncode, (0, 1, 2), result.stderr)
        messages = [line for line in result.stderr.splitlines() if line.startswith("breadth: ")]
        self.assertEqual(len(messages), 0 if result.returncode == 0 else 1, result.stderr)
        for message in messages:
            self.assertNotRegex(message, "^breadth: (std::|basic_|vector|map|$)|bad_")
        after = self.content()
        if messages and LAUNCHER:
            # A rank may have failed to remove its partial file. The next run removes it.
            after = {name: data for name, data in after.items() if ".partial-" not in name}
        self.assertEqual(sorted(after), sorted(complete if result.returncode == 0 else before))
        for name, data in after.items():
            if result.returncode != 0 and data == before[name]:
                continue
            if name.endswith((".json", ".toml")):  # their figures and tuned options differ from run to run
                self.assertEqual(outline(name, data), outline(name, complete[name]))
            else:
                self.assertEqual(data, complete[name], name)

    def check_files_that_belong_together(self, before, complete):
        """Checks that the files of one result are all old or all new. Printed and JSON output comes after them."""
        after = self.content()
        of_result = [name for name in before if before[name] == EARLIER and not name.endswith(".json")]
        self.assertEqual(len({after[name] == complete[name] for name in of_result}), min(1, len(of_result)))

    def places(self, calls, most):
        """Returns the numbers of the calls that are to fail."""
        step = max(1, -(-calls // most))
        return range(1 + (step - 1) // 2, calls + 1, step)

    def only_deep(self):
        if LAUNCHER and not DEEP:
            self.skipTest("with several ranks only in deep tests")

    def fail_everywhere(self, *words, kinds=tuple(FAILURES), most=MOST_PLACES):
        before = self.content()
        result, notes = self.run_failing(words, "write:0:EIO")
        self.assertEqual(result.returncode, 0, result.stderr)
        complete = self.content()
        counts = dict(line.split() for line in notes)
        for kind in kinds:
            effects = FAILURES[kind]
            for turn, place in enumerate(self.places(int(counts[kind]), most)):
                for effect in effects if DEEP else [effects[(turn + len(words)) % len(effects)]]:
                    self.restore(before)
                    result, notes = self.run_failing(words, f"{kind}:{place}:{effect}")
                    with self.subTest(f"{' '.join(words)}: {kind}:{place}:{effect}"):
                        self.check(result, before, complete)
                        if kind in ("write", "sync", "read"):
                            self.check_files_that_belong_together(before, complete)
                        if "failed" not in notes or effect in HARMLESS:
                            self.assertEqual(result.returncode, 0, result.stderr)
                        elif kind in ("write", "sync", "rename", "thread"):  # other failures may be survived
                            self.assertEqual(result.returncode, 1, result.stderr)

    def test_generate(self):
        self.only_deep()
        self.write("graph.g500", EARLIER)
        self.write("graph.g500.weights", EARLIER)
        self.fail_everywhere("generate", "kronecker", "--scale", "5", "--weights", "--output", "graph.g500")

    def test_convert_to_breadth(self):
        self.write("graph.txt", TEXT)
        self.write("graph.breadth", EARLIER)
        self.fail_everywhere("convert", "graph.txt", "graph.breadth", "--threads", "2")

    def test_convert_to_text(self):
        self.only_deep()
        self.write("graph.txt", TEXT)
        self.succeed("convert", "graph.txt", "graph.breadth")
        self.write("graph.txt", EARLIER)
        self.fail_everywhere("convert", "graph.breadth", "graph.txt")

    def test_convert_to_matrix_market(self):
        self.only_deep()
        self.succeed("generate", "uniform", "--scale", "4", "--output", "graph.g500")
        self.write("graph.mtx", EARLIER)
        self.fail_everywhere("convert", "graph.g500", "graph.mtx")

    def test_info(self):
        self.only_deep()
        self.write("graph.txt", TEXT)
        self.fail_everywhere("info", "graph.txt", "--threads", "2")

    def test_bfs(self):
        self.write("graph.txt", TEXT)
        self.write("tree.npy", EARLIER)
        self.write("tree.labels.txt", EARLIER)
        self.write("tree.json", EARLIER)
        self.fail_everywhere(
            "bfs", "graph.txt", "--source", "v1", "--output", "tree.npy", "--json", "tree.json", "--threads", "2"
        )

    def test_sssp(self):
        self.only_deep()
        self.write("graph.txt", TEXT)
        self.write("tree.txt", EARLIER)
        self.fail_everywhere("sssp", "graph.txt", "--source", "v1", "--output", "tree.txt", "--threads", "2")

    def test_graph500(self):
        self.write("run.json", EARLIER)
        self.fail_everywhere(
            "graph500",
            *["--scale", "5", "--keys", "2", "--replicate", "shared", "--json", "run.json", "--threads", "2"],
        )

    def test_plan(self):
        self.only_deep()
        self.write("options.toml", "ranks = 4\n")
        self.fail_everywhere("plan", "--scale", "20", "--config", "options.toml")

    def test_tune(self):
        if not DEEP or LAUNCHER:
            self.skipTest("it takes the time that it is given")
        self.succeed("generate", "uniform", "--scale", "8", "--output", "graph.g500")
        self.write("profile.toml", EARLIER)
        words = ["tune", "graph.g500", "--keys", "1", "--time", "1", "--output", "profile.toml"]
        self.fail_everywhere(*words, kinds=["write", "sync", "rename", "thread"], most=2)


if __name__ == "__main__":
    main()
