"""The cotangent ignored, clipped, or taken as a number."""

import ast
from collections.abc import Iterator
from typing import Final

from porting.selftest.mutation import Gradient
from porting.selftest.operators.node import Edit, formal, written

_SPOILED: Final = {
    "torch": (  # methods: a twin need not import torch itself
        "{dy}.sum()",
        "{dy}.new_ones({dy}.shape)",
        "{dy}.sign()",
        "{dy}.abs()",
        "{dy}.clamp(-1, 1)",
    ),
    "tf": (
        "tf.reduce_sum({dy})",
        "tf.ones_like({dy})",
        "tf.sign({dy})",
        "tf.abs({dy})",
        "tf.clip_by_value({dy}, -1, 1)",
    ),
}


def cotangent_spoiled(gradient: Gradient) -> Iterator[Edit]:
    """Yield dy.sum(), ones, its sign, its size and a clipped one for each use of a cotangent."""
    skipped = formal(gradient)
    for node in gradient.nodes(ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id in gradient.cotangents and id(node) not in skipped:
            yield from ((node, written(text, dy=node)) for text in _SPOILED[gradient.backend])
