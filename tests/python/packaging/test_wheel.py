"""The wheel, installed into an environment of its own that does not see the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
USER_PROJECT = Path(__file__).parent / "user_project"
EXPRESSION = """
from uir.ir import IntImm
from uir.tir import Add, Var
import tschema, uir, uir_nodes
x = Var('x', 'int32')
print(Add(x, IntImm('int32', 1)).b.value)
print(tschema.__file__, uir.__file__, uir_nodes.__file__, sep='\\n')
"""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a command that must succeed, with the tools of this environment; return its output."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{sysconfig.get_path('scripts')}:{environment['PATH']}"
    process = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.returncode == 0, process.stdout
    return process.stdout


DOUBLE = """
import sys
from tschema import runtime
from uir.ir import IntImm
library = sys.argv[1] if len(sys.argv) > 1 else None
toy = runtime.load_types("schema.json", library=library)
twice = toy.Double("int32", IntImm("int32", 4), times=2)
loaded = runtime.load_json(runtime.save_json(twice))
assert runtime.structural_equal(twice, loaded) and not twice.same_as(loaded)
print(runtime.layout("toy.Double").size, twice.times, twice)
try:
    toy.Double("int32", IntImm("int32", 4), times=2**40)
except ValueError as error:
    print(str(error).splitlines()[-1])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; the objects of the build tree serve it."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--config-settings=build-dir=build"]
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--disable-pip-version-check",
    ]
    run(*pip, *options, "--wheel-dir", folder, ".", cwd=ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a new environment, which takes the dependencies from this one."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    executable = folder / "bin/python"
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        executable,
        "install",
        "--quiet",
    ]
    run(*pip, "--disable-pip-version-check", "--no-index", "--no-deps", wheel)
    # A line of a `.pth` file adds a folder without reading the `.pth` files in it.
    site_packages = run(
        executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
    ).strip()
    Path(site_packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return executable


def test_one_wheel_serves_every_python(wheel: Path) -> None:
    assert wheel.name.split("-")[2:4] == ["py3", "none"]


def test_wheel_has_everything(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        "tschema/cli.py",
        "tschema/py.typed",
        "tschema/include/tschema/registry.h",
        "tschema/include/uir/ir/expr.h",
        "tschema/lib/libtschema.so",
        "tschema/lib/libuir.so",
        "tschema/lib/tschema-build.json",
        "tschema/share/cmake/tschema/TschemaGenerate.cmake",
        "tschema/share/cmake/tschema/TschemaStamp.cmake",
        "tschema/share/cmake/tschema/tschemaConfig.cmake",
        "tschema/templates/cpp/header.h.jinja",
        "uir/__init__.py",
        "uir/py.typed",
        "uir/schema/ir/expr.py",
        "uir/schema/schema.json",
        "uir/transform/instrument/page/app.js",
        "uir/transform/instrument/page/page.html",
        "uir_nodes/_lib.py",
        "uir_nodes/py.typed",
    }
    assert expected - names == set()
    assert [name for name in names if "__pycache__" in name or "libtvm_ffi" in name] == []


def test_no_path_of_the_checkout(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    assert [name for name in archive.namelist() if str(ROOT).encode() in archive.read(name)] == []


def test_objects_are_made(python: Path, tmp_path: Path) -> None:
    value, *files = run(python, "-c", EXPRESSION, cwd=tmp_path).split()
    assert value == "1"
    assert [file for file in files if not Path(file).is_relative_to(python.parents[1])] == []


def test_schema_is_there_to_extend(python: Path, tmp_path: Path) -> None:
    """A user's project declares a node below one of uir's; its types resolve in an editor too."""
    project = tmp_path / "toy"
    shutil.copytree(USER_PROJECT, project)
    run(python.parent / "tschema", "gen", cwd=project)
    assert "uir::ir::PrimExprNode" in (project / "generated/cpp/include/toy/expr.h").read_text()
    mypy: list[str | Path] = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        python,
    ]
    run(*mypy, "--cache-dir", tmp_path / "cache", "schema/expr.py", cwd=project)


def test_cmake_project_against_wheel_and_build_tree(python: Path, tmp_path: Path) -> None:
    for environment in (python, Path(sys.executable)):
        project = tmp_path / environment.parents[1].name
        shutil.copytree(USER_PROJECT, project)
        build = project / "build"
        arguments = run(environment.parent / "tschema", "cmake-args").split()
        run("cmake", "-S", project, "-B", build, "-G", "Ninja", *arguments)
        run("cmake", "--build", build)
        assert run(build / "main") == "uir.ir.IntImm 41\ntoy.Double 1\n"
        assert "no work to do" in run("cmake", "--build", build)


def test_a_library_is_built_from_declarations_alone(python: Path, tmp_path: Path) -> None:
    """`tschema build` needs a compiler and the wheel; the program is the same before and after."""
    shutil.copytree(USER_PROJECT / "schema", tmp_path / "schema")
    tschema = python.parent / "tschema"
    assert "built" in run(tschema, "build", "schema", "-o", "libtoy.so", cwd=tmp_path)
    built = run(python, "-c", DOUBLE, "libtoy.so", cwd=tmp_path)
    assert "must be between -2147483648 and 2147483647, not 1099511627776" in built
    (tmp_path / "libtoy.so").unlink()
    assert run(python, "-c", DOUBLE, cwd=tmp_path) == built


def test_bodies_are_compiled_along(python: Path, tmp_path: Path) -> None:
    shutil.copytree(USER_PROJECT / "schema", tmp_path / "schema")
    schema = tmp_path / "schema/expr.py"
    schema.write_text(schema.read_text() + "    post_init = True\n")
    refused = subprocess.run(
        [python.parent / "tschema", "build", "schema", "-o", "libtoy.so"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 2, refused
    assert "`PostInit`" in refused.stderr + refused.stdout
    (tmp_path / "double.cc").write_text(
        "#include <toy/expr.h>\n"
        "void toy::DoubleNode::PostInit() { dtype = operand->dtype; times *= 2; }\n"
    )
    command = [python.parent / "tschema", "build", "schema", "-o", "libtoy.so"]
    run(*command, "--source", "double.cc", cwd=tmp_path)
    program = "from tschema.runtime import load_types; from uir.ir import IntImm\n"
    program += "toy = load_types('schema.json', library='libtoy.so')\n"
    program += "print(toy.Double('int64', IntImm('int32', 4)).times)"
    assert run(python, "-c", program, cwd=tmp_path) == "2\n"
