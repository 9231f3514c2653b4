"""Renames of everything that uir's own schema declares: the JSON IR changes by the name alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from tschema.diagnostics.errors import SchemaError
from tschema.editing.project import EditedProject, read_project
from tschema.editing.rename import Target, find_target, rename
from tschema.editing.rename.target import spellings
from tschema.ir import codec
from tschema.ir.casing import camel_case
from tschema.project.config import load_config

ROOT = Path(__file__).resolve().parents[4]
NEW = "zqname"
"""A name that no part of the schema has."""
KNOWN_TO_TSCHEMA = ("uir.transform.Pass",)
"""What a declaration with `makes_pass` returns."""


@pytest.fixture(scope="module")
def uir() -> EditedProject:
    return read_project(load_config(ROOT / "tschema.toml"))


@pytest.fixture(scope="module")
def targets(uir: EditedProject) -> list[Target]:
    """Return each declaration once, without what operators and the generator itself name."""
    found: dict[str, Target] = {}
    for name in spellings(uir.schema):
        try:
            target = find_target(uir.schema, name)
        except SchemaError:
            continue
        if target.dotted not in KNOWN_TO_TSCHEMA:
            found[target.dotted] = target
    return list(found.values())


def facts(project: EditedProject) -> object:
    """Return the JSON IR without what a rename adds on purpose."""
    return _plain(json.loads(codec.encode(project.schema)), "")


def facts_under_the_old_name(project: EditedProject, old: str) -> object:
    text = codec.encode(project.schema).decode().replace(NEW, old)
    # The node of an operator's attributes is named after the operator.
    return _plain(json.loads(text.replace(camel_case(NEW), camel_case(old))), "")


def _plain(value: object, key: str) -> object:
    if isinstance(value, Mapping):
        pairs = cast(Mapping[str, object], value).items()
        return {
            name: _plain(one, name) for name, one in pairs if name not in ("digest", "renamed_from")
        }
    return [_plain(one, key) for one in value] if isinstance(value, list) else value


def texts(project: EditedProject) -> dict[str, str]:
    return {path: file.source.text for path, file in project.files().items()}


def check(uir: EditedProject, target: Target) -> None:
    done = rename(uir, target, NEW)
    assert facts_under_the_old_name(done.project, target.name) == facts(uir)
    dotted = f"{target.dotted.rpartition('.')[0]}.{NEW}"
    back = rename(done.project, find_target(done.project.schema, dotted), target.name)
    assert texts(back.project) == texts(uir)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_rename_keeps_all_but_the_name(
    uir: EditedProject, targets: list[Target], data: st.DataObject
) -> None:
    check(uir, data.draw(st.sampled_from(targets)))


@pytest.mark.deep
def test_every_rename_keeps_all_but_the_name(uir: EditedProject, targets: list[Target]) -> None:
    assert len(targets) > 1000
    refused = []
    for target in targets:
        try:
            check(uir, target)
        except (AssertionError, SchemaError) as error:
            refused.append((target.dotted, str(error)[:200]))
    assert refused == []
