"""Documentation that misses, or is about what does not exist."""

from __future__ import annotations

import pytest

from tschema.passes.documentation import check_documentation

CLASS = '\n\n@declare\nclass ANode(Object):\n    """{}"""\n\n    type_key = "toy.A"\n    x: int\n'
SECTION = "A node.\n\n    Attributes\n    ----------\n    {}\n        The value.\n    "


@pytest.mark.parametrize(
    ("doc", "codes"),
    [
        (SECTION.format("x"), []),
        ("A node.", ["TS036"]),
        (SECTION.format("y"), ["TS035", "TS036"]),
    ],
)
def test_fields_are_documented(stages, doc: str, codes: list[str]) -> None:
    made = stages(CLASS.format(doc))
    check_documentation(made.resolved().files, made.reporter)
    assert sorted(made.codes()) == codes
