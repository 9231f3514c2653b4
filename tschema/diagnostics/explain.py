"""Explanations of the codes, with a wrong and a right example each.

In: a code, or nothing.  Out: text for a terminal.  The explanations are the sections of the page
`docs/reference/diagnostics.md`, which a wheel has beside this file: the code's title, which never
changes its meaning, a paragraph, then blocks below `Given:`, `Wrong:` or `Right:`, with the path of
the file in backquotes above a block if it is not the usual one.

`Given:` holds for both examples.  A `console` block has the commands that meet the fault; without
one it is `tschema ir`.  A schema file begins with the imports at the head of the page, which the
examples leave out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

_INSTALLED = Path(__file__).with_name("diagnostics.md")
_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "diagnostics.md"
_SECTION = re.compile(r"^### (TS\d{3}): ([^\n]*)\n\n(.*?)(?=^###? |\Z)", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^### (TS\d{3}): (.*)$", re.MULTILINE)
_KIND = re.compile(r"^(Given|Wrong|Right):\n", re.MULTILINE)
_BLOCK = re.compile(r"(?:^`(\S+)`\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DEFAULT_PATHS = {"python": "schema/ir/shape.py", "toml": "tschema.toml", "console": ""}

Kind = Literal["Given", "Wrong", "Right"]


class Block(Struct, frozen=True):
    """A file of an example, or the commands of one."""

    kind: Kind
    path: str
    """Relative to the project's root; empty for commands."""
    text: str


class Explanation(Struct, frozen=True):
    """The meaning of a code."""

    code: str
    title: str
    text: str
    """Markdown, without the examples."""
    blocks: tuple[Block, ...]


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return the meaning of each code, in order of the codes."""
    found = {match[1]: _explanation(*match.groups()) for match in _SECTION.finditer(_page())}
    return dict(sorted(found.items()))


@cache
def titles() -> Mapping[str, str]:
    """Return one line for each code."""
    return dict(sorted(_TITLE.findall(_page())))


def _page() -> str:
    return (_INSTALLED if _INSTALLED.is_file() else _PAGE).read_text("utf-8")


def explain(code: str) -> str:
    """
    Return the explanation of a code, for a terminal.

    Parameters
    ----------
    code
        Such as `TS012`, in upper or lower case.

    Raises
    ------
    KeyError
        There is no such code.
    """
    found = explanations()[code.strip().upper()]
    parts = [f"{found.code}: {found.title}", found.text]
    kinds: tuple[Kind, ...] = ("Given", "Wrong", "Right")
    for kind in kinds:
        blocks = [block for block in found.blocks if block.kind == kind]
        parts += [f"{kind}:", *map(_indented, blocks)] if blocks else []
    return "\n\n".join(parts)


def list_codes() -> str:
    """Return a line for each code."""
    return "\n".join(f"{code}  {title}" for code, title in titles().items())


def _explanation(code: str, title: str, section: str) -> Explanation:
    text, *rest = _KIND.split(section)
    examples = zip(rest[::2], rest[1::2], strict=True)
    blocks = [
        Block(kind, path or _DEFAULT_PATHS[language], text)  # type: ignore[arg-type]  # By `_KIND`.
        for kind, example in examples
        for path, language, text in _BLOCK.findall(example)
    ]
    return Explanation(code, title, text.strip(), tuple(blocks))


def _indented(block: Block) -> str:
    head = [f"    [{block.path}]"] if block.path else []
    lines = (f"    {line}".rstrip() for line in block.text.splitlines())
    return "\n".join([*head, *lines])
