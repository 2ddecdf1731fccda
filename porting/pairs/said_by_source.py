"""Which arguments of a function are Python's numbers, True or False, by its annotations and what its source does."""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from porting.runners.kept_sources import kept_source
from porting.runners.side import called

DEEP: Final = 2  # calls that an argument is followed through
_OF_BOOLEANS: Final = {"where", "logical_not", "logical_and", "logical_or"}
_COMPUTES: Final = (ast.BinOp, ast.AugAssign, ast.Compare, ast.Subscript, ast.Attribute, ast.Starred)


def flags_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that a function uses as flags, or says to be such.

    An annotation (``bool``), a docstring (``flag : bool``) and ``flag is True`` say so. ``if flag`` and ``not flag`` do
    where nothing is computed with it, here or in functions of the same file that are given it.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    """
    body = body_of(function)
    docs = f"{inspect.getdoc(function) or ''}\n{inspect.getdoc(body) or ''}"
    told = {n for n in names if re.search(rf"(?m)^\s*{re.escape(n)}\s*(:\s*bool|\(bool)\b", docs)}
    return told | {n for n in names if _is_flag(body, n, DEEP) is True}


def booleans_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that a function takes for arrays of True and False: ``tf.where(given, x, y)``."""
    return given_to(body_of(function), names, _condition, DEEP)


def wholes_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that a function casts to whole numbers: ``x.long()``, ``tf.cast(x, tf.int32)``."""
    return given_to(body_of(function), names, _cast_to_whole, DEEP)


def given_to(
    function: Any, names: Collection[str], parts: Callable[[ast.AST], Iterable[ast.expr]], deep: int
) -> set[str]:
    """Return the arguments that, as they came, are such parts of a source, here or in a function that is given them.

    Parameters
    ----------
    function : callable
        Whose source is read.
    names : collection of str
        The arguments that are asked about.
    parts : callable
        Given a node, returns what of it is asked about.
    deep : int
        Calls that an argument is followed through.
    """
    tree = tree_of(function)
    if tree is None:
        return set()
    nodes = list(ast.walk(tree))
    again = {id(target) for node in nodes for target in _bound_again(node, parts)}
    stores = (node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    stored = {node.id for node in stores if id(node) not in again}
    asked = {n for n in names if n not in stored}
    found = {part.id for node in nodes for part in parts(node) if isinstance(part, ast.Name)} & asked
    for name in asked - found if deep else ():
        if any(given_to(to, [there], parts, deep - 1) for to, there in handed_on(tree, function, name)):
            found.add(name)
    return found


def _bound_again(node: ast.AST, parts: Callable[[ast.AST], Iterable[ast.expr]]) -> Iterator[ast.Name]:
    """Yield the variable that an assignment binds to such a part of itself: ``n = int(n)``."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
            if any(isinstance(part, ast.Name) and part.id == name for part in parts(value)):
                yield target


def _condition(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(attr=called), args=[given, *_]) if called in _OF_BOOLEANS:
            yield given
        case ast.Call(func=ast.Attribute(attr="boolean_mask"), args=[_, given, *_]):
            yield given


def _cast_to_whole(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a call casts to whole numbers; nothing if it casts to others, or does something else."""
    match node:
        case ast.Call(func=ast.Attribute(value=x, attr="int" | "long" | "short"), args=[]):
            yield x
        case ast.Call(func=ast.Attribute(value=x, attr="to" | "type"), args=[kind]) if _is_whole_type(kind):
            yield x
        case ast.Call(func=ast.Attribute(attr="cast"), args=[x, kind]) if _is_whole_type(kind):
            yield x


def _is_whole_type(kind: ast.expr) -> bool:
    """Whether this is a type of whole numbers: ``torch.int8``, ``tf.int32``, ``"int32"``."""
    name = kind.attr if isinstance(kind, ast.Attribute) else kind.value if isinstance(kind, ast.Constant) else ""
    return isinstance(name, str) and re.fullmatch(r"u?int\d*|long|short", name) is not None


def annotations_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return how the source of a function annotates its arguments, without the None that one may be: ``int | None``."""
    tree = tree_of(body_of(function))
    found = [] if tree is None else parameters_of(tree)
    said = {a.arg: _of_a_value(a.annotation) for a in found if a.annotation is not None}
    return {n: str(a.value) if isinstance(a, ast.Constant) else ast.unparse(a) for n, a in said.items()}


def _of_a_value(annotation: ast.expr) -> ast.expr:
    match annotation:
        case ast.Constant(value=str(text)):
            with suppress(SyntaxError):  # it may be words
                return _of_a_value(ast.parse(text, mode="eval").body)
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return inner
        case (
            ast.BinOp(op=ast.BitOr(), left=inner, right=ast.Constant(value=None))
            | ast.BinOp(op=ast.BitOr(), left=ast.Constant(value=None), right=inner)
        ):
            return inner
    return annotation


def tensors_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that a function annotates as tensors, and as nothing else."""
    said = annotations_of(function)
    return {n for n in names if n in said and re.fullmatch(r"(\w+\.)*\w*Tensor(\[.*\])?", said[n])}


def body_of(function: Any) -> Any:
    """Return the function that has the source of a side: its forward, its call, or itself."""
    body = getattr(function, "forward", None) if inspect.isclass(function) else called(function)
    return inspect.unwrap(body) if callable(body) else None


def _is_flag(function: Any, name: str, deep: int) -> bool | None:
    """Tell whether an argument is a flag, or is none; nothing if its uses do not say."""
    tree = tree_of(function)
    if tree is None or name not in {a.arg for a in parameters_of(tree)}:
        return None
    uses = [(node, parent) for parent in ast.walk(tree) for node in ast.iter_child_nodes(parent) if _is(node, name)]
    if annotations_of(function).get(name) == "bool" or any(_asks_which(parent) for _, parent in uses):
        return True
    handed = list(handed_on(tree, function, name))
    given = [parent for _, parent in uses if isinstance(parent, ast.Call | ast.keyword)]
    if len(given) > len(handed) or any(isinstance(parent, _COMPUTES) for _, parent in uses):
        return False  # a number, a tensor or a list
    there = [_is_flag(to, called_so, deep - 1) for to, called_so in handed] if deep else []
    asked = any(_asks(node, parent) for node, parent in uses)
    return False if False in there else (asked or True in there or None)


def tree_of(function: Any) -> ast.FunctionDef | None:
    """Return the definition of a function as it stands in its file; nothing if it cannot be read."""
    try:
        module = ast.parse(textwrap.dedent(kept_source(function)))
    except (OSError, TypeError, SyntaxError, ValueError):  # it was built, or typed
        return None
    return next((node for node in module.body if isinstance(node, ast.FunctionDef)), None)


def parameters_of(tree: ast.FunctionDef) -> list[ast.arg]:
    """Return the parameters of a definition, in order."""
    return [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _asks_which(parent: ast.AST) -> bool:
    """Whether it is compared with True or False."""
    sides = [parent.left, *parent.comparators] if isinstance(parent, ast.Compare) else []
    return any(isinstance(side, ast.Constant) and isinstance(side.value, bool) for side in sides)


def _asks(node: ast.AST, parent: ast.AST) -> bool:
    """Whether it decides something."""
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    return isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is node


def handed_on(
    tree: ast.FunctionDef, function: Any, name: str, through: Collection[str] = (), *, beside: bool = False
) -> Iterator[tuple[Any, str]]:
    """Yield the functions of the same file that are given the argument, and what it is called there.

    It may be given `through` some methods: ``x.detach().numpy()``. With `beside`, those of files in the same folder
    too.
    """
    for body, there, given in calls_in(tree, function, beside=beside):
        if _is(_without(given, through), name):
            yield body, there


def calls_in(tree: ast.FunctionDef, function: Any, *, beside: bool = False) -> Iterator[tuple[Any, str, ast.expr]]:
    """Yield what functions of the same file are given: the function, the name of its argument, and what is given."""
    known = getattr(function, "__globals__", {})
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        applied = isinstance(call.func, ast.Attribute) and call.func.attr == "apply"
        named = call.func.value if isinstance(call.func, ast.Attribute) and applied else call.func
        found: Any = known.get(named.id) if isinstance(named, ast.Name) else None
        if not callable(found) or not _are_together(found, function, beside=beside):
            continue
        body = body_of(found)
        inner = tree_of(body)
        ctx = applied and "setup_context" not in getattr(found, "__dict__", {})  # a forward beside one takes no ctx
        theirs = [a.arg for a in parameters_of(inner)][1 if ctx else 0 :] if inner else []
        given = [*zip(call.args, theirs, strict=False), *((k.value, k.arg) for k in call.keywords)]
        yield from ((body, there, a) for a, there in given if there)


def _are_together(one: Any, other: Any, *, beside: bool) -> bool:
    """Whether two functions are of one file, or of files `beside` each other."""
    names = [getattr(function, "__module__", None) for function in (one, other)]
    if names[0] == names[1] or not beside:
        return names[0] == names[1]
    files = [getattr(sys.modules.get(name or ""), "__file__", None) for name in names]
    return None not in files and len({Path(str(file)).parent for file in files}) == 1


def _without(node: ast.expr, through: Collection[str]) -> ast.expr:
    """Return what methods without arguments are called of."""
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[], keywords=[]) if attr in through:
                node = inner
            case _:
                return node
