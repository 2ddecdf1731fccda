"""A method that is named on its class, as ``quantizer.py:Quantizer.quantize``: which class has the object it needs."""

import inspect
from typing import Any, Final

from porting.runners.side import is_autograd_function, module_kind

_CALLED: Final = ("__call__", "call", "forward")


def owner_of(thing: Any) -> type | None:
    """Return the class whose object a function takes first; nothing if it needs none.

    Parameters
    ----------
    thing : object
        What was given as a side: a function of Python, or what a decorator made of one.
    """
    body = inspect.unwrap(thing) if callable(thing) and not inspect.isclass(thing) else None
    if (
        not inspect.isfunction(body)
        or next(iter(inspect.signature(body, follow_wrapped=False).parameters), "") != "self"
    ):
        return None  # a method of an object has no `self` any more
    *path, name = body.__qualname__.split(".")
    found: Any = body.__globals__.get(path[0]) if path else None
    for part in path[1:]:
        found = getattr(found, part, None)
    return found if inspect.isclass(found) and name in dir(found) else None


def method_of(thing: Any) -> Any:
    """Return the method by which objects of a class are called, where it is no module: its call, or its forward."""
    if not inspect.isclass(thing) or module_kind(thing) or is_autograd_function(thing):
        return None
    found = (inspect.getattr_static(thing, name, None) for name in _CALLED)
    return next((method for method in found if inspect.isfunction(method)), None)
