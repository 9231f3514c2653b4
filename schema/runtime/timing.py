"""Measurements of compiled functions."""

from tschema import function, ty


@function
def time_evaluator(
    module: ty.Module,
    name: ty.String = "main",
    number: ty.int64_t = 10,
    repeat: ty.int64_t = 3,
    min_repeat_ms: ty.int64_t = 0,
) -> ty.Function:
    """
    Make a function that measures one of a module.

    It passes its arguments on, once to warm up and then `number * repeat` times.

    Parameters
    ----------
    module
        The module.
    name
        The name of the function.
    number
        The calls of each measurement.
    repeat
        The number of measurements.
    min_repeat_ms
        The least time of a measurement in milliseconds: a shorter one is repeated with more
        calls, as are the later ones.

    Returns
    -------
    evaluator
        A function of the same arguments that returns an array: of each measurement, the time of
        a call in seconds.

    Raises
    ------
    ValueError
        If the module does not have the function, `number` or `repeat` is not positive, or
        `min_repeat_ms` is negative.
    """
    ...
