"""Explanations of the codes, with a wrong and a right example each.

In: a code, or nothing.  Out: text for a terminal.  The explanations are the files
`explanations/<code>.md`: the code's title, which never changes its meaning, a paragraph, then
blocks whose first line says what they are.

    ```python wrong schema/ir/shape.py

`given` holds for both examples.  A `console` block has the commands that meet the fault; without
one it is `tschema ir`.  A schema file imports what `explain` begins with, which the examples leave
out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

_FOLDER = Path(__file__).with_name("explanations")
_BLOCK = re.compile(
    r"^```(\w+) (given|wrong|right)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_DEFAULT_PATHS = {"python": "schema/ir/shape.py", "toml": "tschema.toml", "console": ""}
_TITLES = {"given": "Given:", "wrong": "Wrong:", "right": "Right:"}

Kind = Literal["given", "wrong", "right"]


class Block(Struct, frozen=True):
    """A file of an example, or the commands of one."""

    language: str
    kind: Kind
    path: str
    """Relative to the project's root; empty for commands."""
    text: str


class Explanation(Struct, frozen=True):
    """What a code means."""

    code: str
    title: str
    text: str
    """Markdown, without the examples."""
    blocks: tuple[Block, ...]


@cache
def titles() -> Mapping[str, str]:
    """Return one line for each code."""
    return {code: explanation(code).title for code in _codes()}


def explanation(code: str) -> Explanation:
    """Return what a code means."""
    head, _, document = (_FOLDER / f"{code}.md").read_text("utf-8").partition("\n\n")
    blocks = tuple(_block(match) for match in _BLOCK.finditer(document))
    text = _BLOCK.split(document, maxsplit=1)[0].strip()
    return Explanation(code, head.removeprefix("# "), text, blocks)


def _codes() -> list[str]:
    return sorted(path.stem for path in _FOLDER.glob("*.md"))


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
    known = code.strip().upper()
    if known not in titles():
        raise KeyError(code)
    found = explanation(known)
    parts = [f"{known}: {found.title}", found.text]
    for kind, title in _TITLES.items():
        blocks = [block for block in found.blocks if block.kind == kind]
        parts += [title, *map(_indented, blocks)] if blocks else []
    return "\n\n".join(parts)


def list_codes() -> str:
    """Return a line for each code."""
    return "\n".join(f"{code}  {title}" for code, title in titles().items())


def _block(match: re.Match[str]) -> Block:
    language, word, path, text = match.groups()
    kind: Kind = "given" if word == "given" else "wrong" if word == "wrong" else "right"
    return Block(language, kind, path or _DEFAULT_PATHS[language], text)


def _indented(block: Block) -> str:
    head = [f"    [{block.path}]"] if block.path else []
    lines = (f"    {line}".rstrip() for line in block.text.splitlines())
    return "\n".join([*head, *lines])
