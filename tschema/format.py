"""Generated text in, the same text as the languages' formatters want it out.

One process for each language takes all its files, in a temporary folder; the processes run side by
side.  The settings are tschema's own: those of the user or the machine have no say, so that the
same schema gives the same bytes anywhere.  It knows no blocks and writes no output.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

__all__ = ["FormatError", "format_texts"]

CLANG_STYLE = (
    "{BasedOnStyle: Google, ColumnLimit: 100, DerivePointerAlignment: false, "
    "PointerAlignment: Left}"
)
RUFF_OPTIONS = ("--isolated", "--no-cache", "--line-length=100")
RUSTFMT_SETTINGS = 'edition = "2021"\nmax_width = 100\n'

_MODULE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;", re.MULTILINE)


class FormatError(Exception):
    """A formatter is missing, or refused generated text; its message says which and why."""


@dataclass(frozen=True)
class _Formatter:
    program: str
    suffixes: frozenset[str]
    arguments: Callable[[Path, list[PurePosixPath]], list[str]]
    """Given the temporary folder and the files in it."""
    origin: str
    """Where the program comes from."""


@dataclass(frozen=True)
class _Run:
    formatter: _Formatter
    folder: Path
    paths: list[PurePosixPath]
    process: subprocess.Popen[str]


def format_texts(texts: Mapping[PurePosixPath, str], root: Path) -> dict[PurePosixPath, str]:
    """
    Format generated files.

    Parameters
    ----------
    texts
        The text of each file, with empty custom regions; the suffix of the path tells the
        language, and a language without a formatter is left as it is.
    root
        The project's root, whose `rust-toolchain.toml` picks the rustfmt.

    Returns
    -------
    texts
        The formatted text of each file, in the same order.

    Raises
    ------
    FormatError
        A formatter is missing or failed.
    """
    formatted = dict(texts)
    with TemporaryDirectory(prefix="tschema-") as folder:
        runs = [
            _start(formatter, paths, texts, Path(folder, formatter.program), root)
            for formatter in _FORMATTERS
            if (paths := [path for path in texts if path.suffix in formatter.suffixes])
        ]
        faults = [fault for run in runs if (fault := _finish(run))]
        if faults:
            raise FormatError("\n".join(faults))
        for run in runs:
            for path in run.paths:
                formatted[path] = Path(run.folder, path).read_bytes().decode()
    return formatted


def _start(
    formatter: _Formatter,
    paths: list[PurePosixPath],
    texts: Mapping[PurePosixPath, str],
    folder: Path,
    root: Path,
) -> _Run:
    """Write the files of a language and start its formatter on them."""
    program = _find(formatter)
    folder.mkdir()
    for path in paths:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(texts[path].encode())
    process = subprocess.Popen(
        [program, *formatter.arguments(folder, paths)],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    return _Run(formatter, folder, paths, process)


def _finish(run: _Run) -> str | None:
    """Wait for a formatter; return what it complained about, or None."""
    output, _ = run.process.communicate()
    if run.process.returncode == 0:
        return None
    said = output.replace(f"{run.folder}/", "").strip()
    return f"{run.formatter.program} failed on generated text:\n{said}"


def _find(formatter: _Formatter) -> str:
    """Find a program: beside this Python first, so that its version is the pinned one."""
    folders = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    cargo = Path.home() / ".cargo" / "bin"
    for path in (*map(str, folders), None, str(cargo)):
        found = shutil.which(formatter.program, path=path)
        if found:
            return found
    raise FormatError(f"`{formatter.program}` is not found: {formatter.origin}")


def _clang_arguments(folder: Path, paths: list[PurePosixPath]) -> list[str]:
    listing = folder / "files.txt"
    listing.write_text("".join(f"{folder / path}\n" for path in paths), "utf-8")
    return ["-i", f"--style={CLANG_STYLE}", f"--files={listing}"]


def _ruff_arguments(folder: Path, _paths: list[PurePosixPath]) -> list[str]:
    return ["format", *RUFF_OPTIONS, "--target-version=py310", str(folder)]


def _rustfmt_arguments(folder: Path, paths: list[PurePosixPath]) -> list[str]:
    settings = folder / "rustfmt.toml"
    settings.write_text(RUSTFMT_SETTINGS, "utf-8")
    roots = sorted(set(paths) - _submodules(folder, paths))
    return ["--config-path", str(settings), *(str(folder / path) for path in roots)]


def _submodules(folder: Path, paths: list[PurePosixPath]) -> set[PurePosixPath]:
    """Return the files that rustfmt reaches from another one by itself, through `mod name;`."""
    reached: set[PurePosixPath] = set()
    for path in paths:
        home = path.parent if path.stem in ("mod", "lib", "main") else path.with_suffix("")
        for name in _MODULE.findall((folder / path).read_text("utf-8")):
            reached |= {home / f"{name}.rs", home / name / "mod.rs"}
    return reached


_FORMATTERS = (
    _Formatter(
        "clang-format",
        frozenset({".h", ".cc"}),
        _clang_arguments,
        "it comes with tschema's dependency `clang-format`",
    ),
    _Formatter(
        "ruff",
        frozenset({".py", ".pyi"}),
        _ruff_arguments,
        "it comes with tschema's dependency `ruff`",
    ),
    _Formatter(
        "rustfmt",
        frozenset({".rs"}),
        _rustfmt_arguments,
        "install Rust (https://rustup.rs), or leave Rust out with `--lang`",
    ),
)
