"""The cache of compiled objects."""

from tschema import function, ty


@function
def cache_folder() -> ty.String:
    """
    Return the folder of the cache of compiled objects.

    It is the environment variable `UIR_CACHE_DIR`, else `.cache/uir` in the home folder. Only
    its owner may read or write it, and its least recently used objects are removed when it
    exceeds 1 GiB, or `UIR_CACHE_LIMIT` bytes.

    Returns
    -------
    folder
        The path; empty if there is no home folder. It need not exist.
    """
    ...


@function
def clear_cache() -> None:
    """
    Remove all objects from the cache.

    Loaded modules continue to work.

    Raises
    ------
    RuntimeError
        If an object cannot be removed.
    """
    ...
