"""`export_libraries`: one program, a library for each kind of machine."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from uir import relay
from uir.driver import export_libraries
from uir.ir import GlobalVar, IRModule
from uir.runtime import load_module
from uir.target import Target

MACHINES = {"x86-64": 62, "aarch64": 183}
"""The numbers in ELF's `e_machine`."""


@relay.function
def scale(x: relay.Tensor((4, 6), "float32")):
    return x * 3.0


@pytest.fixture
def program() -> IRModule:
    return IRModule({GlobalVar("scale"): scale})


def test_a_library_for_each_machine(program: IRModule, tmp_path: Path) -> None:
    targets = ["aarch64", Target("c", "x86-64")]
    paths = export_libraries(program, tmp_path / "net-{isa}.so", targets)
    assert [path.name for path in paths] == ["net-aarch64.so", "net-x86-64.so"]
    for path, isa in zip(paths, ("aarch64", "x86-64"), strict=True):
        content = path.read_bytes()
        assert content[:4] == b"\x7fELF" and b"__tvm_ffi_scale" in content
        assert struct.unpack_from("<H", content, 18)[0] == MACHINES[isa]
    x = np.arange(24, dtype="float32").reshape(4, 6)
    found = np.from_dlpack(load_module(paths[1]).scale(x))
    np.testing.assert_array_equal(found, x * 3)


@pytest.mark.parametrize(
    ("name", "targets", "message"),
    [
        ("net-{isa}.so", [], "`targets` is empty"),
        ("net.so", ["x86-64"], r"`path` must have `{isa}`, got `.*net\.so`"),
        ("net-{isa}.so", ["generic", Target("c", "generic")], "the processors `generic`"),
        ("net-{isa}.dll", ["generic"], r"end in `\.so`"),
        ("net-{isa}.so", ["generic", "pdp-11"], "pdp-11"),
        ("{isa}/net-{isa}.so", ["generic"], "must be in the name of the file"),
    ],
)
def test_what_cannot_be_written_is_refused(
    name: str, targets: list[Target | str], message: str, program: IRModule, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        export_libraries(program, tmp_path / name, targets)
    assert list(tmp_path.iterdir()) == []


def test_a_compiler_that_is_missing_leaves_nothing(
    program: IRModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UIR_CC", raising=False)
    monkeypatch.setattr("uir.driver.compiler.find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match="cannot compile for `aarch64`"):
        export_libraries(program, tmp_path / "net-{isa}.so", ["generic", "aarch64"])
    assert list(tmp_path.iterdir()) == []
