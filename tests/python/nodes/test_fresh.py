"""What is checked in is what the schema says; any other byte is noticed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tschema.cli.main import main
from tschema.incremental.stamp import CACHE_FOLDER

from ..support.project import ROOT, Project
from .test_new_node import copy_repository

GENERATED = (
    "generated/schema.json",
    "generated/cpp/include/uir/tir/stmt.h",
    "generated/cpp/src/registry.cc",
    "generated/python/uir_nodes/_lib.py",
    "generated/python/uir_nodes/ir/expr.py",
    "generated/rust/mod.rs",
    "generated/rust/tir/stmt.rs",
    "generated/docs/uir.tir.md",
)
SCHEMA_CHANGES = {
    "type": ("tir/expr.py", "    lanes: ty.int32_t\n", "    lanes: ty.int64_t\n"),
    "name": ("ir/range.py", "extent", "length"),
    "default": ("tir/var.py", 'default="int32"', 'default="int64"'),
    "doc": ("ir/span.py", "First line, 1-based.", "The first line, 1-based."),
    "order": (
        "ir/range.py",
        "    min: PrimExprNode\n    extent: PrimExprNode\n",
        "    extent: PrimExprNode\n    min: PrimExprNode\n",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the repository."""
    return copy_repository(tmp_path_factory.mktemp("fresh") / "uir")


@pytest.fixture
def gen(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return a function that runs `tschema gen` in the copy and returns its status."""
    monkeypatch.chdir(copy)
    return lambda *arguments: main(["gen", *arguments])


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    """Return the bytes and the time of each file that is not a cache of something."""
    files = [path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    kept = [path for path in files if CACHE_FOLDER not in path.parts]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in kept}


def test_the_repository_is_fresh() -> None:
    Project(ROOT).run("tschema", "gen", "--check")


def test_generating_again_writes_nothing(copy: Path, gen: Callable[..., int]) -> None:
    before = state(copy)
    assert (gen("--check"), gen(), gen()) == (0, 0, 0)
    assert state(copy) == before


@pytest.mark.parametrize("name", GENERATED)
def test_a_changed_byte_is_noticed(copy: Path, gen: Callable[..., int], name: str) -> None:
    path = copy / name
    data = path.read_bytes()
    at = middle_of_generated_text(data)
    changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    path.write_bytes(changed)
    try:
        assert gen("--check") == 1
        assert path.read_bytes() == changed
    finally:
        path.write_bytes(data)


def middle_of_generated_text(data: bytes) -> int:
    """Return where a letter stands, in the middle of the longest piece that is not custom."""
    regions = list(re.finditer(rb"custom-begin.*?custom-end", data, re.DOTALL))
    starts = [0, *(region.end() for region in regions)]
    ends = [*(region.start() for region in regions), len(data)]
    start, end = max(zip(starts, ends, strict=True), key=lambda piece: piece[1] - piece[0])
    return next(at for at in range((start + end) // 2, end) if data[at : at + 1].isalpha())


def test_a_missing_and_a_surplus_file_are_noticed(copy: Path, gen: Callable[..., int]) -> None:
    path = copy / "generated" / "rust" / "tir" / "var.rs"
    path.rename(path.with_name("left_over.rs"))
    try:
        assert gen("--check") == 1
    finally:
        path.with_name("left_over.rs").rename(path)


@pytest.mark.parametrize("change", SCHEMA_CHANGES.values(), ids=SCHEMA_CHANGES)
def test_a_changed_field_is_noticed(
    copy: Path, gen: Callable[..., int], change: tuple[str, str, str]
) -> None:
    name, before, after = change
    path = copy / "schema" / name
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    try:
        assert gen("--check") == 1
    finally:
        path.write_text(text)


def test_the_changes_are_undone(copy: Path, gen: Callable[..., int]) -> None:
    assert gen("--check") == 0
