"""Generated C++ classes, with the author's text of the members that are the same in both.

In: the lines of a generated class and of the one that was found.  Out: the generated lines to
write.  A member that says the same as the found one, in code and comment, keeps the author's
layout; one that the custom region declares is left out, because the author's remains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from msgspec import Struct, structs

from tschema.adoption.inplace.cpp_members import (
    ACCESS,
    Aliases,
    ClassText,
    Member,
    read_class,
    read_members,
)
from tschema.adoption.inplace.cpp_tokens import say_the_same
from tschema.adoption.inplace.member_comparison import (
    common_prefix,
    declared_names,
    is_declared,
    is_field,
    is_function,
    missing_fields,
    same_members,
    says_the_same,
    unlike_members,
)
from tschema.adoption.inplace.spare_members import (
    ambiguous_constructor,
    cannot_be_copied,
    is_key_macro,
    is_spare,
)
from tschema.diagnostics.conflict_markers import find_hunks, may_have_hunks, side_text

_ACCESS_OF = {"class": "private", "struct": "public"}


class Arranged(Struct, frozen=True):
    """A class in its final form."""

    above: tuple[bytes, ...]
    """The author's comment, where it says otherwise than the schema: it stays outside."""
    head: tuple[bytes, ...]
    """The generated lines above the custom region."""
    own: tuple[bytes, ...]
    """The author's lines that are to be in it, where there is none yet."""
    unlike: tuple[tuple[int, str], ...] = ()
    """The author's declarations that differ from the schema: index among the author's lines, and
    the declaration in the schema."""
    missing: tuple[str, ...] = ()
    """The members of a class by hand that the schema has and the class lacks."""
    reason: str = ""
    """Why generated code cannot register the class, if so."""


class _Line(Struct, frozen=True):
    """A generated member, and its lines in the author's file."""

    access: str
    """The access that the schema wants."""
    blank: tuple[bytes, ...]
    """The blank line above it, if there is to be one."""
    lines: tuple[bytes, ...]


def arrange(
    generated: Sequence[bytes],
    found: Sequence[bytes],
    region: Sequence[bytes],
    *,
    is_documented: bool,
    is_by_hand: bool = False,
    is_authors: bool = False,
    aliases: Aliases | None = None,
) -> tuple[bytes, ...] | None:
    """
    Return the head of a block that has a custom region.

    Parameters
    ----------
    generated
        The lines that tschema generates above the region.
    found
        The lines found there, which are tschema's.
    is_documented
        Whether the author's comment is above the block.
    is_by_hand
        Whether only fields are added, and no documentation where there is none.
    is_authors
        Whether nothing is added that the class compiles and registers without.

    Returns
    -------
    head
        The lines to write there; None where there is no class.
    """
    new = read_class(generated, aliases)
    if new is None:
        return None
    old = read_class(found, aliases)
    members = old.members if old else ()
    declared = frozenset(
        name for side in _sides(region) for name in declared_names(read_members(side, aliases))
    )
    new = _with_members(new, lambda one: not is_declared(one, declared))
    if is_by_hand and old and _is_all_there(new, old):
        return tuple(found)
    if is_by_hand or is_authors:
        name, standing = new.name, declared_names(members)
        new = _with_members(
            new,
            lambda one: (
                is_field(one)
                or is_declared(one, standing)
                or not (is_by_hand or is_spare(one, name))
            ),
        )
    matched = dict(same_members(new.members, members))
    lines = _lines(new, members, matched, generated, found, adds_docs=not is_by_hand)
    labels = _labels(new.members, generated) | _labels(members, found)
    keyword = old.keyword if old and is_same_head(new, old) else new.keyword
    final = _access_at(new, len(new.members))
    body = _with_labels(lines, labels, _ACCESS_OF[keyword], final)
    is_bare = is_documented or (is_authors and old is not None)
    return (*_top(new, old, generated, found, is_bare), *body, *found[_filled(found) :])


def misplaced_fields(
    generated: Sequence[bytes], region: Sequence[bytes]
) -> Iterator[tuple[str, str, int]]:
    """
    Yield the fields that are generated above the region but must follow a field in it.

    Parameters
    ----------
    generated
        The lines that tschema generates above the region.

    Yields
    ------
    field
        The member, the first one before it that the region declares, and the line of that one.
    """
    new = read_class(generated)
    lines = {name: one.code for one in read_members(region) for name in one.declares}
    first: str | None = None
    for member in new.members if new else ():
        fields = [name for name in member.declares if name.startswith("field ")]
        for name in fields if "static" not in member.tokens else ():
            if name in lines:
                first = first or name
            elif first is not None:
                yield name.removeprefix("field "), first.removeprefix("field "), lines[first]


def _sides(region: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """Yield the lines of a region: those of both sides where it has conflicts of a merge."""
    data = b"".join(region)
    if not may_have_hunks(data):
        yield region
        return
    pieces = find_hunks(data)
    yield side_text(pieces, "ours").lines
    yield side_text(pieces, "theirs").lines


def _with_members(text: ClassText, is_kept: Callable[[Member], bool]) -> ClassText:
    """Return a class with its labels, and some of its members."""
    members = tuple(one for one in text.members if one.label or is_kept(one))
    return structs.replace(text, members=members)


def _is_all_there(new: ClassText, old: ClassText) -> bool:
    """Return whether a class has all fields of the schema, and no member that the schema lacks."""
    matched = dict(same_members(new.members, old.members))
    theirs = {index for index, one in enumerate(old.members) if one.tokens and not one.label}
    lacking = (
        one for index, one in enumerate(new.members) if is_field(one) and index not in matched
    )
    is_same_doc = not old.words or not new.words or old.words == new.words
    return (
        theirs <= {*matched.values()}
        and not any(lacking)
        and is_same_doc
        and is_same_head(new, old)
    )


def adopt(
    generated: Sequence[bytes],
    found: Sequence[bytes],
    *,
    is_by_hand: bool = False,
    is_authors: bool = False,
    aliases: Aliases | None = None,
) -> Arranged | None:
    """
    Split a class that was written by hand into the schema's members and its author's.

    Parameters
    ----------
    generated
        The lines that tschema generates above the custom region.
    found
        The class to the line before its last one, which has no region.
    is_by_hand
        Whether no line is added to the class.
    is_authors
        Whether nothing is added that the class compiles and registers without.

    Returns
    -------
    arranged
        The class; None where it is another one, or has another base.
    """
    new, old = read_class(generated, aliases), read_class(found, aliases)
    if new is None or old is None or not is_same_head(new, old):
        return None
    same = [*common_prefix(new.members, old.members)]
    if is_by_hand or is_authors:
        # Their author's functions stay: a generated one changes with the fields of its class.
        same = [*takewhile(lambda pair: _is_plain(old.members[pair[1]]), same)]
    kept = len(same)
    begin = old.members[kept].start if kept < len(old.members) else len(found)
    while begin < len(found) and not found[begin].strip():
        begin += 1
    own = tuple(found[begin:])
    unlike = tuple(unlike_members(new, old.members[kept:], generated, is_by_hand=is_by_hand))
    is_documented = bool(old.words) and old.words != new.words
    outside = tuple(found[old.doc.start : old.doc.stop]) if is_documented else ()
    if outside:
        found = [*found[: old.doc.start], *found[old.doc.stop :]]
        begin -= len(outside)
    if is_by_hand:
        missing = tuple(missing_fields(new, old))
        return Arranged(outside, tuple(found[:begin]), own, unlike, missing)
    if is_authors and cannot_be_copied(old.members, old.name):
        reason = "it deletes its copy constructor, which generated code would call"
        return Arranged(outside, (), own, unlike, reason=reason)
    if is_authors and _is_ambiguous(new, old, own, aliases):
        reason = "a call of the constructor that it lacks could mean one that it has"
        return Arranged(outside, (), own, unlike, reason=reason)
    head = arrange(
        generated,
        found[:begin],
        own,
        is_documented=is_documented,
        is_authors=is_authors,
        aliases=aliases,
    )
    assert head is not None, "both are classes"
    access = _access_at(old, kept)
    if own and access != _access_at(new, len(new.members)):
        label = _labels(old.members[:kept], found).get(access)
        own = (*(label or (_label(access, own),)), *own)
    return Arranged(outside, head, own, unlike)


def _is_plain(member: Member) -> bool:
    """Return whether a member may be above the region of an author's class."""
    return not is_function(member) and not is_key_macro(member)


def _is_ambiguous(
    new: ClassText, old: ClassText, own: Sequence[bytes], aliases: Aliases | None
) -> bool:
    """Return whether a constructor that is to be added could be called in place of the author's."""
    declared = declared_names(read_members(own, aliases))
    added = [
        one for one in new.members if not is_spare(one, new.name) and not is_declared(one, declared)
    ]
    return ambiguous_constructor(added, old.members, new.name)


def _filled(lines: Sequence[bytes]) -> int:
    """Return how many lines there are without the blank ones at the end."""
    count = len(lines)
    while count and not lines[count - 1].strip():
        count -= 1
    return count


# -- Equal members ------------------------------------------------------------------------------


def is_same_head(new: ClassText, old: ClassText) -> bool:
    """Return whether two classes have one name and one base."""
    bases = [
        tuple(word for word in one.bases if word not in (*ACCESS, "virtual")) for one in (new, old)
    ]
    return new.name == old.name and say_the_same(*bases)


def _top(
    new: ClassText,
    old: ClassText | None,
    generated: Sequence[bytes],
    found: Sequence[bytes],
    is_bare: bool,
) -> Iterator[bytes]:
    """Yield the lines to the brace of the class: the author's where they say the same."""
    for declaration in new.before:
        same = [one for one in (old.before if old else ()) if says_the_same(declaration, one)]
        source, one = (found, same[0]) if same else (generated, declaration)
        yield from source[one.start : one.stop]
    if old is not None and old.words == new.words:
        yield from found[old.doc.start : old.doc.stop]
    elif not is_bare:
        yield from generated[new.doc.start : new.doc.stop]
    keeps_head = old is not None and is_same_head(new, old)
    head = old.head if old and keeps_head else new.head
    yield from (found if keeps_head else generated)[head.start : head.stop]


def _lines(
    new: ClassText,
    old: Sequence[Member],
    matched: dict[int, int],
    generated: Sequence[bytes],
    found: Sequence[bytes],
    *,
    adds_docs: bool,
) -> Iterator[_Line]:
    """Yield the members of the final class, without labels."""
    blank: tuple[bytes, ...] = ()
    for index, member in enumerate(new.members):
        lines = tuple(generated[member.start : member.stop])
        blank = blank or tuple(line for line in lines[:1] if not line.strip())
        if member.label:
            continue
        access = _access_at(new, index)
        if index in matched:
            theirs = old[matched[index]]
            kept = tuple(found[theirs.start : theirs.stop])
            if adds_docs and member.words and not (theirs.words or theirs.notes == member.words):
                kept = (*lines[: member.code - member.start], *found[theirs.code : theirs.stop])
            above = old[matched[index] - 1] if matched[index] else theirs
            yield _Line(access, _blank_of_label(above, found), kept)
            blank = ()
        else:
            yield _Line(access, blank, tuple(line for line in lines if line.strip()))
            blank = ()


def _blank_of_label(member: Member, lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the blank line above a label; nothing above another member, which has its own."""
    is_blank = member.label is not None and not lines[member.start].strip()
    return (lines[member.start],) if is_blank else ()


def _labels(members: Sequence[Member], lines: Sequence[bytes]) -> dict[str, tuple[bytes, ...]]:
    """Return the lines of each kind of label, as the first one has them."""
    return {one.label: tuple(lines[one.code : one.stop]) for one in reversed(members) if one.label}


def _label(access: str, lines: Sequence[bytes]) -> bytes:
    line_end = b"\r\n" if lines[0].endswith(b"\r\n") else b"\n"
    return b" " + access.encode() + b":" + line_end


def _with_labels(
    lines: Iterator[_Line], labels: dict[str, tuple[bytes, ...]], current: str, final: str
) -> Iterator[bytes]:
    """Yield lines, with the labels that they need, and the one of what follows."""
    is_first = True
    for line in lines:
        yield from () if is_first else line.blank
        if line.access != current:
            yield from labels[line.access]
            current = line.access
        yield from line.lines
        is_first = False
    if final != current:
        yield from labels[final]


def _access_at(text: ClassText, index: int) -> str:
    """Return the access of the member with an index."""
    labels = [one.label for one in text.members[:index] if one.label]
    return labels[-1] if labels else _ACCESS_OF[text.keyword]
