"""What the operators are made of: an edit, and small ways to write and to read expressions."""

import ast
from collections.abc import Callable, Iterator
from typing import Any, Final

from porting.selftest.mutation import Gradient

_FORM: Final = {"dtype", "device", "shape", "size", "rank", "ndim", "dim", "new_zeros", "new_ones", "new_full"}
Edit = tuple[ast.expr, ast.expr]
Operator = Callable[[Gradient], Iterator[Edit]]


def like(node: ast.expr, **fields: Any) -> ast.expr:
    """Return the same expression with other fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def written(text: str, **parts: ast.expr) -> ast.expr:
    """Return an expression from its text; each ``{name}`` in it stands for a part."""
    return ast.parse(text.format(**{key: f"({ast.unparse(part)})" for key, part in parts.items()}), mode="eval").body


def number(node: ast.AST) -> float | None:
    """Return the number that a constant is, its minus included; `None` for everything else, a bool too."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) in {int, float} else None  # type: ignore[return-value] # mypy does not know that form


def called(node: ast.Call) -> str:
    """Return the last part of the name of what is called: ``sin`` of ``torch.sin(x)`` and of ``x.sin()``."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def subject(node: ast.Call) -> ast.expr | None:
    """Return what a call works on: the first argument of a function, the tensor of a method."""
    if isinstance(node.func, ast.Attribute) and not is_module(node.func.value):
        return node.func.value
    return node.args[0] if node.args and not isinstance(node.args[0], ast.Starred) else None


def is_module(node: ast.expr) -> bool:
    """Tell whether an expression is a framework or a part of it: ``tf``, ``tf.math``, ``torch.nn.functional``."""
    return ast.unparse(node).partition(".")[0] in {"torch", "tf", "tensorflow", "F", "np"}


def formal(gradient: Gradient) -> set[int]:
    """Return the ids of the names of which type, shape or device alone are wanted: ``dy.dtype``, ``ones_like(dy)``."""
    found = [n.value for n in gradient.nodes(ast.Attribute) if n.attr in _FORM]
    found += [n.args[0] for n in gradient.nodes(ast.Call) if n.args and (called(n) in _FORM or "_like" in called(n))]
    return {id(n) for n in found if isinstance(n, ast.Name)}
