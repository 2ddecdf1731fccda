"""A rule: one operation under its names in the frameworks and in NumPy.

A signature is written as Python: ``torch.sum(x: input, axis: dim=None, keepdims: keepdim=False)``. Before the colon is
the name that all frameworks share; after it is the framework's own name, if it differs. A signature of ``Tensor`` is a
method; one without parentheses is an attribute. A function of ``torch`` is also a method of its tensors, and both may
end in an underscore, for a write in place.
"""

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

import libcst as cst

from porting.translate.abstract_value import Abstract
from porting.translate.dialects import DIALECTS

# For what a translation may be asked to hold too, at the price of length: NaN where only one framework keeps it; graphs
# that do not know lengths; and the rest: vectors as matrices, masks without axes, XLA.
TOPICS: Final = ("nan", "lengths", "broadcast", "rest")


def of_input(name: str) -> str:
    """Return the topic that one input may be broadcast to others; "broadcast" alone means all inputs."""
    return f"broadcast {name}"


@dataclass(frozen=True)
class Parameter:
    """An argument of a signature.

    Attributes
    ----------
    name : str
        The name in all frameworks.
    keyword : str
        The name in this framework.
    default : str or None
        Source of the default, `None` if the argument is required.
    kind : str
        ``positional``, ``keyword``, ``several`` (``*shape``) or ``named`` (``**lengths``).
    """

    name: str
    keyword: str
    default: str | None
    kind: str


@dataclass(frozen=True)
class Signature:
    """How a framework spells an operation."""

    path: str
    parameters: tuple[Parameter, ...]
    attribute: bool = False

    @property
    def method(self) -> str:
        """The name of the method, or nothing if this is a function."""
        owner, _, name = self.path.rpartition(".")
        return name if owner == "Tensor" else ""


def signature(text: str) -> Signature:
    """Return a signature from its text; see the module."""
    path, parenthesis, inside = text.partition("(")
    if not parenthesis:
        return Signature(path, (Parameter("x", "x", None, "positional"),), attribute=True)
    function = ast.parse(f"def f({inside}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)  # noqa: S101 - we wrote it
    return Signature(path, tuple(_parameters(function.args)))


def _parameters(given: ast.arguments) -> list[Parameter]:
    found = []
    without = len(given.args) - len(given.defaults)
    for n, argument in enumerate(given.args):
        default = ast.unparse(given.defaults[n - without]) if n >= without else None
        found.append(Parameter(argument.arg, _keyword(argument), default, "positional"))
    if given.vararg:
        found.append(Parameter(given.vararg.arg, given.vararg.arg, None, "several"))
    for argument, kept in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(Parameter(argument.arg, _keyword(argument), ast.unparse(kept) if kept else None, "keyword"))
    if given.kwarg:
        found.append(Parameter(given.kwarg.arg, given.kwarg.arg, None, "named"))
    return found


def _keyword(argument: ast.arg) -> str:
    return ast.unparse(argument.annotation) if argument.annotation else argument.arg


F = TypeVar("F", bound=Callable[..., Any])
Made = cst.BaseExpression | tuple[cst.BaseExpression, Abstract]  # what a rule has written; with what is known of it


class Writer(Protocol):
    """The protocol that rules write with; `porting.translate.lower.expression.Expressions` implements it.

    Attributes
    ----------
    of, to : str
        The dialects.
    kinds : mapping of str to Abstract
        The kinds of the arguments that are being written.
    quiet : bool
        Whether the framework records nothing for a derivative here, as in the forward of a custom gradient.
    general : collection of str
        Some of `TOPICS`, or of `of_input`: the special cases for which the written code must hold too.
    deciding : bool
        Whether this is part of a test: if a graph does not know a length, the test has no outcome.
    imports : set of str
        Modules that the written code needs, besides the frameworks.
    tape : str
        What TensorFlow's tape is called that records, or recorded last; nothing if there is none.
    """

    of: str
    to: str
    quiet: bool
    general: Collection[str]
    deciding: bool
    kinds: Mapping[str, Abstract]
    imports: set[str]
    tape: str

    def build(self, template: str, **parts: cst.BaseExpression | None) -> cst.BaseExpression:
        """Return an expression: a template such as ``tf.where({mask}, {x}, {y})`` with its parts put in."""

    def refuse(self, why: str) -> Exception:
        """Return the exception for a rule that cannot write its arguments."""

    def note(self, text: str) -> None:
        """Tell the reader of the translation something."""

    def helper(self, title: str, text: str) -> None:
        """Add a helper function to the translation."""

    def code(self, node: cst.CSTNode) -> str:
        """Return the text of an expression."""

    def number(self, node: cst.BaseExpression) -> float | None:
        """Return a number that is written out, or is computed of such and of constants of the module."""

    def text(self, node: cst.BaseExpression) -> str:
        """Return the value of a literal text, or nothing."""

    def is_sequence(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a tuple or a list that is written out."""

    def parts(self, node: Any) -> list[cst.BaseExpression]:
        """Return the elements of a tuple or a list that is written out."""

    def starred(self, element: cst.BaseElement) -> bool:
        """Whether an argument is ``*x``."""

    def sequence(self, elements: Sequence[cst.BaseElement]) -> cst.BaseExpression:
        """Return arguments as one list."""

    def sequence_of(self, *parts: cst.BaseExpression) -> cst.BaseExpression:
        """Return a list."""

    def pair(self, *parts: cst.BaseExpression) -> cst.BaseExpression:
        """Return a tuple."""

    def filled_like(self, x: cst.BaseExpression, kind: Abstract, value: cst.BaseExpression) -> cst.BaseExpression:
        """Return a number as TensorFlow wants it beside x: a tensor of x's type."""

    def in_type(self, value: cst.BaseExpression, kind: Abstract, dtype: cst.BaseExpression) -> cst.BaseExpression:
        """Return a value as a tensor of a type."""

    def meeting(
        self,
        left: cst.BaseExpression,
        kind: Abstract,
        right: cst.BaseExpression,
        other: Abstract,
        *,
        arithmetic: bool = False,
    ) -> tuple[cst.BaseExpression, cst.BaseExpression]:
        """Return two operands of types that TensorFlow accepts together."""


KindOf = Callable[[Mapping[str, Abstract]], Abstract]


@dataclass
class Rule:
    """One operation.

    Parameters
    ----------
    torch, tf, numpy : str or sequence of str
        Signatures; the first is the one that is written.
    kind : Abstract, str or callable
        The kind of the result: a kind, the name of an argument with the same kind, or a function of the arguments'
        kinds.

    Attributes
    ----------
    writers : dict of str to callable
        By dialect, the function that writes the operation, if another name is not enough; see `writes`.
    axes : callable, optional
        Returns how many axes the result has, of the kinds of the arguments and of the arguments; 0 if that is not
        known, as it is not without this.
    """

    torch: str | Sequence[str] = ()
    tf: str | Sequence[str] = ()
    numpy: str | Sequence[str] = ()
    kind: Abstract | str | KindOf = "x"
    writers: dict[str, Callable[..., Any]] = field(default_factory=dict)
    axes: Callable[[Mapping[str, Abstract], Mapping[str, Any]], int] = lambda *_: 0

    def signatures(self, dialect: str) -> list[Signature]:
        """Return the signatures of the operation in a dialect."""
        texts = getattr(self, dialect)
        return [signature(text) for text in ((texts,) if isinstance(texts, str) else texts)]

    def writes(self, *dialects: str) -> Callable[[F], F]:
        """Register a function of the writer and the arguments by name, which returns the expression."""

        def register(function: F) -> F:
            self.writers.update(dict.fromkeys(dialects, function))
            return function

        return register

    def form(self, template: str, *dialects: str) -> None:
        """Register a template such as ``tf.transpose({x})``, if only the arguments must be put in."""

        def write(w: Writer, **given: Any) -> cst.BaseExpression:
            extra = next((name for name in given if f"{{{name}}}" not in template and name in self._options()), "")
            if extra:
                raise w.refuse(f"{template}: {extra} has no counterpart")
            return w.build(template, **given)

        self.writers.update(dict.fromkeys(dialects, write))

    def _options(self) -> set[str]:
        """Return the arguments that may be left out."""
        every = [p for dialect in DIALECTS for s in self.signatures(dialect) for p in s.parameters]
        return {p.name for p in every if p.default is not None}

    def kind_of(self, kinds: Mapping[str, Abstract]) -> Abstract:
        """Return the kind of the result."""
        if isinstance(self.kind, Abstract):
            return self.kind
        return kinds.get(self.kind, Abstract()) if isinstance(self.kind, str) else self.kind(kinds)
