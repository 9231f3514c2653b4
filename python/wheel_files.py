"""Reads, changes and writes wheels.

In and out: the files of a wheel by their paths in it. Must not know how libraries are built.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

__all__ = ["join_wheels", "read_wheel", "require", "write_wheel"]


def read_wheel(path: Path) -> dict[str, bytes]:
    """Return the files of a wheel without `RECORD`, which lists them.

    Parameters
    ----------
    path
        The wheel.

    Returns
    -------
    members
        Contents by path.
    """
    with zipfile.ZipFile(path) as wheel:
        names = [info.filename for info in wheel.infolist() if not info.is_dir()]
        return {name: wheel.read(name) for name in names if not name.endswith(".dist-info/RECORD")}


def write_wheel(path: Path, members: Mapping[str, bytes]) -> None:
    """Write a wheel, with its `RECORD`; the same files give the same bytes.

    Parameters
    ----------
    path
        The wheel.
    members
        Contents by path, without `RECORD`.
    """
    metadata = next(name for name in members if name.endswith(".dist-info/METADATA"))
    record = metadata.removesuffix("METADATA") + "RECORD"
    rows = [f"{name},sha256={_digest(text)},{len(text)}\n" for name, text in members.items()]
    listed = "".join([*rows, f"{record},,\n"]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in {**members, record: listed}.items():
            info = zipfile.ZipInfo(name)  # Of 1980, the first date that a zip file can tell.
            info.external_attr = (0o755 if ".so" in name else 0o644) << 16
            wheel.writestr(info, content, zipfile.ZIP_DEFLATED)


def require(members: Mapping[str, bytes], requirement: str) -> dict[str, bytes]:
    """Return the files of a wheel that requires other releases of a distribution.

    Parameters
    ----------
    members
        Contents by path.
    requirement
        What replaces the requirement of the same distribution: `apache-tvm-ffi>=0.1.13,<0.1.15`.

    Returns
    -------
    members
        With another `METADATA`.

    Raises
    ------
    ValueError
        If the wheel does not require the distribution, or twice.
    """
    (path,) = (name for name in members if name.endswith(".dist-info/METADATA"))
    distribution = re.match(r"[\w.-]*\w", requirement)
    assert distribution is not None
    line = rf"^Requires-Dist: {re.escape(distribution[0])}(?![\w.-]).*$"
    text, count = re.subn(
        line, f"Requires-Dist: {requirement}", members[path].decode(), flags=re.MULTILINE
    )
    if count != 1:
        raise ValueError(f"{path} has {count} requirements of {distribution[0]}, expected 1")
    return {**members, path: text.encode()}


def join_wheels(wheels: list[dict[str, bytes]]) -> dict[str, bytes]:
    """Return the files of wheels of one distribution that differ in files of their own alone.

    Parameters
    ----------
    wheels
        Contents by path of each, with the same `METADATA`.

    Returns
    -------
    members
        All files.

    Raises
    ------
    ValueError
        If two have different files of the same path.
    """
    members: dict[str, bytes] = {}
    for wheel in wheels:
        for name, content in wheel.items():
            if members.setdefault(name, content) != content:
                raise ValueError(f"two wheels differ in {name}")
    return members


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
