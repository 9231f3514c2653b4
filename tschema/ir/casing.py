"""Names in the case that a language has for them.

In: a name of the schema.  Out: the same words, joined otherwise.
"""

from __future__ import annotations

import re

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z0-9])(?=[A-Z][a-z])")


def camel_case(name: str) -> str:
    """Return `TripCount` for `trip_count`, as C++ spells methods."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def constant_case(name: str) -> str:
    """Return `kThreadBinding` for `THREAD_BINDING`, as C++ spells members of enums."""
    return "k" + "".join(part.capitalize() for part in name.split("_"))


def snake_case(name: str) -> str:
    """Return `trip_count` for `TripCount`, as Rust spells methods and functions."""
    return _WORD_START.sub("_", name).lower()
