"""`uir compile`: from a program or a model to a library."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from ..driver import build, default_pipeline, lower, with_sizes
from ..runtime import Module, export_library, needed_versions
from ..runtime.units import time_text
from ..transform import Explorer, PassStatistics
from .json_output import add_json, print_json
from .passes import add_passes, chosen_passes, load_packages, pass_context
from .program_facts import program_facts
from .programs import FILES, add_program, read_program, several_sizes, write_text
from .progress import PassBar
from .summary import summary
from .table import rows_text, size_text

__all__ = ["Compiled", "add_c_file", "add_compile", "add_target", "compile_program", "target_of"]


class Compiled(NamedTuple):
    """A compiled program, its times of compilation, and counts of its quantized products."""

    source: IRModule
    lowered: IRModule
    library: Module
    times: dict[str, float]
    quantized: dict[str, int]


def add_compile(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "compile",
        help="compile a program or a model into a library",
        description="Compile a program or a model into a library, and print a summary.",
    )
    parser.add_argument("program", type=Path, help=FILES)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="the library: a file .so, .o or .tar"
    )
    add_target(parser)
    add_c_file(parser)
    add_passes(parser)
    add_program(
        parser,
        "the size of a symbolic dimension of a model; several sizes add code for each of them, "
        "beside code for any size",
        several=True,
    )
    add_json(parser)
    parser.set_defaults(run=run, has_random_inputs=False)


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say how a program is compiled."""
    parser.add_argument(
        "--arch",
        help="the processor, such as x86-64-v3 or aarch64; by default that of this machine",
    )
    parser.add_argument(
        "--checks",
        choices=["bounds"],
        help="check the index of each access of a buffer at run time",
    )
    parser.add_argument(
        "--division",
        choices=("checked", "numpy"),
        help="an integer divided by 0 is an error (checked, the default) or 0, as in NumPy (numpy)",
    )
    parser.add_argument(
        "--glibc",
        metavar="VERSION",
        help="the oldest glibc that the library shall work with, such as 2.17",
    )
    parser.add_argument(
        "--tuned",
        type=Path,
        metavar="FILE.json",
        help="the choices for kernels that `uir tune` wrote, or rows of parameters",
    )
    parser.add_argument(
        "--explorer",
        type=Path,
        metavar="FILE.html",
        help="write a page that steps through the passes",
    )


def add_c_file(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a file for the emitted C."""
    parser.add_argument("--emit-c", type=Path, metavar="FILE.c", help="write the emitted C too")


def target_of(options: argparse.Namespace) -> Target:
    """Return the machine that the arguments of `add_target` describe."""
    return Target(
        "c",
        options.arch or "native",
        options.checks or "",
        division=options.division or "checked",
        glibc=options.glibc or "",
    )


def run(options: argparse.Namespace) -> None:
    """Compile a program, write the library, and print the summary."""
    if options.output.suffix not in (".so", ".o", ".tar"):
        raise ValueError(f"`{options.output}`: expected a file .so, .o or .tar")
    compiled = compile_program(options.program, options)
    start = time.perf_counter()
    export_library(compiled.library, options.output)
    compiled.times["write"] = time.perf_counter() - start
    needed = needed_versions(options.output)
    facts = program_facts(compiled.source, compiled.lowered)
    if options.json:
        size = options.output.stat().st_size
        library = {"output": str(options.output), "output_bytes": size, "needs": list(needed)}
        quantized = {"quantized_products": compiled.quantized}
        print_json({**facts.to_json(), **quantized, **library, **json_times(compiled.times)})
        return
    rows = [
        *summary(facts, several_sizes(options)),
        *(("quantized products", f"{count} {name}") for name, count in compiled.quantized.items()),
        ("library", f"{options.output}, {file_size(options.output)}"),
        *([("needs", versions_text(needed))] if needed else []),
        ("time", times_text(compiled.times)),
    ]
    print(rows_text(rows))


def compile_program(path: Path, options: argparse.Namespace) -> Compiled:
    """Return a file's program, compiled; a bar shows the progress."""
    load_packages(options.load)
    target = target_of(options)
    passes = chosen_passes(options, target)
    if passes is None:
        passes = default_pipeline(target)
    sizes = several_sizes(options)
    if sizes:
        passes = with_sizes(passes, sizes)
    bar = PassBar(len(passes) + 2)
    times: dict[str, float] = {}
    with ExitStack() as stack:
        stack.callback(bar.clear)
        bar.show("read")
        start = time.perf_counter()
        source = read_program(path, options)
        times["read"] = time.perf_counter() - start
        statistics = PassStatistics()
        explorer = [Explorer(options.explorer)] if options.explorer else []
        instruments = [bar, statistics, *explorer]
        start = time.perf_counter()
        with pass_context(options, passes, instruments):
            lowered = lower(source, target, passes, options.tuned)
        times["passes"] = time.perf_counter() - start
        bar.show("C compiler")
        start = time.perf_counter()
        library = build(lowered, target, pipeline=[])
        times["C compiler"] = time.perf_counter() - start
    if options.emit_c:
        write_text(options.emit_c, str(library.inspect_source()))
    return Compiled(source, lowered, library, times, quantized_products(statistics))


def quantized_products(statistics: PassStatistics) -> dict[str, int]:
    """Return the number of quantized products in 8 bits, and of those in float32 by reason."""
    counts, start = statistics.counts.get("FuseQuantize", {}), "quantized products "
    found = {name: number for name, number in counts.items() if name.startswith(start)}
    return {name.removeprefix(start): number for name, number in found.items()}


def versions_text(names: Sequence[str]) -> str:
    """Return versions of symbols, the newest of each library: `glibc 2.34, GLIBCXX_3.4.21`."""
    newest: dict[str, tuple[int, ...]] = {}
    for name in names:
        family, _, version = name.rpartition("_")
        parts = version.split(".")
        numbers = tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()
        key = family if numbers else name
        newest[key] = max(newest.get(key, ()), numbers)
    texts = {key: ".".join(map(str, numbers)) for key, numbers in newest.items()}
    shown = [f"{key}_{text}" if text else key for key, text in texts.items() if key != "GLIBC"]
    return ", ".join([*([f"glibc {texts['GLIBC']} or newer"] if "GLIBC" in texts else []), *shown])


def file_size(path: Path) -> str:
    """Return the size of a file as text with a unit."""
    return size_text(path.stat().st_size)


def times_text(times: dict[str, float]) -> str:
    """Return the sum of times in seconds, then each with its name, as text in one unit."""
    total = sum(times.values())
    parts = ", ".join(f"{name} {time_text(seconds, total)}" for name, seconds in times.items())
    return f"{time_text(total)} ({parts})"


def json_times(times: dict[str, float]) -> dict[str, float]:
    """Return times in seconds as fields of JSON, such as `passes_seconds`."""
    return {f"{name.lower().replace(' ', '_')}_seconds": time for name, time in times.items()}
