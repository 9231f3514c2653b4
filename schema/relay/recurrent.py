"""Recurrent layers: a loop over time whose state is the result of the step before."""

# The products of the inputs with weights are products of matrices outside of the loop, which
# `matmul` computes for all times at once.

from schema.ir.expr import RelayExprNode
from tschema import operand, operator, ty


@operator(kind="opaque", relation="custom", onnx="RNN@7", torch="aten.rnn_tanh.input")
def rnn(
    gates: RelayExprNode = operand(dtype="T: float"),
    hidden: RelayExprNode = operand(dtype="T"),
    weight: RelayExprNode = operand(dtype="T"),
    lengths: ty.Optional[RelayExprNode] = operand(dtype="L: int", default=None),
    *,
    activations: ty.Optional[ty.Array[ty.String]] = None,
    clip: ty.Optional[ty.float64] = None,
    reverse: ty.bool = False,
) -> RelayExprNode:
    """
    Return the states of a recurrent layer (Elman, 1990).

    `hidden = f(gates[t] + hidden @ weight)` for each time `t`.

    Parameters
    ----------
    gates
        Products of the inputs with their weights, plus all biases, of shape `(t, n, 1, h)`;
        floating-point.
    hidden
        The state before the first step, of shape `(n, h)`.
    weight
        Weights of the state, of shape `(h, h)`; column `j` gives element `j` of the next state.
    lengths
        The number of steps of each row: integers of shape `(n,)`. After its last step a row keeps
        its state, and its results are 0. None for `t` steps.
    activations
        The function `f`: an expression of `x` as in `scalar` of a declaration; None for `tanh(x)`.
    clip
        The bound of the absolute values to which activations are applied; None for no bound.
    reverse
        Whether the steps go from the last time to the first.

    Returns
    -------
    outputs
        Tuple of the states of all times, of shape `(t, n, h)`, and of the last state, of shape
        `(n, h)`.

    Raises
    ------
    TypeError
        If shapes do not fit, or the data types of the operands are not one floating-point type.
    ValueError
        If the number of `activations` is not 1, or one is not an expression of `x`.
    """
    ...


@operator(kind="opaque", relation="custom", onnx="GRU@7", torch="aten.gru.input")
def gru(
    gates: RelayExprNode = operand(dtype="T: float"),
    hidden: RelayExprNode = operand(dtype="T"),
    weight: RelayExprNode = operand(dtype="T"),
    bias: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    lengths: ty.Optional[RelayExprNode] = operand(dtype="L: int", default=None),
    *,
    activations: ty.Optional[ty.Array[ty.String]] = None,
    clip: ty.Optional[ty.float64] = None,
    reset_after: ty.bool = False,
    reverse: ty.bool = False,
) -> RelayExprNode:
    """
    Return the states of gated recurrent units (Cho et al., 2014).

    With `z, r, c = gates[t]`, and the columns of `weight` in the same order:

    - `z = f(z + hidden @ weight_z)` and `r = f(r + hidden @ weight_r)`;
    - `c = g(c + (r * hidden) @ weight_c)`, or with `reset_after`
      `c = g(c + r * (hidden @ weight_c + bias))`;
    - `hidden = (1 - z) * c + z * hidden`.

    Parameters
    ----------
    gates
        Products of the inputs with their weights, plus biases, of shape `(t, n, 3, h)`: the
        update gate, the reset gate and the candidate; floating-point.
    hidden
        The state before the first step, of shape `(n, h)`.
    weight
        Weights of the state, of shape `(h, 3 * h)`: the columns of the gates in their order.
    bias
        Summands of the candidate's product with the state, of shape `(h,)`; only with
        `reset_after`.
    lengths
        The number of steps of each row: integers of shape `(n,)`. After its last step a row keeps
        its state, and its results are 0. None for `t` steps.
    activations
        The functions `f` and `g`: expressions of `x` as in `scalar` of a declaration; None for
        `sigmoid(x)` and `tanh(x)`.
    clip
        The bound of the absolute values to which activations are applied; None for no bound.
    reset_after
        Whether the reset gate applies to the product of the state, not to the state.
    reverse
        Whether the steps go from the last time to the first.

    Returns
    -------
    outputs
        Tuple of the states of all times, of shape `(t, n, h)`, and of the last state, of shape
        `(n, h)`.

    Raises
    ------
    TypeError
        If shapes do not fit, or the data types of the operands are not one floating-point type.
    ValueError
        If the number of `activations` is not 2, one is not an expression of `x`, or `bias` is
        given without `reset_after`.
    """
    ...


@operator(kind="opaque", relation="custom", onnx="LSTM@7", torch="aten.lstm.input")
def lstm(
    gates: RelayExprNode = operand(dtype="T: float"),
    hidden: RelayExprNode = operand(dtype="T"),
    cell: RelayExprNode = operand(dtype="T"),
    weight: RelayExprNode = operand(dtype="T"),
    peephole: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    lengths: ty.Optional[RelayExprNode] = operand(dtype="L: int", default=None),
    *,
    activations: ty.Optional[ty.Array[ty.String]] = None,
    clip: ty.Optional[ty.float64] = None,
    input_forget: ty.bool = False,
    reverse: ty.bool = False,
) -> RelayExprNode:
    """
    Return the states of a layer of long short-term memory (Hochreiter and Schmidhuber, 1997).

    With `i, o, f, c = gates[t] + hidden @ weight`, and peepholes `p` (Gers et al., 2002):

    - `i = act(i + p[0] * cell)`, and `f = act(f + p[2] * cell)`, or `1 - i` with `input_forget`;
    - `cell = f * cell + i * g(c)`;
    - `o = act(o + p[1] * cell)`, and `hidden = o * k(cell)`.

    Parameters
    ----------
    gates
        Products of the inputs with their weights, plus all biases, of shape `(t, n, 4, h)`: the
        input gate, the output gate, the forget gate and the candidate; floating-point.
    hidden
        The state before the first step, of shape `(n, h)`.
    cell
        The memory before the first step, of shape `(n, h)`.
    weight
        Weights of the state, of shape `(h, 4 * h)`: the columns of the gates in their order.
    peephole
        Weights of the memory in the input, output and forget gates, of shape `(3, h)`.
    lengths
        The number of steps of each row: integers of shape `(n,)`. After its last step a row keeps
        its state, and its results are 0. None for `t` steps.
    activations
        The functions `act`, `g` and `k`: expressions of `x` as in `scalar` of a declaration; None
        for `sigmoid(x)`, `tanh(x)` and `tanh(x)`.
    clip
        The bound of the absolute values to which activations are applied, except `k`; None for no
        bound.
    input_forget
        Whether the forget gate is 1 minus the input gate.
    reverse
        Whether the steps go from the last time to the first.

    Returns
    -------
    outputs
        Tuple of the states of all times, of shape `(t, n, h)`, and of the last state and the last
        memory, of shape `(n, h)`.

    Raises
    ------
    TypeError
        If shapes do not fit, or the data types of the operands are not one floating-point type.
    ValueError
        If the number of `activations` is not 3, or one is not an expression of `x`.
    """
    ...
