"""A build is refused when it is stale, or made for another version of tvm-ffi."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tschema.ffi_groups import FFI_GROUPS, ffi_group, ffi_requirement
from tschema.runtime import build_info
from tschema.runtime.build_info import (
    BUILD_INFO_NAME,
    explain_mismatch,
    read_build_info,
    sources_digest,
)

from ..support.project import ROOT

RELEASE = "0.1.15.post2"
PATHS = ["CMakeLists.txt", "cpp"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a source tree of three files."""
    for name in ("CMakeLists.txt", "cpp/include/a.h", "cpp/src/a.cc"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("//\n")
    return tmp_path


def run_build_info(folder: Path, *arguments: str | Path) -> None:
    program = [sys.executable, "-I", "-S", build_info.__file__]
    subprocess.run([*program, *map(str, arguments)], cwd=folder, check=True)


def record(root: Path) -> None:
    (root / "out").mkdir(exist_ok=True)
    run_build_info(root / "out", "record", root / "build/lib", RELEASE, root, *PATHS)


def publish(root: Path) -> None:
    run_build_info(root, "publish", root / "build/lib")


def build(root: Path) -> Path:
    record(root)
    publish(root)
    return root / "build/lib"


def touch(path: Path) -> None:
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))


CHANGES: dict[str, Callable[[Path], object]] = {
    "touched": lambda root: touch(root / "cpp/src/a.cc"),
    "new": lambda root: (root / "cpp/src/b.cc").write_text(""),
    "removed": lambda root: (root / "cpp/include/a.h").unlink(),
    "renamed": lambda root: (root / "cpp/src/a.cc").rename(root / "cpp/src/b.cc"),
    "CMake": lambda root: touch(root / "CMakeLists.txt"),
}


def test_fresh_build_is_accepted(root: Path) -> None:
    library_dir = build(root)
    assert explain_mismatch(library_dir, RELEASE) is None
    assert read_build_info(library_dir).tvm_ffi == RELEASE


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changed_source_is_stale(root: Path, change: Callable[[Path], object]) -> None:
    library_dir = build(root)
    change(root)
    assert explain_mismatch(library_dir, RELEASE) == (
        f"the libraries in {library_dir} are older than the C++ sources in {root}: "
        f"run `ninja -C {root / 'out'}`"
    )
    build(root)
    assert explain_mismatch(library_dir, RELEASE) is None


def test_other_files_do_not_count(root: Path) -> None:
    before = sources_digest(root, PATHS)
    (root / "cpp/src/.a.cc.swp").write_text("")
    (root / "cpp/notes.md").write_text("")
    assert sources_digest(root, PATHS) == before


def test_source_edited_while_it_compiles_is_stale(root: Path) -> None:
    record(root)
    touch(root / "cpp/src/a.cc")
    publish(root)
    reason = explain_mismatch(root / "build/lib", RELEASE)
    assert reason is not None and "older than the C++ sources" in reason


def test_failed_build_stays_stale(root: Path) -> None:
    library_dir = build(root)
    touch(root / "cpp/src/a.cc")
    record(root)
    assert explain_mismatch(library_dir, RELEASE) is not None


def test_folder_without_finished_build(root: Path) -> None:
    record(root)
    with pytest.raises(FileNotFoundError):
        explain_mismatch(root / "build/lib", RELEASE)


def test_other_release_of_tvm_ffi_is_refused(root: Path) -> None:
    library_dir = build(root)
    assert explain_mismatch(library_dir, "0.1.14") == (
        f"the libraries in {library_dir} were built with apache-tvm-ffi {RELEASE}, "
        "but 0.1.14 is installed, whose inlined code differs: "
        f"run `pip install apache-tvm-ffi=={RELEASE}`, or build them again"
    )


@pytest.mark.parametrize(
    ("release", "group"),
    [
        ("0.1.11", "ffi-0.1.11"),
        ("0.1.12", "ffi-0.1.12"),
        ("0.1.13.post3", "ffi-0.1.13"),
        ("0.1.14.post0", "ffi-0.1.13"),
        ("0.1.14.post1", "ffi-0.1.13"),
        ("0.1.15.post2", "ffi-0.1.15"),
        ("0.1.15.dev3+g1a2b3c", "ffi-0.1.15.dev3+g1a2b3c"),
        ("0.1.16", "ffi-0.1.16"),
    ],
)
def test_an_unknown_release_is_a_group_of_its_own(release: str, group: str) -> None:
    assert ffi_group(release) == group


@pytest.mark.parametrize(
    ("release", "requirement"),
    [
        ("0.1.12", ">=0.1.12,<0.1.13"),
        ("0.1.14.post1", ">=0.1.13,<0.1.15"),
        ("0.1.15.post2", ">=0.1.15,<0.1.16"),
        ("0.1.16.post1", "==0.1.16.post1"),
    ],
)
def test_a_wheel_requires_the_releases_of_its_group(release: str, requirement: str) -> None:
    assert ffi_requirement(ffi_group(release)) == f"apache-tvm-ffi{requirement}"


def test_another_release_of_the_group_is_accepted(root: Path) -> None:
    assert explain_mismatch(build(root), "0.1.15.post1") is None


def test_cpp_has_the_same_groups() -> None:
    header = (ROOT / "cpp/include/tschema/tvm_ffi_compat.h").read_text()
    rows = re.findall(r'^    \{"([^"]+)", \d+, \d+\},$', header, re.MULTILINE)
    releases = [row.split(" to ") for row in rows]
    assert [
        ["ffi-" + re.sub(r"\.post\d+", "", row[0]), *(ffi_group(one) for one in row)]
        for row in releases
    ] == [[group] * (1 + len(row)) for group, row in zip(FFI_GROUPS, releases, strict=True)]


def test_features_are_found_by_headers_and_not_by_the_version() -> None:
    """The version in the headers is the next release's, so it is only compared with itself."""
    folders = (ROOT / "cpp", ROOT / "generated/cpp", ROOT / "templates/cpp")
    files = (file for folder in folders for file in folder.rglob("*.*"))
    conditions = re.compile(r"^#\s*(if|elif)\b.*TVM_FFI_VERSION", re.MULTILINE)
    assert [file for file in files if conditions.search(file.read_text())] == []


def test_wheel_has_no_sources_to_compare(tmp_path: Path) -> None:
    content = {"version": 1, "tvm_ffi": RELEASE, "sources": None}
    (tmp_path / BUILD_INFO_NAME).write_text(json.dumps(content))
    assert explain_mismatch(tmp_path, RELEASE) is None


def test_unknown_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / BUILD_INFO_NAME).write_text(json.dumps({"version": 2}))
    with pytest.raises(ValueError, match="has format 2, expected 1"):
        read_build_info(tmp_path)
