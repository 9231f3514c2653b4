"""Classes of C++ that are laid out without clang-format look as it would have them."""

from __future__ import annotations

import random
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from tschema.backends import load_backend
from tschema.emit import format
from tschema.emit.cpp_classes import lay_out_class
from tschema.emit.format import format_texts
from tschema.emit.render import Renderer
from tschema.emit.units import take_apart
from tschema.pipeline import run as driver
from tschema.project.config import load_config

CONFIG = """\
package = "zoo"
schema = ["schema"]

[cpp]
include = "include"
source = "src"
"""
DEFAULTS = {
    "ty.int64_t": ["1", "-5"],
    "ty.String": ['"a, (b) : c"', '""', '"say {"', '"x; "'],
    "ty.bool": ["True"],
    "ty.float64": ["1.5"],
    "ty.Optional[ty.String]": ["None"],
}
TYPES = [
    *DEFAULTS,
    *("ty.DataType", "ty.Array[ty.int64_t]", "ty.Map[ty.String, ty.Array[ty.int64_t]]"),
    *("ty.Any", "ty.Object", "ty.Optional[ty.Object]", "ty.Union[ty.String, ty.int64_t]"),
]
OPTIONS = [
    *("mutable = True", "post_init = True", 'structural = "var"'),
    *("default_visit_attrs = False", "default_shash_reduce = False"),
]


def words(chance: random.Random, most: int) -> str:
    return " ".join(word(chance, 9) for _ in range(chance.randrange(1, most)))


def word(chance: random.Random, longest: int) -> str:
    return "".join(chance.choice("abcdefghij") for _ in range(chance.randrange(2, longest)))


def field(chance: random.Random, name: str) -> str:
    kind = chance.choice(TYPES)
    options = ['structural="ignore"'] if chance.random() < 0.1 else []
    if chance.random() < 0.2 and kind in DEFAULTS:
        options.append(f"default={chance.choice(DEFAULTS[kind])}")
    if chance.random() < 0.1:
        options.append("kw_only=True")
    return f"    {name}: {kind} = field({', '.join(options)})\n"


def declaration(chance: random.Random, number: int, bases: list[str]) -> str:
    name = f"{word(chance, chance.choice([6, 14, 30])).capitalize()}{number}"
    base = f"{chance.choice(bases)}Node" if bases and chance.random() < 0.6 else "Object"
    bases.append(name)
    count = chance.randrange(chance.choice([2, 4, 9]))
    names = [f"{word(chance, chance.choice([4, 9, 20]))}{number}_{own}" for own in range(count)]
    docs = [f"    {own}\n        {words(chance, chance.choice([4, 20]))}.\n" for own in names]
    lines = [
        f'\n\n@declare\nclass {name}Node({base}):\n    """\n    {words(chance, 20)}.\n\n',
        *(["    Attributes\n    ----------\n", *docs] if docs else []),
        f'    """\n\n    type_key = "zoo.{name}"\n    final = False\n',
        *(f"    {option}\n" for option in OPTIONS if chance.random() < 0.1),
        *(field(chance, own) for own in names),
    ]
    if chance.random() < 0.2:
        method = f"{word(chance, 12)}m{number}(self, {word(chance, 30)}p: int) -> str"
        lines.append(f'\n    @method\n    def {method}:\n        """{words(chance, 9)}."""\n')
    return "".join(lines)


@pytest.mark.parametrize("seed", range(3))
def test_classes_are_laid_out_as_the_formatter_does(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, bases = random.Random(seed), list[str]()
    text = '"""Nodes."""\n\nfrom tschema import Object, declare, field, method, ty\n'
    text += "".join(declaration(chance, number, bases) for number in range(120))
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "nodes.py").write_text(text)
    (tmp_path / "tschema.toml").write_text(CONFIG)
    config = load_config(tmp_path / "tschema.toml")
    schema, _ = driver.build_schema(config)
    header, *_ = load_backend("cpp")(schema, config.targets()["cpp"], Renderer())
    blocks = [unit for unit in take_apart(header.text, "//").units() if unit.startswith("// ")]
    ours = {
        PurePosixPath(f"{index}.h"): (block, laid_out)
        for index, block in enumerate(blocks)
        if (laid_out := lay_out_class(block)) is not None
    }
    assert len(ours) > len(blocks) / 3
    slow = [replace(one, lay_out=lambda _unit: None) for one in format._FORMATTERS]
    monkeypatch.setattr(format, "_FORMATTERS", tuple(slow))
    formatted = format_texts({path: block for path, (block, _) in ours.items()}, tmp_path)
    assert formatted == {path: laid_out for path, (_, laid_out) in ours.items()}


@pytest.mark.parametrize(
    "text",
    [
        "class A {\n};\n",
        "// tschema: A\nenum class A : int32_t {\n  kB = 0,\n};\n// tschema: end\n",
        "// tschema: A\nclass A {\n public:\n  /*! \\brief \u4e00. */\n};\n// tschema: end\n",
        f"// tschema: A\nclass A {{\n  int {'x' * 100};\n}};\n// tschema: end\n",
        '// tschema: A\nclass A {\n  A(String s = "a" "b") {}\n};\n// tschema: end\n',
        '// tschema: A\nclass A {\n  A(String s = "\\n") {}\n};\n// tschema: end\n',
        "// tschema: A\nclass A {\n  void F() {\n    if (a) b()\n    {\n  }\n};\n// tschema: end\n",
    ],
)
def test_what_only_the_formatter_can_tell_is_left_to_it(text: str) -> None:
    assert lay_out_class(text) is None
