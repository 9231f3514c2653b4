"""Schema text for the tests of the passes."""

from __future__ import annotations

__all__ = ["node"]


def node(name: str, *lines: str, base: str = "Object") -> str:
    """Return a class `<name>Node` with some lines in its body."""
    body = "".join(f"    {line}\n" for line in (f'type_key = "toy.{name}"', *lines))
    return f'\n\n@declare\nclass {name}Node({base}):\n    """A node."""\n\n{body}'
