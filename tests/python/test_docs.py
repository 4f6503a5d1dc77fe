"""Runs every example of the documentation."""

import doctest
import pathlib
import re

import breadth
import pytest
from examples import OF_ONE_PROCESS, OPTIONS, failures_of, without_example

ROOT = pathlib.Path(__file__).parents[2]


PAGES = {  # pages, and the libraries that their examples need besides numpy
    "README.md": (),
    "docs/python.md": ("matplotlib",),
    "docs/python-files.md": ("pyarrow",),
    "docs/python-memory.md": (),
    "docs/python-tables.md": ("duckdb", "igraph", "pandas", "polars", "pyarrow", "scipy"),
    "docs/python-weights.md": (),
}


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, tmp_path, monkeypatch):
    for library in PAGES[page]:
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)  # an example may change the folder
    failed, run = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=OPTIONS)
    assert run > 3
    assert failed == 0


def test_every_page_of_the_package_is_among_them():
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("python*.md")} <= set(PAGES)


@pytest.mark.parametrize("name", OF_ONE_PROCESS)
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    assert failures_of(name) == ""


def test_every_function_has_an_example():
    assert without_example() == []


def test_the_page_of_classes_has_all_of_a_graph():
    listed = re.findall(r"^        - (\w+)$", (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    assert sorted(listed) == [name for name in dir(breadth.Graph) if not name.startswith("_")]
