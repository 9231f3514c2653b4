"""The wheels, installed into environments of their own that do not see the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from uir.runtime import needed_versions

from ..support.commands import run_command
from ..support.tutorial import check_tutorial

pytestmark = [pytest.mark.long, pytest.mark.deep]

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


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    """Run a command that must succeed, with the tools of this environment; return its output."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    environment.update(variables)
    environment["PATH"] = f"{sysconfig.get_path('scripts')}:{environment['PATH']}"
    return run_command(command, cwd, environment)


POINT = '''
"""Points."""

from tschema import Object, declare, ty


@declare
class PointNode(Object):
    """
    A point.

    Attributes
    ----------
    x, y
        Where it is.
    """

    type_key = "toy.Point"
    x: ty.int64_t
    y: ty.int64_t
'''
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


PIP = (sys.executable, "-m", "pip")
QUIETLY = ("--quiet", "--disable-pip-version-check", "--no-deps")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build both wheels; the objects of the build tree serve them."""
    folder = tmp_path_factory.mktemp("wheels")
    options = ["--no-build-isolation", f"--config-settings=build-dir={ROOT / 'build'}"]
    for project in (ROOT, ROOT / "python"):
        run(*PIP, "wheel", *QUIETLY, *options, "--wheel-dir", folder, project)
    return {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}


def make_environment(folder: Path, *wheels: Path) -> Path:
    """Install wheels into a new environment, which takes the dependencies from this one."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    executable = folder / "bin/python"
    run(*PIP, "--python", executable, "install", *QUIETLY, "--no-index", *wheels)
    # A line of a `.pth` file adds a folder without reading the `.pth` files in it.
    site_packages = run(
        executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
    ).strip()
    Path(site_packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return executable


@pytest.fixture(scope="module")
def python(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with both distributions."""
    return make_environment(tmp_path_factory.mktemp("environment"), *wheels.values())


def files(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_one_wheel_serves_every_python(wheels: dict[str, Path]) -> None:
    tags = {name: path.name.split("-")[2:4] for name, path in wheels.items()}
    assert tags == {"tschema": ["py3", "none"], "uir": ["py3", "none"]}


def test_repaired_wheels_are_for_older_systems(wheels: dict[str, Path], tmp_path: Path) -> None:
    """As `make wheel` and cibuildwheel: nothing is added, and the libraries stay as they are."""
    exclude = [f"--exclude={name}" for name in ("libtvm_ffi.so", "libtschema.so")]
    run("auditwheel", "repair", *exclude, "--wheel-dir", tmp_path, *wheels.values())
    repaired = {path.name.partition("-")[0]: path for path in tmp_path.iterdir()}
    assert repaired.keys() == wheels.keys()
    for name, path in repaired.items():
        *_, python, abi, systems = path.stem.split("-")
        assert (python, abi) == ("py3", "none")
        assert all(one.startswith("manylinux") for one in systems.split(".")), systems
        before, after = zipfile.ZipFile(wheels[name]), zipfile.ZipFile(path)
        assert {one for one in files(path) if ".so" in one} == {f"{name}/lib/lib{name}.so"}
        library = f"{name}/lib/lib{name}.so"
        assert before.read(library) == after.read(library)
        shown = run("auditwheel", "show", path)
        assert f'"manylinux_2_{glibc_floor(path, library, tmp_path)}_' in shown, shown
        assert f"manylinux_2_{glibc_floor(path, library, tmp_path)}_" in systems


def glibc_floor(wheel: Path, library: str, folder: Path) -> int:
    """Return the newest minor version of glibc 2 that a library of a wheel asks for."""
    with zipfile.ZipFile(wheel) as archive:
        versions = needed_versions(archive.extract(library, folder))
    return max(int(one.split(".")[1]) for one in versions if one.startswith("GLIBC_"))


EXPECTED = {
    "tschema": {
        "tschema/__init__.py",
        "tschema/diagnostics/diagnostics.md",
        "tschema/py.typed",
        "tschema/include/tschema/registry.h",
        "tschema/lib/libtschema.so",
        "tschema/lib/tschema-build.json",
        "tschema/rust/Cargo.toml",
        "tschema/rust/tschema/build.rs",
        "tschema/rust/tvm-ffi-rust/tvm-ffi/Cargo.toml",
        "tschema/share/cmake/tschema/TschemaGenerate.cmake",
        "tschema/share/cmake/tschema/TschemaStamp.cmake",
        "tschema/share/cmake/tschema/tschemaConfig.cmake",
        "tschema/templates/cpp/header.h.jinja",
    },
    "uir": {
        "uir/__init__.py",
        "uir/include/uir/ir/expr.h",
        "uir/include/uir/ir/op.h",
        "uir/lib/libuir.so",
        "uir/lib/tschema-build.json",
        "uir/py.typed",
        "uir/schema/ir/expr.py",
        "uir/schema/schema.json",
        "uir/share/cmake/uir/uirConfig.cmake",
        "uir/transform/instrument/page/app.js",
        "uir/transform/instrument/page/page.html",
        "uir_nodes/_lib.py",
        "uir_nodes/py.typed",
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_wheel_has_everything(wheels: dict[str, Path], name: str) -> None:
    assert EXPECTED[name] - files(wheels[name]) == set()


def test_each_distribution_has_its_own_packages_and_no_other(wheels: dict[str, Path]) -> None:
    packages = {name: {file.split("/")[0] for file in files(wheels[name])} for name in wheels}
    assert {one for one in packages["tschema"] if ".dist-info" not in one} == {"tschema"}
    assert {one for one in packages["uir"] if ".dist-info" not in one} == {"uir", "uir_nodes"}
    every = files(wheels["tschema"]) | files(wheels["uir"])
    assert [name for name in every if "__pycache__" in name or "libtvm_ffi" in name] == []
    assert [name for name in files(wheels["tschema"]) if "uir" in name] == []
    assert len([name for name in every if name.endswith("/LICENSE")]) == 2


def test_no_path_of_the_checkout(wheels: dict[str, Path]) -> None:
    for wheel in wheels.values():
        archive = zipfile.ZipFile(wheel)
        names = [name for name in archive.namelist() if str(ROOT).encode() in archive.read(name)]
        assert names == []


ALONE = """
import importlib.util
from tschema.runtime import load_types
toy = load_types("ir.json")
print(toy.Point(x=1, y=2).y, importlib.util.find_spec("uir"))
"""


def test_the_generator_needs_no_compiler_core(wheels: dict[str, Path], tmp_path: Path) -> None:
    """`tschema` alone generates code, declares types at run time, and builds their library."""
    python = make_environment(tmp_path / "environment", wheels["tschema"])
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema/point.py").write_text(POINT)
    (tmp_path / "tschema.toml").write_text(
        'package = "toy"\nschema = ["schema"]\nir = "ir.json"\n'
        '[cpp]\ninclude = "cpp"\nsource = "cpp"\n'
    )
    tschema = python.parent / "tschema"
    run(tschema, "gen", cwd=tmp_path)
    assert (tmp_path / "cpp/toy/point.h").is_file()
    assert run(python, "-c", ALONE, cwd=tmp_path) == "2 None\n"
    assert "uir" not in run(tschema, "cmake-args") + run(tschema, "link-args")
    assert "built" in run(tschema, "build", "schema", "-o", "libtoy.so", cwd=tmp_path)


def test_libtschema_is_found_in_another_folder(wheels: dict[str, Path], tmp_path: Path) -> None:
    """The two are installed apart from each other, as in a user's and a system's folder."""
    python = make_environment(tmp_path / "system", wheels["tschema"])
    with zipfile.ZipFile(wheels["uir"]) as archive:
        archive.extractall(tmp_path / "user")
    program = "import sys; sys.path.append('user')\n" + EXPRESSION
    value, *_ = run(python, "-c", program, cwd=tmp_path).split()
    assert value == "1"


def test_objects_are_made(python: Path, tmp_path: Path) -> None:
    value, *places = run(python, "-c", EXPRESSION, cwd=tmp_path).split()
    assert value == "1"
    assert [file for file in places if not Path(file).is_relative_to(python.parents[1])] == []


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


def test_the_tutorial_needs_the_wheels_alone(python: Path, tmp_path: Path) -> None:
    """Only the tools of other projects are those of this environment."""
    check_tutorial(tmp_path, python.parent, Path(sysconfig.get_path("scripts")))


def test_a_new_project_has_rust(python: Path, tmp_path: Path) -> None:
    """Its crates, and the library that these link with, are those of the wheel."""
    tschema, toy = python.parent / "tschema", tmp_path / "toy"
    run(tschema, "new", toy)
    run(tschema, "gen", cwd=toy)
    assert str(python.parents[1]) in (toy / "Cargo.toml").read_text()
    arguments = run(tschema, "cmake-args").split()
    run("cmake", "-S", toy, "-B", toy / "build", "-G", "Ninja", *arguments)
    run("cmake", "--build", toy / "build")
    shutil.copy(ROOT / "Cargo.lock", toy)
    libraries = run("tvm-ffi-config", "--libdir").strip()
    printed = run("cargo", "run", "--quiet", "--offline", cwd=toy, LD_LIBRARY_PATH=libraries)
    assert printed == run(python, "main.py", cwd=toy, PYTHONPATH="generated/python")


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
