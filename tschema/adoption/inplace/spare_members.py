"""Generated members that an author's class does not need, and that are not added to it.

In: members of a generated class, and of the author's.  Out: decisions.  Registration tables, and
not these members, tell the object runtime the facts of a class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.adoption.inplace.cpp_members import Member, read_members
from tschema.adoption.inplace.member_comparison import VARIANTS, declared_names

_METHODS = ("VisitAttrs", "SEqualReduce", "SHashReduce")


def is_key_macro(member: Member) -> bool:
    """Return whether a member is the macro that makes a class one of tvm-ffi's."""
    return any(name.startswith(f"macro {one}") for name in member.declares for one in VARIANTS)


def holds_key_macro(region: Sequence[bytes]) -> bool:
    """Return whether a custom region has that macro, as the one of an adopted class does."""
    names = {f"macro {one}" for one in VARIANTS}
    return b"_OBJECT_" in b"".join(region) and not names.isdisjoint(
        declared_names(read_members(region))
    )


def is_spare(member: Member, name: str) -> bool:
    """Return whether a class compiles and registers without a generated member."""
    if "constexpr" in member.tokens:
        return True
    unneeded = {f"~{name}()", f"{name}({name})"}
    for one in member.declares:
        method = one.removeprefix("method ")
        if method in unneeded or method.partition("(")[0] in _METHODS:
            return True
        if method == f"{name}()" and "default" in member.tokens:
            return True
    return False


def ambiguous_constructor(generated: Sequence[Member], own: Sequence[Member], name: str) -> bool:
    """
    Return whether a call of the generated constructor could mean one of the author's as well.

    Parameters
    ----------
    generated
        The members that are to be generated.
    own
        The author's members, among which the generated constructor is not.
    """
    types_of = (types for one in generated for types in _constructors(one, name))
    # No other constructor fits the tag of the empty object better.
    wanted = {_arity(types) for types in types_of if types != "UnsafeInit"}
    for member in own:
        is_template = member.tokens[:1] == ("template",) and name in member.tokens
        if wanted and is_template:
            return True
        for types in _constructors(member, name):
            if types not in ("", name) and (_arity(types) in wanted or "=" in member.tokens):
                return bool(wanted)
    return False


def cannot_be_copied(own: Sequence[Member], name: str) -> bool:
    """Return whether a class deletes its copy constructor, which the registration calls."""
    return any(f"method {name}({name})" in one.declares and "delete" in one.tokens for one in own)


def _constructors(member: Member, name: str) -> Iterator[str]:
    """Yield the types of the parameters of the constructors that a member declares."""
    for one in member.declares:
        if one.startswith(f"method {name}("):
            yield one.removeprefix(f"method {name}(").removesuffix(")")


def _arity(types: str) -> int:
    depth = count = 0
    for sign in types:
        depth += (sign in "<(") - (sign in ">)")
        count += sign == "," and depth == 0
    return count + bool(types)
