"""Docs of the schema as GitHub-flavoured Markdown, with markup escaped.

In: text of the JSON IR, and the link targets of its code spans. Out: Markdown with the text's
lists, code spans and code blocks; any other markup is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Link = Callable[[str], str | None]
"""The target of a link, given the text of a code span."""

_ODD_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
"""Characters that no reader should meet: control characters, marks that reorder text."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TITLE = re.compile(r"(\S[^\n]*)\n-{3,}[ \t]*(?:\n|$)")
"""A section of a numpy docstring."""
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_MARKUP = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)"  # What would escape, or break the line.
    r"|(?<![^\W_])_|_(?![^\W_])|(?<=\S)\*|\*(?=\S)|[`\[$~|]"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w+;)",
    re.MULTILINE,
)
_LINE_START = re.compile(r"^([ \t]*)(#{1,6}(?=[ \t]|$)|>|:?[=-]+:?(?=[ \t]*$))", re.MULTILINE)
_SENTENCE = re.compile(r"(.+?[.!?])(?=\s|$)", re.DOTALL)


def prose(text: str, link: Link) -> str:
    """Return a doc as Markdown blocks, set apart by empty lines."""
    return "\n\n".join(_block(block, link) for block in _blocks(_clean(text)))


def cell(text: str, link: Link) -> str:
    """Return a doc as a cell of a table, or any other single line."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", _clean(text)))
    return "<br>".join(_inline(part, link, code_cell) for part in paragraphs if part)


def summary(text: str, link: Link) -> str:
    """Return the first sentence of a doc, on one line."""
    first = re.split(r"\n[ \t]*\n", _clean(text).strip(), maxsplit=1)[0]
    sentence = _SENTENCE.match(first)
    return cell(sentence[1] if sentence else first, link)


def code(text: str) -> str:
    """Return text as a code span."""
    text = " ".join(_clean(text).split("\n"))
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def code_cell(text: str) -> str:
    """Return text as a code span that is valid in a table, where a bar ends the cell."""
    if "|" not in text:
        return code(text)
    encoded = re.sub(r"[^\w\s]", lambda found: f"&#{ord(found[0])};", _clean(text))
    return f"<code>{encoded}</code>"


def _clean(text: str) -> str:
    return _ODD_CHARACTERS.sub("\ufffd", text).strip("\n").expandtabs()


def _blocks(text: str) -> Iterator[str]:
    """Yield paragraphs, and code blocks that are fenced in the text."""
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            block.append(line)
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield "\n".join(block)
                block, fence = [], ""
        elif opening or not line.strip():
            yield from ["\n".join(block)] if block else []
            block, fence = ([line], opening[1]) if opening else ([], "")
        else:
            block.append(line)
    if block:
        yield "\n".join([*block, fence] if fence else block)


def _block(block: str, link: Link) -> str:
    title = _TITLE.match(block)
    if title:
        rest = block[title.end() :]
        return f"**{_inline(title[1], link, code)}**" + (
            f"\n\n{_block(rest, link)}" if rest else ""
        )
    if _FENCE.match(block):
        return block
    if block.lstrip().startswith(">>>"):
        return f"```python\n{block}\n```"
    if all(line.startswith("    ") for line in block.split("\n")):
        return f"```text\n{block}\n```"
    return _LINE_START.sub(r"\1\\\2", _inline(block, link, code)).rstrip()


def _inline(text: str, link: Link, spell: Callable[[str], str]) -> str:
    """Return a paragraph: its code spans as `spell` spells them, all else escaped."""
    parts: list[str] = []
    end = 0
    for span in _CODE_SPAN.finditer(text):
        parts.append(_MARKUP.sub(r"\\\g<0>", text[end : span.start()]))
        content = span[2].strip() or span[2]
        target = link(content)
        parts.append(f"[{spell(content)}]({target})" if target else spell(content))
        end = span.end()
    parts.append(_MARKUP.sub(r"\\\g<0>", text[end:]))
    return "".join(parts)
