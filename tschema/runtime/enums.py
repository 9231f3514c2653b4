"""The base of enums in generated Python: members whose repr says which package they are of."""

from __future__ import annotations

import enum


class IntEnum(enum.IntEnum):
    """An enum of the schema, whose members are integers."""

    def __repr__(self) -> str:
        """Name the member with its enum and the enum's module: `<toy.ir.Mode.fast: 1>`."""
        cls = type(self)
        return f"<{cls.__module__}.{cls.__qualname__}.{self.name}: {self.value}>"
