"""Copies of functions in which other objects stand in for the ``torch.autograd.Function``s that they call.

A copy shares the globals of its function, so that it sees what the function sees. Only the names that lead to a
Function, or to a function that calls one, are other names in it; what these stand for is put beside them, into the same
globals.
"""

import dis
import functools
import sys
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from torch.autograd import Function

_NOT_OURS = {"torch", *sys.stdlib_module_names}  # what they define calls no Function of the user's


class StandIns:
    """What stands in for Functions, and the copies that use it.

    Parameters
    ----------
    suffix : str
        What is added to a name that leads to a stand-in.
    stand_in : callable
        Given a Function, a class, it returns what stands in for it: another Function, or an object of a class with
        ``stands_in = True`` and the method ``apply``.
    """

    def __init__(self, suffix: str, stand_in: Callable[[type[Function]], Any]) -> None:
        self.suffix, self._make = suffix, stand_in
        self._made: dict[type[Function], Any] = {}
        self._copies: dict[FunctionType, FunctionType] = {}

    def copy(self, op: Any) -> Any:
        """Return the copy of a function, or what stands in for the ``apply`` of a Function.

        Raises
        ------
        TypeError
            If it is neither, or calls no Function that can be seen.
        """
        if not isinstance(op, (FunctionType, MethodType, functools.partial)):
            raise TypeError(
                f"a function that calls a torch.autograd.Function is wanted, got {type(op).__name__}; of a module or"
                " another object, give the function that it calls, and let it call what you get"
            )
        if not _leads(op, frozenset(), set()):
            raise TypeError(
                f"{getattr(op, '__qualname__', op)} calls no torch.autograd.Function by a name that can be followed: a"
                " global, a variable of the function around it, an attribute of a module; give the function that does"
            )
        return self.instead_of(op)

    def of(self, function: type[Function]) -> Any:
        """Return what stands in for a Function: always the same."""
        if function not in self._made:
            self._made[function] = self._make(function)
        return self._made[function]

    def instead_of(self, thing: Any, names: frozenset[str] = frozenset()) -> Any:
        """Return what a copy has instead of a thing: the thing itself, if it leads to no Function.

        Parameters
        ----------
        thing : object
            What a name stands for.
        names : frozenset of str
            The attributes that are asked for, if the thing is a module.
        """
        if not _leads(thing, names, set()):
            return thing
        if isinstance(thing, functools.partial):
            return functools.partial(self.instead_of(thing.func), *thing.args, **thing.keywords)
        if isinstance(thing, ModuleType):
            return self._module(thing, names)
        if isinstance(thing, FunctionType):
            return self._function(thing)
        function = thing.__self__ if isinstance(thing, MethodType) else thing
        if not isinstance(function, type):  # a stand-in already
            return thing
        return self.of(function) if function is thing else self.of(function).apply

    def _module(self, module: ModuleType, names: frozenset[str]) -> ModuleType:
        found = ModuleType(module.__name__)
        found.__getattr__ = functools.partial(getattr, module)  # PEP 562: all else is the module's own
        for name, thing in _attributes(module, names):
            if _leads(thing, names, set()):
                setattr(found, name, self.instead_of(thing, names))
        return found

    def _function(self, function: FunctionType) -> FunctionType:
        if function in self._copies:
            return self._copies[function]
        code, cells = function.__code__, tuple(CellType() for _ in function.__closure__ or ())
        copy = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, cells)
        self._copies[function] = copy  # before its globals are looked at: one of them may call it
        for name in ("__module__", "__qualname__", "__doc__", "__annotations__", "__kwdefaults__"):
            setattr(copy, name, getattr(function, name))
        names, renamed = _names(code), {}
        for name, thing in _globals(function):
            if _leads(thing, names, set()):
                renamed[name] = f"{name} {self.suffix}"
                function.__globals__[renamed[name]] = self.instead_of(thing, names)
        copy.__code__ = _with_names(code, renamed)
        for cell, before in zip(cells, function.__closure__ or (), strict=True):
            if _is_filled(before):
                cell.cell_contents = self.instead_of(before.cell_contents, names)
        return copy


def _leads(thing: Any, names: frozenset[str], seen: set[FunctionType]) -> bool:
    """Whether a thing is a Function or its ``apply``, or calls one as far as it can be followed."""
    if isinstance(thing, functools.partial):
        return _leads(thing.func, names, seen)
    if isinstance(thing, ModuleType):
        return any(_leads(each, names - {name}, seen) for name, each in _attributes(thing, names))
    if isinstance(thing, FunctionType):
        if thing in seen or not _is_theirs(thing):
            return False
        seen.add(thing)
        named = [each for _, each in _globals(thing)]
        named += [cell.cell_contents for cell in thing.__closure__ or () if _is_filled(cell)]
        asked = _names(thing.__code__)
        return any(_leads(each, asked, seen) for each in named)
    if isinstance(thing, MethodType) and thing.__name__ == "apply":
        thing = thing.__self__
    if getattr(type(thing), "stands_in", False):
        return True
    return isinstance(thing, type) and issubclass(thing, Function) and thing is not Function and _is_theirs(thing)


def _is_theirs(thing: Any) -> bool:
    return (thing.__module__ or "").partition(".")[0] not in _NOT_OURS


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # a variable that has no value yet
        return False


def _attributes(module: ModuleType, names: frozenset[str]) -> list[tuple[str, Any]]:
    """Return those of a module's attributes that are asked for, and may lead to a Function."""
    if module.__name__.partition(".")[0] in _NOT_OURS:
        return []
    return [(name, vars(module)[name]) for name in sorted(names) if name in vars(module)]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of the functions that are written in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names(code: CodeType) -> frozenset[str]:
    return frozenset(name for each in _codes(code) for name in each.co_names)


def _globals(function: FunctionType) -> list[tuple[str, Any]]:
    """Return the globals that a function loads."""
    loads = [i for each in _codes(function.__code__) for i in dis.get_instructions(each) if i.opname == "LOAD_GLOBAL"]
    names = sorted({i.argval for i in loads} & function.__globals__.keys())
    return [(name, function.__globals__[name]) for name in names]


def _with_names(code: CodeType, renamed: dict[str, str]) -> CodeType:
    """Return the code with other names of globals."""
    others = {i.argval for i in dis.get_instructions(code) if i.opcode in dis.hasname and i.opname != "LOAD_GLOBAL"}
    if both := sorted(others & renamed.keys()):
        raise NotImplementedError(
            f"{code.co_name}: {both[0]} is a global there, and something else of the same name, such as an attribute;"
            " import the global under another name"
        )
    constants = tuple(_with_names(c, renamed) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_names=tuple(renamed.get(n, n) for n in code.co_names), co_consts=constants)
