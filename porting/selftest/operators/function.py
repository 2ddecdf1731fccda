"""Functions exchanged for others, left out, and the branches of ``where``."""

import ast
from collections.abc import Iterator
from typing import Final

from porting.selftest.mutation import Gradient
from porting.selftest.operators.node import Edit, called, is_module, like, subject

_PAIRS: Final = (
    ("sin", "cos"), ("exp", "log"), ("tanh", "sigmoid"), ("mean", "sum"), ("reduce_mean", "reduce_sum"),
    ("sqrt", "square"), ("maximum", "minimum"), ("amax", "amin"), ("reduce_max", "reduce_min"),
    ("zeros_like", "ones_like"), ("sinh", "cosh"), ("real", "imag"),
)  # fmt: skip
_SWAPPED: Final = {**dict(_PAIRS), **{b: a for a, b in _PAIRS}, "rsqrt": "sqrt"}
_ONLY_IN_MATH: Final = {"log"}  # tf.log does not exist
_VIEWS: Final = {"T", "mT", "H", "mH", "real", "imag"}


def function_swapped(gradient: Gradient) -> Iterator[Edit]:
    """Yield cos for sin, log for exp, sum for mean and the like, of a framework and of a tensor."""
    for node in gradient.nodes(ast.Call):
        other = _SWAPPED.get(called(node))
        if other and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if gradient.backend == "tf" and other in _ONLY_IN_MATH and ast.unparse(owner) == "tf":
                owner = ast.Attribute(owner, "math", ast.Load())
            yield node, like(node, func=ast.Attribute(owner, other, ast.Load()))


def where_exchanged(gradient: Gradient) -> Iterator[Edit]:
    """Yield where(c, b, a) for where(c, a, b)."""
    for node in _wheres(gradient):
        yield node, like(node, args=[node.args[0], node.args[2], node.args[1]])


def where_one_sided(gradient: Gradient) -> Iterator[Edit]:
    """Yield each branch of where alone."""
    for node in _wheres(gradient):
        yield node, node.args[1]
        yield node, node.args[2]


def call_dropped(gradient: Gradient) -> Iterator[Edit]:
    """Yield x for f(x) and for x.f()."""
    for node in gradient.nodes(ast.Call):
        found = subject(node)
        if found is not None and called(node) != "where":
            yield node, found


def attribute_dropped(gradient: Gradient) -> Iterator[Edit]:
    """Yield x for x.T and the like."""
    for node in gradient.nodes(ast.Attribute):
        if node.attr in _VIEWS and not is_module(node.value):
            yield node, node.value


def _wheres(gradient: Gradient) -> Iterator[ast.Call]:
    for node in gradient.nodes(ast.Call):
        if called(node) == "where" and len(node.args) == 3 and isinstance(node.func, ast.Attribute):
            yield node
