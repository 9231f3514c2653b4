"""The properties that the fuzzer checks, and how to run them.

Each one draws a world, lets it live, and fails where a guarantee does not hold.
"""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from .files_world import FilesWorld
from .place_world import PlaceWorld
from .writing_world import WritingWorld

PROPERTIES = {"files": 0.45, "in_place": 0.4, "writing": 0.14, "command": 0.01}
"""Each property, and its share of the cases."""

_CHECKS = tuple(HealthCheck)


@st.composite
def _files(draw: st.DrawFn) -> bool:
    FilesWorld(draw).live()
    return True


@st.composite
def _in_place(draw: st.DrawFn) -> bool:
    PlaceWorld(draw).live()
    return True


@st.composite
def _writing(draw: st.DrawFn) -> bool:
    WritingWorld(draw).live()
    return True


@st.composite
def _command(draw: st.DrawFn) -> bool:
    # It imports all of tschema, which takes longer than the other worlds take to find a bug.
    from .command_world import CommandWorld

    CommandWorld(draw).live()
    return True


_STRATEGIES = {
    "files": _files(),
    "in_place": _in_place(),
    "writing": _writing(),
    "command": _command(),
}


def fuzz(name: str, cases: int, start: int | None = None, *, shrinks: bool = True) -> None:
    """
    Check a property.

    Parameters
    ----------
    name
        One of `PROPERTIES`.
    cases
        How many worlds to draw.
    start
        Seed of the random numbers; hypothesis chooses if None.
    shrinks
        Whether a failure is made small, which takes long.
    """
    phases = [Phase.generate, Phase.shrink] if shrinks else [Phase.generate]
    options = settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=phases,
        suppress_health_check=_CHECKS,
        report_multiple_bugs=False,
    )

    @options
    @given(_STRATEGIES[name])
    def check(lived: bool) -> None:
        assert lived

    (check if start is None else seed(start)(check))()
