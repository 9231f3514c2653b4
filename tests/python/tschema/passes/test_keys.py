"""Type keys."""

from __future__ import annotations

import pytest

CLASS = '\n\n@declare\nclass ANode(Object):\n    """A node."""\n\n    {}\n'


def test_a_bare_key_gets_the_package(stages) -> None:
    assert stages(CLASS.format('type_key = "A"')).node("ANode").key == "toy.A"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("final = True", "TS017"),
        ('type_key = "other.A"', "TS018"),
        ('type_key = "toy.ir.A"', "TS018"),
    ],
)
def test_a_bad_key_is_reported(stages, line: str, code: str) -> None:
    assert stages(CLASS.format(line)).resolved_codes() == [code]
