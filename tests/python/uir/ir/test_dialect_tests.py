"""The tests that a dialect names are there, and test each of its operators."""

from __future__ import annotations

import re

import pytest

from tschema.ir.codec import decode

from ....operators.declarations import operators
from ...support.project import ROOT

SCHEMA = decode((ROOT / "generated" / "schema.json").read_bytes())
DIALECTS = {space.name: space.dialect for space in SCHEMA.namespaces if space.dialect is not None}


def texts_of(namespace: str) -> dict[str, str]:
    """Return the texts of the files that a dialect names, before what selects tests of them."""
    pattern = (DIALECTS[namespace].tests or "").partition(" ")[0]
    return {path.name: path.read_text() for path in ROOT.glob(pattern)}


@pytest.mark.parametrize("namespace", sorted(DIALECTS))
def test_each_operator_is_tested(namespace: str) -> None:
    texts = texts_of(namespace).values()
    spaces = [space for space in SCHEMA.namespaces if space.name == namespace]
    names = {operator.name for space in spaces for operator in space.operators}
    assert texts
    assert names
    words = set(re.findall(r"\w+", " ".join(texts)))
    # The tests of relay draw calls of all operators that this function returns.
    drawn = set(operators()) if namespace == "uir.relay" else set()
    assert names - words - drawn == set()


def test_the_tests_of_relay_draw_from_the_declarations() -> None:
    texts = texts_of("uir.relay")
    drawing = [name for name, text in texts.items() if "NAMES" in text]
    assert {"test_operator_types.py", "test_operator_round_trips.py"} <= set(drawing)


def test_the_table_of_operators_selects_the_tests_of_each() -> None:
    table = (ROOT / "generated" / "docs" / "operators.md").read_text()
    rows = {row.split("`")[1]: row for row in table.splitlines() if row.startswith("| [")}
    for name in operators():
        assert f"`tests/python/uir/relay/test_operator_*.py -k [{name}]`" in rows[f"relay.{name}"]
    # Of each file that draws calls, tests have the name of the operator alone as their parameter.
    texts = texts_of("uir.relay")
    assert any('@pytest.mark.parametrize("name", NAMES)\n' in text for text in texts.values())
