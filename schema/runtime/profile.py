"""How the time of a call is spent: a table of kernels."""

from tschema import Object, declare, function, method, ty


@declare
class KernelProfileNode(Object):
    """
    Calls of one kernel: of a function that computes tensors and calls no others that do.

    See Also
    --------
    KernelProfile
    Profile

    Attributes
    ----------
    name
        The name of the function in the lowered module.
    source
        The file and line that it was made from, as `model.py:12`; empty if they are not known.
    calls
        The number of calls.
    total
        The time of all calls in seconds.
    min
        The time of the fastest call in seconds.
    median
        The median of the times in seconds.
    flops
        The floating-point operations of all calls; -1 if unknown.
    bytes_moved
        The bytes that all calls read and wrote, each tensor once; -1 if unknown.
    """

    type_key = "uir.runtime.KernelProfile"
    name: ty.String
    source: ty.String
    calls: ty.int64_t
    total: ty.float64
    min: ty.float64
    median: ty.float64
    flops: ty.int64_t
    bytes_moved: ty.int64_t

    @method
    def gflops_per_second(self) -> ty.float64:
        """
        Return how many floating-point operations a second took place.

        Returns
        -------
        rate
            In 1e9 a second; NaN if `flops` is not known or no time passed.
        """
        ...

    @method
    def gbytes_per_second(self) -> ty.float64:
        """
        Return how much memory a second was read and written.

        Returns
        -------
        rate
            In 1e9 bytes a second; NaN if `bytes_moved` is not known or no time passed.
        """
        ...


@declare
class ProfileNode(Object):
    """
    How long calls of a function took, and which kernels took the time.

    See Also
    --------
    Profile
    KernelProfile

    Attributes
    ----------
    name
        The name of the function.
    calls
        The number of its calls.
    total
        The time of all calls in seconds, with what passed outside of kernels.
    kernels
        The kernels that ran, those with the most time first.
    """

    type_key = "uir.runtime.Profile"
    name: ty.String
    calls: ty.int64_t
    total: ty.float64
    kernels: ty.Array[KernelProfileNode]

    @method
    def text(self) -> ty.String:
        """
        Return the profile as a table: a line for each kernel, and one for the time outside.

        Returns
        -------
        text
            Lines without a final newline.
        """
        ...

    @method
    def to_svg(self) -> ty.String:
        """
        Return the profile as a picture: a bar for each kernel.

        Returns
        -------
        picture
            The text of an SVG file.
        """
        ...


@function
def profile(module: ty.Module, name: ty.String = "main", number: ty.int64_t = 10) -> ty.Function:
    """
    Make a function that measures the time of each kernel in a call of a module.

    It passes its arguments on, once to warm up and then `number` times. It counts kernels of
    the module and of its imports, if the profiling thread calls them; a loop on several threads
    counts from its begin to its end. Other threads may call the module meanwhile.

    Parameters
    ----------
    module
        The module: the result of `build`, or a module loaded from a file.
    name
        The name of the function.
    number
        The number of calls.

    Returns
    -------
    profiler
        A function of the same arguments that returns a `Profile`.

    Raises
    ------
    ValueError
        If the module does not have the function or any kernel, or `number` is not positive.
    """
    ...
