"""The configuration file: what it says, and how it is refused."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from tschema.diagnostics.errors import SchemaError
from tschema.project.config import (
    BreakingSettings,
    Config,
    CppTarget,
    DocsTarget,
    InPlaceTarget,
    PythonTarget,
    RustTarget,
    VerifySettings,
    find_config,
    load_config,
)

KEYS = {
    "": [
        name
        for name in Config.__struct_fields__
        if name not in ("root", "file") and not name.startswith("cpp_")
    ],
    "cpp": (*CppTarget.__struct_fields__, "namespaces", "tvm_ffi"),
    "python": PythonTarget.__struct_fields__,
    "rust": RustTarget.__struct_fields__,
    "in_place": InPlaceTarget.__struct_fields__,
    "docs": DocsTarget.__struct_fields__,
    "verify": VerifySettings.__struct_fields__,
    "breaking": BreakingSettings.__struct_fields__,
}
PAGE = Path(__file__).resolve().parents[4] / "docs" / "schema" / "configuration.md"

FULL = """\
package = "toy"
schema = ["schema", "more/extra.py"]
imports = ["uir"]
ir = "out/ir.json"

[cpp]
mode = "files"
include = "out/include"
source = "out/src"

[python]
dir = "out/python"
"""


def refuse(path: Path, text: str) -> str:
    path.write_text(text)
    with pytest.raises(SchemaError) as caught:
        load_config(path)
    return str(caught.value)


def test_every_key_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tschema.toml"
    path.write_text(FULL)
    config = load_config(path)
    assert config.root == tmp_path
    assert config.schema == (PurePosixPath("schema"), PurePosixPath("more/extra.py"))
    assert config.imports == ("uir",)
    assert config.ir == PurePosixPath("out/ir.json")
    assert config.cpp == CppTarget("files", PurePosixPath("out/include"), PurePosixPath("out/src"))
    assert config.targets() == {
        "cpp": config.cpp,
        "python": PythonTarget("files", PurePosixPath("out/python")),
    }


def test_a_table_of_pyproject_does_as_well(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text('[project]\nname = "x"\n[tool.tschema]\npackage = "toy"\nschema = ["s"]\n')
    assert load_config(path).package == "toy"
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text('[project]\nname = "y"\n')
    assert find_config(inner) == path


def test_unknown_keys_are_located_with_a_suggestion(tmp_path: Path) -> None:
    text = 'package = "toy"\nschema = ["s"]\nimprts = []\n\n[cpp]\ninclude = "i"\nsources = "s"\n'
    assert refuse(tmp_path / "tschema.toml", text) == (
        "tschema.toml:3:1: error[TS051]: unknown key `imprts`\n"
        "    3 | imprts = []\n"
        "      | ^^^^^^\n"
        "  help: did you mean `imports`?\n"
        "tschema.toml:5:2: error[TS052]: `[cpp]` lacks the key `source`\n"
        "    5 | [cpp]\n"
        "      |  ^^^\n"
        "tschema.toml:7:1: error[TS051]: unknown key `sources` of `[cpp]`\n"
        '    7 | sources = "s"\n'
        "      | ^^^^^^^\n"
        "  help: did you mean `source`?"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('ir = "../x.json"', "TS053]: output path `../x.json` in `ir` is outside"),
        ('ir = "/x.json"', "TS053]: output path `/x.json` in `ir` is outside"),
        ('ir = "a/../../x.json"', "TS053]: output path `a/../../x.json` in `ir` is outside"),
        ("ir = 3", "TS052]: `ir` is not a string"),
        ('imports = ["a-b"]', "TS052]: `a-b` in `imports` is not the name of a package"),
        ('imports = [""]', "TS052]: `` in `imports` is not the name of a package"),
        ('imports = ["toy"]', "TS052]: package `toy` imports itself"),
        ("cpp = 3", "TS052]: `cpp` is not a table"),
        ('[python]\ndir = "p"\nmode = "filez"', "TS052]: unknown mode `filez`"),
    ],
)
def test_bad_values_are_refused(tmp_path: Path, line: str, message: str) -> None:
    text = f'package = "toy"\nschema = ["s"]\n{line}\n'
    assert message in refuse(tmp_path / "tschema.toml", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`the configuration` lacks the key `package`"),
        ('package = ""\nschema = ["s"]\n', "`` in `package` is not the name of a package"),
        ('package = 3\nschema = ["s"]\n', "`package` is not a string"),
        ('package = "toy"\nschema = []\n', "`schema` is empty"),
        ('package = "toy"\nschema = "s"\n', "`schema` is not a list of strings"),
        ('package = "toy"\nschema = ["../s"]\n', "`../s` in `schema` is outside"),
        ("package = \n", "tschema.toml:1:11: error[TS050]: not TOML: invalid value"),
        ('package = "\n', "error[TS050]: not TOML"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    assert message.replace("`the configuration`", "the configuration") in refuse(
        tmp_path / "tschema.toml", text
    )


def test_namespaces_of_cpp_are_read_in_both_modes(tmp_path: Path) -> None:
    path = tmp_path / "tschema.toml"
    for mode in (
        'include = "i"\nsource = "s"',
        'mode = "in_place"\nfiles = ["*.h"]\nsidecar = "s"',
    ):
        table = '[cpp.namespaces]\n"toy.ir" = "acme::ir"\ntoy = "acme"\n'
        path.write_text(f'package = "toy"\nschema = ["s"]\n[cpp]\n{mode}\n{table}')
        assert load_config(path).cpp_namespaces == {"toy.ir": "acme::ir", "toy": "acme"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('toy.ir = "acme"', "tschema.toml:6:2: error[TS052]: `toy` is not the prefix of type keys"),
        ('"toy.ir" = "acme.ir"', "tschema.toml:7:2: error[TS052]: `acme.ir` of `toy.ir` is not a"),
        ('"toy.ir" = ""', "`` of `toy.ir` is not a namespace of C++"),
        ('"toy ir" = "acme"', "`toy ir` is not the prefix of type keys"),
    ],
)
def test_wrong_namespaces_of_cpp_are_refused(tmp_path: Path, line: str, message: str) -> None:
    text = 'package = "toy"\nschema = ["s"]\n[cpp]\ninclude = "i"\nsource = "s"\n[cpp.namespaces]\n'
    assert message in refuse(tmp_path / "tschema.toml", f"{text}{line}\n")


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"TS050.*cannot read"):
        load_config(tmp_path / "tschema.toml")


def documented_keys() -> dict[str, set[str]]:
    """Return the keys in the tables of the page, by the name of the section."""
    keys: dict[str, set[str]] = {}
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        rows = re.findall(r"^\| (`.*?`) \|", body, re.MULTILINE)
        keys[title] = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    return keys


def test_every_key_is_documented_and_no_other() -> None:
    titles = {"": "The project", "in_place": '`mode = "in_place"`'}
    expected = {titles.get(name, f"`[{name}]`"): set(keys) for name, keys in KEYS.items()}
    assert documented_keys() == expected


def test_the_documented_example_is_right(tmp_path: Path) -> None:
    example = PAGE.read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
    path = tmp_path / "tschema.toml"
    path.write_text(example)
    config = load_config(path)
    assert set(config.targets()) == {"cpp", "python", "rust", "docs"}
    assert config.verify == VerifySettings(
        ("cpp/**/*.cc", "cpp/**/*.h"), PurePosixPath("build/lib/libtoy.so")
    )


def test_namespaces_without_a_target(tmp_path: Path) -> None:
    path = tmp_path / "tschema.toml"
    path.write_text('package = "toy"\nschema = ["s"]\n[cpp.namespaces]\n"toy" = "acme"\n')
    config = load_config(path)
    assert (config.cpp, config.cpp_namespaces) == (None, {"toy": "acme"})


def test_releases_of_tvm_ffi_without_a_target(tmp_path: Path) -> None:
    path = tmp_path / "tschema.toml"
    path.write_text('package = "toy"\nschema = ["s"]\n[cpp]\ntvm_ffi = ">=0.1.12"\n')
    config = load_config(path)
    assert (config.cpp, config.cpp_tvm_ffi) == (None, ">=0.1.12")
    path.write_text('package = "toy"\nschema = ["s"]\n[cpp]\ntvm_ffi = "==0.1.9"\n')
    with pytest.raises(SchemaError, match=r"unknown tvm_ffi `==0\.1\.9`"):
        load_config(path)


@pytest.mark.parametrize("name", KEYS)
def test_an_unknown_key_of_any_table_is_refused(tmp_path: Path, name: str) -> None:
    table = {"": "", "in_place": '[python]\nmode = "in_place"'}.get(name, f"[{name}]")
    key = KEYS[name][-1]
    text = f'package = "toy"\nschema = ["s"]\n{table}\n{key}x = 1\n'
    message = refuse(tmp_path / "tschema.toml", text)
    assert f"error[TS051]: unknown key `{key}x`" in message
    assert f"did you mean `{key}`?" in message
