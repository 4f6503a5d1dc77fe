"""Tests of the Python package: each that needs more than numpy skips where that is not installed."""

import sys


def pytest_addoption(parser):
    parser.addoption("--without", default="", help="libraries, with commas between, that pass for not installed")


def pytest_configure(config):
    for library in filter(None, config.getoption("--without").split(",")):
        sys.modules[library] = None  # importing it raises ModuleNotFoundError
