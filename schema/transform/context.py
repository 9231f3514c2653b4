"""What passes are run with: their descriptions, instruments and settings."""

from tschema import Object, declare, field, ty


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
        Names of the passes that are run before it.
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
    enter_pass_ctx
        Called when the context is entered: `() -> None`.
    exit_pass_ctx
        Called when the context is left: `() -> None`.
    should_run
        Called before a pass: `(IRModule, PassInfo) -> bool`; the pass is skipped unless all
        instruments of the context agree.
    run_before_pass
        Called before a pass that is run: `(IRModule, PassInfo) -> None`.
    run_after_pass
        Called after a pass that succeeded: `(IRModule, PassInfo) -> None`.
    """

    type_key = "uir.transform.PassInstrument"
    structural = None
    name: ty.String
    enter_pass_ctx: ty.Optional[ty.Function] = field(default=None, repr=False)
    exit_pass_ctx: ty.Optional[ty.Function] = field(default=None, repr=False)
    should_run: ty.Optional[ty.Function] = field(default=None, repr=False)
    run_before_pass: ty.Optional[ty.Function] = field(default=None, repr=False)
    run_after_pass: ty.Optional[ty.Function] = field(default=None, repr=False)


@declare
class PassContextNode(Object):
    """
    Settings that passes are run with.

    A context inherits nothing from the one that it is entered in.

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
        Options of passes, by name.
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
