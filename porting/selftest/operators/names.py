"""One name in the place of another."""

import ast
from collections.abc import Iterator

from porting.selftest.mutation import Gradient
from porting.selftest.operators.node import Edit


def names_swapped(gradient: Gradient) -> Iterator[Edit]:
    """Yield x for dy, x2 for x1, one local value for another that is there already."""
    given = (*gradient.cotangents, *gradient.tensors)
    own = {n.id: n.lineno for n in reversed(_stored(gradient)) if n.id not in (*given, *gradient.statics)}
    for node in gradient.nodes(ast.Name):
        if not isinstance(node.ctx, ast.Load):
            continue
        group = given if node.id in given else [name for name, line in own.items() if line < node.lineno]
        if node.id in group:
            yield from ((node, ast.Name(other, ast.Load())) for other in sorted(group) if other != node.id)


def statics_swapped(gradient: Gradient) -> Iterator[Edit]:
    """Yield one static in the place of another."""
    for node in gradient.nodes(ast.Name, ast.Attribute):
        if ast.unparse(node) in gradient.statics:
            others = [other for other in gradient.statics if other != ast.unparse(node)]
            yield from ((node, ast.parse(other, mode="eval").body) for other in others)


def _stored(gradient: Gradient) -> list[ast.Name]:
    return [n for n in gradient.nodes(ast.Name) if isinstance(n.ctx, ast.Store)]
