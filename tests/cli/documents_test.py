"""The documentation's pages compared with the program: the commands and options that they show exist, every option is
shown, and links lead somewhere.

Usage: documents_test.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

from program_case import PROGRAM, environment, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [*GUIDES, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "benchmarks").rglob("*.md"))]
SOAK = ROOT / "docs/soak.md"  # it also shows a script's options
GPU = ROOT / "docs/gpu.md"  # it also shows options of GPU_SCRIPTS, which their first lines explain
GPU_SCRIPTS = [ROOT / "tools/gpu_steps", ROOT / "tools/gpu_first_hour"]
PAPERS = ROOT / "docs/papers.md"  # it also shows options of a script, which its docstring explains
PAPERS_SCRIPT = ROOT / "benchmarks/presets.py"
# Options of cmake and mpiexec, and options that every program has.
OF_OTHERS = {"build", "help", "help-all", "mca", "oversubscribe", "version"}
OF_OTHERS |= {"cpus-per-task", "exclusive", "kill-on-bad-exit", "mpi", "nodes", "ntasks-per-node", "signal"}  # Slurm's


def output_of(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True, env=environment()).stdout


def options_in(text):
    return set(re.findall(r"--([a-z][a-z0-9-]*[a-z0-9])", text))


def commands_in(page):
    """Yields each `breadth COMMAND ...` of a page, in a block or between backticks, up to a comment or another
    program."""
    text = page.read_text()
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"(?<!`)`([^`]+)`(?!`)", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    for line in lines:
        found = re.search(r"(?:^|[ /])breadth ([a-z0-9]+)\b([^#|…]*)", line)
        if found:
            yield found[1], found[2]


class Documents(unittest.TestCase):
    def test_shows_commands_as_they_are(self):
        names = set(re.findall(r"^  (\w+) ", output_of("--help").split("Commands:")[1].split("\n\n")[0], re.MULTILINE))
        self.assertLess({"graph500", "bfs", "sssp", "options"}, names)
        options = {name: options_in(output_of(name, "--help-all")) for name in names}
        shown = 0
        for page in PAGES:
            for name, rest in commands_in(page):
                self.assertIn(name, {*names, "COMMAND"}, page)
                self.assertLessEqual(options_in(rest), options.get(name, set()), f"{page}: breadth {name}{rest}")
                shown += 1
        self.assertGreater(shown, 40)

    def test_lists_all_options_as_the_program_has_them(self):
        """docs/options.md must be the output of tools/option_page.py for this program."""
        words = [sys.executable, ROOT / "tools/option_page.py", PROGRAM]
        page = subprocess.run(words, capture_output=True, text=True, check=True, env=environment()).stdout
        self.assertEqual((ROOT / "docs/options.md").read_text(), page, "run tools/option_page.py again")

    def test_lists_what_is_tuned_as_the_program_has_it(self):
        """docs/tuning.md must list each tuned option with its first and last tried value, and no other value."""
        graph500 = next(c for c in json.loads(output_of("options", "--json"))["commands"] if c["name"] == "graph500")
        tuned = {option["name"]: option["tuned"] for option in graph500["options"] if option["tuned"]}
        section = (ROOT / "docs/tuning.md").read_text().split("## What is tuned")[1].split("\n\n")[1]
        rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|", section, re.MULTILINE))
        self.assertEqual(set(rows), set(tuned))
        for name, values in tuned.items():
            shown = re.findall(r"`([a-z]+)`|([0-9.]+)", rows[name])
            shown = [word or number for word, number in shown]
            self.assertEqual([shown[0], shown[-1]], [values[0], values[-1]], name)
            self.assertLessEqual(set(shown), set(values), name)

    def test_lists_presets_as_the_program_has_them(self):
        """docs/papers.md must list the values that each preset sets, those apart that all presets set."""
        presets = json.loads(output_of("options", "--json"))["presets"]
        sets = {preset["name"]: set(preset["sets"].items()) for preset in presets if preset["sets"]}
        of_all = set.intersection(*sets.values())
        begin, *sections = PAPERS.read_text().split("**Preset `")
        self.assertEqual({section.split("`")[0] for section in sections}, set(sets))
        self.assertLessEqual(of_all, set(re.findall(r"`--([a-z-]+) (\w+)`", begin)))
        for section in sections:
            name, _, listed = section.partition("`.")[0].partition("`")
            self.assertEqual(set(re.findall(r"`--([a-z-]+)\s([^`]+)", listed)), sets[name] - of_all, name)

    def test_draws_the_results_as_they_are(self):
        """docs/gteps.svg must be the output of benchmarks/picture.py for benchmarks/results/bfs.md."""
        words = [sys.executable, ROOT / "benchmarks/picture.py"]
        picture = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        self.assertEqual((ROOT / "docs/gteps.svg").read_text(), picture, "run benchmarks/picture.py again")
        self.assertIn("(docs/gteps.svg)", (ROOT / "README.md").read_text())

    def test_shows_options_of_the_soak_as_they_are(self):
        words = [sys.executable, ROOT / "tools/soak.py", "--help"]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        shown = options_in(SOAK.read_text()) - options_in(output_of("options"))
        self.assertLess({"breadth", "minutes"}, shown)
        self.assertLessEqual(shown - OF_OTHERS, options_in(text))

    def test_shows_every_option_and_no_other(self):
        options = options_in(output_of("options"))
        self.assertGreater(len(options), 60)
        shown = {page: options_in(page.read_text()) for page in GUIDES if page != SOAK}
        of_scripts = set()
        for script in GPU_SCRIPTS:
            head = re.match(r"(#.*\n)+", script.read_text())[0]
            of_scripts |= options_in(head)
        self.assertLess({"minutes", "architectures"}, of_scripts)
        of_pages = {GPU: of_scripts, PAPERS: options_in(PAPERS_SCRIPT.read_text().split('"""')[1])}
        self.assertIn("ablation", of_pages[PAPERS])
        for page, of_page in shown.items():
            known = options | OF_OTHERS | of_pages.get(page, set())
            self.assertEqual(of_page - known, set(), page)
        self.assertEqual(options - set().union(*shown.values()), set(), "in no page")

    def test_links_lead_somewhere(self):
        links = 0
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                if "://" in target:
                    continue
                path, _, section = target.partition("#")
                there = (page.parent / path).resolve() if path else page
                self.assertTrue(there.exists(), f"{page}: {target}")
                if section:
                    titles = re.findall(r"^#+ (.*)$", there.read_text(), re.MULTILINE)
                    slugs = [re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles]
                    self.assertIn(section, slugs, f"{page}: {target}")
                links += 1
        self.assertGreater(links, 60)


if __name__ == "__main__":
    main()
