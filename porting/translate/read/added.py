"""The arguments for what a gradient reads from around it: their names, and the types and defaults that are known."""

from collections.abc import Sequence
from keyword import iskeyword
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import TIGHT, literal, source
from porting.translate.dialects import DIALECTS
from porting.translate.read.parts import Parts
from porting.translate.read.signatures import parameters_of
from porting.translate.scopes import Block

_NUMBERS: Final = {"int", "float", "bool", "str"}
_TENSORS: Final = {"Variable", "add_weight", "add_variable", "get_variable", "Parameter", "constant", "tensor"}


def argument_names(reads: Sequence[str], taken: set[str]) -> dict[str, str]:
    """Return what each thing that is read is called as an argument."""
    found: dict[str, str] = {}
    for key in reads:
        _, *path = key.split(".")
        whole = "_".join(path)
        titles = [key] if not path else [path[-1].lstrip("_"), path[-1], whole, f"self_{whole}", f"self_{whole}_"]
        free = (t for t in titles if not path or not (t in taken or t in found.values() or iskeyword(t) or not t))
        found[key] = next(free)
    return found


def parameter(key: str, title: str, parts: Parts, of: str) -> cst.Param:
    """Return an argument, with the type and the default that its value has where it is set."""
    plain = cst.Param(cst.Name(title))
    if key in parts.sources:
        return _like(plain, next((p for p in parameters_of(parts.sources[key]) if p.name.value == title), None))
    values = _values(parts.holder, key.removeprefix("self."))
    if len(values) != 1:
        return plain
    if isinstance(values[0], cst.Name):
        given = [p for f in Block(parts.holder).defined.get("__init__", []) for p in parameters_of(f)]
        return _like(plain, next((p for p in given if p.name.value == source(values[0])), None))
    if isinstance(values[0], cst.Call) and source(values[0].func).rpartition(".")[2] in _TENSORS:
        return plain.with_changes(annotation=cst.Annotation(cst.parse_expression(DIALECTS[of].tensor)))
    return _like(plain, cst.Param(cst.Name(title), default=values[0]))


def _values(holder: cst.ClassDef, attribute: str) -> list[Any]:
    """Return what a class assigns to an attribute of its objects, in its block and in its methods."""
    slot = m.Attribute(m.Name(), m.Name(attribute))
    assigned = m.Assign(targets=[m.AssignTarget(slot)]) | m.AnnAssign(target=slot) | m.AugAssign(target=slot)
    block = [small for line in holder.body.body if isinstance(line, cst.SimpleStatementLine) for small in line.body]
    own = m.Assign(targets=[m.AssignTarget(m.Name(attribute))])
    found = [*m.findall(holder, assigned), *(small for small in block if m.matches(small, own))]
    return [small.value for small in found]  # type: ignore[attr-defined]  # assignments have one


def _like(plain: cst.Param, given: cst.Param | None) -> cst.Param:
    """Return a parameter with the type and the default of another one, if these are plain."""
    if given is None:
        return plain
    noted = given.annotation if given.annotation and source(given.annotation.annotation) in _NUMBERS else None
    value = literal(given.default)
    default = given.default if isinstance(value, bool | int | float | str) else None
    equal = TIGHT if default is not None and noted is None else cst.MaybeSentinel.DEFAULT
    return plain.with_changes(annotation=noted, default=default, equal=equal)
