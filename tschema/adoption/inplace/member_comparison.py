"""Comparison of the members of a generated C++ class with those of the author's class.

In: members.  Out: which of them say the same, and where they differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from tschema.adoption.inplace.cpp_members import ClassText, Member
from tschema.adoption.inplace.cpp_tokens import say_the_same

VARIANTS = ("TVM_FFI_DECLARE_OBJECT_INFO", "TVM_FFI_DEFINE_OBJECT_REF_METHODS")
"""What macros that exclude each other begin with."""
_STATIC = "TVM_FFI_DECLARE_OBJECT_INFO_STATIC"


def is_field(member: Member) -> bool:
    """Return whether a member is data of each object."""
    is_data = any(name.startswith("field ") for name in member.declares)
    return is_data and "static" not in member.tokens


def is_function(member: Member) -> bool:
    """Return whether a member is a function."""
    return any(name.startswith("method ") for name in member.declares)


def is_declared(member: Member, standing: frozenset[str]) -> bool:
    """Return whether one of the names that a member declares is among others."""
    return not standing.isdisjoint(map(_variant, member.declares))


def missing_fields(new: ClassText, old: ClassText) -> Iterator[str]:
    """Yield the data members of a generated class that a found one lacks."""
    standing = declared_names(old.members)
    for member in new.members:
        for name in member.declares if is_field(member) else ():
            if name not in standing:
                yield name.removeprefix("field ")


def says_the_same(new: Member, old: Member) -> bool:
    """Return whether a found member is equivalent to a generated one."""
    if new.label or old.label:
        return new.label == old.label
    is_known = not new.words or not old.words or new.words == old.words
    return bool(old.tokens) and is_known and say_the_same(new.tokens, old.tokens)


def common_prefix(new: Sequence[Member], old: Sequence[Member]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of members of which all before say the same too, in code and comments."""
    for count, (match, index) in enumerate(same_members(new, old)):
        if index != count or _has_own_comment(new[match], old[index]):
            return
        yield match, index


def _has_own_comment(new: Member, old: Member) -> bool:
    """Return whether a found member has a comment that is not generated."""
    known = ((), new.words, new.notes)
    return old.words not in known or old.notes not in known


def same_members(new: Sequence[Member], old: Sequence[Member]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of members that say the same, in their order."""
    position = 0
    for index, member in enumerate(old):
        match = next(
            (at for at in range(position, len(new)) if says_the_same(new[at], member)), None
        )
        if match is not None:
            yield match, index
            position = match + 1


def declared_names(members: Sequence[Member]) -> frozenset[str]:
    """Return what members declare, variants of a macro as one."""
    return frozenset(_variant(name) for one in members for name in one.declares)


def _variant(name: str) -> str:
    for variant in VARIANTS:
        if name.startswith(f"macro {variant}"):
            return f"macro {variant}"
    return name


def unlike_members(
    new: ClassText, own: Sequence[Member], generated: Sequence[bytes], *, is_by_hand: bool
) -> Iterator[tuple[int, str]]:
    """
    Yield the author's members whose declarations contradict the schema.

    Parameters
    ----------
    generated
        The lines of the generated class.
    is_by_hand
        Whether the author's code registers the class, which then may choose its type index.
    """
    wanted = {
        _variant(name): one
        for one in new.members
        for name in one.declares
        if name.startswith("field ") or _variant(name) != name
    }
    for member in own:
        for name in member.declares:
            theirs = wanted.get(_variant(name))
            one = _alone(member, name)
            if theirs and is_by_hand and name == f"macro {_STATIC}":
                one = structs.replace(one, tokens=(theirs.tokens[0], *one.tokens[1:]))
            if theirs and not _is_free(name) and not _declare_alike(theirs, one):
                lines = generated[theirs.code : theirs.stop]
                yield member.code, b" ".join(line.strip() for line in lines).decode("latin-1")


def _alone(member: Member, name: str) -> Member:
    """Return a field as if declared by itself: of several, `T a, b;`, or behind its type's body."""
    fields = [one.removeprefix("field ") for one in member.declares if one.startswith("field ")]
    if not name.startswith("field ") or fields[0] not in member.tokens:
        return member
    head = member.tokens[: member.tokens.index(fields[0])]
    if head and head[0] in ("class", "struct", "union", "enum") and "{" in head:
        tag = head[: head.index("{")]  # `enum Kind : int`
        head = (tag[: tag.index(":") if ":" in tag else len(tag)][-1],)
    elif len(fields) < 2:
        return member
    return structs.replace(member, tokens=(*head, name.removeprefix("field "), ";"))


def _is_free(name: str) -> bool:
    """Return whether the author may choose: how many children there may be changes no layout."""
    return name == "field _type_child_slots"


def _declare_alike(new: Member, old: Member) -> bool:
    """Return whether two declarations of data are of one type; initializers do not count."""
    texts = [new.tokens, old.tokens]
    if "constexpr" not in new.tokens:
        texts = [_without_initializer(one) for one in texts]
    plain = [tuple(word for word in one if word not in ("mutable", "const")) for one in texts]
    return say_the_same(*plain)


def _without_initializer(tokens: Sequence[str]) -> tuple[str, ...]:
    signs = [index for index, token in enumerate(tokens) if token in ("=", "{")]
    return tuple(tokens[: signs[0]] if signs else tokens)
