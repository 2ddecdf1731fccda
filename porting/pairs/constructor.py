"""What a constructor takes, also where it hands on ``*args, **kwargs`` to those of its bases.

A function that returns one that it defines is a constructor too: ``def scaled(alpha): def op(x): ...; return op``.
"""

import ast
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from porting.pairs.said_by_source import tree_of

_OTHERS: Final = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


def makes_a_function(thing: Any) -> bool:
    """Whether a function returns nothing but functions that it defines."""
    return inspect.isfunction(thing) and not hasattr(thing, "__wrapped__") and _returns_functions(thing)


@lru_cache(maxsize=64)
def _returns_functions(thing: Any) -> bool:
    tree = tree_of(thing)
    if tree is None:
        return False
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef) and node is not tree]
    theirs = {id(node) for one in inside for node in ast.walk(one)}
    returned = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return) and id(n) not in theirs]
    names = {one.name for one in inside}
    return bool(returned) and all(_defined(value, names, thing.__globals__) for value in returned)


def _defined(value: ast.expr | None, inside: Collection[str], known: Mapping[str, Any]) -> bool:
    """Whether this is one of those `inside`, ``tf.custom_gradient(op)``, or made so.

    Of such a class ``Op.apply``, and ``Op().apply``, which PyTorch deprecates.
    """
    match value:
        case ast.Call(func=ast.Name(id=name)) if name not in inside:
            return makes_a_function(known.get(name))
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name), attr="apply"):
            return name in inside
        case ast.Attribute(value=ast.Call(func=ast.Name(id=name), args=[], keywords=[]), attr="apply"):
            return name in inside
        case ast.Call(func=ast.Attribute(attr="custom_gradient" | "function"), args=[ast.Name(id=name)]):
            return name in inside
    return False


def arguments_of(thing: Any) -> dict[str, inspect.Parameter]:
    """Return the named arguments of the constructor itself."""
    if not inspect.isclass(thing):
        return {n: p for n, p in inspect.signature(thing).parameters.items() if p.kind not in _OTHERS}
    return _named(inspect.getattr_static(thing, "__init__"))


def initialiser(thing: Any) -> Any:
    """Return what is called to make a side: the constructor of a class, or the function itself."""
    return thing.__init__ if inspect.isclass(thing) else thing


def inherited(thing: Any) -> dict[str, inspect.Parameter]:
    """Return the named arguments that constructors of bases take besides, as far as ``**kwargs`` leads to them.

    Whether one without a default is still wanted, its own constructor may know.
    """
    found: dict[str, inspect.Parameter] = {}
    for init in _handed_on(thing):
        found = {**_named(init), **found}
    return {n: p for n, p in found.items() if n not in arguments_of(thing)}


def looked_up(thing: Any, names: Collection[str]) -> set[str]:
    """Return which names a constructor seems to look up in its ``**kwargs``: it has them as texts."""
    texts: set[Any] = set()
    for init in _handed_on(thing):
        kinds = [p.kind for p in _signature(init).values()]
        if inspect.Parameter.VAR_KEYWORD in kinds and not _is_of_framework(init):
            texts |= {c for c in init.__code__.co_consts if isinstance(c, str)} if hasattr(init, "__code__") else set()
    return texts & {*names}


def _handed_on(thing: Any) -> Iterator[Callable[..., Any]]:
    """Yield the constructors, one after the other, as long as each takes any keyword."""
    for base in inspect.getmro(thing) if inspect.isclass(thing) else ():
        if "__init__" not in vars(base) or base is object:
            continue
        init = vars(base)["__init__"]
        yield init
        if inspect.Parameter.VAR_KEYWORD not in [p.kind for p in _signature(init).values()]:
            return


def _is_of_framework(init: Any) -> bool:
    return str(getattr(init, "__module__", "")).partition(".")[0] in {"torch", "keras", "tensorflow", "tf_keras"}


def _named(init: Any) -> dict[str, inspect.Parameter]:
    return {n: p for n, p in _signature(init).items() if p.kind not in _OTHERS}


def _signature(init: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters of a constructor, without the object itself."""
    with suppress(TypeError, ValueError):
        return dict(list(inspect.signature(init).parameters.items())[1:])
    return {}
