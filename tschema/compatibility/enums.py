"""Changes of enums.

In: two versions of a schema.  Out: changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.compatibility.rules import Change
from tschema.ir.model import Enum, Schema


def compare_enums(old: Schema, new: Schema) -> Iterator[Change]:
    """Yield the changes of enums that break something."""
    known = {enum.key: enum for space in new.namespaces for enum in space.enums}
    for space in old.namespaces:
        for enum in space.enums:
            if enum.key in known:
                yield from _members(enum, known[enum.key])
            else:
                yield Change("TS120", f"enum `{enum.key}` is gone", enum.key)


def _members(old: Enum, new: Enum) -> Iterator[Change]:
    values = {member.name: member.value for member in new.members}
    for member in old.members:
        what = f"member `{member.name}` of `{old.key}`"
        if member.name not in values:
            yield Change("TS121", f"{what} is gone", old.key)
        elif values[member.name] != member.value:
            message = f"{what} is {values[member.name]}, and was {member.value}"
            yield Change("TS122", message, old.key, member.name)
