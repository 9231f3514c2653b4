"""`tschema init` in repositories that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tschema.cli.main import main
from tschema.project.config import InPlaceTarget, load_config

ATLAS = Path(__file__).resolve().parents[3] / "adoption" / "atlas"
HEADER = """\
namespace toy {
class PointNode : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Point", PointNode, Object);
};
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, a repository of git."""
    made = tmp_path / "toy"
    made.mkdir()
    monkeypatch.chdir(made)
    subprocess.run(["git", "init", "-q"], check=True)
    return made


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_a_code_base_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ATLAS, folder, dirs_exist_ok=True)
    before = files(folder)
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert "found 30 classes with a type key in 3 headers" in said
    assert "    tschema import --headers include src\n" in said
    assert "once the library is built, add `--registry build/libatlas.so`" in said
    assert "    tschema_generate(TARGET atlas CONFIG tschema.toml)\n" in said
    config = load_config(folder / "tschema.toml")
    assert config.cpp == InPlaceTarget("in_place", ("include/**/*.h",), config.cpp.sidecar)
    assert config.cpp.sidecar.as_posix() == "src/tschema"
    assert (config.package, config.cpp_namespaces) == ("atlas", {"atlas.ir": "acme::ir"})
    added = set(files(folder)) - set(before)
    assert added == {"tschema.toml", ".gitattributes"}
    assert {path: data for path, data in files(folder).items() if path in before} == before
    attributes = (folder / ".gitattributes").read_text()
    assert "src/tschema/** merge=tschema linguist-generated\n" in attributes


def test_the_built_library_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ATLAS, folder, dirs_exist_ok=True)
    (folder / "build-release" / "lib").mkdir(parents=True)
    (folder / "build-release" / "lib" / "libatlas.so").write_bytes(b"")
    assert main(["init", "--dry-run"]) == 0
    command = "tschema import --headers include src --registry build-release/lib/libatlas.so\n"
    assert command in capsys.readouterr().out


DEPENDENCY = """\
namespace other {
class BaseNode : public tvm::ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("other.Base", BaseNode, tvm::ffi::Object);
};
class Base : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, tvm::ffi::ObjectRef, BaseNode);
};
}
"""


@pytest.mark.parametrize("is_wheel", [False, True])
def test_headers_of_base_classes_are_found(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    is_wheel: bool,
) -> None:
    place = tmp_path / "site" / "other" if is_wheel else folder / "3rdparty" / "other"
    monkeypatch.setattr("sysconfig.get_path", lambda _name: str(tmp_path / "site"))
    header = place / "include" / "other" / "base.h"
    header.parent.mkdir(parents=True)
    header.write_text(DEPENDENCY)
    (folder / "include").mkdir()
    (folder / "include" / "a.h").write_text(
        HEADER.replace("public Object", "public other::BaseNode").replace(
            ", Object", ", other::BaseNode"
        )
    )
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert "found 1 class with a type key in 1 header\n" in said
    (command,) = [line.strip() for line in said.splitlines() if "tschema import" in line]
    named = str(place / "include") if is_wheel else "3rdparty/other/include"
    assert command == f"tschema import --headers include {named} --key toy"
    assert main(command.split()[1:]) == 0
    assert "1 declared" in capsys.readouterr().out
    schema = "".join(path.read_text() for path in (folder / "schema").rglob("*.py"))
    assert 'extern = "other/base.h"' in schema


def test_a_dry_run_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.h").write_text(HEADER)
    before = files(folder)
    assert main(["init", "--dry-run"]) == 0
    assert files(folder) == before
    said = capsys.readouterr().out
    assert "would write tschema.toml:\n" in said
    assert '    files = ["**/*.h"]\n' in said


def test_what_is_configured_is_not_overwritten(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in [("tschema.toml", ""), ("pyproject.toml", "[tool.tschema]\n")]:
        (folder / name).write_text(text)
        before = files(folder)
        assert main(["init"]) == 2
        assert f"`{name}` configures tschema here already" in capsys.readouterr().err
        assert files(folder) == before
        (folder / name).unlink()


def test_a_folder_of_another_meaning_is_left_alone(folder: Path) -> None:
    (folder / "schema").mkdir()
    (folder / "schema" / "tables.sql").write_text("create table t (x int);\n")
    assert main(["init"]) == 0
    assert load_config(folder / "tschema.toml").schema[0].as_posix() == "declarations"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("CMakeLists.txt", "add_library(toy_lib MODULE a.cc)\n", "tschema_generate(TARGET toy_lib"),
        ("Makefile", "all:\n", "$(shell tschema cxx-args)"),
        ("Cargo.toml", "[package]\n", "tschema gen --lang rust"),
        ("pyproject.toml", 'build-backend = "scikit_build_core.build"\n', "`[build-system]`"),
        ("pyproject.toml", 'build-backend = "hatchling.build"\n', "tschema gen --check"),
    ],
)
def test_each_build_system_has_its_lines(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, expected: str
) -> None:
    (folder / name).write_text(text)
    assert main(["init"]) == 0
    assert expected in capsys.readouterr().out


def test_keys_of_several_roots_and_a_python_package(folder: Path) -> None:
    (folder / "include").mkdir()
    (folder / "include" / "a.h").write_text(
        HEADER + HEADER.replace("PointNode", "LineNode").replace("toy.Point", "toy.Line")
    )
    (folder / "include" / "b.h").write_text(
        HEADER.replace("PointNode", "SpotNode").replace("toy.Point", "extra.Point")
    )
    (folder / "python" / "toy").mkdir(parents=True)
    (folder / "python" / "toy" / "__init__.py").write_text('@register_object("toy.Point")\n')
    assert main(["init"]) == 0
    config = load_config(folder / "tschema.toml")
    assert (config.package, config.roots) == ("toy", ("extra",))
    assert config.cpp_namespaces == {"extra": "toy"}
    assert '# dir = "python/generated"' in (folder / "tschema.toml").read_text()


def test_outside_of_git_no_attributes_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert main(["init", os.fspath(plain)]) == 0
    assert sorted(os.listdir(plain)) == ["schema", "tschema.toml"]
    assert "merge-driver" not in capsys.readouterr().out


def test_a_name_that_no_package_can_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "My-Project"
    made.mkdir()
    assert main(["init", str(made)]) == 2
    assert "`--package`" in capsys.readouterr().err
    assert main(["init", str(made), "--package", "mine"]) == 0
    assert load_config(made / "tschema.toml").package == "mine"
