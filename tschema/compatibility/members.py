"""Changes of the members of C++ classes that other languages do not see.

In: two versions of a class.  Out: changes of the names and the access of members, of `mutable`, and
of members that reflection does not list.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.compatibility.rules import Change
from tschema.ir.model import Field, Type

_ACCESS = ("private", "protected", "public")
"""From the narrowest on."""


def compare_members(before: Type, after: Type) -> Iterator[Change]:
    """Yield the changes of members that break C++ code, except those of fields."""
    members = {member.name: member for member in after.members}
    hidden = {member.name for member in before.unregistered}
    for member in before.members:
        # A private member is seen by nothing but the class's own code.
        if member.access == "private":
            continue
        what = f"member `{member.cpp_name or member.name}` of `{after.key}`"
        now = members.get(member.name)
        if now is not None:
            changed = list(_changes(member, now, is_hidden=member.name in hidden))
            if changed:
                message = f"{what} {' and '.join(changed)} in C++"
                yield Change("TS117", message, after.key, now.name)
        elif member.name in hidden:
            yield Change("TS117", f"{what} is gone in C++", after.key)


def _changes(before: Field, after: Field, *, is_hidden: bool) -> Iterator[str]:
    name, old_name = after.cpp_name or after.name, before.cpp_name or before.name
    if name != old_name:
        yield f"is called `{name}`"
    if _ACCESS.index(after.access) < _ACCESS.index(before.access):
        yield f"is {after.access}"
    if after.mutable != before.mutable:
        yield f"is {'' if after.mutable else 'not '}mutable"
    if is_hidden and after.type != before.type:
        yield f"is of type `{after.type}`, was of `{before.type}`"
