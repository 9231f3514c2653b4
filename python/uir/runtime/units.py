"""Texts of quantities, the same in tables, pages and commands."""

__all__ = ["time_text"]


def time_text(seconds: float) -> str:
    """Return a time with the unit that suits it: `us`, `ms` or `s`, as profiles do."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"
