"""Run a range of seeds: `python -m tests.differential FIRST:END`, or `make differential SEEDS=...`.

Each run of a range goes on where the last one stopped, as its log in `build/differential` says;
ranges may run side by side.  The exit status is 1 if a graph differs.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from .campaign import Campaign

FOLDER = Path(__file__).parents[2] / "build" / "differential"


def main() -> int:
    """Run what the arguments say."""
    first, end = (int(part) for part in sys.argv[1].split(":"))
    # Means of no elements: NumPy warns besides giving NaN.
    warnings.simplefilter("ignore", RuntimeWarning)
    campaign = Campaign(FOLDER, first, end)
    for batch in campaign.batches():
        campaign.run(batch)
        print(campaign.progress(), flush=True)
    print(campaign.summary())
    return 1 if campaign.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
