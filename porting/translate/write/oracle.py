"""Finds the custom gradient behind a name, and writes it as an oracle op."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import docstring, source
from porting.translate.dialects import DIALECTS
from porting.translate.file import File
from porting.translate.lower.expression import Expressions
from porting.translate.lower.statements import function
from porting.translate.read import enclosing_scope as around
from porting.translate.read import tf as read_tf
from porting.translate.read import torch as read_torch
from porting.translate.read.signatures import body_of
from porting.translate.refusal import Refusal
from porting.translate.write import numpy as write_numpy

IMPORT: Final = "from porting import op, unstated"


def op_of(of: File, title: str, expressions: Expressions) -> list[Any]:
    """Return the two functions of an op.

    Parameters
    ----------
    of : File
        The file; it collects what is read.
    title : str
        A class or a function of it.
    expressions : Expressions
        Translates what is in it.
    """
    node = of.names.defined[title]
    if not DIALECTS[of.of].by_class:
        return _of_tf(of, cst.ensure_type(node, cst.FunctionDef), expressions)
    if m.matches(node, m.SimpleStatementLine([m.Assign(value=m.Attribute(m.Name(), m.Name("apply")))])):
        title = source(node.body[0].value).removesuffix(".apply")  # type: ignore[attr-defined]  # as it matches
        node = of.names.defined.get(title, node)
    if read_torch.is_function(node, of.names):
        ir = read_torch.read(cst.ensure_type(node, cst.ClassDef), of.names)
        whole = around.alone(ir)
    elif isinstance(node, cst.FunctionDef):
        whole = _of_torch(of, node)
    else:
        raise Refusal(f"{title}: no custom gradient", node)
    of.records[title] = [whole.ir]
    of.notes += [note for note in whole.ir.notes if note not in of.notes]
    return list(write_numpy.write(whole, expressions))


def _of_torch(of: File, node: cst.FunctionDef) -> around.Whole:
    """Return a function with the class whose ``apply`` it calls."""
    inner = {s.name.value: s for s in body_of(node) if read_torch.is_function(s, of.names)}  # type: ignore[attr-defined]
    calls = [call.func for call in m.findall(node, m.Call())]  # type: ignore[attr-defined]  # they are calls
    called = {}
    for func in calls:
        title = _class_of(of, source(func))
        found: Any = inner.get(title) or of.names.defined.get(title)
        if found is not None and read_torch.is_function(found, of.names):
            called[source(func)] = found
    if not called:
        raise Refusal(f"{node.name.value}: no custom gradient", node)
    records = {text: read_torch.read(found, of.names) for text, found in called.items()}
    kept = [s for s in body_of(node) if s not in inner.values()]
    bare = node.with_changes(body=cst.IndentedBlock(kept))
    whole = around.within(bare, records, of.names, own=bool(inner))
    whole.doc = node.get_docstring(clean=False) or whole.doc
    return whole


def _class_of(of: File, func: str) -> str:
    """Return the class of ``X.apply``, or of ``x`` where the module says ``x = X.apply``."""
    defined: Any = of.names.defined.get(func)
    if m.matches(defined, m.SimpleStatementLine([m.Assign(value=m.Attribute(m.Name(), m.Name("apply")))])):
        func = source(defined.body[0].value)
    return func.removesuffix(".apply") if func.endswith(".apply") else ""


def _of_tf(of: File, node: cst.FunctionDef, expressions: Expressions) -> list[Any]:
    if not read_tf.is_unit(node, of.names):
        raise Refusal(f"{node.name.value}: no custom gradient", node)
    unit = read_tf.Unit(node, of.names)
    records = of.records[node.name.value] = list(unit.gradients.values())
    of.units.append(unit)
    try:
        if unit.outer is None:
            whole = around.alone(records[0])
        else:
            whole = around.within(unit.outer, unit.gradients, of.names, own=True)
            whole.doc = node.get_docstring(clean=False) or whole.doc
        whole.beside = {*unit.gradients, *unit.lifted}
        made = list(write_numpy.write(whole, expressions))
        return [*called_within(of, unit, expressions, [*made]), *made]
    finally:
        of.units.pop()


def called_within(of: File, unit: read_tf.Unit, expressions: Expressions, made: list[Any]) -> list[Any]:
    """Return the functions beside a gradient, and gradients that are called for their values, where `made` has them."""
    helpers = {helper.name.value: helper for helper in unit.helpers}
    found: dict[str, Any] = {}
    open_ = list(made)
    while open_:
        code = cst.Module([open_.pop()]).code
        for title, ir in unit.gradients.items():
            name = of.plain_name(title)
            if name not in found and f"{name}(" in code:
                found[name] = write_numpy.plain(ir, name, expressions)
                open_.append(found[name])
        for name, helper in helpers.items():
            if name not in found and f"{name}(" in code:
                found[name] = function(helper, expressions)[0]
                open_.append(found[name])
    return list(found.values())


def titled(text: str, module: cst.Module) -> str:
    """Return an oracle with the docstring of the source: it describes both."""
    found = module.get_docstring(clean=False)
    return f"{docstring(found).replace(chr(10) + '    ', chr(10))}\n\n{text}" if found else text
