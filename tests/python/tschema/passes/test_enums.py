"""Enums."""

from __future__ import annotations

import pytest

ENUM = '\n\n@declare\nclass Mood(ty.IntEnum):\n    """A mood."""\n\n{}'


def test_an_enum_has_its_members_in_order(stages) -> None:
    resolved = stages(ENUM.format("    GLAD = 1\n    SAD = -2\n")).resolved()
    ((_, enum),) = resolved.files[0].enums
    assert enum.key == "toy.Mood"
    assert [(member.name, member.value) for member in enum.members] == [("GLAD", 1), ("SAD", -2)]


def test_an_enum_has_the_values_of_32_bits(stages) -> None:
    made = stages(ENUM.format("    LOW = -2147483648\n    HIGH = 2147483647\n"))
    ((_, enum),) = made.resolved().files[0].enums
    assert [member.value for member in enum.members] == [-(2**31), 2**31 - 1]
    assert made.codes() == []


@pytest.mark.parametrize("body", ["    A = 2**31\n", "    A = 1\n    B = 1\n", '    A = "x"\n'])
def test_a_bad_member_is_reported(stages, body: str) -> None:
    assert stages(ENUM.format(body)).resolved_codes() == ["TS034"]
