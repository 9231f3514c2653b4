"""The order of the parts that two sides of a merge have.

In: the keys of three versions.  Out: those of the merged one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tschema.editing.schema_merge.item import END


def merge_orders(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> list[str] | None:
    """
    Return all keys of both sides: each new key follows its predecessor on its side.

    Parameters
    ----------
    base, ours, theirs
        The keys of the versions.

    Returns
    -------
    order
        Where both sides added something in one place, ours comes first.  None if the sides moved
        earlier parts in different ways.
    """
    common = {*base} & {*ours} & {*theirs}
    was, mine, other = ([key for key in keys if key in common] for keys in (base, ours, theirs))
    if mine in (was, other):
        leading, following = (theirs, ours) if mine == was != other else (ours, theirs)
    elif other == was:
        leading, following = ours, theirs
    else:
        return None
    new = {*leading}.difference(following, base)
    order = [*leading]
    for index, key in enumerate(following):
        if key not in order:
            before = next((one for one in reversed(following[:index]) if one in order), None)
            at = order.index(before) + 1 if before is not None else 0
            while leading is ours and at < len(order) and order[at] in new:
                at += 1
            order.insert(at, key)
    if END in order:
        order.remove(END)
        order.append(END)
    return order
