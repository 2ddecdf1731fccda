"""The state of the translation of one function: its variables, its notes, and the helpers that rules write with."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.analyse.known_numbers import known_number
from porting.translate.code import TIGHT as TIGHT
from porting.translate.code import Expression, build, literal, name, source
from porting.translate.names import Names
from porting.translate.refusal import Refusal
from porting.translate.rule import Rule
from porting.translate.rules import Found, index_of

Typed = tuple[Expression, Abstract]


class Translating:
    """The state of the translation of one function; a subclass translates each sort of expression.

    Parameters
    ----------
    of, to : str
        The dialects.
    names : Names
        Of the module.
    scope : dict of str to Abstract
        The variables.
    call_of : callable
        Translates the call of something that the module defines; returns `None` if it is nothing of that sort.
    class_of : callable
        Translates a class within a function; returns `None` if it is no custom gradient.
    notes : list of str
        What a reader of the translation should know.
    """

    build = staticmethod(build)
    code = staticmethod(source)

    def __init__(
        self,
        of: str,
        to: str,
        names: Names,
        scope: dict[str, Abstract],
        call_of: Callable[["Translating", cst.Call], Typed | None],
        notes: list[str],
        class_of: Callable[["Translating", cst.ClassDef], cst.FunctionDef | None] = lambda *_: None,
    ) -> None:
        self.of, self.to = of, to
        self.names = names
        self.scope = scope
        self.notes = notes
        self.call_of = call_of
        self.class_of = class_of
        self.partial: list[Refusal] | None = None  # takes what is refused; the translation raises where it stood
        self.gradients: dict[str, str] = {}  # classes within a function, and the functions they became
        self.rules = index_of(of)
        self.general: Collection[str] = ()  # for which of the topics of rules what is written holds too
        self.deciding = False  # whether a question is being translated: a length that is not known has no answer
        self.quiet = False  # whether nothing is recorded for a derivative, as in a forward
        self.kinds: dict[str, Abstract] = {}  # of the arguments of the rule that is being written
        self.changed: list[str] = []  # variables that an expression writes to in place
        self.imports: set[str] = set()  # modules that what was written needs
        self.tape = ""  # that records, or recorded last
        self.watched: set[str] = set()  # variables whose derivatives a tape was told to record
        self.helpers: dict[str, str] = {}  # functions that it calls: what the framework lacks

    def __call__(self, node: Expression) -> Expression:
        """Translate an expression."""
        return self.typed(node)[0]

    def typed(self, node: Expression) -> Typed:
        """Translate an expression, and say what is known of its value."""
        raise NotImplementedError

    def apply(self, found: Found, node: cst.Call, receiver: Typed | None) -> Typed:
        """Translate a call for which there is a rule."""
        raise NotImplementedError

    def write(self, rule: Rule, given: Mapping[str, Any], kinds: Mapping[str, Abstract], what: str) -> Typed:
        """Write an operation as a call of the other framework."""
        raise NotImplementedError

    def path(self, node: Expression) -> str:
        """Return the dotted path of what is imported, or nothing; a variable hides an import of its name."""
        root = node
        while isinstance(root, cst.Attribute):
            root = root.value
        return "" if isinstance(root, cst.Name) and root.value in self.scope else self.names.path(node)

    def question(self, node: Expression) -> Expression:
        """Translate an expression whose truth is tested."""
        before, self.deciding = self.deciding, True
        try:
            return self(node)
        finally:
            self.deciding = before

    @contextmanager
    def within(self, inside: Mapping[str, Abstract]) -> Iterator[None]:
        """While this is open, know more variables: those of a block."""
        before = dict(self.scope)
        self.scope.update(inside)
        try:
            yield
        finally:
            self.scope.clear()
            self.scope.update(before)

    # --- what rules use ---

    def note(self, text: str) -> None:
        """Tell the reader of the translation something, once."""
        if text not in self.notes:
            self.notes.append(text)

    def refuse(self, why: str) -> Refusal:
        """Return the exception for a rule that cannot write its arguments."""
        return Refusal(why)

    def helper(self, title: str, text: str) -> None:
        """Add a helper function to the translation."""
        self.helpers[title] = text

    def number(self, node: Expression) -> float | None:
        """Return a number that is written out, or is computed of such and of constants of the module."""
        return known_number(node, {n: line for n, line in self.names.defined.items() if n not in self.scope})

    @staticmethod
    def text(node: Expression) -> str:
        """Return the value of a literal text, or nothing."""
        value = literal(node)
        return value if isinstance(value, str) else ""

    @staticmethod
    def is_sequence(node: Expression) -> bool:
        """Whether an expression is a tuple or a list that is written out."""
        return isinstance(node, cst.Tuple | cst.List)

    @staticmethod
    def parts(node: Any) -> list[Expression]:
        """Return the elements of a tuple or a list that is written out."""
        return [element.value for element in node.elements]

    @staticmethod
    def starred(element: cst.BaseElement) -> bool:
        """Whether an argument is ``*x``."""
        return isinstance(element, cst.StarredElement)

    @staticmethod
    def sequence(elements: Sequence[cst.BaseElement]) -> Expression:
        """Return arguments as one list."""
        return cst.List([type(e)(e.value) for e in elements])  # type: ignore[call-arg]  # both kinds have a value

    @staticmethod
    def sequence_of(*parts: Expression) -> Expression:
        """Return a list."""
        return cst.List([cst.Element(part) for part in parts])

    @staticmethod
    def pair(*parts: Expression) -> Expression:
        """Return a tuple."""
        return cst.Tuple([cst.Element(part) for part in parts])

    def filled_like(self, x: Expression, kind: Abstract, value: Expression) -> Expression:
        """Return a number as TensorFlow wants it beside x: a tensor of x's type."""
        number = literal(value)
        if isinstance(number, int | float) and number in (0, 1):
            return build("tf.zeros_like({x})" if not number else "tf.ones_like({x})", x=x)
        if kind.dtype or isinstance(x, cst.Name):
            return self.in_type(value, Abstract(Sort.STATIC), name(kind.dtype or f"{source(x)}.dtype"))
        return value

    @staticmethod
    def in_type(value: Expression, kind: Abstract, dtype: Expression) -> Expression:
        """Return a value as a tensor of a type; of Python's numbers tf.cast makes single precision first."""
        exact = kind.sort is Sort.STATIC and not kind.traced and kind.number != "bool" and "int" not in source(dtype)
        return build(
            "tf.constant({value}, {dtype})" if exact else "tf.cast({value}, {dtype})", value=value, dtype=dtype
        )
