"""What a package registers, and what the process that asks for it puts up with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.importer.records import FoundDefault
from tschema.importer.registry import ask_registry, read_registry
from tschema.ir.model import TypeRef

PACKAGE = """
import atexit

from tvm_ffi import Object
from tvm_ffi.dataclasses import field, py_class

print('{"loud": true}')
atexit.register(print, "bye {")


@py_class("loud.Point")
class Point(Object):
    x: int
    label: str = "none"
    items: list[int] = field(default_factory=list)


@py_class("loud.Circle")
class Circle(Point):
    radius: float
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a package of the working folder that registers types, and prints."""
    (tmp_path / "loud.py").write_text(PACKAGE)
    monkeypatch.chdir(tmp_path)
    return "loud"


def test_the_types_of_a_package_that_prints(package: str) -> None:
    registry = ask_registry([package])
    own = [one.key for one in registry.types if one.own]
    assert own == ["loud.Point", "loud.Circle"]
    found = {one.key: one for one in read_registry(registry, package).classes}
    point, circle = found["loud.Point"], found["loud.Circle"]
    assert [(field.name, field.offset) for field in point.fields] == [
        ("x", 24),
        ("label", 32),
        ("items", 48),
    ]
    assert (circle.parent, circle.fields[0].type) == ("loud.Point", TypeRef(kind="float64"))
    assert [field.type and field.type.kind for field in point.fields] == [
        "int64",
        "String",
        "List",
    ]
    assert point.fields[1].default == FoundDefault(value="none")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise RuntimeError('not here')", "RuntimeError: not here"),
        ("import os; os._exit(7)", "the process ended with status 7"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with status -9"),
    ],
)
def test_a_package_that_cannot_be_imported(package: str, text: str, reason: str) -> None:
    Path("loud.py").write_text(text)
    with pytest.raises(SchemaError, match=reason) as error:
        ask_registry([package])
    assert error.value.diagnostics[0].help is not None


def test_an_interpreter_without_tvm_ffi(package: str, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\necho \"ModuleNotFoundError: No module named 'tvm_ffi'\" >&2\nexit 1\n"
    )
    python.chmod(0o755)
    with pytest.raises(SchemaError, match="No module named 'tvm_ffi'") as error:
        ask_registry([package], str(python))
    assert "--python" in (error.value.diagnostics[0].help or "")
