"""Projects with many types, for the benchmarks of the generator: ours, and the same for `flatc`.

Each type has documentation and six fields, two of them from a base: every tenth type is the base
of the nine that follow it.  Fifty types stand in a file, four files in a namespace.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["edit_one_class", "write_fbs", "write_project"]

PACKAGE = "many"
TYPES_IN_FILE = 50
FILES_IN_NAMESPACE = 4
FAMILY = 10

_CONFIG = f"""\
package = "{PACKAGE}"
schema = ["schema"]

[cpp]
include = "generated/cpp/include"
source = "generated/cpp/src"

[python]
dir = "generated/python"

[rust]
dir = "generated/rust"
"""

_IMPORTS = '''\
"""Nodes of one part of the package."""

from tschema import Object, declare, field, ty
'''

_CLASS = '''

@declare
class Kind{number}Node({base}):
    """
    The node that does the {number}th thing of the package.

    See Also
    --------
    Kind{number}

    Attributes
    ----------
{docs}
    """

    type_key = "{namespace}.Kind{number}"
{fields}
'''

_FIELDS = {
    "first": ("ty.int64_t", "long", "How many times the thing is done."),
    "second": ("ty.String", "string", "What it is called."),
    "third": ("ty.Array[ty.int64_t]", "[long]", "The values that it takes."),
    "fourth": ("ty.DataType", "string", "The type of what it returns."),
    "fifth": ("ty.float64", "double", "How much of it there is."),
    "sixth": ("ty.bool", "bool", "Whether it is done at all."),
}
"""Name to the types in our schema and in that of `flatc`, and the documentation."""
_INHERITED = ("first", "second")

_TABLE = """
/// The node that does the {number}th thing of the package.
table Kind{number} {{
{fields}
}}
"""


def write_project(root: Path, count: int) -> None:
    """Write a project of `count` types into a folder: C++, Python and Rust."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "tschema.toml").write_text(_CONFIG)
    for first in range(0, count, TYPES_IN_FILE):
        index = first // TYPES_IN_FILE
        space = f"part{index // FILES_IN_NAMESPACE}"
        path = root / "schema" / space / f"nodes{index}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        numbers = range(first, min(first + TYPES_IN_FILE, count))
        path.write_text(_IMPORTS + "".join(_declaration(number, space) for number in numbers))


def edit_one_class(root: Path, turn: int) -> None:
    """Change the type and the documentation of one field, to something new in every turn."""
    path = root / "schema" / "part0" / "nodes0.py"
    head, name, tail = path.read_text().partition("class Kind7Node(")
    doc = re.compile(r"How much of it .*")
    tail = doc.sub(f"How much of it there is, in turn {turn}.", tail, count=1)
    field = f"fifth: ty.{('float32', 'int32_t', 'float64')[turn % 3]}"
    path.write_text(head + name + re.sub(r"fifth: ty\.\w+", field, tail, count=1))


def write_fbs(path: Path, count: int) -> None:
    """Write a FlatBuffers schema of `count` tables with the same fields."""
    tables = (_table(number) for number in range(count))
    path.write_text(f"namespace {PACKAGE};\n" + "".join(tables))


def _declaration(number: int, space: str) -> str:
    head = number - number % FAMILY
    own = [name for name in _FIELDS if (name in _INHERITED) == (number == head)]
    return _CLASS.format(
        number=number,
        base="Object" if number == head else f"Kind{head}Node",
        namespace=f"{PACKAGE}.{space}",
        docs="\n".join(f"    {name}\n        {_FIELDS[name][2]}" for name in own),
        fields="\n".join(f"    {name}: {_FIELDS[name][0]}" for name in own),
    )


def _table(number: int) -> str:
    names = _FIELDS if number % FAMILY else _INHERITED
    fields = (f"  /// {_FIELDS[name][2]}\n  {name}: {_FIELDS[name][1]};" for name in names)
    return _TABLE.format(number=number, fields="\n".join(fields))
