"""What the tests of merging share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

import pytest

from tschema.emit.format import Formatting
from tschema.pipeline import run as flow


class AsTheyAre(Formatting):
    """Formats nothing: formatters take long, and change nothing about merging."""

    def start(self, texts: Mapping[PurePosixPath, str]) -> None:
        """Do nothing."""

    def finish(self, texts: Mapping[PurePosixPath, str]) -> Iterator[tuple[PurePosixPath, str]]:
        """Yield the texts."""
        yield from texts.items()


@pytest.fixture
def unformatted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the formatters out."""
    monkeypatch.setattr(flow, "Formatting", AsTheyAre)
