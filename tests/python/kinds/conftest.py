"""The package with classes of every kind, in files of tschema's and in place, built once each."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.precompiled import cmake_options
from ..support.project import ROOT, Project, copy_project, one_at_a_time, write_if_changed
from .custom_regions import CUSTOM_REGIONS

SOURCE = ROOT / "tests" / "packages" / "kinds"
HEADER = Path("include", "kinds", "ir", "classes.h")
IN_PLACE = """[cpp]
mode = "in_place"
files = ["include/**/*.h"]
sidecar = "generated/cpp/src"
"""


@pytest.fixture(scope="session")
def in_files() -> Project:
    """Build the package with headers of tschema's own."""
    with one_at_a_time("kinds"):
        project = copy_project(SOURCE, "kinds")
        project.generate()
        header = project.root / "generated" / "cpp" / HEADER
        text = header.read_text()
        for block, custom in CUSTOM_REGIONS.items():
            text = with_custom_region(text, block, custom)
        write_if_changed(header, text.encode())
        project.generate()
        project.build_cpp(*cmake_options())
    return project


@pytest.fixture(scope="session")
def in_place(in_files: Project) -> Project:
    """Build the package with a header of the user's, which has blocks."""
    with one_at_a_time("kinds_in_place"):
        project = copy_project(SOURCE, "kinds_in_place")
        # Classes that no header has are not mentioned in one.
        for path in ("schema/ir/sensors.py", "src/sensors.cc"):
            (project.root / path).unlink(missing_ok=True)
        config = (project.root / "tschema.toml").read_text()
        config = re.sub(r"\[cpp\]\n(.+\n)+", IN_PLACE, config)
        write_if_changed(project.root / "tschema.toml", config.encode())
        generated = (in_files.root / "generated" / "cpp" / HEADER).read_text()
        write_if_changed(project.root / HEADER, as_users_header(generated).encode())
        functors = b'#include "../../generated/cpp/src/ir/step_functor.h"\n'
        write_if_changed(project.root / "include" / "kinds" / "functors.h", functors)
        project.generate()
        project.build_cpp(*cmake_options())
    return project


@pytest.fixture(scope="session")
def kinds(in_files: Project, in_place: Project) -> Callable[[str], Project]:
    """Return the package by how its C++ is written."""
    return {"files": in_files, "in_place": in_place}.__getitem__


def with_custom_region(text: str, block: str, custom: str) -> str:
    """Return a generated file with text in the custom region of a block."""
    begin, end = r"\s*// tschema: custom-begin\n", r"\s*// tschema: custom-end"
    pattern = rf"(// tschema: {block}\n(?:.*\n)*?{begin})(?:.*\n)*?({end})"
    found, count = re.subn(pattern, lambda match: match[1] + custom + match[2], text, count=1)
    assert count == 1, block
    return found


def as_users_header(generated: str) -> str:
    """Return a header that a user could have written: its blocks have custom regions alone."""
    blocks = re.findall(
        r"// tschema: (\w+)\n(?:.*\n)*?( *// tschema: custom-begin\n(?:.*\n)*?) *// tschema: end",
        generated,
    )
    includes = "\n".join(re.findall(r"#include .*", generated))
    own = [block for block in blocks if block[0] != "file"]
    texts = [f"// tschema: {name}\n{region}// tschema: end\n" for name, region in own]
    return (
        f"#pragma once\n{includes}\n\nnamespace kinds::ir {{\n\nnamespace ffi = ::tvm::ffi;\n\n"
        + "\n".join(texts)
        + "\n}  // namespace kinds::ir\n"
    )
