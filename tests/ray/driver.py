"""A search that tests kill: `python driver.py ADDRESS DATABASE TRIALS SECONDS`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.python.uir.tuning.samples import product
from tests.ray.recorded_work import RecordedWork
from uir.tuning import RayWorkers, evolution, tune


def main() -> None:
    """Search, and print the number of measurements."""
    address, database, trials, seconds = sys.argv[1:]
    workers = RayWorkers(address, RecordedWork(float(seconds)))
    result = tune(
        product(),
        budget="10m",
        trials=int(trials),
        database=Path(database),
        cost_model="ridge",
        strategy=evolution,
        workers=workers,
    )
    print(result.measured, result.kernels[0].trace)


if __name__ == "__main__":
    main()
