"""Settings of projects that generate all languages."""

from __future__ import annotations

__all__ = ["config"]


def config(folder: str = "", options: str = "") -> str:
    """Return a `tschema.toml` whose C++, Python, Rust and docs go into folders of their names.

    Parameters
    ----------
    folder
        The folder around these, with a slash; empty for the project's own.
    options
        Further lines of the first table.
    """
    return f"""\
package = "toy"
schema = ["schema"]
{options}
[cpp]
include = "{folder}cpp/include"
source = "{folder}cpp/src"

[python]
dir = "{folder}python"

[rust]
dir = "{folder}rust"

[docs]
dir = "{folder}docs"
"""
