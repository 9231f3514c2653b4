"""The members of a C++ class, each with its lines, its comments and its declarations.

In: lines of a class, from its first line to the line before its last one, or of its body alone.
Out: `Member`s.  It reads tokens and expands no macro: where it cannot tell members apart, they are
one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import Struct, structs
from msgspec.structs import replace

from tschema.regions.cpp_lexer import Lexeme, lex

ACCESS = ("public", "protected", "private")
_MACRO = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CLASS_WORDS = {"class", "struct", "union", "enum"}
_BEHIND_PARAMETERS = ("const", "override", "final", "noexcept")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_COMMENT_SIGNS = re.compile(r"/\*[*!]?<?|\*/|//[/!]?<?|^[ \t]*\*(?!/)|[\\@]brief\b", re.MULTILINE)
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*((?:::)?\w+(?:::\w+)*)\s*;")
_MARKER = re.compile(r"//[ \t]*tschema:")


Aliases = Mapping[str, Sequence[str]]
"""The parts of the namespaces that names refer to."""


class Member(Struct, frozen=True):
    """Some lines of a class: a member, several members, a label or a comment."""

    start: int
    """Index of the first line: blank lines and comments above the member are its own."""
    code: int
    """Index of the line of its first token; `stop` if it is a comment alone."""
    stop: int
    """Index behind its last line."""
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    """Those of its comment, without the signs around them."""
    notes: tuple[str, ...]
    """Those of the comments inside it, and behind it on its last line."""
    declares: tuple[str, ...]
    """Declarations that no second member may repeat: `field x`, `method f(int)`, `macro M`, `label
    public`."""

    @property
    def label(self) -> str | None:
        """Return `public`, `protected` or `private` where it is such a label."""
        for name in self.declares:
            if name.startswith("label "):
                return name.removeprefix("label ")
        return None


class ClassText(Struct, frozen=True):
    """A class, taken apart."""

    before: tuple[Member, ...]
    """Declarations before it."""
    doc: range
    """The lines of the comment above it, and of blank ones before that."""
    words: tuple[str, ...]
    """Those of the comment."""
    head: range
    """Its first lines, to the brace that opens its body."""
    keyword: str
    """`class` or `struct`."""
    name: str
    bases: tuple[str, ...]
    """The tokens between the colon and the brace."""
    members: tuple[Member, ...]


def read_class(
    lines: Sequence[bytes], aliases: Aliases | None = None, *, shares_lines: bool = False
) -> ClassText | None:
    """
    Take a class apart.

    Parameters
    ----------
    lines
        The lines before the class, and the class to a line of its body.
    aliases
        The aliases of namespaces that the lines may use.
    shares_lines
        Whether members may share the line of the brace: they are to be compared, not moved.

    Returns
    -------
    text
        The class, or None if there is none, or its brace shares its line with members.
    """
    found = list(_lexemes(lines, aliases or {}))
    code = [one for one in found if one.kind != "comment"]
    opening = _find_opening(code)
    if opening is None:
        return None
    begin, brace = opening
    if begin and code[begin - 1].text == "enum":
        return None
    rows = _Rows(lines)
    head = range(rows.of(code[begin].start), rows.of(code[brace].start) + 1)
    rest = found[found.index(code[brace]) + 1 :]
    behind = [*takewhile(lambda one: rows.of(one.start) < head.stop, rest)]
    if not shares_lines and any(one.kind != "comment" for one in behind):
        return None
    rest = rest if shares_lines else rest[len(behind) :]
    before = _cut(found[: found.index(code[begin])], rows, 0)
    comment = [one for one in before if not one.tokens]
    declared = tuple(one for one in before if one.tokens)
    doc = range(declared[-1].stop if declared else 0, head.start)
    words = [one.text for one in code[begin:brace]]
    colon = words.index(":") if ":" in words else len(words)
    bases = tuple(words[colon + 1 :])
    named = [word for word in words[:colon] if word != "final"]
    return ClassText(
        declared,
        doc,
        comment[-1].words if comment else (),
        head,
        words[0],
        named[-1],
        bases,
        tuple(_cut(rest, rows, head.stop, shares_lines=shares_lines)),
    )


def read_members(lines: Sequence[bytes], aliases: Aliases | None = None) -> tuple[Member, ...]:
    """Take the lines of a class's body apart."""
    return tuple(_cut(list(_lexemes(lines, aliases or {})), _Rows(lines), 0))


def comment_words(text: str) -> tuple[str, ...]:
    """Return the words of a comment, without what makes it one."""
    return tuple(_COMMENT_SIGNS.sub(" ", text).split())


class _Rows:
    """Finds the line of a character."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))

    def of(self, offset: int) -> int:
        """Return the index of a line."""
        return bisect_right(self._starts, offset) - 1


def find_aliases(data: bytes) -> Aliases:
    """Return the aliases of namespaces that a file declares: `namespace tf = tvm::ffi;`."""
    return {
        name.decode("latin-1"): target.decode("latin-1").removeprefix("::").split("::")
        for name, target in _ALIAS.findall(data)
    }


def _lexemes(lines: Sequence[bytes], aliases: Aliases) -> Iterator[Lexeme]:
    """Yield the lexemes, a byte to a character; markers are left out, aliases are written out."""
    found = [one for one in lex(b"".join(lines).decode("latin-1")) if not _MARKER.match(one.text)]
    for index, one in enumerate(found):
        parts = aliases.get(one.text, ()) if one.kind == "word" else ()
        is_qualifier = [after.text for after in found[index + 1 : index + 2]] == ["::"]
        if not parts or not is_qualifier:
            yield one
            continue
        for at, part in enumerate(parts):
            if at:
                yield structs.replace(found[index + 1], start=one.start)
            yield structs.replace(one, text=part)


def _find_opening(code: Sequence[Lexeme]) -> tuple[int, int] | None:
    """Return where the first class that is defined begins, and its brace."""
    begin: int | None = None
    for index, one in enumerate(code):
        if one.text == "enum":
            return None
        if one.text in ("class", "struct") and begin is None:
            begin = index
        elif one.text == ";":
            begin = None
        elif one.text == "{" and begin is not None:
            return begin, index
    return None


# -- Members ------------------------------------------------------------------------------------


def _cut(
    lexemes: Sequence[Lexeme], rows: _Rows, first: int, *, shares_lines: bool = False
) -> list[Member]:
    """Return the members in lexemes, from a first line on."""
    members: list[Member] = []
    done = first
    for comments, code, notes in _parts(lexemes, rows):
        last = [*comments, *code][-1]
        stop = rows.of(last.stop - 1) + 1
        at = rows.of(code[0].start) if code else stop
        words, said = (
            comment_words("\n".join(one.text for one in texts)) for texts in (comments, notes)
        )
        tokens = tuple(one.text for one in code)
        member = Member(min(done, at), at, stop, tokens, words, said, tuple(_declares(code)))
        if members and at < done and not shares_lines:
            members[-1] = _joined(members[-1], member)
        else:
            members.append(member)
        done = members[-1].stop
    return members


def _joined(one: Member, other: Member) -> Member:
    """Return two members that share a line."""
    return replace(
        one,
        stop=max(one.stop, other.stop),
        tokens=one.tokens + other.tokens,
        words=one.words + other.words,
        notes=one.notes + other.notes,
        declares=one.declares + other.declares,
    )


class _Part(NamedTuple):
    """A member that is being cut out."""

    comments: list[Lexeme]
    """Those above it."""
    code: list[Lexeme]
    notes: list[Lexeme]
    """The comments inside it and behind it."""


def _parts(lexemes: Sequence[Lexeme], rows: _Rows) -> list[_Part]:
    """Return the comments above each member, its tokens, and its other comments."""
    parts = [_Part([], [], [])]
    depth = 0
    for index, one in enumerate(lexemes):
        comments, code, notes = parts[-1]
        if one.kind == "comment":
            if code:
                notes.append(one)
            elif not _is_behind(lexemes, index, rows):
                comments.append(one)
            elif len(parts) > 1:
                parts[-2].notes.append(one)
            continue
        if one.kind == "directive" and code and depth == 0:
            parts.append(_Part([], code := [], []))
        code.append(one)
        depth += (one.text in _PAIRS) - (one.text in _PAIRS.values())
        if depth == 0 and _ends(code, lexemes[index + 1 :], rows):
            parts.append(_Part([], [], []))
    return [part for part in parts if part.comments or part.code]


def _is_behind(lexemes: Sequence[Lexeme], index: int, rows: _Rows) -> bool:
    """Return whether a comment follows other text of its line."""
    return index > 0 and rows.of(lexemes[index - 1].stop - 1) == rows.of(lexemes[index].start)


def _ends(code: Sequence[Lexeme], after: Sequence[Lexeme], rows: _Rows) -> bool:
    """Return whether a member is whole, given its tokens so far and those behind."""
    last = code[-1]
    following = next((one for one in after if one.kind != "comment"), None)
    if last.kind == "directive" or last.text == ";":
        return True
    if last.text == ":" and len(code) == 2 and code[0].text in ACCESS:
        return True
    if last.text == "}":
        return not (following and following.text == ";") and _is_body(code)
    is_macro = _MACRO.fullmatch(code[0].text) and len(code) > 2 and code[1].text == "("
    if last.text != ")" or not is_macro or following is None:
        return last.text == ")" and bool(is_macro)
    is_below = rows.of(following.start) > rows.of(last.start)
    return is_below and (following.kind in ("word", "directive") or following.text in "~[}")


def _is_body(code: Sequence[Lexeme]) -> bool:
    """Return whether the brace that was closed last held the statements of a function."""
    if code[0].text in _CLASS_WORDS:
        return False
    depth = 0
    opening = len(code) - 1
    for opening in range(len(code) - 1, -1, -1):
        depth += (code[opening].text == "}") - (code[opening].text == "{")
        if depth == 0:
            break
    top = [one.text for one in _top(code[:opening])]
    if "(" not in top or "=" in top[: top.index("(")]:
        return False
    is_initializer = ":" in top and _WORD.fullmatch(code[opening - 1].text) is not None
    return not is_initializer or code[opening - 1].text in _BEHIND_PARAMETERS


def _top(code: Iterable[Lexeme]) -> Iterator[Lexeme]:
    """Yield the tokens outside of brackets, and the brackets."""
    depth = 0
    for one in code:
        depth -= one.text in _PAIRS.values()
        if depth == 0:
            yield one
        depth += one.text in _PAIRS


# -- Declared names -----------------------------------------------------------------------------


def _declares(code: Sequence[Lexeme]) -> Iterator[str]:
    """Yield the declarations of a member."""
    texts = [one.text for one in code]
    if not texts or code[0].kind == "directive":
        return
    if len(texts) == 2 and texts[0] in ACCESS:
        yield f"label {texts[0]}"
    elif texts[0] in ("friend", "using", "typedef", "template", "static_assert"):
        yield " ".join(texts)
    elif texts[0] in _CLASS_WORDS and "{" in texts:
        # `enum Kind { kA } kind = kA;` declares a field too.
        yield from (f"field {name}" for name in _names(_behind_body(code)))
    elif texts[0] in _CLASS_WORDS:
        return
    elif _MACRO.fullmatch(texts[0]) and texts[1:2] == ["("]:
        yield f"macro {texts[0]}"
    elif (parameters := _parameters(code)) is not None:
        name, types = parameters
        yield f"method {name}({types})"
    else:
        yield from (f"field {name}" for name in _names(code))


def _behind_body(code: Sequence[Lexeme]) -> Sequence[Lexeme]:
    """Return the tokens behind the body of a class or an enum."""
    opening = next(index for index, one in enumerate(code) if one.text == "{")
    return code[opening + len(_until_closed(code[opening:])) + 2 :]


def _parameters(code: Sequence[Lexeme]) -> tuple[str, str] | None:
    """Return the name of a function, and the types of its parameters; None for data."""
    depth = 0
    is_operator = any(one.text == "operator" for one in code)
    for index, one in enumerate(code):
        if depth == 0 and one.text in ("=", "{", ";") and not is_operator:
            return None
        if depth == 0 and one.text == "(" and index > 0:
            name = code[index - 1].text
            if is_operator:
                name = f"operator {name}"
            elif index > 1 and code[index - 2].text == "~":
                name = f"~{name}"
            return name, ",".join(_parameter_types(_until_closed(code[index:])))
        depth += (one.text == "<") - (one.text == ">")
    return None


def _until_closed(code: Sequence[Lexeme]) -> list[Lexeme]:
    """Return the tokens between a bracket and its closing bracket."""
    depth = 0
    for index, one in enumerate(code):
        depth += (one.text in _PAIRS) - (one.text in _PAIRS.values())
        if depth == 0:
            return list(code[1:index])
    return list(code[1:])


def _parameter_types(code: Sequence[Lexeme]) -> Iterator[str]:
    """Yield the types of parameters as overloads tell them apart, by their last names alone."""
    for part in _split(code):
        words = [one.text for one in part]
        words = words[: words.index("=")] if "=" in words else words
        words = [word for word in words if word not in ("const", "&", "&&")]
        if len(words) > 1 and _WORD.fullmatch(words[-1]) and words[-2] != "::":
            words = words[:-1]
        yield "".join(_last_names(words))


def _split(code: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    """Yield the tokens between the commas."""
    part: list[Lexeme] = []
    depth = 0
    for one in code:
        depth += (one.text in "([{<") - (one.text in ")]}>")
        if one.text == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(one)
    if part:
        yield part


def _last_names(words: Sequence[str]) -> Iterator[str]:
    """Yield words, qualified names by their last part alone."""
    for index, word in enumerate(words):
        is_qualifier = bool(_WORD.match(word)) and words[index + 1 : index + 2] == ["::"]
        if word != "::" and not is_qualifier:
            yield {"int": "int32_t"}.get(word, word)


def _names(code: Sequence[Lexeme]) -> Iterator[str]:
    """Yield the names that a declaration of data declares."""
    depth = 0
    is_value = False
    last = ""
    for one in code:
        if depth == 0 and one.text in (",", ";", "=", "{", "[") and not is_value and last:
            yield last
            last = ""
        if depth == 0 and one.text in ("=", "{"):
            is_value = True
        if depth == 0 and one.text == ",":
            is_value = False
        opening, closing = ("([{", ")]}") if is_value else ("([{<", ")]}>")
        depth += (one.text in opening) - (one.text in closing)
        if depth == 0 and one.kind == "word" and not is_value:
            last = one.text
