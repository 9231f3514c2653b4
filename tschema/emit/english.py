"""The English of generated docs: the indefinite article of a name, by its sound.

In: names of the schema.  Out: text.  It knows no target language.
"""

from __future__ import annotations

import re

__all__ = ["article"]

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
