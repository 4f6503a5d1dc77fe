"""Tests on the ranks of an MPI communicator: `mpiexec -n 3 python -m pytest -x tests/python_ranks`."""

import sys

import breadth
import pytest


def pytest_collection_modifyitems(items):
    if breadth._engine.message_passing_library() == "none":
        for item in items:
            item.add_marker(pytest.mark.skip(reason="the module was built without MPI"))


def pytest_sessionfinish(session, exitstatus):
    session.config.failed_on_this_rank = exitstatus not in (0, pytest.ExitCode.NO_TESTS_COLLECTED)


def pytest_unconfigure(config):
    """Ends all ranks if a test failed on this one, after it has reported the failure, because the others wait for
    it."""
    MPI = sys.modules.get("mpi4py.MPI")
    if getattr(config, "failed_on_this_rank", False) and MPI is not None and MPI.COMM_WORLD.size > 1:
        sys.stdout.flush()
        MPI.COMM_WORLD.Abort(1)
