"""Plan a run, which may write into files of users too.

In: a `Request`.  Out: a `Plan`.  A run that writes no files of users imports no other tool.
"""

from __future__ import annotations

from msgspec.structs import replace

from tschema.pipeline import run
from tschema.pipeline.comparison import ConflictsFound
from tschema.pipeline.run import Plan, Progress, Request
from tschema.project.config import InPlaceTarget
from tschema.project.git import is_merging

__all__ = ["Plan", "Progress", "Request", "make_plan"]


def make_plan(request: Request, progress: Progress) -> Plan:
    """
    Work out everything that a run writes, also into files of the user.

    Parameters and errors are those of `tschema.pipeline.run.make_plan`, without `ConflictsFound`.
    """
    if not _has_files_of_user(request):
        try:
            return run.make_plan(request, progress)
        except ConflictsFound:
            pass
    from tschema.adoption.classes import AdoptionRefused
    from tschema.adoption.user_files import UserFiles

    while True:
        try:
            return run.make_plan(request, progress, UserFiles(request))
        except AdoptionRefused as refused:
            if refused.reasons.keys() <= request.left.keys():
                raise
            # A class that stays by hand may keep others from being adopted.
            request = replace(request, left={**request.left, **refused.reasons})


def _has_files_of_user(request: Request) -> bool:
    """Return whether a run adopts, writes in place, or comes in the middle of a merge of git."""
    is_in_place = any(isinstance(one, InPlaceTarget) for one in request.targets().values())
    return request.adopt or is_in_place or bool(request.left) or is_merging(str(request.root))
