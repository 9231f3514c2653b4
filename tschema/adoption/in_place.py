"""Generation in place: finds the user's files, and emits and fills in blocks.

In: a target of mode `in_place`, and the JSON IR.  Out: for `run.py` the outputs to format, and
then the user's files as they are to be.  It reads, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.adoption.authors_classes import (
    ancestors_of,
    is_authors,
    needs_of,
    parents_of_generated,
)
from tschema.adoption.block_checks import check_defined, check_modules, check_namespaces
from tschema.adoption.classes import (
    AdoptionRefused,
    check_adopted,
    definitions,
    headers_without_blocks,
    mark,
    read_hand_written,
)
from tschema.adoption.inplace import fill as inplace
from tschema.adoption.inplace.fill import BlockText
from tschema.adoption.inplace.include_lines import add_includes
from tschema.adoption.inplace.survey import MISSING, Declared, Survey, survey
from tschema.adoption.missing_lines import lacking_files, unmet_warnings
from tschema.backends import load_in_place
from tschema.backends.base import InPlaceOutput, Need, OutputFile, reference_home
from tschema.conflicts.conflicted_files import Reconciled, reconcile_files
from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.emit.render import Renderer
from tschema.ir.model import Schema
from tschema.ir.spelling import spelled
from tschema.output import files as output
from tschema.pipeline.request import Request
from tschema.project.config import Config, InPlaceTarget, Target
from tschema.project.cpp_sources import CPP_SUFFIXES
from tschema.regions.blocks import scan
from tschema.regions.merge import Merge

_SUFFIXES = {
    "cpp": CPP_SUFFIXES,
    "python": (".py",),
    "rust": (".rs",),
}
"""Files that may have blocks; in C++ the sidecar includes those that are headers."""


class Placed(Struct, frozen=True):
    """A language whose blocks are emitted, but not filled in yet."""

    language: str
    survey: Survey
    output: InPlaceOutput
    standing: Mapping[PurePosixPath, bytes]
    """The files of the user's as they are."""
    reconciled: Reconciled
    """The user's files that a merge of git left with conflicts in blocks."""
    by_hand: frozenset[str]
    """Dotted names of blocks to which nothing is added but fields."""
    left: Mapping[str, Diagnostic]
    """By dotted name, why a class is not adopted."""
    ancestors: Mapping[str, tuple[str, ...]]
    """By dotted name of a data class that generated code registers, those of its ancestors."""

    def emitted(self) -> tuple[OutputFile, ...]:
        """Return the files to format."""
        return (*self.output.pools, *self.output.sidecar)


class Source(Struct, frozen=True, dict=True):
    """A target that is written in place, with its files of the user."""

    language: str
    target: InPlaceTarget
    config: Config
    schema: Schema
    """The JSON IR, as the language spells it."""
    texts: Mapping[PurePosixPath, bytes] = {}
    """Bytes of files that count instead of those on disk."""

    @cached_property
    def standing(self) -> dict[PurePosixPath, bytes]:
        """The files that may have blocks, as they are."""
        root = self.config.root
        read = output.read_outputs(root, find_files(root, self.language, self.target))
        return read | {path: data for path, data in self.texts.items() if path in read}

    @cached_property
    def others(self) -> dict[PurePosixPath, bytes]:
        """The author's C++ files in which no blocks are looked for."""
        written = read_hand_written(self.config, self.target)
        return {path: data for path, data in written.items() if path not in self.standing}

    @cached_property
    def declared(self) -> dict[str, Declared]:
        """The declarations with a block, by dotted name."""
        return _declared(self.schema, self.language)

    def reconciled(self) -> Reconciled:
        """Return the files that a merge of git left with conflicts in blocks."""
        names = {name.rpartition(".")[2] for name in self.declared}
        return reconcile_files(
            self.standing,
            self.config.root,
            _renamed_blocks(self.declared),
            lambda _path, name: name.rpartition(".")[2] in names,
            are_owned=False,
        )


def place_blocks(schema: Schema, request: Request, renderer: Renderer) -> list[Placed]:
    """Find and emit the blocks of the targets that are written in place."""
    return [
        place(one, renderer, adopt=request.adopt, left=request.left)
        for one in _sources(schema, request.config, request.targets())
    ]


def _sources(
    schema: Schema,
    config: Config,
    targets: Mapping[str, Target],
    texts: Mapping[PurePosixPath, bytes] | None = None,
) -> Iterator[Source]:
    for language, target in targets.items():
        if isinstance(target, InPlaceTarget):
            yield Source(language, target, config, spelled(schema, language), texts or {})


def place(
    source: Source, renderer: Renderer, *, adopt: bool, left: Mapping[str, Diagnostic]
) -> Placed:
    """
    Find the blocks of a language, and emit their text.

    Parameters
    ----------
    adopt
        Whether classes of C++ without a block get one around them.
    left
        By dotted name, why a class is known to stay by hand.

    Raises
    ------
    SchemaError
        The user's files have wrong markers, or not the blocks that the schema wants.
    OutputError
        A file cannot be read.
    """
    schema, language, target = source.schema, source.language, source.target
    reconciled = source.reconciled()
    files = {**source.standing, **reconciled.files}
    by_hand: frozenset[str] = frozenset()
    ancestors: Mapping[str, tuple[str, ...]] = {}
    if language == "cpp":
        if adopt:
            marked = mark(files, source.others, schema, left)
            files, left = {**marked.files}, {**left, **marked.left}
        found = _survey_cpp(source, files, left)
        by_hand = frozenset(_blocks_by_hand(schema, found, adopt))
        ancestors = ancestors_of(schema)
    else:
        found = survey(files, source.declared)
        check_modules(found, target)
    emitted = load_in_place(language)(schema, target, renderer, found.places())
    return Placed(language, found, emitted, source.standing, reconciled, by_hand, left, ancestors)


def _survey_cpp(
    source: Source, files: Mapping[PurePosixPath, bytes], left: Mapping[str, Diagnostic]
) -> Survey:
    """Find the blocks of classes, and the headers of those that stay by hand."""
    schema, namespaces = source.schema, definitions(source.schema)
    try:
        found = survey(files, source.declared, namespaces)
    except SchemaError as error:
        if all(one.code == MISSING for one in error.diagnostics):
            check_adopted(files, lambda: source.others, schema, left)
        raise
    check_namespaces(found, namespaces)
    found.defined = headers_without_blocks(files, schema, found.homes)
    check_defined(schema, found, lambda: source.others)
    return found


def find_files(root: Path, language: str, target: InPlaceTarget) -> list[PurePosixPath]:
    """Return the user's files that may have blocks, each once, with links resolved."""
    found: dict[Path, PurePosixPath] = {}
    for pattern in target.files:
        for path in sorted(root.glob(pattern)):
            relative = PurePosixPath(path.relative_to(root).as_posix())
            is_ours = relative.is_relative_to(target.sidecar)
            if path.suffix in _SUFFIXES[language] and not is_ours and path.is_file():
                found.setdefault(path.resolve(), relative)
    return sorted(found.values())


def fill(
    placed: Placed, pools: Mapping[PurePosixPath, bytes], *, adopt: bool
) -> tuple[Merge, tuple[Diagnostic, ...]]:
    """
    Fill the blocks of a language in.

    Parameters
    ----------
    pools
        The pools, formatted and sealed.
    adopt
        Whether lines added to generated text go to the custom regions.

    Returns
    -------
    result
        The user's files, and what writing them would cost.
    warnings
        The lines that the files lack.

    Raises
    ------
    SchemaError
        A hand edit cannot be adopted.
    """
    files = {path: scan(str(path), pools[path]) for path in set(placed.output.blocks.values())}
    texts = {}
    parents = parents_of_generated(placed.survey, placed.ancestors, adopt=adopt)
    for name in placed.survey.homes:
        pool = files[placed.output.blocks[name]]
        block = pool.blocks[name.rpartition(".")[2]]
        texts[name] = BlockText.of(
            pool,
            block,
            is_by_hand=name in placed.by_hand,
            has_generated_children=name in parents,
        )
    found = placed.survey
    if adopt:
        refused: dict[str, Diagnostic] = {}
        found = inplace.adopt(found, texts, refused)
        if refused:
            raise AdoptionRefused(refused)
    merge = inplace.fill(found, texts)
    needs = _needs(placed, merge.files)
    if adopt:
        for path, _, missing in lacking_files(placed.survey, needs, merge.files):
            if path.suffix in CPP_SUFFIXES:
                lines = [need.statement for need in missing]
                merge.files[path] = add_includes(merge.files[path], lines)
    return merge, tuple(unmet_warnings(placed.survey, needs, merge.files))


def _needs(placed: Placed, files: Mapping[PurePosixPath, bytes]) -> dict[str, tuple[Need, ...]]:
    """Return the needs of each block; a class written and registered by hand has none."""

    def is_written(name: str) -> bool:
        path, marker = placed.survey.homes.get(name, (None, ""))
        block = files.get(path, b"").partition(f"// tschema: {marker}".encode())[2] if path else b""
        return b"::tschema::" not in block.partition(b"// tschema: end")[0]

    needs = {
        name: needs
        for name, needs in placed.output.needs.items()
        if name not in placed.by_hand or not is_written(name)
    }
    return needs_of(placed.survey, placed.ancestors, needs, files)


def missing_lines(
    config: Config, schema: Schema, texts: Mapping[PurePosixPath, bytes]
) -> Iterator[Diagnostic]:
    """Yield what files that are written in place do not bring in.

    Parameters
    ----------
    texts
        Bytes of files that count instead of those on disk.

    Raises
    ------
    SchemaError
        The files have wrong markers, or not the blocks that the schema wants.
    """
    renderer = Renderer()
    for source in _sources(schema, config, config.targets(), texts):
        placed = place(source, renderer, adopt=False, left={})
        files = {path: file.joined() for path, file in placed.survey.files.items()}
        yield from unmet_warnings(placed.survey, _needs(placed, files), files)


def _declared(schema: Schema, language: str) -> dict[str, Declared]:
    """Return the declarations with a block in a language, by dotted name."""
    declared: dict[str, Declared] = {}
    for space in schema.namespaces:
        for type_ in space.types:
            if language == "cpp" and type_.options.extern is not None:
                continue
            before = type_.options.renamed_from
            short = before.removesuffix("Node") if before else None
            if language != "python":
                is_optional = language == "cpp" and type_.is_by_hand
                declared[f"{space.name}.{type_.name}"] = Declared(before, is_optional)
            if language != "cpp" or type_.options.ref is not None:
                name = type_.key if language == "python" else reference_home(type_)
                declared[name] = Declared(short, is_optional=language != "python")
        # An enum may stay as its author has it: its name is all that others need.
        declared |= {enum.key: Declared(is_optional=language == "cpp") for enum in space.enums}
    return declared


def _blocks_by_hand(schema: Schema, found: Survey, adopt: bool) -> Iterator[str]:
    """Yield the blocks, by dotted name, to which nothing is added: of classes by hand.

    What nothing registers is by hand where its author wrote it.
    """
    for type_ in schema.types():
        name = f"{type_.namespace}.{type_.name}"
        is_unregistered = not type_.options.register and name in found.homes
        if type_.is_by_hand or (is_unregistered and is_authors(found, name, adopt=adopt)):
            yield name
            yield reference_home(type_)


def _renamed_blocks(declared: Mapping[str, Declared]) -> dict[str, str]:
    """Return the new names of blocks with their old ones."""
    return {
        name.rpartition(".")[2]: one.renamed_from
        for name, one in declared.items()
        if one.renamed_from
    }
