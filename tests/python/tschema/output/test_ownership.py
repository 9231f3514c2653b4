"""Which files belong to which declarations."""

from __future__ import annotations

import pytest

from tschema.output.ownership import is_below


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("schema/ir/a.py", "schema/ir", True),
        ("schema/ir", "schema/ir", True),
        ("schema/irregular/a.py", "schema/ir", False),
        ("schema", "schema/ir", False),
    ],
)
def test_a_path_is_below_a_folder_by_its_parts(path: str, folder: str, expected: bool) -> None:
    assert is_below(path, folder) is expected
