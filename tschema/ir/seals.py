"""Digests of generated text, which tell an edit by hand in a fresh clone too.

In: bytes.  Out: 8 hexadecimal digits; and for the JSON IR, which has no comments that could hold
markers, the line that states them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

JSON_DIGEST_LINE = 2
"""Index of the line of a JSON IR that states its digest; its version is above."""
_JSON_DIGEST = re.compile(rb'[ ]*"digest": "([0-9a-f]{8})",\r?\n')


def digest(text: bytes) -> str:
    """Return the digest of generated text with LF line ends: 8 hexadecimal digits."""
    return hashlib.sha256(text).hexdigest()[:8]


def seal_json(data: bytes) -> bytes:
    """Return a JSON IR with its digest in a line of its own, below that of its version."""
    version, rest = data.split(b",\n", 1)
    return b'%b,\n "digest": "%b",\n%b' % (version, digest(data).encode(), rest)


def json_digest(lines: Sequence[bytes]) -> str | None:
    """Return the digest that a JSON IR states, or None if it has none in its place."""
    if len(lines) <= JSON_DIGEST_LINE:
        return None
    match = _JSON_DIGEST.fullmatch(lines[JSON_DIGEST_LINE])
    return match[1].decode() if match else None
