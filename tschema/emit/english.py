"""The English of generated docs: articles, lists and descriptions of functor methods.

In: names of the schema.  Out: text.  It knows no target language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST_LIST = 40
"""Characters; a sentence with two lists fits on a line."""

_SPELLED = re.compile(r"[A-Za-z](?![a-z])")
"""The start of letters that are read one by one: `FFIType`, `IRModule`, `x`."""
_SPELLED_VOWEL = re.compile(r"[aefhilmnorsx]", re.IGNORECASE)
_VOWEL = re.compile(
    r"""
    [ai]
    | e (?!u)                                            # but a `Euclid`
    | o (?! ne (?![a-z]) | nce )                         # but a `OneHot`
    | un (?= aligned | equal | even | ordered | used )
    | u [^aeiou] (?: [^aeiou] | $ )                      # `Unroll`, but a `Unit`
    | h (?= our | onest )
    """,
    re.VERBOSE,
)


def article(name: str) -> str:
    """Return the indefinite article that a name has when it is read aloud: an `int64`, a `uir...`.

    Parameters
    ----------
    name
        A class, a type key or a field, as it is spelled.
    """
    name = name.lstrip("_")
    if _SPELLED.match(name):
        return "an" if _SPELLED_VOWEL.match(name) else "a"
    word = re.match(r"[A-Za-z]?[a-z]*", name)
    return "an" if word and _VOWEL.match(word[0].lower()) else "a"


def listed(names: Sequence[str]) -> str:
    """Return names as text that fits on a line: `a`, `b` and `c`."""
    *most, last = (f"`{name}`" for name in names)
    text = f"{', '.join(most)} and {last}" if most else last
    return text if len(text) <= _LONGEST_LIST else f"`{names[0]}` and {len(most)} other fields"


def serves(key: str, default: str | None) -> str:
    """Say which type a functor's method serves, and as which one it does by default."""
    rest = "" if default is None else f", by default as `{default}`"
    return f"Serve {article(key)} `{key}`{rest}."


def visits(fields: Sequence[str]) -> str:
    """Say which fields a visitor's method visits."""
    return f"Visit {listed(fields)}." if fields else "Do nothing: the node has no fields to visit."


def mutates(fields: Sequence[str], uses: Sequence[str]) -> str:
    """Say which fields a mutator's method mutates, and in which ones it replaces variables."""
    parts = [f"Mutate {listed(fields)}"] if fields else []
    if uses:
        verb = "put in" if parts else "Put in"
        parts.append(f"{verb} what became of {listed(uses)}")
    return f"{'; '.join(parts)}." if parts else "Return the node: it has no fields to change."
