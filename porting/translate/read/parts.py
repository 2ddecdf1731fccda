"""Reads a custom gradient that stands in a class or a function, with the functions and methods there that it calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import source
from porting.translate.names import Names
from porting.translate.read.decorators import is_transparent, unknown
from porting.translate.read.objects import Unchanged, Uses
from porting.translate.refusal import Refusal
from porting.translate.scopes import Block, Variables, bound_in, variables_of

Scope = cst.FunctionDef | cst.ClassDef


@dataclass
class Part:
    """The gradient, or a function that it calls.

    Attributes
    ----------
    original, node : libcst.FunctionDef or libcst.ClassDef
        The definition, and the same without the object among its parameters.
    scopes : sequence of libcst.FunctionDef or libcst.ClassDef
        What stands around it, the outermost first.
    object : str
        What it calls the object.
    reads : list of str
        What it reads from around it: ``self.k``, ``k``. Also what those read that it calls, when all is read.
    calls : dict of str to Part
        What it calls: ``self.scale``, ``scale``.
    title : str
        What it is called at the top of the module.
    """

    original: Any
    node: Any
    scopes: Sequence[Scope]
    object: str = ""
    reads: list[str] = field(default_factory=list)
    calls: dict[str, "Part"] = field(default_factory=dict)
    title: str = ""

    @property
    def is_method(self) -> bool:
        """Whether it stands in a class."""
        return bool(self.scopes) and isinstance(self.scopes[-1], cst.ClassDef)


class Parts:
    """A custom gradient, and what it calls.

    Attributes
    ----------
    every : list of Part
        The gradient first.
    holder : libcst.ClassDef or None
        The class of the object that they read.
    names : set of str
        All names in them.
    sources : dict of str to libcst.FunctionDef
        The function that each variable from around is of.

    Raises
    ------
    Refusal
        If they do more with what stands around them than to read it.
    """

    def __init__(self, node: Any, scopes: Sequence[Scope], names: Names, module: cst.Module) -> None:
        self.every: list[Part] = []
        self.holder: Any = None
        self.names: set[str] = set()
        self.sources: dict[str, cst.FunctionDef] = {}
        self._module = module
        self._of_module = names
        self._imported = {name for scope in scopes for name in _imports(scope, names)}
        self._part(node, scopes)
        for _ in self.every:
            for part in self.every:
                part.reads += [key for other in part.calls.values() for key in other.reads if key not in part.reads]
        read = {key for part in self.every for key in part.reads}
        for part in self.every:  # of self.cfg and self.cfg.low, the first is what is handed on
            part.reads = list(dict.fromkeys(_shortest(key, read) for key in part.reads))

    def _part(self, node: Any, scopes: Sequence[Scope]) -> Part:
        """Read a definition, and what it calls."""
        known = next((part for part in self.every if part.original is node), None)
        if known is not None:
            return known
        part = Part(node, node, scopes)
        self.every.append(part)
        if part.is_method and isinstance(node, cst.FunctionDef):
            self._method(part, scopes[-1])
        variables = variables_of(part.node)
        self.names |= variables.every
        for title in variables.outside:
            self._name(part, title, variables)
        roots = {part.object, *(key for key in part.reads if key in self.sources)} - {""}
        Unchanged(part.node, roots)
        return part

    def _method(self, part: Part, holder: Any) -> None:
        """Take the object out of the parameters of a method."""
        decorators = {source(d.decorator) for d in part.node.decorators}
        if "staticmethod" in decorators:
            return
        given = part.node.params
        if "classmethod" in decorators:
            raise Refusal("is a method of a class, which has no place in a function", part.node)
        if not given.params or given.posonly_params or "property" in decorators:
            raise Refusal("is a method whose object is not known here", part.node)
        self._hold(holder)
        part.object = given.params[0].name.value
        part.node = part.node.with_changes(params=given.with_changes(params=given.params[1:]))

    def _hold(self, holder: Any) -> None:
        if self.holder is not None and self.holder is not holder:
            raise Refusal("reads two objects", holder)
        self.holder = holder

    def _name(self, part: Part, title: str, variables: Variables) -> None:
        """Find out what a name from around it is: the object, a variable, a function, or of the module."""
        if title in {"super", "__class__"}:
            raise Refusal("asks super(): what its class inherits is not known here", part.node)
        if title == part.object:
            around: Sequence[Scope] = ()
        else:
            depth = next((n for n in reversed(range(len(part.scopes))) if binds(part.scopes[n], title)), None)
            if depth is None or title in self._imported:
                return
            around = part.scopes[: depth + 1]
        if title in variables.twice:
            raise Refusal(f"{title} is two things in it", part.node)
        if around and not _is_object(around, title):
            self._variable(part, title, around)
            return
        if around:
            part.object = title
            self._hold(around[-2])
        self._attributes(part)

    def _attributes(self, part: Part) -> None:
        """Take in what it reads of the object, and the methods that it calls."""
        uses = Uses(part.node, part.object)
        part.reads += [f"self.{path}" for path in uses.read]
        block = Block(self.holder)
        for title in dict.fromkeys(path.partition(".")[0] for path in uses.read):
            if title in block.defined and not _is_property(block, title):
                raise Refusal(f"reads {part.object}.{title}, which is a method or a class", part.node)
        for title in dict.fromkeys(uses.called):
            found = block.defined.get(title, [])
            if len(found) != 1 or not isinstance(found[0], cst.FunctionDef) or self._is_overridden(title):
                raise Refusal(f"calls {part.object}.{title}, and only the object knows what that does", part.node)
            place = next((n for n, scope in enumerate(part.scopes) if scope is self.holder), len(part.scopes))
            part.calls[f"self.{title}"] = self._called(found[0], [*part.scopes[:place], self.holder])

    def _is_overridden(self, title: str) -> bool:
        """Whether a class of the module that inherits from the object's has a method of that name."""
        own, found = self.holder.name.value, m.findall(self._module, m.ClassDef())
        heirs: list[Any] = [c for c in found if own in {source(b.value) for b in c.bases}]  # type: ignore[attr-defined]  # classes
        return any(title in Block(heir).defined for heir in heirs)

    def _variable(self, part: Part, title: str, around: Sequence[Scope]) -> None:
        """Take in a variable, or a function, of a function around it."""
        scope: Any = around[-1]
        found = Block(scope).defined.get(title, [])
        calls = m.findall(part.node, m.Call(func=m.Name(title)))
        if not found and calls:
            raise Refusal(f"calls {title}, a variable around it, and what that does is not known here", part.node)
        if not found:
            if self.sources.setdefault(title, scope) is not scope:
                raise Refusal(f"{title} is two variables around it", part.node)
            part.reads.append(title)
            return
        if len(found) != 1 or not isinstance(found[0], cst.FunctionDef):
            raise Refusal(f"uses {title}, which is no single function around it", part.node)
        if len(calls) != len(m.findall(part.node, m.Name(title))):
            raise Refusal(f"hands on {title}, a function around it", part.node)
        part.calls[title] = self._called(found[0], around)

    def _called(self, node: cst.FunctionDef, scopes: Sequence[Scope]) -> Part:
        other = [d for d in node.decorators if not is_transparent(d, self._of_module)]
        if other:
            raise Refusal(f"calls {node.name.value}: {unknown(other[0])}", node)
        return self._part(node, scopes)


def _imports(scope: Scope, names: Names) -> list[str]:
    """Take in what a function imports for itself, and return the names."""
    found: list[str] = []
    for small in Block(scope).imports if isinstance(scope, cst.FunctionDef) else ():
        before = dict(names.imported)
        names.add(small)
        other = [n for n, path in before.items() if names.imported[n] != path]
        if other:
            raise Refusal(f"{other[0]} is another import in {scope.name.value} than in the module", small)
        if not isinstance(small.names, cst.ImportStar):
            found += [alias.evaluated_alias or alias.evaluated_name.partition(".")[0] for alias in small.names]
    return found


def binds(scope: Scope, title: str) -> bool:
    """Whether a name is a parameter or a variable of what stands around something."""
    return isinstance(scope, cst.FunctionDef) and title in bound_in(scope)


def _is_object(scopes: Sequence[Scope], title: str) -> bool:
    """Whether a name is the object of the innermost scope: a method's first parameter."""
    method: Any = scopes[-1]
    if len(scopes) < 2 or not isinstance(scopes[-2], cst.ClassDef):
        return False
    static = {source(d.decorator) for d in method.decorators} & {"staticmethod", "classmethod"}
    return not static and bool(method.params.params) and method.params.params[0].name.value == title


def _is_property(block: Block, title: str) -> bool:
    (*_, last) = block.defined[title]
    return isinstance(last, cst.FunctionDef) and any(source(d.decorator) == "property" for d in last.decorators)


def _shortest(key: str, read: set[str]) -> str:
    parts = key.split(".")
    return next(start for n in range(1, len(parts) + 1) if (start := ".".join(parts[:n])) in read)
