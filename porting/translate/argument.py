"""The arguments of a translated function, as far as its source says."""

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from porting.translate.abstract_value import UNKNOWN, Abstract
from porting.translate.read.signatures import kind_of_annotation, parameters_of


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
    default, keyword : bool
        Whether it may be left out, and whether it is keyword-only.
    """

    name: str
    kind: Abstract
    differentiated: bool
    default: bool = False
    keyword: bool = False


def arguments_of(node: cst.FunctionDef, primals: Sequence[str], kinds: dict[str, Abstract]) -> list[Argument]:
    """Return the arguments of a function, of which some get a gradient."""
    keyword = {p.name.value for p in node.params.kwonly_params}
    return [_argument(p, primals, kinds, keyword=p.name.value in keyword) for p in parameters_of(node)]


def arguments_among(
    parameters: Sequence[cst.Param], primals: Sequence[str], kinds: dict[str, Abstract]
) -> list[Argument]:
    """Return the arguments of a gradient that is called by itself."""
    return [_argument(p, primals, kinds, keyword=False) for p in parameters]


def _argument(parameter: cst.Param, primals: Sequence[str], kinds: dict[str, Abstract], *, keyword: bool) -> Argument:
    title = parameter.name.value
    known = kind_of_annotation(parameter)
    kind = known if known != UNKNOWN else kinds.get(title, UNKNOWN)
    return Argument(title, kind, title in primals, parameter.default is not None, keyword)
