"""Run a range of seeds: `python -m tests.differential FIRST:END`, or `make differential SEEDS=...`.

Each run of a range goes on where the last one stopped, as its log in `build/differential` says, and
tries batches with graphs that differed again; ranges may run side by side.  The exit status is 1 if
a graph differs.
`python -m tests.differential minimal SEED...` writes the smallest graphs that still differ.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from .campaign import Campaign, use_cache
from .graphs import random_graph
from .minimize import minimal, report

FOLDER = Path(__file__).parents[2] / "build" / "differential"


def main() -> int:
    """Run what the arguments say."""
    # Means of no elements: NumPy warns besides giving NaN.
    warnings.simplefilter("ignore", RuntimeWarning)
    use_cache(FOLDER / "cache")
    if sys.argv[1] == "minimal":
        for seed in sys.argv[2:]:
            print(report(*minimal(random_graph(int(seed)))), flush=True)
        return 0
    first, end = (int(part) for part in sys.argv[1].split(":"))
    campaign = Campaign(FOLDER, first, end)
    for batch in campaign.batches():
        campaign.run(batch)
        print(campaign.progress(), flush=True)
    print(campaign.summary())
    return 1 if campaign.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
