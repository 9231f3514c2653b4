"""Default values, from C++ expressions to literals.

In: the text of an expression.  Out: a `FoundDefault`; the literal is unset where the expression is
none, and the text is always kept.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import UNSET, UnsetType

from tschema.importer.records import FoundDefault

Value = bool | int | float | str | UnsetType | None

_WORDS: dict[str, Value] = {
    "true": True,
    "false": False,
    "nullptr": None,
    "std::nullopt": None,
    "nullopt": None,
    "NullOpt": None,
    "NULL": None,
}
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*$")
_FLOAT = re.compile(r"[-+]?(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlL]?$")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\s*')
_WRAPPED = re.compile(
    r"(?:::)?(?:std::|tvm::|ffi::|runtime::)*"
    r"(?:u?int\d*_t|int|float|double|bool|size_t|String|string|Bytes|Any)\s*[({](.*)[)}]$",
    re.DOTALL,
)
_CONTAINER = re.compile(
    r"(?:::)?(?:tvm::|ffi::|runtime::)*(Array|List|Map|Dict)\s*(?:<.*>)?\s*(?:\(\)|\{\})$",
    re.DOTALL,
)
_RETURN = re.compile(r"\[\]\s*(?:\(\s*\))?[^{]*\{\s*return\s+(.*?);\s*\}$", re.DOTALL)
_DATA_TYPE = re.compile(r"(?:\w+::)*DataType::(\w+)\(\s*(\d*)\s*(?:,\s*(\d+)\s*)?\)$")
_DATA_TYPE_TEXT = re.compile(r'(?:\w+::)*StringToDLDataType\(\s*"([^"]*)"\s*\)$')
_DATA_TYPE_FIELDS = re.compile(
    r"(?:\w+::)*DLDataType\s*\{\s*kDL(\w+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\}$"
)
_DATA_TYPE_NAMES = {"int", "uint", "float", "bfloat", "bool", "handle"}


def read_default(text: str) -> FoundDefault:
    """Return the default that an expression gives."""
    return FoundDefault(value=_literal(text.strip()), factory=_empty(text.strip()), cpp=text)


def read_factory(text: str) -> FoundDefault:
    """Return the default that calls of a function give: `[]() { return Array<Expr>(); }`."""
    match = _RETURN.match(text.strip())
    return FoundDefault(factory=_empty(match[1].strip()) if match else None, cpp=text)


def _literal(text: str) -> Value:
    for _ in range(4):
        inner = _WRAPPED.match(text)
        if inner is None:
            break
        text = inner[1].strip()
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return _integer(text)
    if _FLOAT.match(text):
        return float(text.replace("'", "").rstrip("fFlL"))
    string = _string(text)
    return _data_type(text) if string is None else string


def _integer(text: str) -> int:
    digits = text.replace("'", "").rstrip("uUlLzZ")
    unsigned = digits.lstrip("+-")
    is_octal = unsigned.startswith("0") and unsigned.isdigit() and len(unsigned) > 1
    return int(digits, 8) if is_octal and not set(unsigned) & set("89") else _decimal(digits)


def _decimal(digits: str) -> int:
    unsigned = digits.lstrip("+-")
    is_prefixed = unsigned[:2].lower() in ("0x", "0b")
    return int(digits, 0) if is_prefixed else int(digits)


def _empty(text: str) -> Literal["list", "dict"] | None:
    match = _CONTAINER.match(text)
    if match is None:
        return None
    return "list" if match[1] in ("Array", "List") else "dict"


def string_literal(text: str) -> str | None:
    """Return the value of string literals side by side; None for anything else."""
    return _string(text.strip())


def _string(text: str) -> str | None:
    parts, end = [], 0
    while match := _STRING.match(text, end):
        parts.append(_unescaped(match[1]))
        end = match.end()
    if parts and end == len(text):
        return "".join(parts)
    raw = re.match(r'R"([^()\\\s]{0,16})\((.*)\)\1"$', text, re.DOTALL)
    return raw[2] if raw else None


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(text: str) -> str:
    def value(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] == "x" and len(code) > 1:
            return chr(int(code[1:], 16))
        return _ESCAPES.get(code, code)

    return re.sub(r"\\(x[0-9a-fA-F]{1,2}|.)", value, text, flags=re.DOTALL)


def _data_type(text: str) -> Value:
    """Return a data type as text: `int32` for `DataType::Int(32)`; unset for anything else."""
    if match := _DATA_TYPE_TEXT.match(text):
        return match[1]
    match = _DATA_TYPE.match(text) or _DATA_TYPE_FIELDS.match(text)
    name = match[1].lower() if match else ""
    if match is None or name not in _DATA_TYPE_NAMES:
        return UNSET
    bits = "" if name == "bool" else match[2] or ("64" if name == "handle" else "")
    lanes = match[3] if match[3] and match[3] != "1" else ""
    return f"{name}{bits}{f'x{lanes}' if lanes else ''}"
