"""An example of each word of the schema language, and what tschema makes of it.

In: declarations with a word and without it.  Out: the lines that the word brings to C++, Python and
Rust.  All examples are generated in one run, each in a namespace of its own.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from tschema.pipeline.request import Request
from tschema.pipeline.run import make_plan
from tschema.project.config import load_config

from ...support.configs import config

LANGUAGES = {"cpp": "C++", "python": "Python", "rust": "Rust"}
HEADER = '''\
"""An example."""

from tschema import (
    Object,
    declare,
    dialect,
    field,
    function,
    method,
    operand,
    operator,
    static,
    ty,
)
from uir.schema.ir.expr import RelayExprNode
from uir.schema.ir.span import SpanNode
from uir.schema.relay.dialect import RelayDialect
from uir.schema.transform.passes import PassNode


'''


class Example(Struct, frozen=True):
    """Declarations that show a word."""

    shown: str
    """What the page shows."""
    plain: str
    """The same without the word."""
    before: str = ""
    """Declarations that both need."""


class Outcome(Struct, frozen=True):
    """What tschema makes of an example."""

    lines: Mapping[str, tuple[str, ...]]
    """The lines that the word brings (`+`) and takes away (`-`), by language."""


def node(body: str, name: str = "Point", base: str = "Object", head: str = "") -> str:
    """Return a class."""
    rows = "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").split("\n"))
    key = f'    type_key = "toy.NAMESPACE.{name}"\n'
    doc = f'    """A {name.lower()}."""\n\n'
    return f"@declare\nclass {name}Node({base}):\n{doc}{key}{head}{rows}\n\n"


def run_examples(examples: Mapping[str, Example], folder: Path) -> dict[str, Outcome]:
    """Generate all examples; an error of one is an error of the page."""
    (folder / "tschema.toml").write_text(config(options='imports = ["uir"]\n'))
    for index, example in enumerate(examples.values()):
        for namespace, text in (("with", example.shown), ("none", example.plain)):
            path = folder / "schema" / f"{namespace}{index}" / "example.py"
            path.parent.mkdir(parents=True)
            declared = (example.before + text).replace("NAMESPACE", f"{namespace}{index}")
            path.write_text(_used_imports(declared) + declared.rstrip("\n") + "\n")
    plan = make_plan(Request(load_config(folder / "tschema.toml")), lambda _stage: None)
    files = {str(path): data.decode() for path, data in plan.files.items()}
    return {
        name: Outcome({lang: _brought(files, lang, index) for lang in LANGUAGES})
        for index, name in enumerate(examples)
    }


def _used_imports(text: str) -> str:
    """Return the head of a schema file with those imports that it uses."""
    head, _, lines = HEADER.partition("from uir")
    kept = [
        line
        for line in f"from uir{lines}".splitlines()
        if line and re.search(rf"\b{line.rpartition(' ')[2]}\b", text)
    ]
    return head + "".join(f"{line}\n" for line in kept) + "\n\n"


def _brought(files: Mapping[str, str], language: str, index: int) -> tuple[str, ...]:
    before, after = (_text(files, language, f"{kind}{index}") for kind in ("none", "with"))
    found = [*difflib.unified_diff(before, after, n=0, lineterm="")][2:]
    return tuple(line for line in found if line[0] in "+-" and not _NOISE.match(line[1:]))


def _text(files: Mapping[str, str], language: str, namespace: str) -> list[str]:
    """Return the code of a namespace, under one name for all examples."""
    rows: list[str] = []
    for path, text in sorted(files.items()):
        is_example = path.rpartition("/")[2].startswith("example.")
        if path.startswith(f"{language}/") and f"/{namespace}/" in path and is_example:
            rows += text.replace(namespace, "ir").replace(namespace.upper(), "IR").splitlines()
    return rows


_NOISE = re.compile(r'\s*(?:$|//|#(?! ?include)|/?\*|"""|[\])};,(]+;?$|__all__)|.*"[0-9a-f]{16}"')
"""Comments, digests and lone brackets."""
