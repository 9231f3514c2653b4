"""Contexts of passes: settings, instruments and descriptions."""

from tschema import Object, declare, field, function, ty


@declare
class PassInfoNode(Object):
    """
    Description of a pass, from which a pipeline decides whether to run it.

    See Also
    --------
    PassInfo
    PassContext

    Attributes
    ----------
    opt_level
        The lowest optimization level of a context that enables the pass; at least 0.
    name
        The pass's name, which contexts use to require or disable it; not empty.
    required
        Names of registered passes that a sequence runs first.
    traceable
        Whether tuners record the pass.
    """

    type_key = "uir.transform.PassInfo"
    structural = None
    post_init = True
    opt_level: ty.int32_t
    name: ty.String
    required: ty.Array[ty.String] = field(default_factory=list)
    traceable: ty.bool = field(default=False)


@declare
class PassInstrumentNode(Object):
    """
    Functions called around passes, to time, check, print or skip them.

    See Also
    --------
    PassInstrument

    Attributes
    ----------
    name
        The instrument's name in messages.
    on_enter
        Called when the context is entered: `() -> None`.
    on_exit
        Called when the context is exited: `() -> None`.
    on_should_run
        Called before a pass: `(IRModule, PassInfo) -> bool`; the pass runs only if all
        instruments return True. Not called for a pass that the context requires.
    on_before
        Called before a pass runs: `(IRModule, PassInfo) -> None`.
    on_after
        Called after a pass that succeeded: `(IRModule, PassInfo) -> None`.
    on_count
        Called when a pass counts something by `count`: `(str, int) -> None`.
    """

    type_key = "uir.transform.PassInstrument"
    structural = None
    name: ty.String
    on_enter: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_exit: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_should_run: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_before: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_after: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_count: ty.Optional[ty.Function] = field(default=None, repr=False)


@declare
class PassContextNode(Object):
    """
    Settings of passes.

    Each thread has a stack of contexts; the top one is current. A nested context does not
    inherit from the outer one.

    See Also
    --------
    PassContext

    Attributes
    ----------
    opt_level
        The optimization level: passes up to this level run; at least 0.
    required_pass
        Names of passes that run regardless of their level.
    disabled_pass
        Names of passes that do not run, even if required.
    instruments
        The instruments, in order.
    config
        Values of options, by registered name; an integer is converted if the option is a
        boolean.
    """

    type_key = "uir.transform.PassContext"
    structural = None
    mutable = True
    post_init = True
    opt_level: ty.int32_t = field(default=2)
    required_pass: ty.Array[ty.String] = field(default_factory=list)
    disabled_pass: ty.Array[ty.String] = field(default_factory=list)
    instruments: ty.Array[PassInstrumentNode] = field(default_factory=list)
    config: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@function
def enter_pass_context(context: PassContextNode) -> None:
    """
    Push a context on the stack of this thread, and enter its instruments.

    If an instrument fails, those already entered are exited, and the stack does not change.

    Parameters
    ----------
    context
        The context.
    """
    ...


@function
def exit_pass_context(context: PassContextNode) -> None:
    """
    Pop the current context, exit all of its instruments, and raise their first error.

    Parameters
    ----------
    context
        The current context of this thread; any other is an error.
    """
    ...


@function
def current_pass_context() -> PassContextNode:
    """
    Return the current context of this thread.

    Returns
    -------
    context
        The innermost context, or the thread's default one.
    """
    ...


@function
def count(name: ty.String, number: ty.int64_t = 1) -> None:
    """
    Add to a count of the running pass; without `PassStatistics` in the context, do nothing.

    Parameters
    ----------
    name
        The counted things, such as `loops unrolled`.
    number
        How many; 0 lists the count.

    Examples
    --------
    >>> @prim_func_pass(opt_level=0)
    ... def drop_asserts(func, module, context):
    ...     kept, dropped = without_asserts(func.body)
    ...     count("asserts dropped", dropped)
    ...     return func.with_body(kept)
    """
    ...
