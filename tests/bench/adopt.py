"""What `tschema import` makes of TVM: of its registry, from `pip install` to code, and its headers.

Prints a JSON line for each figure, then summaries: `types` that are registered, `declared` and
`described` ones, `exact` layouts, `seconds` of the import by the clock and by the processor, with
`import tvm` in them, `lines` of schema against those of the C++ that is emitted for it, and each
`reason` why others are not declared.  Layouts are compared here too, with the offsets and sizes
that a process of TVM tells (`with_size`), and not by the command alone.  Then the classes of
`headers` and sources, and whether `both` agree, headers and the registry of their library.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from peer_headers import PeerHeaders, peer_headers
from peer_tvm import peer_python

from tschema.importer.combine import combine
from tschema.importer.headers import read_headers
from tschema.importer.records import Found
from tschema.importer.registry import Registry, ask_registry, read_registry

SOURCES = ("tvm_ffi", "tvm")
CPP = '\n[cpp]\ninclude = "generated/include"\nsource = "generated/src"\n'
HEAD = re.compile(
    r"(\d+) declared, (\d+) described, (?:(\d+) opaque, )?(\d+) not; (\d+) layouts exact"
)


def run(folder: Path, *arguments: str) -> str:
    """Run the command in a folder; return what it prints."""
    command = [sys.executable, "-m", "tschema", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def exact(registry: Registry, folder: Path) -> set[str]:
    """Return the keys of types whose layouts in the JSON IR are those of the registry."""
    document = json.loads((folder / "generated" / "schema.json").read_text())
    declared = {one["key"]: one for space in document["namespaces"] for one in space["types"]}
    found = {one.key: one for one in registry.types}
    return {
        key for key, one in declared.items() if agrees(one, found[key].size, fields(found[key]))
    }


def fields(probed: Any) -> dict[str, tuple[int, int]]:
    """Return offset and size of each registered field."""
    return {field.name: (field.offset, field.size) for field in probed.fields}


def agrees(declared: dict[str, Any], size: int, places: dict[str, tuple[int, int]]) -> bool:
    """Return whether a declared type has the size and the fields of a registered one."""
    own = {field["name"]: (field["offset"], field["size"]) for field in declared.get("fields", ())}
    return size != 0 and declared["layout"]["size"] == size and own == places


def reasons(report: str) -> Iterator[tuple[str, int]]:
    """Yield why classes are opaque, most frequent first."""
    part = report.partition("\nopaque: ")[2].partition("\n")[2].partition("\n\n")[0]
    texts = [line.partition(": ")[2].partition(";")[0] for line in part.splitlines()]
    general = (re.sub(r"`[^`]+`", "...", re.sub(r"\d+", "n", text)) for text in texts)
    yield from Counter(general).most_common()


def lines_of(folder: Path, *suffixes: str) -> int:
    """Return the number of lines of the files in a folder."""
    paths = (path for path in folder.rglob("*") if path.suffix in suffixes)
    return sum(len(path.read_text().splitlines()) for path in paths)


def show(name: str, **values: object) -> None:
    """Print a figure as a JSON line."""
    print(json.dumps({"name": name, **values}), flush=True)


def main() -> None:
    """Print the figures."""
    show_registry()
    show_headers()


def show_headers() -> None:
    """Print what the importer reads in the C++ of a compiler, and whether its library agrees."""
    peer = peer_headers()
    start = time.process_time()
    found = read_headers(peer.headers)
    seconds = time.process_time() - start
    fields = [field for one in found.classes for field in one.fields]
    registered = sum(field.registered for field in fields)
    sized = sum(one.size is not None for one in found.classes)
    show("headers", classes=len(found.classes), fields=len(fields), registered=registered)
    show("headers_laid_out", value=sized, processor=round(seconds, 2))
    n_agreed, n_compared = show_both(peer, found)
    print(
        f"{len(found.classes)} classes of headers in {seconds:.1f} s; "
        f"{n_agreed} of {n_compared} agree with the registry"
    )


def show_both(peer: PeerHeaders, found: Found) -> tuple[int, int]:
    """Print how headers and registry agree; return how many classes do, and how many both have."""
    os.environ["LD_LIBRARY_PATH"] = peer.search_path
    registry = read_registry(ask_registry([str(peer.library)], str(peer.python)), "registry")
    merged, differences = combine(registry, found)
    told = Counter(one.fact for one in differences)
    common = {one.key for one in registry.classes} & {one.key for one in found.classes}
    differing = {one.key for one in differences if one.fact != "class"}
    show("both", classes=len(common), merged=len(merged.classes), differing=len(differing))
    for fact, count in told.most_common():
        show("difference", fact=fact, count=count)
    return len(common - differing), len(common)


def show_registry() -> None:
    """Print what the importer makes of TVM's registry."""
    python = str(peer_python())
    registry = ask_registry(SOURCES, python)
    names = [argument for source in SOURCES for argument in ("--registry", source)]
    with tempfile.TemporaryDirectory(prefix="tschema-adopt-") as name:
        folder = Path(name)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        report = run(folder, "import", *names, "--python", python, "--verbose")
        clock = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with (folder / "tschema.toml").open("a") as config:
            config.write(CPP)
        run(folder, "gen")
        same = exact(registry, folder)
        schema = lines_of(folder / "schema", ".py")
        cpp = lines_of(folder / "generated", ".h", ".cc")
    head = HEAD.search(report)
    assert head is not None, report
    n_fields = sum(len(one.fields) for one in registry.types)
    show("types", registered=len(registry.types), fields=n_fields)
    show("declared", value=int(head[1]), described=int(head[2]), opaque=int(head[3] or 0))
    show("exact", value=int(head[5]), with_size=len(same), of=len(registry.types))
    show("seconds", clock=round(clock, 2), processor=round(processor, 2))
    show("lines", schema=schema, cpp=cpp, ratio=round(cpp / schema, 1))
    for reason, count in reasons(report):
        show("reason", text=reason, count=count)
    print(
        f"{head[5]} of {len(registry.types)} layouts exact in {clock:.1f} s; "
        f"{schema} lines of schema stand for {cpp} lines of C++"
    )


if __name__ == "__main__":
    main()
