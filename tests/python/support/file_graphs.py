"""Which file names which, in three languages: C++ includes, Rust paths, Python imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from .project import ROOT

__all__ = ["Graph", "cpp_graph", "cycles", "python_graph", "rust_graph", "rust_paths"]

# For each file the files that it names, with the first line that does.
Graph = Mapping[Path, Mapping[Path, int]]


def cycles(graph: Mapping[Path, Iterable[Path]]) -> list[list[Path]]:
    """Return the strongly connected components of several files (Tarjan, 1972)."""
    order: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[Path]] = []

    def visit(node: Path) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in graph.get(node, ()):
            if target not in order:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == order[node]:
            component = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(component) > 1:
                found.append(sorted(component))

    for node in graph:
        if node not in order:
            visit(node)
    return found


def files(roots: Iterable[str], *suffixes: str) -> list[Path]:
    """Return the files below some folders of the repository."""
    found = (path for root in roots for path in (ROOT / root).rglob("*"))
    return sorted(path for path in found if path.suffix in suffixes)


def first_lines(targets: Iterable[tuple[int, Path | None]], own: Path) -> dict[Path, int]:
    """Return each target but the file itself with its first line."""
    lines: dict[Path, int] = {}
    for line, target in targets:
        if target is not None and target != own:
            lines.setdefault(target, line)
    return lines


# C++

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
INCLUDE_ROOTS = ("cpp/include", "generated/cpp/include", "cpp/src")


@cache
def cpp_graph() -> Graph:
    """Return which of our C++ files includes which."""
    known = set(files(["cpp", "generated/cpp"], ".h", ".cc"))

    def resolve(path: Path, match: re.Match[str]) -> Path | None:
        roots = [path.parent] if match[1] == '"' else []
        candidates = ((root / match[2]).resolve() for root in [*roots, *bases])
        return next((target for target in candidates if target in known), None)

    bases = [ROOT / root for root in INCLUDE_ROOTS]
    graph = {}
    for path in known:
        text = path.read_text()
        found = INCLUDE.finditer(text)
        targets = ((text.count("\n", 0, hit.start()) + 1, resolve(path, hit)) for hit in found)
        graph[path] = first_lines(targets, path)
    return graph


# Rust

RUST_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', re.DOTALL)
RUST_PATH = re.compile(r"(?<![\w:])(crate|super)((?:::\w+)*)(::\{)?")
RUST_ITEM = r"\b(?:pub|struct|enum|union|trait|fn|type|const|static|macro_rules!)\s+%s\b"


@cache
def rust_graph(*roots: str) -> Graph:
    """Return which files of a crate name which.

    Parameters
    ----------
    roots
        The folders that hold its modules; a facade (`lib.rs`, `mod.rs`) only re-exports, and names
        that are read through it count as those of the file that defines them.
    """
    modules = {}
    for root in roots:
        for path in files([root], ".rs"):
            parts = path.relative_to(ROOT / root).with_suffix("").parts
            modules[path] = parts[:-1] if parts[-1] in ("lib", "mod") else parts
    texts = {path: without_noise(path.read_text()) for path in modules}
    facades = {path for path in modules if path.stem in ("lib", "mod")}

    def resolve(path: list[str]) -> Path | None:
        for length in range(len(path), -1, -1):
            here = [file for file, module in modules.items() if list(module) == path[:length]]
            if here and here[0] not in facades:
                return here[0]
            if here and length < len(path):
                below = [file for file in modules if list(modules[file][:length]) == path[:length]]
                item = re.compile(RUST_ITEM % path[length])
                return next((f for f in below if f not in facades and item.search(texts[f])), None)
        return None

    graph = {}
    for path in modules.keys() - facades:
        found = rust_paths(modules[path], texts[path])
        graph[path] = first_lines(((line, resolve(target)) for line, target in found), path)
    return graph


def without_noise(text: str) -> str:
    """Return Rust with blanks in the place of comments and strings."""
    return RUST_NOISE.sub(lambda noise: re.sub(r"[^\n]", " ", noise[0]), text)


def rust_paths(module: tuple[str, ...], text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the full path of all that Rust names in its own crate."""
    for match in RUST_PATH.finditer(text):
        names = match[2].split("::")[1:]
        base = [] if match[1] == "crate" else list(module[:-1])
        while names[:1] == ["super"]:
            base, names = base[:-1], names[1:]
        line = text.count("\n", 0, match.start()) + 1
        heads = group_heads(text, match.end()) if match[3] else [[]]
        yield from ((line, [*base, *names, *head]) for head in heads)


def group_heads(text: str, start: int) -> list[list[str]]:
    """Return the paths of a `{...}` group that opens before `start`, without nested groups."""
    depth, end = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    flat = text[start : end - 1]
    while "{" in flat:
        flat = re.sub(r"\{[^{}]*\}", "", flat)
    return [head.split("::") for head in re.findall(r"(?:^|,)\s*(\w+(?:::\w+)*)", flat)]


# Python


@cache
def python_graph(*packages: str) -> Graph:
    """Return which modules of some packages import which, other than for annotations alone."""
    modules = {}
    for package in packages:
        for path in files([package], ".py"):
            name = path.relative_to((ROOT / package).parent).with_suffix("").parts
            modules[".".join(name).removesuffix(".__init__")] = path

    def resolve(name: str) -> Path | None:
        while name and name not in modules:
            name = name.rpartition(".")[0]
        return modules.get(name)

    graph = {}
    for name, path in modules.items():
        parents = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        found = imported(parents, ast.parse(path.read_text()))
        graph[path] = first_lines(((line, resolve(target)) for line, target in found), path)
    return graph


def imported(package: list[str], tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of all that a module imports when it runs."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        else:
            yield from imported(package, node)
