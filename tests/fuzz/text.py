"""Random text as people and editors leave it, and markers, written anew for the fuzzer.

Nothing here comes from tschema: what a file should hold is worked out a second time.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from hypothesis import strategies as st

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Language:
    """How a language writes comments, and text that only looks like markers."""

    suffix: str
    token: bytes
    literals: tuple[bytes, ...]
    """Well-formed text of many lines with what looks like a marker."""
    openers: bytes
    """Characters that may begin something that goes on over many lines."""

    def marker(self, words: str) -> bytes:
        """Return a marker without blanks around it."""
        return self.token + b" tschema: " + words.encode()


PYTHON = Language(
    ".py",
    b"#",
    (
        b'"""\n# tschema: end\n"""\n',
        b"x = '''a\n    # tschema: A\n# tschema: custom-begin\n'''\n",
        b'r"""\\\n# tschema: custom-end\n"""  # "\n',
    ),
    b"\"'",
)
CPP = Language(
    ".h",
    b"//",
    (
        b"/* it's\n// tschema: end\n*/\n",
        b'auto s = R"x(\n// tschema: A\n)"\n// tschema: custom-begin\n)x";\n',
        b"/**\n  // tschema: custom-end 0123abcd\n */\n",
    ),
    b"/\"'",
)
RUST = Language(
    ".rs",
    b"//",
    (
        b"/* a /* b */\n// tschema: end\n*/\n",
        b'let s = "\n// tschema: A\n\\"\n// tschema: end\n";\n',
        b'let s = r#"\n// tschema: custom-begin\n"#;\n',
    ),
    b"/\"'",
)
languages = st.sampled_from([PYTHON, CPP, RUST])

_CHUNKS = [
    b"\n", b"\r\n", b"\r", b"\x00", b"\xff\xfe", b"\x0c", b"\t", b"  ", BOM, b"\xc3\xa4", b"\\",
    b"# tschema", b"tschema: end", b"int x;\n", b"x = 1\r\n", b"'", b'"', b"'''", b'"""', b"/*",
    b"*/", b"//", b'R"(', b"x // tschema: end\n", b"tschema: custom-begin\n", b"\n\n",
    b"/// tschema: A\n", b"## tschema: end\n", b" // tschema\n",
]  # fmt: skip
_LOOKS_LIKE_MARKER = re.compile(rb"[ \t]*(//|#)[ \t]*tschema:")


def lines_of(data: bytes) -> list[bytes]:
    """Cut bytes into lines that end with LF."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


@st.composite
def user_texts(draw: st.DrawFn, language: Language, is_literal: bool) -> bytes:
    """
    Draw whole lines that hold no marker.

    With `is_literal` there may be strings and comments of many lines with text like markers, and
    nothing else that begins a string or a comment.
    """
    pieces: list[bytes] = []
    for _ in range(draw(st.integers(0, 4))):
        if is_literal and draw(st.integers(0, 3)) == 0:
            pieces.append(draw(st.sampled_from(language.literals)))
        else:
            chunks = b"".join(draw(st.lists(st.sampled_from(_CHUNKS), max_size=6)))
            if is_literal:
                chunks = chunks.translate(None, language.openers + b"\\")
            kept = [line for line in lines_of(chunks) if not _is_marker(line, language)]
            text = b"".join(kept)
            pieces.append(text + b"\n" if text and not text.endswith(b"\n") else text)
    return b"".join(pieces)


def _is_marker(line: bytes, language: Language) -> bool:
    match = _LOOKS_LIKE_MARKER.match(line.removeprefix(BOM))
    return match is not None and match[1] == language.token


generated_lines = st.lists(
    st.sampled_from([b"", b"body", b"  int x;", b"}", b"\tx", b"a", b"b", b"class A:"]), max_size=5
).map(lambda lines: b"".join(line + b"\n" for line in lines))
"""Text as tschema emits it."""


def digest(text: bytes) -> bytes:
    """Return the digest of generated text."""
    plain = text.removeprefix(BOM).replace(b"\r\n", b"\n")
    return hashlib.sha256(plain).hexdigest()[:8].encode()
