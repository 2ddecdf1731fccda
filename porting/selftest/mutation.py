"""Where the gradient code of a twin stands in its source, and which names mean what there."""

import ast
import inspect
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from types import MethodType, ModuleType
from typing import Final, TypeVar

from porting.errors import PortingError
from porting.spec import Op

Node = TypeVar("Node", bound=ast.AST)
Code = ast.FunctionDef | ast.Lambda
_OF_CONTEXT: Final = {"saved_tensors", "needs_input_grad", "mark_non_differentiable", "set_materialize_grads"}


class NoGradientError(PortingError, LookupError):
    """The source of a twin's gradient cannot be found; the message says where it was looked for."""


@dataclass(frozen=True)
class Gradient:
    """The code of one gradient function, or of a helper that gradients alone call.

    Attributes
    ----------
    backend : str
        ``torch`` or ``tf``.
    body : tuple of ast.AST
        Its statements, or the expression of a lambda.
    cotangents, tensors, statics : tuple of str
        What stands for the cotangents, for the inputs and what the forward kept, for the statics (``ctx.slope``).
        All are empty for a helper.
    returned : tuple of tuple of ast.expr
        The gradients of each return statement, without the `None` of statics; empty for a helper.
    """

    backend: str
    body: tuple[ast.AST, ...]
    cotangents: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    statics: tuple[str, ...] = ()
    returned: tuple[tuple[ast.expr, ...], ...] = ()

    def nodes(self, *kinds: type[Node]) -> Iterator[Node]:
        """Yield the nodes of these kinds, in the order of the source."""
        for statement in self.body:
            yield from (node for node in _formulas(statement) if isinstance(node, kinds))


def home(op: Op, backend: str) -> tuple[ModuleType, str]:
    """Return the module that defines a twin, and the twin's dotted name there (``cube``, ``Cube.apply``).

    Raises
    ------
    NoGradientError
        If it is not at the top of a module.
    """
    twin = op.twin(backend)
    owner = getattr(twin, "__self__", None) or inspect.unwrap(twin)
    module = sys.modules[owner.__module__]
    for name, thing in vars(module).items():
        if thing is twin or (isinstance(thing, MethodType) and thing == twin):
            return module, name
    outer = getattr(owner, "__name__", "")
    if getattr(module, outer, None) is owner:
        return module, f"{outer}.{twin.__name__}"
    raise NoGradientError(f"the {backend} twin of {op.name} is not at the top of {module.__name__}")


def gradients(tree: ast.Module, name: str, backend: str) -> list[Gradient]:
    """Return the gradient code that the function or class of this name uses, helpers last."""
    known = _definitions(tree)
    root = name.partition(".")[0]
    found: dict[Code, Gradient] = {}
    for statement in used(tree, root):
        found.update(_of_torch(statement) if backend == "torch" else _of_tf(statement))
    inside = _reached(_names(found), known)
    elsewhere = _reached([root], known, without=found)
    helpers = [known[key] for key in inside if key not in elsewhere]
    return [
        *found.values(),
        *(Gradient(backend, tuple(code.body)) for code in helpers if isinstance(code, ast.FunctionDef)),
    ]


def used(tree: ast.Module, root: str) -> list[ast.stmt]:
    """Return the definition of a name at the top of a module, and those that it leads to."""
    known = _definitions(tree)
    return [known[key] for key in _reached([root], known)]


def _of_torch(statement: ast.stmt) -> Iterator[tuple[Code, Gradient]]:
    if not isinstance(statement, ast.ClassDef):
        return
    for code in statement.body:
        if isinstance(code, ast.FunctionDef) and code.name == "backward":
            ctx, *cotangents = _positional(code)
            kept = [n for n in ast.walk(code) if isinstance(n, ast.Assign) and "saved_tensors" in ast.unparse(n.value)]
            statics = [n for n in ast.walk(code) if isinstance(n, ast.Attribute) and ast.unparse(n.value) == ctx]
            settings = dict.fromkeys(ast.unparse(n) for n in statics if n.attr not in _OF_CONTEXT)
            yield code, _gradient("torch", code, cotangents, _stored(kept), settings)


def _of_tf(statement: ast.stmt) -> Iterator[tuple[Code, Gradient]]:
    if not isinstance(statement, ast.FunctionDef):
        return
    settings = [a.arg for a in statement.args.kwonlyargs]
    for forward in ast.walk(statement):
        if not isinstance(forward, ast.FunctionDef) or not any(
            ast.unparse(d).endswith("custom_gradient") for d in forward.decorator_list
        ):
            continue
        named = {n.name: n for n in ast.walk(forward) if isinstance(n, ast.FunctionDef)}
        for elements in _returned(forward):
            second = elements[-1]
            code = named.get(second.id) if isinstance(second, ast.Name) else second
            if isinstance(code, Code):
                around = [s for s in forward.body if s is not code]
                yield (
                    code,
                    _gradient("tf", code, _positional(code), [*_positional(forward), *_stored(around)], settings),
                )


def _gradient(
    backend: str, code: Code, cotangents: Iterable[str], tensors: Iterable[str], statics: Iterable[str]
) -> Gradient:
    body = (code.body,) if isinstance(code, ast.Lambda) else tuple(code.body)
    returned = tuple(_returned(code))
    return Gradient(backend, body, tuple(cotangents), tuple(dict.fromkeys(tensors)), tuple(statics), returned)


def _returned(code: Code) -> Iterator[tuple[ast.expr, ...]]:
    """Yield what each return statement returns, one by one and without `None`."""
    values = [code.body] if isinstance(code, ast.Lambda) else [s.value for s in _own(code) if isinstance(s, ast.Return)]
    for value in values:
        elements = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
        yield tuple(e for e in elements if e and not (isinstance(e, ast.Constant) and e.value is None))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one that belong to it and not to a function defined in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Code):
            yield child
            yield from _own(child)


def _formulas(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below that compute something: no annotation, decorator, text or exception."""
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in {"annotation", "returns", "decorator_list", "args"} or isinstance(node, ast.Call):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _formulas(child)


def _positional(code: Code) -> list[str]:
    return [a.arg for a in (*code.args.posonlyargs, *code.args.args)]


def _stored(statements: Iterable[ast.AST]) -> list[str]:
    found = [n for s in statements for n in ast.walk(s) if isinstance(n, ast.Name)]
    return [n.id for n in found if isinstance(n.ctx, ast.Store)]


def _definitions(tree: ast.Module) -> dict[str, ast.stmt]:
    """Return what a module defines at its top: functions, classes, names."""
    found: dict[str, ast.stmt] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            found.update(dict.fromkeys(_stored([statement]), statement))
    return found


def _names(nodes: Iterable[ast.AST], without: Collection[ast.AST] = ()) -> Iterator[str]:
    for node in nodes:
        if node in without:
            continue
        if isinstance(node, ast.Name):
            yield node.id
        yield from _names(ast.iter_child_nodes(node), without)


def _reached(names: Iterable[str], known: dict[str, ast.stmt], without: Collection[ast.AST] = ()) -> list[str]:
    """Return the names of the definitions that some names lead to, themselves included."""
    found: dict[str, None] = {}
    ahead = list(names)
    while ahead:
        name = ahead.pop(0)
        if name in known and name not in found:
            found[name] = None
            ahead.extend(_names([known[name]], without))
    return list(found)
