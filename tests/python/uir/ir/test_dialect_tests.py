"""The tests that a dialect names are there, and test each of its operators."""

from __future__ import annotations

import re

import pytest

from tschema.ir.codec import decode

from ....operators.declarations import operators
from ...support.project import ROOT

SCHEMA = decode((ROOT / "generated" / "schema.json").read_bytes())
DIALECTS = {space.name: space.dialect for space in SCHEMA.namespaces if space.dialect is not None}


@pytest.mark.parametrize("namespace", sorted(DIALECTS))
def test_each_operator_is_tested(namespace: str) -> None:
    texts = [path.read_text() for path in ROOT.glob(DIALECTS[namespace].tests or "")]
    spaces = [space for space in SCHEMA.namespaces if space.name == namespace]
    names = {operator.name for space in spaces for operator in space.operators}
    assert texts
    assert names
    words = set(re.findall(r"\w+", " ".join(texts)))
    # The tests of relay draw calls of all operators that this function returns.
    drawn = set(operators()) if namespace == "uir.relay" else set()
    assert names - words - drawn == set()


def test_the_tests_of_relay_draw_from_the_declarations() -> None:
    texts = {path.name: path.read_text() for path in ROOT.glob(DIALECTS["uir.relay"].tests or "")}
    drawing = [name for name, text in texts.items() if "NAMES" in text]
    assert {"test_operator_types.py", "test_operator_round_trips.py"} <= set(drawing)
