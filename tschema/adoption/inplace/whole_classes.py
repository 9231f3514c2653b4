"""Classes that are in a custom region as a whole, as their lines cannot be told apart.

In: lines.  Out: decisions.  `struct OneNode : Object { int64_t v; };` is such a class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.adoption.inplace.cpp_members import Aliases, ClassText, read_class
from tschema.adoption.inplace.kept_members import is_same_head
from tschema.adoption.inplace.member_comparison import missing_fields, unlike_members


def holds_class(lines: Sequence[bytes]) -> bool:
    """Return whether lines are a class from its first line to its last."""
    return bool(lines) and b"".join(lines).rstrip().endswith(b"};") and _read(lines) is not None


def lacking_fields(
    generated: Sequence[bytes], lines: Sequence[bytes], aliases: Aliases
) -> Iterator[str]:
    """Yield the fields of a generated class that the one in some lines lacks."""
    new, old = read_class(generated, aliases), _read(lines, aliases)
    if new is not None and old is not None:
        yield from missing_fields(new, old)


def refusal(generated: Sequence[bytes], lines: Sequence[bytes], aliases: Aliases) -> str | None:
    """Return why a class cannot be in a block; None where it can."""
    new, old = read_class(generated, aliases), _read(lines, aliases)
    if new is None or old is None or not is_same_head(new, old):
        return "it has another name or another base than in the schema"
    for _, wanted in unlike_members(new, old.members, generated, is_by_hand=True):
        return f"it differs from `{wanted}` of the schema"
    for name in missing_fields(new, old):
        return f"it has no member `{name}`, which the schema declares"
    return None


def _read(lines: Sequence[bytes], aliases: Aliases | None = None) -> ClassText | None:
    return read_class(lines, aliases, shares_lines=True)
