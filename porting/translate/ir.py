"""The intermediate representation (IR) of a custom gradient: readers produce it, and it has all that a writer needs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from porting.translate.abstract_value import Abstract
from porting.translate.code import Expression, build
from porting.translate.refusal import Refusal


@dataclass
class CustomGradient:
    """A function with a custom gradient. Its code is still in the dialect of the framework that it was read from.

    Attributes
    ----------
    name : str
        The name of the class or function that was read.
    called : str
        The name that callers use: that of the function to write.
    dialect : str
        The dialect of the code.
    parameters : list of libcst.Param
        The parameters, in order.
    primals : list of str
        The parameters that get a gradient.
    forward : list of statements
        The forward; its ``return`` gives the value, or a tuple of values.
    outputs : list of str
        Names of the values, where the gradient uses one; ``forward`` assigns them.
    cotangents : list of str
        The arguments of the gradient.
    vjp : list of statements
        The gradient; its ``return`` gives one expression for each of `primals`.
    captured : list of str
        Variables of the forward that the gradient uses, besides parameters and outputs.
    once : bool
        Whether a second derivative is refused.
    through : bool
        Whether an output that the gradient uses is the one that callers have: its derivative is then this gradient.
        Otherwise its derivative is that of the operations in the forward.
    signature, returns : libcst.Parameters, libcst.Annotation, optional
        The signature of the function that callers call, if the source has such a function around this one.
    doc : str
        Source of the docstring, or nothing.
    comments : sequence of libcst.EmptyLine
        The comments above it.
    kinds : dict of str to Abstract
        What is known about the parameters.
    non_differentiable : list of str
        Outputs that have no gradient.
    notes : list of str
        What a reader of the translation should know.
    numbers : list of str
        Those of `primals` that callers give as plain numbers, of which the framework makes tensors.
    """

    name: str
    called: str
    dialect: str
    parameters: list[cst.Param]
    primals: list[str]
    forward: list[cst.BaseStatement]
    outputs: list[str]
    cotangents: list[str]
    vjp: list[cst.BaseStatement]
    captured: list[str] = field(default_factory=list)
    once: bool = False
    through: bool = True
    signature: cst.Parameters | None = None
    returns: cst.Annotation | None = None
    doc: str = ""
    comments: Sequence[cst.EmptyLine] = ()
    kinds: dict[str, Abstract] = field(default_factory=dict)
    non_differentiable: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)

    @property
    def constants(self) -> list[str]:
        """Names of the parameters that get no gradient."""
        return [p.name.value for p in self.parameters if p.name.value not in self.primals]


def returned(value: Expression | None) -> list[Expression]:
    """Return what a ``return`` gives, one by one; ``(dx,) + (None,) * 3`` is four, a list alone is one.

    Raises
    ------
    Refusal
        If a sequence of which the length is not seen is one part of it: ``(*grads, None)``.
    """
    if value is None:
        return []
    parts = None if isinstance(value, cst.List) else _parts(value)
    return [value] if parts is None else parts


def gradients(value: Expression | None, count: int) -> list[Expression]:
    """Return the gradients of so many inputs that a ``return`` gives; one, if a call gives all of them."""
    items = returned(cst.Tuple(value.elements) if isinstance(value, cst.List) else value)
    if len(items) == 1 < count and isinstance(items[0], cst.Name):
        return [build(f"{{x}}[{k}]", x=items[0]) for k in range(count)]
    return items


def _parts(value: Expression) -> list[Expression] | None:
    match value:
        case cst.Tuple() | cst.List():
            return [item for element in value.elements for item in _spread(element)]
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            first, second = _parts(left), _parts(right)
            return None if first is None or second is None else [*first, *second]
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            first, times = _parts(left), _count(right)
            return None if first is None or times is None else first * times
        case _:
            return None


def _count(value: Expression) -> int | None:
    """Return a whole number, or the length of a tuple that is written out."""
    match value:
        case cst.Integer():
            return int(value.value)
        case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Tuple() as whole)]):
            return len(returned(whole))
        case _:
            return None


def _spread(element: cst.BaseElement) -> list[Expression]:
    """Return the items of ``*(a, b)``, or the only one."""
    if not isinstance(element, cst.StarredElement):
        return [element.value]
    found = _parts(element.value)
    if found is None:
        text = cst.Module([]).code_for_node(element.with_changes(comma=cst.MaybeSentinel.DEFAULT))
        raise Refusal(f"{text}: how many values that are is not seen here", element)
    return found
