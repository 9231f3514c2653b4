"""Wheels that are read, changed and joined, before anything is compiled."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from wheel_files import join_wheels, read_wheel, require, write_wheel

from tschema.ffi_groups import ffi_group, ffi_requirement

from ..support.project import ROOT

METADATA = "Name: toy\nRequires-Dist: apache-tvm-ffi<2,>=1\nRequires-Dist: apache-tvm-ffi-more\n"
INFO = "toy-1.dist-info/METADATA"
PREPARE = "import sys, build_backend as b; print(b.prepare_metadata_for_build_wheel(sys.argv[1]))"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    members = {"toy/lib/libtoy.so": b"\x7fELF", INFO: METADATA.encode()}
    write_wheel(tmp_path / "toy.whl", members)
    assert read_wheel(tmp_path / "toy.whl") == members
    with zipfile.ZipFile(tmp_path / "toy.whl") as wheel:
        rows = wheel.read("toy-1.dist-info/RECORD").decode().splitlines()
        assert [row.split(",")[0] for row in rows] == wheel.namelist()
        assert wheel.getinfo("toy/lib/libtoy.so").external_attr >> 16 == 0o755
    before = (tmp_path / "toy.whl").read_bytes()
    write_wheel(tmp_path / "toy.whl", members)
    assert (tmp_path / "toy.whl").read_bytes() == before


def test_a_requirement_is_replaced() -> None:
    members = require({"a": b"", INFO: METADATA.encode()}, "apache-tvm-ffi>=3")
    lines = members[INFO].decode().splitlines()
    assert lines[1:] == ["Requires-Dist: apache-tvm-ffi>=3", "Requires-Dist: apache-tvm-ffi-more"]
    with pytest.raises(ValueError, match="has 0 requirements of tvm, expected 1"):
        require(members, "tvm>=1")


def test_wheels_that_differ_in_a_file_are_not_joined() -> None:
    one, other = {"a": b"1", "x": b""}, {"b": b"2", "x": b""}
    assert join_wheels([one, other]) == {"a": b"1", "b": b"2", "x": b""}
    with pytest.raises(ValueError, match="two wheels differ in a"):
        join_wheels([one, {"a": b"3"}])


@pytest.mark.parametrize("project", [".", "python"])
def test_a_wheel_requires_the_releases_that_its_libraries_run_with(
    project: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", PREPARE, tmp_path]
    folder = subprocess.run(
        command, cwd=ROOT / project, capture_output=True, text=True, check=True
    ).stdout.split()[-1]
    required = ffi_requirement(ffi_group(version("apache-tvm-ffi")))
    metadata = (tmp_path / folder / "METADATA").read_text()
    assert re.findall(r"Requires-Dist: (apache-tvm-ffi.*)", metadata) == [required]
