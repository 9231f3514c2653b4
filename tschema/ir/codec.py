"""The canonical bytes of the JSON IR.

In: a `Schema`.  Out: its bytes, the same for the same schema on any machine; and back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import msgspec

from tschema.diagnostics.errors import Reporter, schema_error
from tschema.diagnostics.source import SourceFile, Span
from tschema.ir.json_text import locate
from tschema.ir.kinds import ARITY
from tschema.ir.model import (
    ROOT_KEY,
    Function,
    Namespace,
    Schema,
    Type,
    TypeRef,
    type_refs,
)
from tschema.ir.seals import seal_json

VERSION = 1

_DIGEST = {
    "description": "Digest of the other lines, which tells an edit by hand.",
    "pattern": "^[0-9a-f]{8}$",
    "type": "string",
}
_STEP = re.compile(r"(\w+)|\[(\d+)\]")
_VARIADIC = frozenset({"Tuple", "Union"})


def encode(schema: Schema) -> bytes:
    """Return the canonical bytes of a schema, with a digest that tells hand edits."""
    return seal_json(msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n")


def decode(data: bytes, path: str = "schema.json") -> Schema:
    """Return the schema that bytes hold.

    Parameters
    ----------
    data
        UTF-8 text of a JSON IR.
    path
        Where the bytes come from, for messages.

    Raises
    ------
    SchemaError
        The bytes are not JSON, not the JSON IR, of another version, or have dangling references.
    """
    try:
        source = SourceFile(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise schema_error("TS040", f"`{path}` is not UTF-8") from error
    reporter = Reporter()
    schema = _parse(source, reporter)
    reporter.stop_on_error()
    if schema is None:
        raise AssertionError("a schema without errors")
    for problem in _dangling(schema):
        reporter.error("TS040", f"malformed JSON IR: {problem}", _start(source))
    reporter.stop_on_error()
    return schema


def load(path: Path) -> Schema:
    """Return the schema that a file holds.

    Raises
    ------
    SchemaError
        The file cannot be read, or `decode` refuses it.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise schema_error("TS040", f"cannot read `{path}`: {reason}") from error
    return decode(data, str(path))


def json_schema() -> dict[str, object]:
    """Return the JSON Schema of the JSON IR."""
    (root,), definitions = msgspec.json.schema_components([Schema])
    document = definitions.pop("Schema")
    document["properties"]["digest"] = _DIGEST
    del root
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **document,
        "$defs": definitions,
    }


def _parse(source: SourceFile, reporter: Reporter) -> Schema | None:
    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        span = Span(source, error.lineno, error.colno, error.lineno, error.colno + 1)
        reporter.error("TS040", f"malformed JSON: {error.msg.lower()}", span)
        return None
    except (RecursionError, ValueError):
        reporter.error("TS040", "malformed JSON: too deeply nested", _start(source))
        return None
    version = document.get("version") if isinstance(document, dict) else None
    if isinstance(document, dict) and (version != VERSION or isinstance(version, bool)):
        reporter.error(
            "TS041",
            f"the JSON IR has version `{json.dumps(version)}`, expected `{VERSION}`",
            locate(source, ("version",)),
            help="write it again with this version of tschema",
        )
        return None
    if isinstance(document, dict):
        document.pop("digest", None)
    try:
        return msgspec.convert(document, Schema)
    except (msgspec.ValidationError, RecursionError) as error:
        _report(str(error), source, reporter)
    return None


def _report(message: str, source: SourceFile, reporter: Reporter) -> None:
    """Report what msgspec says: `Expected ... - at `$.namespaces[0].name``."""
    reason, _, place = message.partition(" - at ")
    where = place.strip("`").removeprefix("$").lstrip(".")
    reason = reason[:1].lower() + reason[1:]
    what = f"`{where}`: {reason}" if where else reason
    path = [int(index) if index else name for name, index in _STEP.findall(where)]
    reporter.error("TS040", f"malformed JSON IR: {what}", locate(source, path))


def _dangling(schema: Schema) -> Iterator[str]:
    """Yield the errors in references from one part of a schema to another."""
    spaces = list(schema.all_namespaces())
    types = {type_.key: type_ for space in spaces for type_ in space.types}
    known = {"node": types.keys(), "enum": {enum.key for space in spaces for enum in space.enums}}
    seen = {ROOT_KEY}
    for space in spaces:
        for type_ in space.types:
            if type_.parent not in seen:
                yield f"`{type_.key}` stands before its parent `{type_.parent}`"
            seen.add(type_.key)
            if any(one.kind == "foreign" for field in type_.fields for one in field.type.walk()):
                yield f"`{type_.key}` registers a member of a foreign type"
        for owner, ref in _refs(space):
            yield from _dangling_ref(owner, ref, known)
    if len(seen) - 1 < sum(len(space.types) for space in spaces):
        yield "two types have the same key"
    elif seen >= {type_.parent for type_ in types.values()}:
        yield from _unknown_arguments(schema)


def _dangling_ref(owner: str, ref: TypeRef, known: Mapping[str, Set[str]]) -> Iterator[str]:
    if ref.kind == "foreign":
        is_known = bool(ref.key)
    else:
        is_known = ref.key in known[ref.kind] if ref.kind in known else ref.key is None
    if not is_known:
        yield f"`{owner}` names the unknown {ref.kind} `{ref.key}`"
    count = len(ref.args)
    if count != ARITY.get(ref.kind, 0) and (ref.kind not in _VARIADIC or not count):
        yield f"`{owner}` gives {count} arguments to `{ref.kind}`"


def _unknown_arguments(schema: Schema) -> Iterator[str]:
    known: dict[str, set[str]] = {ROOT_KEY: set()}
    for space in schema.all_namespaces():
        for type_ in space.types:
            names = known[type_.parent] | {field.name for field in type_.fields}
            known[type_.key] = names
            given = {*type_.init, *(restated.name for restated in type_.restated)}
            for name in sorted(given - names):
                yield f"`{type_.key}` has no field `{name}`"


def _refs(space: Namespace) -> Iterator[tuple[str, TypeRef]]:
    """Yield the types that each declaration of a namespace mentions, with the declaration's key."""
    declarations: tuple[Type | Function, ...] = (*space.types, *space.functions)
    for declared in declarations:
        for outer in type_refs(declared):
            yield from ((declared.key, ref) for ref in outer.walk())


def _start(source: SourceFile) -> Span:
    return Span(source, 1, 1, 1, 1)
