"""Runs a case: writes its files, runs the program on them, and gives the verdict."""

import dataclasses
import shlex
import shutil

from .judging import Expected, Verdict, judge
from .programs import clean_environment, run_program


@dataclasses.dataclass(frozen=True)
class Bench:
    """The program under test, and how it is started."""

    program: str
    launcher: tuple  # words before the number of ranks; empty if there is no launcher
    seconds: float  # the most that a run may take
    folder: object  # only for this soak's temporary files

    @property
    def environment(self):
        return clean_environment(self.folder)

    def command(self, case):
        start = [*self.launcher, str(case.ranks)] if case.ranks > 1 else []
        return [*start, self.program, *case.words()]


def try_case(bench, case, folder, seconds=None):
    """Runs a case in a folder, which is emptied first, and returns the verdict."""
    seconds = seconds or bench.seconds
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    written = case.write(folder)
    environment = bench.environment
    if written and written != case.graph_name:
        words = [bench.program, "convert", written, case.graph_name, "--threads=1"]
        run = run_program(words, folder, environment, seconds)
        if run.status != 0 or run.crash:
            verdict = judge(case, run, folder)
            return verdict if verdict.kind != "refused" else Verdict("wrong", f"convert: {verdict.problem}")
    return judge(case, run_program(bench.command(case), folder, environment | case.variables(), seconds), folder)


def script(bench, case, verdict):
    """A shell script that runs a case again in the folder of its files."""
    variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in case.variables().items())
    problem = verdict.problem.splitlines()[0] if verdict.problem else ""
    words = bench.command(case)
    program = words.index(bench.program)
    lines = [
        "#!/bin/sh",
        f"# {verdict.kind}: {problem}",
        "# What is right, by the soak: expected.txt.",
        'cd "$(dirname "$0")" || exit 1',
        "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
        f"BREADTH=${{BREADTH:-{shlex.quote(bench.program)}}}",
    ]
    if case.shape.by and not case.generated:
        lines.append(f'"$BREADTH" convert graph{case.shape.by} {case.graph_name} --threads=1 || exit')
    lines.append(f'{variables} {shlex.join(words[:program])} "$BREADTH" {shlex.join(words[program + 1 :])}'.strip())
    return "\n".join(lines) + "\n"


def keep(bench, case, verdict, seed, folder):
    """Keeps a bad case in a folder: the graph, the program's output, the right result, and again.sh to run it again."""
    again = try_case(bench, case, folder)
    (folder / "case.json").write_text(case.to_json() + "\n")
    (folder / "expected.txt").write_bytes(expected_text(case).encode("utf-8", "surrogateescape"))
    about = f"{verdict.kind}: {verdict.problem}\nfound with seed {seed}\n"
    if not again.alike(verdict):
        about += f"It did not come again when it was kept: {again.kind} {again.problem}\n"
    (folder / "verdict.txt").write_bytes(about.encode("utf-8", "surrogateescape"))
    path = folder / "again.sh"
    path.write_bytes(script(bench, case, verdict).encode("utf-8", "surrogateescape"))
    path.chmod(0o755)


def expected_text(case):
    return "searches that are valid\n" if case.generated else Expected(case).text()
