"""Tests of the Python package. A test that needs a library other than numpy is skipped where the library is not
installed."""

import sys


def pytest_addoption(parser):
    parser.addoption("--without", default="", help="libraries, with commas between, that pass for not installed")


def pytest_configure(config):
    for library in filter(None, config.getoption("--without").split(",")):
        sys.modules[library] = None  # importing it raises ModuleNotFoundError
