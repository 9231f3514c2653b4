"""A library for an older glibc than that of this system: linked by Zig's compiler, or refused."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile  # What auditwheel reads libraries with.
from elftools.elf.gnuversions import GNUVerNeedSection

import uir
from uir.commands import main
from uir.driver import find_compiler
from uir.runtime import Module, export_library, load_module, needed_versions
from uir.target import Target

from ...support.project import ROOT

HEAD = "@uir.script.ir_module\nclass Module:"
SMALL = """
    @relay.function
    def main(x: relay.Tensor((4,), "float32")):
        return x * 2.0
"""
# It starts threads, by functions that glibc 2.34 has moved.
LARGE = """
    @relay.function
    def main(x: relay.Tensor((512, 512), "float32")):
        return relay.exp(x) + relay.exp(x * 2.0)
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UIR_CC", raising=False)
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def without_zig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uir.driver.compiler.find_spec", lambda name: None)


def build(text: str, glibc: str, isa: str = "native") -> Module:
    return uir.build(uir.script.parse(HEAD + text), Target("c", isa, glibc=glibc))


def versions_by_elftools(path: Path) -> set[str]:
    with path.open("rb") as file:
        sections = [
            one for one in ELFFile(file).iter_sections() if isinstance(one, GNUVerNeedSection)
        ]
        return {
            version.name
            for section in sections
            for _, versions in section.iter_versions()
            for version in versions
        }


def newest_glibc(names: list[str]) -> tuple[int, ...]:
    texts = [name.removeprefix("GLIBC_") for name in names if name.startswith("GLIBC_")]
    return max(tuple(map(int, text.split("."))) for text in texts)


@pytest.mark.parametrize("name", ["libtschema.so", "libuir.so"])
def test_versions_are_those_that_elftools_finds(name: str) -> None:
    library = ROOT / "build/lib" / name
    found = needed_versions(library)
    assert found == sorted(versions_by_elftools(library))
    assert {one.split("_")[0] for one in found} >= {"GLIBC", "GLIBCXX", "CXXABI"}


def test_what_is_no_library_has_no_versions(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no library")
    assert needed_versions(text) == []
    text.write_bytes((ROOT / "build/lib/libtschema.so").read_bytes()[:5000])
    with pytest.raises(RuntimeError, match=r"cannot read `.*text`: the file is cut off after 5000"):
        needed_versions(text)
    with pytest.raises(RuntimeError, match=r"cannot read `.*gone`: No such file"):
        needed_versions(tmp_path / "gone")


def test_zig_links_for_an_older_glibc(tmp_path: Path) -> None:
    assert find_compiler()[0].endswith("cc")
    export_library(build(LARGE, "2.17"), tmp_path / "lib.so")
    needed = needed_versions(tmp_path / "lib.so")
    assert set(needed) == versions_by_elftools(tmp_path / "lib.so")
    assert b"pthread_create" in (tmp_path / "lib.so").read_bytes()
    assert (2, 0) < newest_glibc(needed) <= (2, 17)
    found = np.from_dlpack(load_module(tmp_path / "lib.so").main(np.zeros((512, 512), "float32")))
    np.testing.assert_array_equal(found, np.full((512, 512), 2, "float32"))


@pytest.mark.deep
def test_zig_links_for_another_machine_and_an_older_glibc(tmp_path: Path) -> None:
    export_library(build(LARGE, "2.28", "aarch64"), tmp_path / "lib.so")
    assert newest_glibc(needed_versions(tmp_path / "lib.so")) <= (2, 28)


@pytest.mark.usefixtures("without_zig")
def test_a_library_that_needs_a_newer_glibc_is_refused() -> None:
    message = (
        r"the library needs symbols of .*`GLIBC_2.34`, and shall work with glibc 2.\d+; its "
        r"compiler is `/.*`\nhelp: run `pip install uir\[compiler\]`, whose compiler links"
    )
    with pytest.raises(RuntimeError, match=message):
        build(LARGE, "2.17")
    # Neither does what an earlier build left in the cache pass.
    build(LARGE, "")
    with pytest.raises(RuntimeError, match=message):
        build(LARGE, "2.33")


@pytest.mark.usefixtures("without_zig")
@pytest.mark.parametrize(("text", "glibc"), [(SMALL, "2.17"), (LARGE, "2.99")])
def test_any_compiler_will_do_for_a_library_that_needs_nothing_newer(
    text: str, glibc: str, tmp_path: Path
) -> None:
    export_library(build(text, glibc), tmp_path / "lib.so")
    assert newest_glibc(needed_versions(tmp_path / "lib.so")) <= tuple(map(int, glibc.split(".")))


def test_a_function_that_an_older_glibc_lacks_is_refused() -> None:
    """It would have no version, and the library would fail where it is loaded."""
    text = """
    @tir.prim_func
    def main(A: tir.Buffer((1,), "int32")):
        A[0] = tir.call_extern("int32", "number")
"""
    source = "int gettid(void);\nint number(void) { return gettid() > 0; }\n"
    module = uir.script.parse(HEAD + text)
    extern = uir.ir.extern_func("number", source)
    module = uir.ir.with_function(module, uir.ir.GlobalVar("number"), extern)
    with pytest.raises(RuntimeError, match="undefined symbol: gettid"):
        uir.build(module, Target("c", glibc="2.17"))


@pytest.mark.parametrize("glibc", ["2", "2.", ".17", "2..17", "new", "2.17 ", "2.1234567"])
def test_a_version_is_numbers(glibc: str) -> None:
    with pytest.raises(
        ValueError, match=f"Target: `glibc` must be a version such as `2.17`, got `{glibc}`"
    ):
        Target("c", glibc=glibc)


def test_the_command_links_for_an_older_glibc(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.py").write_text(HEAD + LARGE)
    command = ["compile", str(tmp_path / "program.py"), "-o", str(tmp_path / "lib.so")]
    assert main([*command, "--glibc", "2.17"]) == 0
    version = ".".join(map(str, newest_glibc(needed_versions(tmp_path / "lib.so"))))
    assert f"needs      glibc {version} or newer\n" in capsys.readouterr().out
    os.remove(tmp_path / "lib.so")
    monkeypatch.setattr("uir.driver.compiler.find_spec", lambda name: None)
    assert main([*command, "--glibc", "2.17"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: the library needs symbols of `GLIBC_")
    assert "\nhelp: run `pip install uir[compiler]`" in error
    assert not (tmp_path / "lib.so").exists()
