"""The records of models in a file of JSON lines; the last record of a model counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["PATH", "Record", "added", "records"]

Record = dict[str, Any]

PATH = Path(__file__).parents[3] / "build" / "coverage" / "records.jsonl"


def records(path: Path = PATH) -> dict[tuple[str, str], Record]:
    """Return records by suites and names."""
    lines = path.read_text().splitlines() if path.exists() else []
    found = (json.loads(line) for line in lines)
    return {(one["suite"], one["name"]): one for one in found}


def added(record: Record, path: Path = PATH) -> None:
    """Append a record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(record) + "\n")
