"""Renames of everything that uir's own schema declares: the JSON IR changes by the name alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from tschema.diagnostics.errors import SchemaError
from tschema.editing.project import EditedProject, read_project
from tschema.editing.rename import find_target, rename
from tschema.editing.rename.target import spellings
from tschema.ir import codec
from tschema.ir.casing import camel_case
from tschema.project.config import load_config

from ...support.depth import DEPTH

ROOT = Path(__file__).resolve().parents[4]
NEW = "zqname"
"""A name that no part of the schema has."""
KNOWN_TO_TSCHEMA = ("uir.transform.Pass",)
"""What a declaration with `makes_pass` returns."""
MEANT = ("digest", "renamed_from", "former_keys")
"""What a rename changes on purpose."""


@cache
def uir() -> EditedProject:
    return read_project(load_config(ROOT / "tschema.toml"))


@cache
def names() -> tuple[str, ...]:
    """Return each declaration once, without what operators and the generator itself name."""
    found: dict[str, None] = {}
    for name in spellings(uir().schema):
        try:
            dotted = find_target(uir().schema, name).dotted
        except SchemaError:
            continue
        if dotted not in KNOWN_TO_TSCHEMA:
            found[dotted] = None
    return tuple(found)


def facts(text: bytes | str) -> object:
    """Return the JSON IR without what a rename changes on purpose."""
    return _plain(json.loads(text))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        pairs = cast(Mapping[str, object], value).items()
        return {name: _plain(one) for name, one in pairs if name not in MEANT}
    return [*map(_plain, value)] if isinstance(value, list) else value


def texts(project: EditedProject) -> dict[str, str]:
    return {path: file.source.text for path, file in project.files().items()}


def check(name: str) -> None:
    target = find_target(uir().schema, name)
    done = rename(uir(), target, NEW)
    text = codec.encode(done.project.schema).decode().replace(NEW, target.name)
    # The node of an operator's attributes is named after the operator.
    text = text.replace(camel_case(NEW), camel_case(target.name))
    is_same = facts(text) == facts(codec.encode(uir().schema))
    assert is_same, name
    dotted = f"{target.dotted.rpartition('.')[0]}.{NEW}"
    back = rename(done.project, find_target(done.project.schema, dotted), target.name)
    changed = {path for path, text in texts(back.project).items() if texts(uir())[path] != text}
    assert changed == set(), name


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_rename_keeps_all_but_the_name(data: st.DataObject) -> None:
    check(data.draw(st.sampled_from(names())))


@pytest.mark.deep
def test_renames_of_many_names_keep_all_but_the_name() -> None:
    assert len(names()) > 1000
    refused = []
    # All of them take two hours; declarations of one kind are beside one another.
    for name in names()[DEPTH % 12 :: 12]:
        try:
            check(name)
        except (AssertionError, SchemaError) as error:
            refused.append((name, str(error)[:200]))
    assert refused == []
