"""The arguments of a translated function, as far as its source says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import UNKNOWN, Abstract
from porting.translate.code import is_none, literal, names_in
from porting.translate.layer import MODE, OBJECT, Layer
from porting.translate.read.signatures import kind_of_annotation, parameters_of

AXES: Final = {"dim", "axis", "dims", "axes"}
_MOST: Final = 4  # other values of one argument
Values = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Argument:
    """One argument.

    Attributes
    ----------
    name : str
        Its name.
    kind : Abstract
        What is known about its value.
    differentiated : bool
        Whether it gets a gradient.
    default, keyword, absent : bool
        Whether it may be left out, whether it is keyword-only, and whether it is None where it is left out.
    otherwise : tuple
        Values besides the default that a static may have: those that the code compares it with, and near numbers.
    left_out : object
        Its default, if that is a number or a text that is written out; else None.
    fields : mapping of str to sequence
        What is read of it, if it is an object of a class of one's own, with what it is compared with.
    """

    name: str
    kind: Abstract
    differentiated: bool
    default: bool = False
    keyword: bool = False
    otherwise: tuple[Any, ...] = ()
    absent: bool = False
    left_out: Any = None
    fields: Values = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, str]:
        """What its attributes are called where each is given by itself: ``limits.low`` is ``limits_low``."""
        return {attribute: f"{self.name}_{attribute}" for attribute in self.fields}


def arguments_of(
    node: cst.FunctionDef, primals: Sequence[str], kinds: dict[str, Abstract], compared: Values
) -> list[Argument]:
    """Return the arguments of a function, of which some get a gradient."""
    keyword = {p.name.value for p in node.params.kwonly_params}
    return [_argument(p, primals, kinds, compared, keyword=p.name.value in keyword) for p in parameters_of(node)]


def arguments_among(
    parameters: Sequence[cst.Param], primals: Sequence[str], kinds: dict[str, Abstract], compared: Values
) -> list[Argument]:
    """Return the arguments of a gradient that is called by itself."""
    return [_argument(p, primals, kinds, compared, keyword=False) for p in parameters]


def settings_of(layer: Layer) -> list[Argument]:
    """Return what a module is made with, and whether it is being trained, with other values to try."""
    compared = compared_with([*layer.body, *layer.methods.values()])
    compared = {name.removeprefix(OBJECT): values for name, values in compared.items()}
    asks = MODE in layer.read or any(p.name.value == MODE for p in layer.methods[layer.call].params.params)
    mode = [cst.Param(cst.Name(MODE), default=cst.Name("False"))] * asks
    given = [*layer.parameters.params, *layer.parameters.kwonly_params]
    found = arguments_among([*given, *mode], [], {}, compared)
    said = [weight.trainable for weight in layer.made.values() if weight.trainable is not None]
    frozen = {name.removeprefix(OBJECT) for trainable in said for name in names_in(trainable)}
    found = [replace(a, otherwise=()) if a.name in frozen else a for a in found]  # each side would draw its own weight
    return [replace(a, otherwise=(False, True)) if a.name == MODE else a for a in found]


def _argument(
    parameter: cst.Param, primals: Sequence[str], kinds: dict[str, Abstract], compared: Values, *, keyword: bool
) -> Argument:
    title = parameter.name.value
    known = kind_of_annotation(parameter)
    kind = known if known != UNKNOWN else kinds.get(title, UNKNOWN)
    more = () if title in primals else _otherwise(parameter, compared.get(title, ()))
    absent = parameter.default is not None and is_none(parameter.default)
    default = literal(parameter.default)
    left_out = default if isinstance(default, int | float | str) else None
    return Argument(title, kind, title in primals, parameter.default is not None, keyword, more, absent, left_out)


def _otherwise(parameter: cst.Param, compared: Sequence[Any]) -> tuple[Any, ...]:
    """Return other values of a static."""
    default = literal(parameter.default)
    near: list[Any] = []
    match default:
        case bool():
            near = [not default]
        case int():
            near = [0] if parameter.name.value in AXES else [default + 1, default + 2]
        case float():
            near = [default / 2 or 0.5, default + 0.3]
        case str() if compared:
            near = ["another"]  # what is behind the last `else`
    every = [value for value in (*compared, *near) if (type(value), value) != (type(default), default)]
    found = {(type(value), value): value for value in every}
    return tuple(found.values())[:_MOST]


def compared_with(nodes: Iterable[cst.CSTNode]) -> dict[str, list[Any]]:
    """Return what code compares its variables with: ``reduction == "mean"``, ``p in (1, 2)``."""
    found: dict[str, list[Any]] = {}
    for node in nodes:
        for one in m.findall(node, m.Comparison(left=m.Name())):
            comparison = cst.ensure_type(one, cst.Comparison)
            for target in comparison.comparisons:
                value = literal(target.comparator)
                values = value if isinstance(value, tuple | list) else [value]
                mine = found.setdefault(cst.ensure_type(comparison.left, cst.Name).value, [])
                mine += [v for v in values if isinstance(v, str | int | float) and v not in mine]
    return found
