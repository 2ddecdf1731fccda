"""What is done to the gradients as they are returned."""

import ast
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from porting.selftest.mutation import Gradient
from porting.selftest.operators.node import Edit, like, written

_ZERO: Final = {"torch": "{g}.new_zeros({g}.shape)", "tf": "tf.zeros_like({g})"}
_CUT_OFF: Final = {"torch": "{g}.detach()", "tf": "tf.stop_gradient({g})"}
_ROUNDED: Final = {"torch": "{g}.float().to({dy}.dtype)", "tf": "tf.cast(tf.cast({g}, tf.float32), {dy}.dtype)"}
_NAN_HIDDEN: Final = {"torch": "{g}.nan_to_num()", "tf": "tf.where(tf.math.is_nan({g}), tf.zeros_like({g}), {g})"}


def gradients_swapped(gradient: Gradient) -> Iterator[Edit]:
    """Yield the tuple of gradients with two of them in each other's place."""
    for whole in _tuples(gradient):
        kept = {id(g) for group in gradient.returned for g in group}
        for a, b in combinations([k for k, element in enumerate(whole.elts) if id(element) in kept], 2):
            order = list(whole.elts)
            order[a], order[b] = order[b], order[a]
            yield whole, like(whole, elts=order)


def gradient_left_out(gradient: Gradient) -> Iterator[Edit]:
    """Yield the tuple of gradients without its last element."""
    for whole in _tuples(gradient):
        yield whole, like(whole, elts=whole.elts[:-1])


def gradient_nothing(gradient: Gradient) -> Iterator[Edit]:
    """Yield `None`, and zeros, for each gradient."""
    for g in _each(gradient):
        yield g, ast.Constant(None)
        yield g, written(_ZERO[gradient.backend], g=g)


def gradient_cut_off(gradient: Gradient) -> Iterator[Edit]:
    """Yield each gradient detached from the graph: no second derivative."""
    for g in _each(gradient):
        yield g, written(_CUT_OFF[gradient.backend], g=g)


def gradient_rounded(gradient: Gradient) -> Iterator[Edit]:
    """Yield each gradient rounded to float32 on its way."""
    for g in _each(gradient):
        dy = ast.Name(gradient.cotangents[0], ast.Load())
        yield g, written(_ROUNDED[gradient.backend], g=g, dy=dy)


def nan_hidden(gradient: Gradient) -> Iterator[Edit]:
    """Yield each gradient with its NaNs made numbers."""
    for g in _each(gradient):
        yield g, written(_NAN_HIDDEN[gradient.backend], g=g)


def _each(gradient: Gradient) -> Iterator[ast.expr]:
    return (g for group in gradient.returned for g in group)


def _tuples(gradient: Gradient) -> Iterator[ast.Tuple]:
    """Yield the tuples that are returned."""
    for statement in gradient.nodes(ast.Return):
        if isinstance(statement.value, ast.Tuple) and gradient.returned:
            yield statement.value
