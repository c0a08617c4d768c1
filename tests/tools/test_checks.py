"""The checks themselves: each accepts a clean tree and refuses one with a single fault in it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
CLEAN = {
    "include/pliant/world.h": "#include <vector>\n#include <pliant/ids.h>\n",
    "include/pliant/ids.h": "#include <cstdint>\n",
    "src/core/hash.h": "#include <cstdint>\n",
    "src/math/vec.h": '#include "core/hash.h"\n',
    "src/geometry/bvh.cpp": '#include "math/vec.h"\n#include <pliant/ids.h>\n',
    "render/render.h": "#include <pliant/world.h>\n",
    "apps/cli/main.cpp": '#include "render/render.h"\n#include <CLI/CLI.hpp>\n',
}


def run_on(files, command):
    """(exit code, output) of a check on a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([*command, root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class Layers(unittest.TestCase):
    def check(self, **changes):
        files = CLEAN | {name: text for name, text in changes.get("files", {}).items()}
        return run_on(files, [sys.executable, str(TOOLS / "check_layers.py")])

    def refused(self, name, text, expected):
        code, output = self.check(files={name: text})
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)

    def test_clean_tree_passes(self):
        code, output = self.check()
        self.assertEqual(code, 0, output)
        self.assertIn("7 files, 0 problems", output)

    def test_empty_tree_is_no_proof(self):
        code, _ = run_on({"README.md": ""}, [sys.executable, str(TOOLS / "check_layers.py")])
        self.assertEqual(code, 1)

    def test_upward(self):
        self.refused("src/math/up.h", '\n#include "geometry/bvh.cpp"\n', "src/math/up.h:2")

    def test_upward_by_relative_path(self):
        self.refused("src/math/up.h", '#include "../geometry/bvh.cpp"\n', "may not use src/geometry")

    def test_what_is_built_once_sees_no_scalar(self):
        rows = "\n".join(["pliant_folder(core)", "pliant_scalar_folder(math core)",
                          "pliant_folder(geometry core math)"])
        files = {"CMakeLists.txt": rows, "src/math/wide.h": "",
                 "src/geometry/tree.h": '#include "geometry/leaf.h"\n',
                 "src/geometry/leaf.h": '#include "math/wide.h"\n'}
        _, output = self.check(files=files)
        for name in ("tree", "leaf"):
            self.assertIn(f"src/geometry/{name}.h: sees src/math/wide.h", output)

    def test_only_kernels_of_the_bench_look_inside(self):
        code, output = self.check(files={"bench/kernels/a.cpp": '#include "math/vec.h"\n'})
        self.assertEqual(code, 0, output)
        self.refused("bench/a.cpp", '#include "math/vec.h"\n', "may not use src/math")
        self.refused("bench/kernels/a.cpp", '#include "geometry/bvh.cpp"\n', "may not use src/geometry")

    def test_circle_within_a_folder(self):
        self.refused("src/core/hash.h", '#include "core/hash.h"\n', "go round")

    def test_public_header_with_private_one(self):
        self.refused("include/pliant/bad.h", '#include "core/hash.h"\n', "may not use src/core")

    def test_public_header_with_third_party(self):
        self.refused("include/pliant/bad.h", "#include <fmt/format.h>\n", "neither standard nor public")

    def test_program_with_private_header(self):
        self.refused("apps/cli/bad.cpp", '#include "core/hash.h"\n', "apps may not use src/core")

    def test_render_with_program(self):
        self.refused("render/bad.h", '#include "apps/cli/main.cpp"\n', "render may not use apps")

    def test_unknown_folder(self):
        self.refused("src/misc/bad.h", "\n", "src/misc is not in the table")

    def test_row_of_cmake_that_differs(self):
        self.refused("CMakeLists.txt", "pliant_folder(core math)\n", "the row of core")


class Sizes(unittest.TestCase):
    def check(self, text):
        return run_on({"src/core/a.cpp": text}, [sys.executable, str(TOOLS / "check_sizes.py")])

    @staticmethod
    def function(lines, head="int f(int a) const"):
        return f"namespace n {{\n{head} {{\n" + "  g('{', \"}\");  // }\n" * (lines - 2) + "}\n}\n"

    def test_limits_are_exact(self):
        self.assertEqual(self.check(self.function(80))[0], 0)
        code, output = self.check(self.function(81))
        self.assertEqual(code, 1)
        self.assertIn("src/core/a.cpp:2: a function of 81 lines", output)

    def test_constructor_and_macro_are_functions(self):
        for head in ("A::A(int b) : b_(b)", "TEST(Suite, name)", "auto f() -> int"):
            self.assertEqual(self.check(self.function(90, head))[0], 1, head)

    def test_long_struct_is_no_function(self):
        self.assertEqual(self.check("struct A {\n" + "  int a;\n" * 90 + "};\n")[0], 0)

    def test_long_file(self):
        self.assertEqual(self.check("\n" * 999)[0], 0)
        self.assertEqual(self.check("\n" * 1000)[0], 1)


class Format(unittest.TestCase):
    def check(self, text):
        return run_on({"src/core/a.cpp": text, ".clang-format": "BasedOnStyle: Google\n"},
                      [str(TOOLS / "check_format.sh")])

    def test_formatted_and_not(self):
        self.assertEqual(self.check("int f(int a);\n")[0], 0)
        code, output = self.check("int  f( int a ) ;\n")
        self.assertNotEqual(code, 0)
        self.assertIn("src/core/a.cpp:1", output)


class Docs(unittest.TestCase):
    def check(self, text):
        return run_on({"README.md": text, "docs/a.md": "[up](../README.md)\n", "src/core/a.h": ""},
                      [sys.executable, str(TOOLS / "check_docs.py")])

    def test_names_that_exist(self):
        self.assertEqual(self.check("[a](docs/a.md#b) `src/core/a.h` [w](https://a.b/c)\n")[0], 0)

    def test_names_that_do_not(self):
        for text in ("[a](docs/b.md)", "`src/core/b.h`", "![p](docs/p.png)"):
            code, output = self.check(text)
            self.assertEqual(code, 1, text)
            self.assertIn("README.md: there is no", output)


if __name__ == "__main__":
    unittest.main()
