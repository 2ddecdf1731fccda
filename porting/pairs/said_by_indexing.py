"""Which arguments of a function are places or classes: what its source looks something up with."""

import ast
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from porting.pairs.said_by_source import DEEP, body_of, given_to

# Where a function is given whole numbers: as which argument, from the front, or from the end where it may be a method.
_PLACES: Final = {
    "gather": -1,
    "index_select": -1,
    "index_add": -2,
    "index_add_": -2,
    "scatter": -2,
    "scatter_": -2,
    "scatter_add": -2,
    "scatter_add_": -2,
    "gather_nd": 1,
    "embedding": 0,
    "embedding_lookup": 1,
    "one_hot": 0,
    "cross_entropy": 1,
    "nll_loss": 1,
    "segment_sum": 1,
    "segment_mean": 1,
    "segment_max": 1,
    "unsorted_segment_sum": 1,
    "unsorted_segment_mean": 1,
    "unsorted_segment_max": 1,
    "tensor_scatter_nd_add": 1,
    "tensor_scatter_nd_update": 1,
    "scatter_nd": 0,
    "bincount": 0,
}
_KEYWORDS: Final = {"indices", "index", "segment_ids"}


def indices_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that a function looks something up with, as they came.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    """
    return given_to(body_of(function), names, _looked_up, DEEP)


def _looked_up(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a part of a source takes for places or classes."""
    match node:
        case ast.Call(func=ast.Attribute(attr=called), args=args, keywords=keywords) if called in _PLACES:
            yield from (args[at] for at in [_PLACES[called]] if -len(args) <= at < len(args))
            yield from (one.value for one in keywords if one.arg in _KEYWORDS)
        case ast.Call(func=ast.Attribute(attr="sparse_softmax_cross_entropy_with_logits"), keywords=keywords):
            yield from (one.value for one in keywords if one.arg == "labels")
        case ast.Subscript(slice=ast.Tuple(elts=places)):
            yield from places
        case ast.Subscript(slice=place):
            yield place
