"""How tools/coverage reads the output of gcov."""

import collections
import importlib.machinery
import importlib.util
import pathlib
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "tools" / "coverage"
LOADER = importlib.machinery.SourceFileLoader("coverage_tool", str(SOURCE))
coverage = importlib.util.module_from_spec(importlib.util.spec_from_loader("coverage_tool", LOADER))
LOADER.exec_module(coverage)

ROOT = pathlib.Path("/project")


def document(file, lines):
    """Returns gcov's output for one compiled source."""
    return {
        "current_working_directory": "/project/build/coverage",
        "files": [{"file": file, "lines": [{"line_number": line, "count": count} for line, count in lines]}],
    }


class Coverage(unittest.TestCase):
    def count(self, *documents):
        counts = collections.defaultdict(collections.Counter)
        for one in documents:
            coverage.add_lines(one, ROOT, counts)
        return counts

    def test_counts_lines_of_the_sources_alone(self):
        counts = self.count(
            document("../../src/core/ids.hpp", [(3, 1)]),
            document("/usr/include/c++/12/vector", [(5, 1)]),
            document("../../tests/core/ids_test.cpp", [(7, 1)]),
        )
        self.assertEqual({file: dict(lines) for file, lines in counts.items()}, {"core/ids.hpp": {3: 1}})

    def test_takes_a_line_for_run_if_any_instance_of_it_ran(self):
        instances = [(3, 0), (3, 2), (4, 0)]
        counts = self.count(
            document("../../src/core/ids.hpp", instances), document("/project/src/core/ids.hpp", [(4, 0), (5, 1)])
        )
        self.assertEqual(dict(counts["core/ids.hpp"]), {3: 2, 4: 0, 5: 1})

    def test_sums_by_module(self):
        counts = self.count(
            document("../../src/core/ids.hpp", [(1, 1), (2, 0)]),
            document("../../src/core/parallel/parallel.hpp", [(1, 1), (2, 1)]),
            document("../../src/comm/routes/routed_exchange.cpp", [(1, 0)]),
        )
        text = coverage.table(counts, ["comm", "core"], with_files=False)
        self.assertIn("| core | 4 | 3 | 75.0 % |", text)
        self.assertIn("| comm | 1 | 0 | 0.0 % |", text)
        self.assertIn("| all | 5 | 3 | 60.0 % |", text)

    def test_names_the_lines_that_did_not_run(self):
        counts = self.count(document("../../src/core/ids.hpp", [(1, 1), (2, 0), (3, 0), (4, 0), (6, 1), (9, 0)]))
        text = coverage.table(counts, ["core"], with_files=True)
        self.assertIn("| core/ids.hpp | 6 | 2 | 33.3 % | 2-4, 9 |", text)

    def test_says_nothing_of_a_module_without_code(self):
        self.assertIn("| core | 0 | 0 |  |", coverage.table(self.count(), ["core"], with_files=False))


if __name__ == "__main__":
    unittest.main()
