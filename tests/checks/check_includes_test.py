"""Whether tools/check_includes.py finds forbidden includes and misshapen files."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "check_includes.py"

CLEAN = {
    "src/core/CMakeLists.txt": "breadth_module(core SOURCES ids.cpp)\n",
    "src/core/ids.hpp": "// Ids.\n#pragma once\n\n#include <cstdint>\n",
    "src/core/ids.cpp": '#include "core/ids.hpp"\n',
    "src/comm/CMakeLists.txt": "breadth_module(comm\n  DEPENDS core\n  SOURCES ranks.cpp)\n",
    "src/comm/ranks.hpp": '#pragma once\n#include "core/ids.hpp"\n',
    "src/comm/ranks.cpp": '#include "comm/ranks.hpp"\n\n#include <mpi.h>\n',
    "src/generate/CMakeLists.txt": "breadth_module(generate DEPENDS core)\n",
    "src/graph/CMakeLists.txt": "breadth_module(graph DEPENDS comm)\n",
    "src/graph/graph.hpp": '#pragma once\n#include "comm/ranks.hpp"\n#include "core/ids.hpp"\n',
    "src/generate/weights.hpp": "#pragma once\n",
    "src/validate/CMakeLists.txt": "breadth_module(validate DEPENDS core comm)\n",
}


class CheckIncludes(unittest.TestCase):
    def findings(self, changes):
        """Returns what the script prints about the clean tree with these files changed or added. Checks that its exit
        code agrees."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**CLEAN, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            run = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1 if run.stderr else 0, run.stderr)
        return run.stderr

    def expect(self, finding, changes):
        self.assertIn(finding, self.findings(changes))

    def test_accepts_a_clean_tree(self):
        self.assertEqual(self.findings({}), "")

    def test_accepts_this_project(self):
        run = subprocess.run([sys.executable, SCRIPT, ROOT], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_refuses_many_headers_for_users(self):
        """The headers count whether breadth.hpp includes them itself or through others."""
        names = [f"core/h{i}.hpp" for i in range(20)]
        files = {f"src/{name}": "#pragma once\n" for name in names}
        files["src/breadth.hpp"] = f'#pragma once\n#include "{names[0]}"\n'
        files[f"src/{names[0]}"] = "#pragma once\n" + "".join(f'#include "{name}"\n' for name in names[1:19])
        self.assertEqual(self.findings(files), "")
        files[f"src/{names[1]}"] = f'#pragma once\n#include "{names[19]}"\n'
        self.expect("src/breadth.hpp:1: leads to 21 headers; users see no more than 20", files)

    def test_refuses_an_include_against_the_arrows(self):
        self.expect(
            "src/core/ids.cpp:2: core must not include comm",
            {"src/core/ids.cpp": '#include "core/ids.hpp"\n#include "comm/ranks.hpp"\n'},
        )
        self.expect(
            "validate must not include graph",
            {"src/validate/rules.hpp": '#pragma once\n#  include "graph/graph.hpp"\n'},
        )
        self.expect(
            "generate must not include comm", {"src/generate/weights.hpp": '#pragma once\n#include "comm/ranks.hpp"\n'}
        )

    def test_refuses_a_module_that_is_not_declared(self):
        self.expect(
            "graph includes generate, which src/graph/CMakeLists.txt does not name",
            {"src/graph/graph.hpp": '#pragma once\n#include "generate/weights.hpp"\n'},
        )

    def test_refuses_what_one_module_hides(self):
        for header, owner in [("mpi.h", "comm"), ("hwloc.h", "placement")]:
            self.expect(
                f"src/graph/graph.hpp:2: graph must not include {header}: only {owner} may",
                {"src/graph/graph.hpp": f"#pragma once\n#include <{header}>\n"},
            )

    def test_refuses_a_path_that_is_not_below_src(self):
        self.expect(
            '"ids.hpp" is no path below src/', {"src/core/ids.cpp": '#include "core/ids.hpp"\n#include "ids.hpp"\n'}
        )

    def test_refuses_a_source_file_whose_own_header_is_not_first(self):
        self.expect(
            "src/core/ids.cpp:1: the first include must be core/ids.hpp",
            {"src/core/ids.cpp": '#include <vector>\n#include "core/ids.hpp"\n'},
        )

    def test_refuses_a_header_that_may_be_read_twice(self):
        self.expect(
            "src/core/ids.hpp:1: a header begins with #pragma once", {"src/core/ids.hpp": "#include <cstdint>\n"}
        )

    def test_refuses_a_long_file(self):
        self.assertEqual(self.findings({"src/core/ids.cpp": '#include "core/ids.hpp"\n' + "\n" * 499}), "")
        self.expect(
            "501 lines; no file has more than 500", {"src/core/ids.cpp": '#include "core/ids.hpp"\n' + "\n" * 500}
        )
        self.expect("tests/core/ids_test.cpp:501: 600 lines", {"tests/core/ids_test.cpp": "\n" * 600})

    def test_refuses_a_full_folder(self):
        files = {f"src/validate/rule{i}.hpp": "#pragma once\n" for i in range(24)}
        self.assertEqual(self.findings(files), "")
        files["src/validate/rule24.hpp"] = "#pragma once\n"
        self.expect("src/validate:1: 26 files; no folder has more than 25", files)
        deeper = {name.replace("validate/", "graph/build/"): text for name, text in files.items()}
        self.expect("src/graph/build:1: 26 files", {**deeper, "src/graph/build/rule25.hpp": "#pragma once\n"})

    def test_refuses_an_include_against_the_arrows_between_rooms(self):
        rooms = {
            "src/graph/forms/rows.hpp": '#pragma once\n#include "graph/graph.hpp"\n',
            "src/graph/build/sort.hpp": '#pragma once\n#include "graph/forms/rows.hpp"\n',
            "src/graph/build.cpp": '#include "graph/build/sort.hpp"\n',
        }
        self.assertEqual(self.findings(rooms), "")
        self.expect(
            "src/graph/forms/lists.hpp:2: graph/forms must not include graph/build: sort.hpp",
            {**rooms, "src/graph/forms/lists.hpp": '#pragma once\n#include "graph/build/sort.hpp"\n'},
        )
        self.expect(
            "src/graph/all.hpp:2: graph must not include graph/build: sort.hpp",
            {**rooms, "src/graph/all.hpp": '#pragma once\n#include "graph/build/sort.hpp"\n'},
        )
        self.expect(
            "no arrows are known for the room graph/attic",
            {**rooms, "src/graph/attic/old.hpp": '#pragma once\n#include "graph/graph.hpp"\n'},
        )

    def test_refuses_an_unknown_module(self):
        self.expect("no arrows are known for module misc", {"src/misc/all.hpp": "#pragma once\n"})


if __name__ == "__main__":
    unittest.main()
