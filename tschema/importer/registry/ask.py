"""The question to an environment which types its packages and libraries register.

In: an interpreter, and names of packages or paths of libraries.  Out: the decoded output of the
probe.  It starts one process and knows nothing about the meaning of a type.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tschema.diagnostics.errors import SchemaError, schema_error

_PROBE = Path(__file__).with_name("probe.py")


class ProbedDefault(Struct, frozen=True):
    """A default: a literal, a factory, or the name of another type."""

    literal: bool | int | float | str | UnsetType | None = UNSET
    factory: Literal["list", "dict"] | None = None
    type: str | None = None


class ProbedField(Struct, frozen=True):
    """A registered field."""

    name: str
    doc: str
    metadata: str
    """JSON."""
    flags: frozenset[str]
    size: int
    """Bytes."""
    align: int
    """Bytes."""
    offset: int
    """Bytes from the start of the object, header included."""
    default: ProbedDefault | None = None


class ProbedMethod(Struct, frozen=True):
    """A registered method."""

    name: str
    doc: str
    metadata: str
    """JSON."""
    flags: frozenset[str]


class ProbedType(Struct, frozen=True):
    """A registered type."""

    key: str
    index: int
    parent: str | None
    """None for values that are not objects."""
    own: bool
    """Whether the sources registered it, rather than tvm-ffi itself."""
    registered: bool
    """Whether it has metadata, which an `ObjectDef` adds."""
    doc: str
    size: int
    """Bytes; 0 if not told."""
    child_slots: int | None
    structural: Literal["tree", "dag", "var", "const_tree", "unique"] | None
    creator: bool
    fields: tuple[ProbedField, ...]
    methods: tuple[ProbedMethod, ...]
    hooks: Mapping[str, str] = {}
    """The attributes of the type, such as `__s_equal__`: plain values; of others, their kind."""


class Registry(Struct, frozen=True):
    """All types of a process."""

    tvm_ffi: str
    """The release of tvm-ffi."""
    types: tuple[ProbedType, ...]
    functions: tuple[str, ...] = ()
    """The names of the global functions that the sources registered."""
    signatures: Mapping[str, str] = {}
    """The types of those that tell them, by name."""


def ask_registry(sources: Sequence[str], python: str | None = None) -> Registry:
    """
    Return the types of a process that imports packages and loads libraries.

    Parameters
    ----------
    sources
        Names of packages, and paths of shared libraries.
    python
        The interpreter of their environment; the running one if None.

    Raises
    ------
    SchemaError
        The interpreter cannot be started, has no tvm-ffi or one whose tables are unknown, or a
        source cannot be loaded.
    """
    interpreter = python or sys.executable
    # The program comes by its text, so that its own folder is not on the path of modules.
    command = [interpreter, "-", *map(_absolute, sources)]
    try:
        done = subprocess.run(command, input=_PROBE.read_bytes(), capture_output=True, check=False)
    except OSError as error:
        reason = error.strerror or str(error)
        help = "name the interpreter of the environment with `--python`"
        raise _refusal(f"cannot run `{interpreter}`: {reason}", help) from error
    if done.returncode != 0:
        raise _failure(done, sources, interpreter)
    # Packages may print text before the document's line and, when they end, after it.
    documents = [line for line in done.stdout.splitlines() if line.startswith(b'{"tvm_ffi": ')]
    try:
        return msgspec.json.decode(documents[-1] if documents else b"", type=Registry)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _failure(done, sources, interpreter) from error


def _absolute(source: str) -> str:
    return str(Path(source).absolute()) if is_library(source) else source


def is_library(source: str) -> bool:
    """Return whether a source is the path of a library, and not the name of a package."""
    return "/" in source or Path(source).suffix in (".so", ".dylib", ".dll")


def _failure(
    done: subprocess.CompletedProcess[bytes], sources: Sequence[str], interpreter: str
) -> SchemaError:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = f"the process ended with status {done.returncode}"
    if done.returncode == 0:
        reason += " and did not list its types"
    elif lines:
        reason = lines[-1]
    names = ", ".join(f"`{source}`" for source in sources)
    help = f"see what `{interpreter} -c 'import tvm_ffi'` says, and then the same of the source"
    if "No module named" in reason:
        help = f"name the interpreter that has it with `--python`, which was `{interpreter}`"
    return _refusal(f"cannot read the registry of {names}: {reason}", help)


def _refusal(message: str, help: str) -> SchemaError:
    return schema_error("TS091", message, help=help)
