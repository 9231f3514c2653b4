"""The threads that parallel loops of compiled functions share."""

from tschema import function, ty


@function
def num_threads() -> ty.int64_t:
    """
    Return how many threads a parallel loop uses, with the calling one.

    `set_num_threads` decides it, else the environment variable UIR_NUM_THREADS, else
    OMP_NUM_THREADS. Without them it is the number of processors of the affinity of the process,
    and no more than the time that the quotas of its control groups grant, rounded up. The
    environment is read when the first loop or this function needs it.

    Returns
    -------
    count
        From 1 to 1024.

    Raises
    ------
    ValueError
        If UIR_NUM_THREADS is not such a number.
    """
    ...


@function
def set_num_threads(count: ty.int64_t) -> None:
    """
    Set how many threads later parallel loops use, with the calling one.

    It holds for all compiled functions of the process, and in processes that it forks. Threads
    that are no longer used sleep.

    Parameters
    ----------
    count
        From 1 to 1024; with 1 no loop is parallel.

    Raises
    ------
    ValueError
        If `count` is out of range.
    """
    ...
