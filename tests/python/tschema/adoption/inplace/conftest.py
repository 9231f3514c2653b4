"""A project whose headers are its author's, and a way to run the command in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ...conftest import IN_PLACE_CONFIG, Result, command_runner

ATLAS = Path(__file__).resolve().parents[4] / "adoption"
SCHEMA = '''\
"""Variables."""

from tschema import Object, declare, ty


@declare
class GlobalVarNode(Object):
    """
    Global variable that lives in the top-level module.

    A GlobalVar only refers to function definitions.

    Attributes
    ----------
    name_hint
        The name of the variable, this only acts as a hint.
    """

    type_key = "GlobalVar"
    default_sequal_reduce = False
    default_shash_reduce = False
    name_hint: ty.String
'''
CUSTOM = """\
bool SEqualReduce(const GlobalVarNode* other, SEqualReducer equal) const {
  return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other)
}
"""
BEFORE = f"""\
#pragma once
#include <tschema/structural.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <utility>

namespace toy {{

// tschema: GlobalVarNode
// tschema: custom-begin
{CUSTOM}// tschema: custom-end
// tschema: end

}}
"""


@dataclass
class Project:
    """A project with one schema file and one header."""

    root: Path
    run: Callable[..., Result]

    @property
    def schema(self) -> Path:
        """The schema file."""
        return self.root / "schema" / "vars.py"

    @property
    def header(self) -> Path:
        """The author's header."""
        return self.root / "include" / "vars.h"


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Project:
    """Make a project in the working directory."""
    monkeypatch.chdir(tmp_path)
    made = Project(tmp_path, command_runner(capsys))
    for path, text in [(made.schema, SCHEMA), (made.header, BEFORE)]:
        path.parent.mkdir()
        path.write_text(text)
    (tmp_path / "tschema.toml").write_text(IN_PLACE_CONFIG)
    return made


@pytest.fixture
def atlas(project: Project) -> Project:
    """Put a code base without any marker in the place of the project."""
    for folder in ("schema", "include"):
        shutil.rmtree(project.root / folder)
    shutil.copytree(ATLAS / "atlas", project.root, dirs_exist_ok=True)
    shutil.copytree(ATLAS / "schema", project.root / "schema")
    shutil.copyfile(ATLAS / "tschema.toml", project.root / "tschema.toml")
    return project
