"""What passes are run with: their descriptions, instruments and settings."""

from tschema import Object, declare, field, function, ty


@declare
class PassInfoNode(Object):
    """
    Description of a pass: when a pipeline runs it.

    See Also
    --------
    PassInfo
    PassContext

    Attributes
    ----------
    opt_level
        The pass is run in contexts of this level and above; at least 0.
    name
        The pass's name, by which contexts require and disable it; not empty.
    required
        Names of registered passes that a sequence runs before it.
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
    Functions that are called around passes, to time, check, print or skip them.

    See Also
    --------
    PassInstrument

    Attributes
    ----------
    name
        The instrument's name, as messages show it.
    on_enter
        Called when the context is entered: `() -> None`.
    on_exit
        Called when the context is left: `() -> None`.
    on_should_run
        Called before a pass: `(IRModule, PassInfo) -> bool`; the pass is skipped unless all
        instruments of the context agree. Passes that the context requires are run unasked.
    on_before
        Called before a pass that is run: `(IRModule, PassInfo) -> None`.
    on_after
        Called after a pass that succeeded: `(IRModule, PassInfo) -> None`.
    """

    type_key = "uir.transform.PassInstrument"
    structural = None
    name: ty.String
    on_enter: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_exit: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_should_run: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_before: ty.Optional[ty.Function] = field(default=None, repr=False)
    on_after: ty.Optional[ty.Function] = field(default=None, repr=False)


@declare
class PassContextNode(Object):
    """
    Settings that passes are run with.

    Each thread has a stack of contexts, and passes are run with the one on top. A context inherits
    nothing from the one that it is entered in.

    See Also
    --------
    PassContext

    Attributes
    ----------
    opt_level
        Passes of this level and below are run; at least 0.
    required_pass
        Names of passes that are run whatever their level.
    disabled_pass
        Names of passes that are not run, even if they are required.
    instruments
        Functions to call around each pass, in order.
    config
        Options of passes, by their registered names; integers become booleans where those are
        meant.
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
    Make a context the current one of this thread, and enter its instruments.

    When an instrument fails, those that were entered are exited, and the current context stays.

    Parameters
    ----------
    context
        The context.
    """
    ...


@function
def exit_pass_context(context: PassContextNode) -> None:
    """
    Make the context below the current one; exit all instruments, and raise the first error.

    Parameters
    ----------
    context
        The current context of this thread; another one is an error.
    """
    ...


@function
def current_pass_context() -> PassContextNode:
    """
    Return the context that passes are run with in this thread.

    Returns
    -------
    context
        The context entered last, or the thread's default one.
    """
    ...
