"""Texts of quantities, the same in tables, pages and commands."""

__all__ = ["time_text"]


def time_text(seconds: float, beside: float | None = None) -> str:
    """Return a time with the unit that suits it: `us`, `ms` or `s`, as profiles do.

    Parameters
    ----------
    seconds
        The time.
    beside
        Another time in seconds, whose unit this one takes too; by default the time itself.
    """
    of_unit = seconds if beside is None else beside
    if of_unit < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e3:.2f} ms" if of_unit < 1 else f"{seconds:.2f} s"
