"""First parts of type keys: which of them names a package.

In: type keys.  Out: their first parts, the best name of a package first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def first_parts(keys: Iterable[str]) -> tuple[str, ...]:
    """
    Return the first parts of keys, the most frequent one first, but after those that fit better.

    Schema files of a package lie directly in the schema's folder, beside the folders of the other
    first parts: one that has a second part called like another first part fits worse.
    """
    names = [*keys]
    firsts = Counter(key.partition(".")[0] for key in names)
    return tuple(sorted(firsts, key=lambda one: (not is_fitting(one, names), -firsts[one], one)))


def is_fitting(name: str, keys: Iterable[str]) -> bool:
    """Return whether no second part of the keys below a name is a first part of others."""
    parts = [key.split(".") for key in keys]
    others = {first for first, *_ in parts} - {name}
    return not any(rest[:-1][:1] and rest[0] in others for first, *rest in parts if first == name)
