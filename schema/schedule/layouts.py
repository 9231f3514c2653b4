"""Chains of functions whose tensors have channels, and the layouts of these."""

from schema.ir.module import IRModuleNode
from schema.transform.passes import PassNode
from tschema import function, ty


@function(makes_pass=True)
def ReplayLayouts(traces: ty.Map[ty.String, ty.Array[ty.String]]) -> PassNode:
    """
    Return a pass that makes `AlterLayout` use the layouts of traces of chains.

    In a pipeline it precedes `AlterLayout`, at any place. Chains without a trace are left to the
    rule of `AlterLayout`.

    Parameters
    ----------
    traces
        The layouts, as `chain_layouts` returns them, by the hashes of chains, as `chains` returns
        them.

    Returns
    -------
    made
        The pass, of level 0. It raises ValueError if a trace is not the layout of a chain.
    """
    ...


@function(api=True)
def chains(module: IRModuleNode) -> ty.Map[ty.String, IRModuleNode]:
    """
    Return the chains of a module whose tensors may have several layouts.

    A chain has tensors with channels that a host function allocates, and its calls that use them.
    Tensors of one call are in the same chain, so that the layouts of two chains are independent.

    Parameters
    ----------
    module
        The module, as it was before `AlterLayout` ran.

    Returns
    -------
    found
        Each chain as a module of its own, by the structural hash of the chain, in 16 hexadecimal
        digits. Names and the values of constants do not change the hash. The function `main` of a
        chain makes its calls; its parameters are the other tensors that they use.
    """
    ...


@function(api=True)
def chain_layouts(chain: IRModuleNode) -> ty.Array[ty.Array[ty.String]]:
    """
    Return the layouts of a chain.

    Parameters
    ----------
    chain
        A chain, as `chains` returns it.

    Returns
    -------
    layouts
        The trace of each, first that of the rule of `AlterLayout`. The line of a trace is
        `AlterLayout: channels: plain()`, or
        `AlterLayout: channels: blocks(vectors=2, copy_terms=256)`: the most vectors of a block, and
        the length of sums for which a convolution stores blocks though all readers of its result
        need a copy without. No two of them lay out all tensors alike.
    """
    ...
