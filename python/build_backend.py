"""The build backend of both distributions: scikit-build-core, with editable installs for tools.

In: the calls of PEP 517 and PEP 660. Out: wheels and source distributions. An editable wheel
holds nothing but metadata and a `.pth` file with static lines, which mypy, pyright and editors
follow as Python does; it compiles nothing. A wheel with libraries requires the releases of tvm-ffi
that these run with: those of the group of the release that they were compiled against. Everything
else is scikit-build-core's. Must not know CMake.
"""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from scikit_build_core import build
from scikit_build_core.build import (
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)
from wheel_files import read_wheel, require, write_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ConfigSettings = dict[str, list[str] | str] | None

_ROOT = Path(__file__).resolve().parent.parent
_IMPORT_ROOTS = {
    "tschema": (_ROOT,),
    "uir": (_ROOT / "python", _ROOT / "generated" / "python"),
}


def build_wheel(
    wheel_directory: str,
    config_settings: ConfigSettings = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel, which requires releases of tvm-ffi of one group.

    Parameters
    ----------
    wheel_directory
        Where the wheel goes.
    config_settings
        Settings of scikit-build-core.
    metadata_directory
        Unused: the metadata is made anew.

    Returns
    -------
    name
        The file name of the wheel.
    """
    name = build.build_wheel(wheel_directory, config_settings)
    wheel = Path(wheel_directory, name)
    write_wheel(wheel, require(read_wheel(wheel), _requirement()))
    return name


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: ConfigSettings = None
) -> str:
    """Write the metadata of the wheel that `build_wheel` builds.

    Parameters
    ----------
    metadata_directory
        Where the folder of metadata goes.
    config_settings
        Settings of scikit-build-core.

    Returns
    -------
    name
        The name of that folder.
    """
    name = build.prepare_metadata_for_build_wheel(metadata_directory, config_settings)
    metadata = Path(metadata_directory, name, "METADATA")
    required = require({f"{name}/METADATA": metadata.read_bytes()}, _requirement())
    metadata.write_bytes(required[f"{name}/METADATA"])
    return name


def _requirement() -> str:
    """Return the requirement of the group of the release that libraries are compiled against."""
    # A source distribution of uir has the repository in a folder.
    homes = (_ROOT / "tschema", Path(__file__).parent / "repository/tschema")
    path = next(home / "ffi_groups.py" for home in homes if (home / "ffi_groups.py").is_file())
    spec = spec_from_file_location("ffi_groups", path)
    assert spec is not None and spec.loader is not None
    ffi_groups = module_from_spec(spec)
    spec.loader.exec_module(ffi_groups)
    group = ffi_groups.ffi_group(version("apache-tvm-ffi"))
    return str(ffi_groups.ffi_requirement(group))


def build_sdist(sdist_directory: str, config_settings: ConfigSettings = None) -> str:
    """Write a source distribution, which has the Rust crates of tvm-ffi that a wheel has.

    Parameters
    ----------
    sdist_directory
        Where it goes.
    config_settings
        Settings of scikit-build-core.

    Returns
    -------
    name
        Its file name.

    Raises
    ------
    FileNotFoundError
        If the crates were not fetched.
    """
    crates = Path("build/tvm-ffi-rust/tvm-ffi")
    if Path("tschema").is_dir() and not crates.is_dir():
        raise FileNotFoundError(f"no crates in {crates.absolute()}: run `make setup`")
    return build.build_sdist(sdist_directory, config_settings)


def get_requires_for_build_editable(config_settings: ConfigSettings = None) -> list[str]:
    """Ask for nothing: an editable install compiles nothing."""
    return []


def prepare_metadata_for_build_editable(
    metadata_directory: str, config_settings: ConfigSettings = None
) -> str:
    """Write the metadata of a package that needs no CMake.

    Parameters
    ----------
    metadata_directory
        Where the folder of metadata goes.
    config_settings
        Settings of scikit-build-core.

    Returns
    -------
    name
        The name of that folder.
    """
    no_cmake: dict[str, list[str] | str] = {**(config_settings or {}), "wheel.cmake": "false"}
    return build.prepare_metadata_for_build_editable(metadata_directory, no_cmake)


def build_editable(
    wheel_directory: str,
    config_settings: ConfigSettings = None,
    metadata_directory: str | None = None,
) -> str:
    """Write a wheel that puts a distribution's folders of this checkout on the import path.

    Parameters
    ----------
    wheel_directory
        Where the wheel goes.
    config_settings
        Settings of scikit-build-core.
    metadata_directory
        Unused: the metadata is made anew, which takes no time.

    Returns
    -------
    name
        The file name of the wheel.
    """
    with tempfile.TemporaryDirectory() as scratch:
        dist_info = Path(scratch, prepare_metadata_for_build_editable(scratch, config_settings))
        members = {
            f"{dist_info.name}/{path.relative_to(dist_info).as_posix()}": path.read_bytes()
            for path in sorted(dist_info.rglob("*"))
            if path.is_file() and path.name != "RECORD"
        }
    distribution = dist_info.name.partition("-")[0]
    lines = [f"{folder}\n" for folder in _IMPORT_ROOTS[distribution]]
    members[f"{distribution}.pth"] = "".join(lines).encode()
    members[f"{dist_info.name}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: tschema\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    name = f"{dist_info.name.removesuffix('.dist-info')}-py3-none-any.whl"
    write_wheel(Path(wheel_directory, name), members)
    return name
