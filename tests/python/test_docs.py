"""Every example of the documentation."""

import doctest
import pathlib

import pytest
from examples import OF_ONE_PROCESS, OPTIONS, failures_of, without_example

ROOT = pathlib.Path(__file__).parents[2]


def test_the_page():
    for library in ("matplotlib", "networkx", "pandas", "pyarrow"):
        pytest.importorskip(library)
    failed, run = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, optionflags=OPTIONS)
    assert run > 20
    assert failed == 0


def test_the_readme():
    failed, run = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=OPTIONS)
    assert run > 3
    assert failed == 0


@pytest.mark.parametrize("name", OF_ONE_PROCESS)
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    assert failures_of(name) == ""


def test_every_function_has_an_example():
    assert without_example() == []
