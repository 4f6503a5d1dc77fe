"""Every example of the documentation."""

import doctest
import pathlib

import breadth
import pytest

ROOT = pathlib.Path(__file__).parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


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


def test_the_package():
    assert doctest.testmod(breadth, optionflags=OPTIONS).failed == 0
