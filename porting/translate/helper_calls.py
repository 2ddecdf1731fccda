"""Translates calls of functions that the module, or another file of its package, defines: these are translated too."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import TENSOR, UNKNOWN, Abstract, Sort
from porting.translate.code import Expression, build, source
from porting.translate.data import is_data
from porting.translate.dialects import DIALECTS, IMPORTED
from porting.translate.file import File
from porting.translate.ir import CustomGradient
from porting.translate.lower import host_calls
from porting.translate.lower.expression import Typed
from porting.translate.lower.host_calls import given
from porting.translate.lower.translating import Translating
from porting.translate.read import tf as read_tf
from porting.translate.read import torch as read_torch
from porting.translate.read.package import file_of
from porting.translate.read.signatures import parameters_of
from porting.translate.refusal import Refusal
from porting.translate.write import torch as write_torch

_HANDED_ON: Final = 4  # files on the way to a definition


def call(file: File, t: Translating, node: cst.Call) -> Typed | None:
    """Translate the call of a function that the module defines: a helper, or a custom gradient's ``apply``."""
    found = host_calls.call(file, t, node) or _inside(file, t, node) or _elsewhere(file, t, node)
    if found is not None:
        return found
    title = _called(file, t, node.func)
    if not title:
        return None
    _refuse_other(file, title, node)
    if _alone(node):
        target = file.need(title)
        return cst.Name(target), file.kinds.get(title, UNKNOWN) if file.is_constant(title) else Abstract(Sort.FUNCTION)
    made = [t.typed(a.value) for a in node.args]
    kinds = [kind for (_, kind), a in zip(made, node.args, strict=True) if not a.star]
    if file.beside is not None and host_calls.takes_arrays(file.names.defined[title], file.names, kinds):
        return cst.Call(cst.Name(file.beside.carry(title, node)), given(node, made)), Abstract(Sort.ARRAY)
    target = file.need(title, kinds if not any(a.keyword or a.star for a in node.args) else ())
    names = [p.name for p in parameters_of(file.wrappers[title])] if title in file.wrappers else []
    positional = len(file.wrappers[title].params.params) if title in file.wrappers else len(node.args)
    keywords = [a.keyword or (names[n] if n >= positional else None) for n, a in enumerate(node.args)]
    kind = file.result(title, kinds)
    if kind.sort is Sort.UNKNOWN:
        kind = next((k for k in kinds if k.tensor), UNKNOWN if not kinds else TENSOR)
    return cst.Call(cst.Name(target), given(node, made, keywords)), kind


def _alone(node: cst.Call) -> bool:
    """Whether this is a name that is not called: it is looked up as the call ``name(...)``."""
    return m.matches(node, m.Call(args=[m.Arg(m.Ellipsis())]))


def _called(file: File, t: Translating, func: Expression) -> str:
    """Return the class or function of the module that is called, or nothing."""
    if m.matches(func, m.Attribute(m.Name(), m.Name("apply"))):
        title = source(func).removesuffix(".apply")
        return title if read_torch.is_function(file.names.defined.get(title, func), file.names) else ""
    if isinstance(func, cst.Name) and func.value in file.names.defined and func.value not in t.scope:
        return file.alias(func.value) or func.value
    return ""


def _inside(file: File, t: Translating, node: cst.Call) -> Typed | None:
    """Translate a call of what stands in the same function: a gradient, or a helper."""
    if not file.units or not isinstance(node.func, cst.Name):
        return None
    unit, title = file.units[-1], node.func.value
    if _alone(node):
        return _as_value(file, unit, title)
    if title in unit.nested:
        return _of_gradient(file, t, unit.nested[title], node)
    return _of_unit(file, t, unit, node, title)


def _of_unit(file: File, t: Translating, unit: read_tf.Unit, node: cst.Call, title: str) -> Typed | None:
    if title not in {*unit.lifted, *unit.gradients}:
        return None
    arguments = [cst.Arg(t(a.value), keyword=a.keyword, star=a.star) for a in node.args]
    if title in unit.lifted:
        extra = [cst.Arg(cst.Name(n)) for n in unit.lifted[title]]
        return cst.Call(cst.Name(f"_{title.lstrip('_')}"), [*arguments, *extra]), TENSOR
    ir = unit.gradients.get(title)
    if ir is not None and unit.outer is not None:
        target = f"{write_torch.class_name(ir.called)}.apply" if DIALECTS[file.to].by_class else file.plain_name(title)
        extra = [cst.Arg(p.name) for p in ir.parameters[len(arguments) :]]
        return cst.Call(build(target), [*arguments, *extra]), TENSOR
    return None


def _of_gradient(file: File, t: Translating, ir: CustomGradient, node: cst.Call) -> Typed:
    """Translate the call of a gradient that has one of its own: what it is given is known here."""
    if not DIALECTS[file.to].by_class:
        raise Refusal(f"{ir.name}: a gradient of a gradient, which an oracle has no place for", node)
    made = [t.typed(a.value) for a in node.args]
    ir.kinds = {**{p.name.value: kind for p, (_, kind) in zip(ir.parameters, made, strict=True)}, **ir.kinds}
    target = f"{write_torch.class_name(ir.called)}.apply"
    return cst.Call(build(target), [cst.Arg(value) for value, _ in made]), TENSOR


def _as_value(file: File, unit: read_tf.Unit, title: str) -> Typed | None:
    """Return a gradient that is handed on, as ``lambda x: RoundFunction.apply(x, bits)``."""
    ir = unit.gradients.get(title)
    if ir is None or unit.outer is None:
        return None
    count = len(ir.parameters) - len(unit.taken[title])
    own = ", ".join(p.name.value for p in ir.parameters[:count])
    every = ", ".join(p.name.value for p in ir.parameters)
    if file.to == "numpy":
        return build(f"lambda {own}: {file.plain_name(title)}({every})"), Abstract(Sort.FUNCTION, items=(TENSOR,))
    return build(f"lambda {own}: {write_torch.class_name(ir.called)}.apply({every})"), Abstract(
        Sort.FUNCTION, items=(TENSOR,)
    )


def _elsewhere(file: File, t: Translating, node: cst.Call) -> Typed | None:
    """Translate what is imported from another file of the same package, and carry it along."""
    path = t.path(node.func).removesuffix(".apply")
    if not path or path.startswith(IMPORTED):
        return None
    found = _defined(file, path)
    if found is None:
        return None
    other, title = found
    if title in file.names.defined and other is not file:
        raise Refusal(f"{title}: is defined here and in {other.source.path.name}", node)
    return _of_other(other, t, node, title)


def _defined(file: File, path: str) -> tuple[File, str] | None:
    """Return the file that defines what an import means: a package may hand on what another one of its files has."""
    for _ in range(_HANDED_ON):
        found = file_of(file.source.path, path)
        if found is None:
            return None
        file, title = file.another(found[0]), found[1]
        if title in file.names.defined:
            return file, title
        path = file.names.imported.get(title, "")
        if not path or path.startswith(IMPORTED):
            return None
    return None


def _of_other(other: File, t: Translating, node: cst.Call, title: str) -> Typed | None:
    """Translate a call of what another file defines, or its name; nothing for what that file computes when it runs."""
    if _alone(node) and other.is_constant(title) and _is_computed(other, title):
        return None
    if _alone(node):
        target = other.need(title)
        return cst.Name(target), other.kinds.get(title, UNKNOWN) if other.is_constant(title) else Abstract(
            Sort.FUNCTION
        )
    made = [t.typed(a.value) for a in node.args]
    kinds = [kind for _, kind in made]
    target, kind = other.need(title, kinds), other.result(title, kinds)
    if kind.sort is Sort.UNKNOWN:
        kind = next((k for k in kinds if k.tensor), UNKNOWN)
    return cst.Call(cst.Name(target), given(node, made)), kind


def _is_computed(file: File, title: str) -> bool:
    """Whether a constant is more than numbers, texts and what a framework makes of them: arguments of a script, say."""
    calls: list[Any] = list(m.findall(file.names.defined[title], m.Call()))
    return any(not file.names.path(call.func).startswith(IMPORTED) for call in calls)


def _refuse_other(file: File, title: str, node: cst.CSTNode) -> None:
    defined = file.names.defined[title]
    if isinstance(defined, cst.ClassDef) and not read_torch.is_function(defined, file.names) and not is_data(defined):
        raise Refusal(f"{title}: a class that is no autograd.Function", node)
