"""The parts of a search that users write: spaces, models of times and strategies."""

from tschema import Object, declare, field, function, method, ty


@declare
class SpaceFunctionsNode(Object):
    """
    Functions of any language that know the candidates for one kernel.

    A candidate is a trace: lines as `uir.schedule.trace_of` returns them.

    See Also
    --------
    SpaceFunctions
    SearchStrategyFunctions

    Attributes
    ----------
    name
        The space's name in messages.
    own_trace
        The choices of the recipes, with which candidates are compared.
    size
        The number of candidates, with those that are refused.
    on_traces
        Starts an iteration over all candidates that are not refused, in a fixed order: `()
        -> Function`, whose function returns the next trace at each call, and None at the
        end.
    on_draw
        Draws a candidate by a seed: `(int) -> trace`.
    on_change
        Changes a few choices of a candidate by a seed: `(trace, int) -> trace`; the same
        candidate if there is no other.
    on_features
        Describes candidates to a model: `(traces) -> features`, equally many numbers for
        each; none for a candidate that does not fit the kernel.
    """

    type_key = "uir.tuning.SpaceFunctions"
    structural = None
    name: ty.String
    own_trace: ty.Array[ty.String]
    size: ty.int64_t
    on_traces: ty.Function = field(repr=False)
    on_draw: ty.Function = field(repr=False)
    on_change: ty.Function = field(repr=False)
    on_features: ty.Function = field(repr=False)

    @method
    def traces(self) -> ty.Function:
        """
        Start an iteration over all candidates that are not refused, in a fixed order.

        Returns
        -------
        next_trace
            Returns the next trace at each call, and None at the end.
        """
        ...

    @method
    def draw(self, seed: ty.int64_t) -> ty.Array[ty.String]:
        """
        Draw a candidate.

        Parameters
        ----------
        seed
            Decides which one.

        Returns
        -------
        trace
            A candidate that is not refused.
        """
        ...

    @method
    def change(self, trace: ty.Array[ty.String], seed: ty.int64_t) -> ty.Array[ty.String]:
        """
        Change a few choices of a candidate.

        Parameters
        ----------
        trace
            The candidate.
        seed
            Decides which choices.

        Returns
        -------
        changed
            A candidate that is not refused; the same one if no other is found.
        """
        ...

    @method
    def features_of(
        self, candidates: ty.Array[ty.Array[ty.String]]
    ) -> ty.Array[ty.Array[ty.float64]]:
        """
        Describe candidates to a model of times.

        Parameters
        ----------
        candidates
            The traces.

        Returns
        -------
        features
            The numbers of each candidate, equally many; none for one that does not fit the
            kernel.

        Raises
        ------
        ValueError
            If the space returns another number of rows, rows of unlike lengths, or a number
            that is not finite; the message names the space.
        """
        ...


@declare
class CostModelFunctionsNode(Object):
    """
    Functions of any language that learn and predict the times of candidates.

    See Also
    --------
    CostModelFunctions
    SearchStrategyFunctions

    Attributes
    ----------
    name
        The model's name in messages.
    on_predict
        Predicts times: `(features) -> scores`, a number for each candidate, lower for
        faster ones.
    on_update
        Learns from all measured candidates: `(features, times) -> None`.
    """

    type_key = "uir.tuning.CostModelFunctions"
    structural = None
    name: ty.String
    on_predict: ty.Function = field(repr=False)
    on_update: ty.Function = field(repr=False)

    @method
    def predict(self, features: ty.Array[ty.Array[ty.float64]]) -> ty.Array[ty.float64]:
        """
        Predict which candidates are fast.

        Parameters
        ----------
        features
            The features of each candidate, as many as those of `update`.

        Returns
        -------
        scores
            A number for each, lower for faster ones.

        Raises
        ------
        ValueError
            If the model returns another number of scores, or one that is not finite; the
            message names the model.
        TypeError
            If the model returns no array of numbers.
        """
        ...

    @method
    def update(self, features: ty.Array[ty.Array[ty.float64]], times: ty.Array[ty.float64]) -> None:
        """
        Learn from all measured candidates.

        Parameters
        ----------
        features
            The features of each, equally many for all.
        times
            Their times, relative to the choices of the recipes.

        Raises
        ------
        ValueError
            If the numbers of features and times differ, or a time is not positive and
            finite.
        """
        ...


@declare
class SearchStrategyFunctionsNode(Object):
    """
    Functions of any language that decide the order in which candidates are measured.

    See Also
    --------
    SearchStrategyFunctions
    SpaceFunctions
    CostModelFunctions

    Attributes
    ----------
    name
        The strategy's name in messages.
    on_propose
        Returns new candidates: `(int) -> traces`, at most as many as the number; none if
        the search has ended.
    on_tell
        Takes the time of a candidate relative to the choices of the recipes, None if the
        candidate failed: `(trace, float | None) -> None`.
    proposed
        The candidates so far, with their lines joined by line ends.
    """

    type_key = "uir.tuning.SearchStrategyFunctions"
    structural = None
    name: ty.String
    on_propose: ty.Function = field(repr=False)
    on_tell: ty.Function = field(repr=False)
    proposed: ty.Dict[ty.String, ty.bool] = field(default_factory=dict, repr=False)

    @method
    def propose(self, count: ty.int64_t) -> ty.Array[ty.Array[ty.String]]:
        """
        Return new candidates.

        Parameters
        ----------
        count
            The most candidates to return; at least 1.

        Returns
        -------
        candidates
            Traces that were not proposed before; none if the search has ended.

        Raises
        ------
        ValueError
            If the strategy returns too many candidates, or one that it has proposed before,
            which would never end; the message names the strategy.
        TypeError
            If the strategy returns no array of traces.
        """
        ...

    @method
    def tell(self, trace: ty.Array[ty.String], time: ty.Optional[ty.float64]) -> None:
        """
        Take the time of a candidate.

        Parameters
        ----------
        trace
            The candidate: a proposal, or one that an earlier search has measured.
        time
            The time relative to the choices of the recipes; None if the candidate failed.

        Raises
        ------
        ValueError
            If the time is not positive and finite.
        """
        ...


@function
def register_cost_model(name: ty.String, factory: ty.Function, place: ty.String) -> None:
    """
    Register a model of times by name.

    Parameters
    ----------
    name
        The model's name; a package's model starts with the package: `toy.linear`.
    factory
        Makes the model of a seed: `(int) -> CostModelFunctions`.
    place
        The location of the registration: `toy/linear.py:12`.

    Raises
    ------
    ValueError
        If a model of that name is registered, which the message locates, or `name` is empty.
    """
    ...


@function
def register_strategy(name: ty.String, factory: ty.Function, place: ty.String) -> None:
    """
    Register a strategy by name.

    Parameters
    ----------
    name
        The strategy's name; a package's strategy starts with the package: `toy.annealing`.
    factory
        Makes the strategy for a space, a model and a seed: `(SpaceFunctions,
        CostModelFunctions, int) -> SearchStrategyFunctions`.
    place
        The location of the registration: `toy/annealing.py:12`.

    Raises
    ------
    ValueError
        If a strategy of that name is registered, which the message locates, or `name` is empty.
    """
    ...


@function
def make_cost_model(name: ty.String, seed: ty.int64_t = 0) -> CostModelFunctionsNode:
    """
    Make a registered model of times, whichever language it is written in.

    Parameters
    ----------
    name
        The registered name.
    seed
        The seed of the model.

    Returns
    -------
    model
        The model.

    Raises
    ------
    ValueError
        If there is no such model; the message lists the names.
    TypeError
        If the factory does not return a model.
    """
    ...


@function
def make_strategy(
    name: ty.String, space: SpaceFunctionsNode, model: CostModelFunctionsNode, seed: ty.int64_t = 0
) -> SearchStrategyFunctionsNode:
    """
    Make a registered strategy, whichever language it is written in.

    Parameters
    ----------
    name
        The registered name: `evolution` and `exhaustive` are always there.
    space
        The candidates.
    model
        Predicts their times.
    seed
        The seed of all draws.

    Returns
    -------
    strategy
        The strategy.

    Raises
    ------
    ValueError
        If there is no such strategy; the message lists the names.
    TypeError
        If the factory does not return a strategy.
    """
    ...
