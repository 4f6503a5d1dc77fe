"""The notebooks: all of their code, as it would run in a kernel."""

import json
import pathlib
import subprocess
import sys

import pytest

NOTEBOOKS = pathlib.Path(__file__).parents[2] / "docs/notebooks"


@pytest.mark.parametrize("name", ["explore", "graph500"])
def test_every_cell_runs(name):
    for library in ("matplotlib", "scipy"):
        pytest.importorskip(library)
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 4
    program = "\n".join(["import matplotlib", "matplotlib.use('Agg')", *code, "print('all ran')"])
    run = subprocess.run([sys.executable, "-c", program], cwd=NOTEBOOKS, capture_output=True, text=True, check=False)
    assert run.stdout.endswith("all ran\n"), run.stderr
