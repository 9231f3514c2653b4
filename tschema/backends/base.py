"""The interface of backends: texts by path.

A backend reads the JSON IR and the settings of its target. It knows neither existing files nor
formatters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Literal

from msgspec import Struct

from tschema.emit import english
from tschema.emit.format import BLOCKS_FOLDER
from tschema.ir.functor_families import Child
from tschema.ir.model import Default, Namespace, Schema, Type, TypeRef
from tschema.ir.spelling import member_name

Language = Literal["cpp", "python", "rust", "docs", "json"]


class OutputFile(Struct, frozen=True):
    """A file as a backend emits it: unformatted, its custom regions empty, its digests bare."""

    path: PurePosixPath
    """Relative to the project's root."""
    language: Language
    text: str
    """With LF line ends; where it has blocks, their `end` markers carry no digest."""


class View(SimpleNamespace):
    """A template's view of one thing: ready-made strings, under the names that it uses.

    Only templates read it, and a template stops at a name that its view lacks.
    """


Places = Mapping[str, PurePosixPath]
"""The files of the blocks of a package, by the dotted names of classes, namespace first."""


class Need(Struct, frozen=True):
    """Something that a block names and its file has to bring in."""

    name: str
    """The name, or the path of the header."""
    statement: str
    """What brings it in: `#include <tvm/ffi/string.h>`, `from .span import Span`."""


class InPlaceOutput(Struct, frozen=True):
    """The text that a backend emits for files of the user's."""

    pools: tuple[OutputFile, ...]
    """Files of blocks, which are formatted, and whose blocks then go to the user's files."""
    blocks: Mapping[str, PurePosixPath]
    """Dotted name of a class to the pool that has its block."""
    needs: Mapping[str, tuple[Need, ...]]
    """Dotted name of a class to the imports or includes that its file needs."""
    sidecar: tuple[OutputFile, ...]


Blocks = tuple[str, Mapping[str, tuple[Need, ...]]]
"""The text of a pool, and the needs of each of its blocks, by the dotted name of its class."""


def in_place_output(
    schema: Schema,
    language: Language,
    suffix: str,
    pool_of: Callable[[Namespace], Blocks],
    sidecar: Iterable[OutputFile],
) -> InPlaceOutput:
    """
    Return the texts that a backend emits for files of the user's.

    Parameters
    ----------
    suffix
        That of its files, by which formatters know them.
    pool_of
        Renders the blocks of a schema file.
    """
    pools: list[OutputFile] = []
    blocks: dict[str, PurePosixPath] = {}
    needs: dict[str, tuple[Need, ...]] = {}
    for space in schema.namespaces:
        # No file is ever written here.
        folder = PurePosixPath(BLOCKS_FOLDER, language, *space.name.split("."))
        path = folder / f"{space.file}{suffix}"
        text, found = pool_of(space)
        pools.append(OutputFile(path, language, text))
        blocks |= dict.fromkeys(found, path)
        needs |= found
    return InPlaceOutput(tuple(pools), blocks, needs, tuple(sidecar))


def path_between(here: tuple[str, ...], there: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return how many steps up and which steps down lead from one dotted path to another."""
    pairs = zip(here, there, strict=False)
    common = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return len(here) - common, there[common:]


def block_name(key: str) -> str:
    """Return the name of the block of a reference class or an enum, the same in all languages."""
    return key.rpartition(".")[2]


def reference_block(type_: Type) -> str:
    """Return the name of the block of a reference class in C++ and Rust."""
    return type_.options.ref_name or block_name(type_.key)


def reference_home(type_: Type) -> str:
    """Return the same with the namespace before it."""
    return f"{type_.namespace}.{reference_block(type_)}"


def source_folders(spaces: Iterable[Namespace]) -> str:
    """Return the folders of schema files, as the head of a generated file names them.

    A schema file in the project's root is named itself: its folder has no name.
    """
    return ", ".join(sorted({space.source.rpartition("/")[0] or space.source for space in spaces}))


def source_roots(schema: Schema) -> str:
    """Return the folders of all schema files, as the head of a file for the package names them."""
    return ", ".join(sorted({space.source.partition("/")[0] for space in schema.namespaces}))


def visit_doc(children: Iterable[Child]) -> str:
    """Say which of a node's fields a visitor's method visits."""
    return english.visits([one.field.name for one in children if "visit" in one.roles])


def mutate_doc(children: Iterable[Child]) -> str:
    """Say which of a node's fields a mutator's method mutates, and where it replaces variables."""
    names: dict[bool, list[str]] = {True: [], False: []}
    for one in children:
        names["visit" in one.roles].append(one.field.name)
    return english.mutates(names[True], names[False])


def python_value(default: Default, type_ref: TypeRef, spell: Callable[[str], str]) -> str:
    """Return a default other than a container in Python; `spell` names the class of an enum."""
    if type_ref.kind == "Optional" and default.value is not None:
        return python_value(default, type_ref.args[0], spell)
    if type_ref.kind == "enum" and type_ref.key is not None:
        return f"{spell(type_ref.key)}.{member_name(str(default.value), 'Python')}"
    if default.cast is not None:
        enum, _, member = default.cast.rpartition(".")
        return f"int({spell(enum)}.{member_name(member, 'Python')})"
    if type_ref.kind == "Bytes" and isinstance(default.value, str):
        return repr(default.value.encode("latin-1"))
    return repr(default.value)


_CODE_NAMES = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![\w:])(ffi|tschema)(?=::)""", re.DOTALL
)


def spell_in_full(code: str, ffi: str, tschema: str = "::tschema") -> str:
    """
    Spell the modules of tvm-ffi and tschema in full, for a file that may have no alias for them.

    Parameters
    ----------
    code
        C++ or Rust; comments and strings are left alone.
    ffi
        The replacement of `ffi`: `::tvm::ffi`.
    tschema
        The replacement of `tschema`.
    """
    full = {"ffi": ffi, "tschema": tschema}
    return _CODE_NAMES.sub(lambda match: full[match[1]] if match[1] else match[0], code)
