"""A new pass is one new file: in C++, in Python and in Rust, in a project of a user's."""

from __future__ import annotations

import shutil
import sys

import pytest

from ...support.precompiled import cmake_options
from ...support.project import ROOT, Project

pytestmark = pytest.mark.long

PACKAGE = ROOT / "tests" / "packages" / "passes"
FILES = {
    "passes.Negate": "src/negate.cc",
    "passes.Add": "python/add.py",
    "passes.Double": "rust/double.rs",
    "passes.DropDoubleNegation": "src/drop_double_negation.cc",
    "passes.Narrow": "python/narrow.py",
    "passes.ExpandSilu": "rust/expand_silu.rs",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Copy the project to a folder outside the repository, and build its two libraries."""
    root = tmp_path_factory.mktemp("user") / "passes"
    shutil.copytree(PACKAGE, root)
    manifest = root / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace("@root@", str(ROOT)))
    project = Project(root, {"PYTHONPATH": str(root / "python")})
    project.build_cpp(*cmake_options())
    return project


def run(project: Project, program: str) -> list[str]:
    """Run a program of the project, with both libraries; return the lines that it prints."""
    libraries = ["build/libpasses.so", str(project.build_rust())]
    return project.run(sys.executable, "-u", program, *libraries).splitlines()


def test_no_other_file_of_the_library_names_the_pass() -> None:
    sources = [path for path in PACKAGE.rglob("*") if path.is_file() and path.parent != PACKAGE]
    for name, file in FILES.items():
        naming = [path for path in sources if f'"{name}"' in path.read_text()]
        assert naming == [PACKAGE / file]


def test_one_sequence_runs_passes_of_three_languages(project: Project) -> None:
    output = run(project, "main.py")
    assert output[0] == "92"
    assert output[1] == "ValueError: in pass `passes.Negate`, function `main`: zero has no sign"
    assert output[2:6] == [
        "@tir.prim_func(private=True)",
        "def main():",
        "    tir.evaluate(0)",
        "                 ^ zero has no sign",
    ]
    assert output[6] == "100"
    message = "in pass `passes.Double`, function `main`: panicked: the constant is small"
    assert f"RuntimeError: {message}" in output


def test_the_command_loads_libraries_of_both_languages(project: Project) -> None:
    text = "@uir.script.ir_module\nclass Module:\n    @tir.prim_func\n    def main():\n"
    (project.root / "small.uir").write_text(f"{text}        tir.evaluate(50)\n")
    libraries = ["build/libpasses.so", str(project.build_rust())]
    load = [word for library in libraries for word in ("--load", library)]
    command = [sys.executable, "-m", "uir", "opt", "small.uir", *load]
    output = project.run(*command, "--passes", "passes.Negate, passes.Negate, passes.Double")
    assert output.splitlines()[-1].strip() == "tir.evaluate(100)"


def test_passes_over_high_level_functions_too(project: Project) -> None:
    assert run(project, "relay.py") == [
        "@relay.function",
        'def main(x: relay.Tensor((n, 16), "float32")) -> relay.Tensor((n, 16), "float16"):',
        '    n = tir.SizeVar("n", "int32")',
        '    a = relay.cast(x, dtype="float16")',
        "    b = -a",
        "    gate = relay.sigmoid(a)",
        "    y = a * gate",
        "    return y",
    ]
