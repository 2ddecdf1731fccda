"""One expression replaced by another: in a tree, in the source, and as a label."""

import ast
from collections.abc import Mapping
from typing import Any, Final

_LONG: Final = 20  # characters, beyond which a label does not repeat an expression
_PLAIN: Final = ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.Tuple  # need no parentheses anywhere


def replaced(node: Any, old: ast.expr, new: ast.expr) -> Any:
    """Return a copy of a tree with one expression replaced."""
    if node is old:
        return new
    if isinstance(node, list):
        return [replaced(part, old, new) for part in node]
    if not isinstance(node, ast.AST):
        return node
    fields = {name: replaced(value, old, new) for name, value in ast.iter_fields(node)}
    return ast.copy_location(type(node)(**fields), node)


def spliced(source: str, old: ast.expr, new: ast.expr) -> str:
    """Return the source with one expression replaced; all else stays, comments and line numbers too."""
    lines = source.encode().splitlines(keepends=True)  # columns count bytes
    assert old.end_lineno is not None and old.end_col_offset is not None  # noqa: S101, PT018 - it comes from a parser
    start = sum(map(len, lines[: old.lineno - 1])) + old.col_offset
    end = sum(map(len, lines[: old.end_lineno - 1])) + old.end_col_offset
    text, folded = ast.unparse(new), old.end_lineno - old.lineno
    if folded or not isinstance(new, _PLAIN):
        text = "(" + text + "\n" * folded + ")"
    whole = b"".join(lines)
    return (whole[:start] + text.encode() + whole[end:]).decode()


def around(node: ast.expr, parent: Mapping[ast.AST, ast.AST]) -> list[Any]:
    """Return what is around a place, from the least that says something to the whole statement."""
    chain: list[ast.AST] = [node]
    while not isinstance(chain[-1], ast.stmt):
        chain.append(parent[chain[-1]])
    shown = [n for n in chain if isinstance(n, ast.expr | ast.stmt)]
    if _small(node) or isinstance(shown[1], ast.stmt):
        shown = shown[1:]
    if isinstance(shown[0], ast.Attribute) and isinstance(shown[1], ast.Call) and shown[1].func is shown[0]:
        shown = shown[1:]  # x.sum of x.sum()
    return shown


def label(place: ast.AST, old: ast.expr, new: ast.expr) -> str:
    """Return what stood there and what stands there now: ``2 * x -> 3 * x``; a long expression comes back as ``…``."""
    before, text = ast.unparse(place), ast.unparse(old)
    after = ast.unparse(replaced(place, old, new))
    return f"{before} -> {after.replace(text, '…') if len(text) > _LONG else after}"


def _small(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Name | ast.Constant)
