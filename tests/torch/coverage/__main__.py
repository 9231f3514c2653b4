"""Runs models and writes the page: `python -m tests.torch.coverage [--suite timm] [NAME ...]`."""

from __future__ import annotations

import argparse
import importlib
import os
from importlib.metadata import version
from typing import Any

from .page import PAGE, page
from .processes import SECONDS, in_a_process
from .records import added, records

SUITES = ("torchvision", "timm", "transformers")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.torch.coverage", description=__doc__)
    parser.add_argument("names", nargs="*", help="models; all that have no record by default")
    parser.add_argument("--suite", choices=SUITES, help="only one of the suites")
    parser.add_argument("--again", metavar="STATE", help="models whose last state was this one")
    parser.add_argument(
        "--until", choices=("import", "compare", "times"), default="times", help="the last stage"
    )
    parser.add_argument("--part", default="0/1", help="I/N: each N-th model, from the I-th on")
    parser.add_argument(
        "--seconds", type=int, default=SECONDS, help="the processor time that a model may use"
    )
    parser.add_argument("--page", action="store_true", help="only write the page")
    return parser.parse_args()


def is_wanted(known: dict[str, Any] | None, options: argparse.Namespace, name: str) -> bool:
    """Return whether a model runs."""
    if options.names:
        return name in options.names
    state = None if known is None else known["state"]
    if options.again:
        return bool(state == options.again)
    return state is None or (state == "imported" and options.until != "import")


def models_of(suite: str) -> Any:
    """Return the module that lists and makes the models of a suite."""
    return importlib.import_module(f"{__package__}.{suite}_models")


def run(options: argparse.Namespace) -> None:
    """Measure the models that are wanted."""
    os.nice(19)
    known = records()
    for suite in [options.suite] if options.suite else SUITES:
        models = models_of(suite)
        place, count = map(int, options.part.split("/"))
        for name in models.names()[place::count]:
            if is_wanted(known.get((suite, name)), options, name):
                record = in_a_process(models.case, name, options.until, options.seconds)
                added({"suite": suite, "name": name, **record})
                why = record.get("reasons", record.get("error", "").partition("\n")[0])
                print(suite, name, record["state"], why, flush=True)


def write_page() -> None:
    """Write the page from all records."""
    listed = {suite: len(models_of(suite).names()) for suite in SUITES}
    versions = ", ".join(f"{name} {version(name)}" for name in ("torch", *SUITES))
    PAGE.write_text(page(records(), listed, f"The versions are {versions}."))


if __name__ == "__main__":
    given = arguments()
    if not given.page:
        run(given)
    write_page()
