"""Takes a custom gradient out of the class or the function that it stands in: what it reads there becomes arguments.

``self.k`` becomes the argument ``k``, and so does a variable of a function around it. Functions around it, and methods
of its object, become functions of the module, if they too do nothing but read. Anything more is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, renamed, source
from porting.translate.dialects import DIALECTS
from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read import torch as read_torch
from porting.translate.read.added import argument_names, parameter
from porting.translate.read.as_it_stands import as_it_stands
from porting.translate.read.canonical import decorated, made_by
from porting.translate.read.contexts import without_contexts
from porting.translate.read.decorators import is_transparent, unknown, without_decorators
from porting.translate.read.inherited import with_inherited
from porting.translate.read.keywords import without_keywords
from porting.translate.read.objects import path_of
from porting.translate.read.parts import Part, Parts, Scope, binds
from porting.translate.read.registered import as_custom_gradient, registered_again, told
from porting.translate.read.signatures import parameters_of, required_first
from porting.translate.read.stars import with_inputs
from porting.translate.refusal import HOW_MANY, Refusal
from porting.translate.scopes import Block


@dataclass(frozen=True)
class TakenOut:
    """A custom gradient that was taken out of what stands around it.

    Attributes
    ----------
    title : str
        What it is called at the top of the module.
    checked : libcst.FunctionDef
        What its translation is checked against: the code as it stands, in a function with the same arguments.
    arguments : dict of str to str
        The arguments that were added, by what they are in the source: ``self.k``.
    called : libcst.Call or None
        A call of it in the module.
    place : str
        What it stood in: ``Layer.call``; nothing at the top of a module.
    operation : str
        What it is registered for, if it is: ``Sign``.
    """

    title: str
    checked: cst.FunctionDef
    arguments: dict[str, str]
    called: cst.Call | None
    place: str
    operation: str = ""

    def note(self, line: int) -> str:
        """Return what a reader of the translation should know; `line` is that of the call."""
        arguments = [
            f"`{key}` is an argument here" if key == argument else f"`{key}` is the argument `{argument}` here"
            for key, argument in self.arguments.items()
        ]
        parts = [told(self.operation)] if self.operation else []
        parts += [f"taken out of `{self.place}`, which is not translated"] if self.place else []
        parts.append(", ".join(arguments))
        if self.called is not None:
            parts.append(f"line {line} of the source calls it: `{source(self.called)}`")
        return "; ".join(part for part in parts if part)


def taken_out(
    node: Any, scopes: Sequence[Scope], names: Names, module: cst.Module, titles: Sequence[str], of: str, key: str = ""
) -> TakenOut:
    """Define a custom gradient, and what it calls, as if they stood at the top of the module.

    Parameters
    ----------
    node : libcst.CSTNode
        The gradient: a class, a decorated function, or a call that makes one of a function.
    scopes : sequence of libcst.FunctionDef or libcst.ClassDef
        What stands around it, the outermost first.
    names : Names
        Of the module; takes the definitions in.
    module : libcst.Module
        The module.
    titles : sequence of str
        What it may be called, the best first.
    of : {"torch", "tf"}
        The framework.
    key : str
        The operation that it is registered for, if it is.

    Raises
    ------
    Refusal
        If it does more with what stands around it than to read it.
    """
    parts = Parts(*_definition(node, scopes, names, key), names, module)
    gradient, *helpers = parts.every
    if not DIALECTS[of].by_class:
        gradient.node = _only_gradient(gradient.node, names)
    arguments = argument_names(gradient.reads, parts.names)
    used = parts.names | set(arguments.values())
    gradient.title = names.fresh([title for title in titles if title not in arguments.values()])
    for part in helpers:
        own = part.node.name.value
        member = names.title(f"{part.scopes[0].name.value}.{own}") if len(part.scopes) == 1 else ""
        if member in names.defined and part.is_method and not part.reads:  # a static method is defined already
            part.title = member
            continue
        free = [title for title in (own, f"_{own.strip('_')}", f"_{own.strip('_')}_of_self") if title not in used]
        part.title = names.fresh(free if part.is_method else [own, *free])
    for part in (part for part in helpers if part.title not in names.defined):
        names.origins[part.title] = part.original
        names.defined[part.title] = _as_read(_helper(part, arguments), names, names.notes.setdefault(part.title, []))
    names.origins[gradient.title] = node
    notes = names.notes[gradient.title] = []
    made = _as_read(gradient.node.visit(_Rewritten(gradient, arguments)), names, notes)
    inputs = read_torch.inputs_of(made) if DIALECTS[of].by_class else parameters_of(made)
    if any(p.star in {"*", "**"} for p in inputs):
        raise Refusal(HOW_MANY, node)
    if isinstance(made, cst.FunctionDef) and made.params.kwonly_params:
        raise Refusal("has inputs that are given by name only", node)
    added = [parameter(key, title, parts, of) for key, title in arguments.items()]
    given = required_first([*(p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in inputs), *added])
    if DIALECTS[of].by_class:
        names.enter(renamed(made, {made.name.value: cst.Name(gradient.title)}))
        names.around[gradient.title] = added
    elif added:
        names.defined[gradient.title] = decorated("", _outer(gradient.title, made, given), names)
    else:
        made = renamed(made, {made.name.value: cst.Name(gradient.title)})
        names.defined[gradient.title] = decorated("", made, names)
    again = registered_again(node, key, gradient.title, [p.name.value for p in given]) if key else []
    checked = as_it_stands(parts, names, arguments, given, inputs, again)
    called = node if isinstance(node, cst.Call) else None if key else _call_of(gradient, module)
    place = ".".join(scope.name.value for scope in scopes)
    return TakenOut(gradient.title, checked, arguments, called, place, key)


def _as_read(node: Any, names: Names, notes: list[str]) -> Any:
    """Return a definition without what changes no number, and with a name for each input."""
    made = without_contexts(without_decorators(node, names, notes), names, notes)
    return with_inputs(without_keywords(made, names, notes), names)


def _definition(node: Any, scopes: Sequence[Scope], names: Names, key: str) -> tuple[Any, Sequence[Scope]]:
    """Return what is a gradient, with what stands around it; of ``tf.custom_gradient(f)`` it is f, with a decorator."""
    if key:
        return as_custom_gradient(node, key, names), scopes
    if isinstance(node, cst.ClassDef):
        return with_inherited(node, names), scopes
    if not isinstance(node, cst.Call):
        return _by_framework(node, names), scopes
    given = node.args[0].value
    title = source(given)
    place = next((n for n in range(len(scopes), 0, -1) if binds(scopes[n - 1], title)), 0)
    found = Block(scopes[place - 1]).defined.get(title, []) if place else [names.defined.get(title)]
    if isinstance(given, cst.Lambda):
        place, found = len(scopes), [given]
    made = made_by(node.func, found[0]) if len(found) == len(node.args) == 1 else None
    if made is None:
        raise Refusal(f"is made by a call of {source(node.func)}, of what is no function of the file", node)
    return made, scopes[:place]


def _by_framework(node: Any, names: Names) -> Any:
    """Return a function with a framework's own decorator in the place of one that hands it on to that."""
    made: list[Any] = [names.makers.get(source(d.decorator)) for d in node.decorators]
    own = [d.with_changes(decorator=maker) if maker else d for d, maker in zip(node.decorators, made, strict=True)]
    return node.with_changes(decorators=own) if any(made) else node


def _only_gradient(node: Any, names: Names) -> Any:
    """Return a function without the decorators that say how it runs."""
    kept = [d for d in node.decorators if read_tf.makes_gradient(d.decorator, names)]
    other = [d for d in node.decorators if d not in kept and not is_transparent(d, names)]
    if other and len(kept) == 1:
        raise Refusal(unknown(other[0]), node)
    if len(kept) != 1:
        raise Refusal(f"is made by {' and '.join(source(d) for d in node.decorators)}, which is not read", node)
    return node.with_changes(decorators=kept)


class _Rewritten(cst.CSTTransformer):
    """Replaces what a part reads from around it by its arguments, and hands them to what it calls."""

    def __init__(self, part: Part, arguments: Mapping[str, str]) -> None:
        self._part = part
        self._arguments = arguments

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> Expression:
        path = path_of(original_node, self._part.object)
        title = self._arguments.get(f"self.{'.'.join(path)}") if path else None
        return cst.Name(title) if title else updated_node

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        function = original_node.func
        path = path_of(function, self._part.object)
        key = f"self.{path[0]}" if len(path) == 1 else function.value if isinstance(function, cst.Name) else ""
        other = self._part.calls.get(key)
        if other is None:
            return updated_node
        extra = [cst.Arg(cst.Name(self._arguments[read])) for read in other.reads]
        return updated_node.with_changes(func=cst.Name(other.title), args=[*extra, *updated_node.args])


def _helper(part: Part, arguments: Mapping[str, str]) -> cst.FunctionDef:
    """Return a function of the module for one that stands around a gradient, with what it reads before its inputs."""
    kept = [d for d in part.node.decorators if source(d.decorator) != "staticmethod"]
    made: Any = part.node.with_changes(name=cst.Name(part.title), decorators=kept).visit(_Rewritten(part, arguments))
    extra = [cst.Param(cst.Name(arguments[key])) for key in part.reads]
    first = "posonly_params" if made.params.posonly_params else "params"
    params = made.params.with_changes(**{first: [*extra, *getattr(made.params, first)]})
    return made.with_changes(params=params)  # type: ignore[no-any-return]  # libcst's visit


def _outer(title: str, inner: Any, given: Sequence[cst.Param]) -> cst.FunctionDef:
    """Return a function with a decorated one in it."""
    inputs = ", ".join(p.name.value for p in parameters_of(inner))
    doc = [s for s in inner.body.body[:1] if inner.get_docstring() is not None]
    call = cst.parse_statement(f"return {inner.name.value}({inputs})")
    block = cst.IndentedBlock([*doc, inner.with_changes(leading_lines=[]), call])
    return cst.FunctionDef(cst.Name(title), cst.Parameters(list(given)), block, leading_lines=inner.leading_lines)


def _call_of(gradient: Part, module: cst.Module) -> cst.Call | None:
    """Return the first call of a gradient: in the function around it, or of a method anywhere."""
    own = gradient.node.name.value
    if gradient.is_method and gradient.object:
        found: Any = m.findall(module, m.Call(func=m.Attribute(attr=m.Name(own))))
    else:
        called = m.Name(own) | m.Attribute(m.Name(own), m.Name("apply"))
        found = m.findall(gradient.scopes[-1], m.Call(func=called))
    return next(iter(found), None)
