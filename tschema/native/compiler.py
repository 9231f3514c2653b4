"""The C++ compiler of the system.

In: sources.  Out: objects and a library, or the errors of the compiler.  It knows nothing of
schemas.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from tschema.platforms import closed_link_args, own_folder_args
from tschema.project.cxx_toolchain import cxx_args, link_args


class MissingCompilerError(Exception):
    """There is no compiler; the message says how to get one."""


class CompileError(Exception):
    """The compiler or the linker refused.

    Attributes
    ----------
    sources
        The files that it refused; none if it was the linker.
    text
        The output of the compiler or linker.
    """

    def __init__(self, sources: Sequence[Path], text: str) -> None:
        super().__init__(text)
        self.sources = tuple(sources)
        self.text = text


class Compiler(Struct, frozen=True):
    """How C++ is compiled and linked."""

    program: tuple[str, ...]
    compile_flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    report: Callable[[str], None]
    """Told of each command before it runs; from several threads."""

    @staticmethod
    def from_environment(report: Callable[[str], None]) -> Compiler:
        """Return what `CXX`, `CXXFLAGS` and `LDFLAGS` say, `g++` where they say nothing.

        Parameters
        ----------
        report
            Told of each command.

        Raises
        ------
        FileNotFoundError
            If the headers or the libraries of tschema or tvm-ffi are missing.
        """
        flags = shlex.split(os.environ.get("CXXFLAGS", ""))
        return Compiler(
            tuple(shlex.split(os.environ.get("CXX", "")) or ["g++"]),
            (*cxx_args(), "-O2", "-DNDEBUG", "-fPIC", *flags),
            (*link_args(), *own_folder_args(), *shlex.split(os.environ.get("LDFLAGS", ""))),
            report,
        )

    def compile(
        self, sources: Sequence[Path], objects: Path, folders: Iterable[Path], jobs: int
    ) -> list[Path]:
        """Compile sources into objects.

        Parameters
        ----------
        objects
            An existing folder for the objects.
        jobs
            How many to compile at a time.

        Raises
        ------
        CompileError
            Some were refused; each of them is in it.
        MissingCompilerError
            There is no compiler.
        """
        includes = [f"-I{folder}" for folder in folders]
        # Paths of a temporary folder in error messages would make each build differ.
        prefix = f"-ffile-prefix-map={objects.parent}/="
        made = [objects / f"{at}_{source.stem}.o" for at, source in enumerate(sources)]

        def compile_one(source: Path, made: Path) -> subprocess.CompletedProcess[str]:
            command = [*self.compile_flags, prefix, *includes, "-c", str(source), "-o", str(made)]
            return self._run(command)

        with ThreadPoolExecutor(jobs) as pool:
            results = list(pool.map(compile_one, sources, made))
        refused = [source for source, one in zip(sources, results, strict=True) if one.returncode]
        if refused:
            raise CompileError(refused, "".join(one.stderr for one in results if one.returncode))
        return made

    def link(self, objects: Sequence[Path], library: Path) -> None:
        """Link objects into a shared library in which nothing is left undefined.

        Raises
        ------
        CompileError
            The linker refused.
        """
        name = closed_link_args(library.name)
        command = ["-shared", *map(str, objects), "-o", str(library), *name, *self.link_flags]
        result = self._run(command)
        if result.returncode:
            raise CompileError((), result.stderr)

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        command = [*self.program, *arguments]
        self.report(shlex.join(command))
        environment = {**os.environ, "LC_ALL": "C"}  # Messages are read.
        try:
            return subprocess.run(
                command, capture_output=True, text=True, errors="replace", env=environment
            )
        except FileNotFoundError as error:
            raise MissingCompilerError(
                f"no C++ compiler `{self.program[0]}`: install one, or name one in CXX"
            ) from error
