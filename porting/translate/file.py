"""A file that is being translated: its definitions, and the translation so far."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate import naming
from porting.translate.abstract_value import UNKNOWN, Abstract
from porting.translate.code import source
from porting.translate.data import is_data
from porting.translate.dialects import DIALECTS, FRAMEWORKS
from porting.translate.lower.translating import Translating
from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read import tf_layer, torch_layer
from porting.translate.read import torch as read_torch
from porting.translate.read.everywhere import Seen, within
from porting.translate.read.found import gradients_of, names_of
from porting.translate.read.registered import titles_of
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.read.source import Source
from porting.translate.read.taken_out import TakenOut, taken_out
from porting.translate.refusal import Refusal
from porting.translate.several import changes_of, setters_of

if TYPE_CHECKING:
    from porting.translate.argument import Argument
    from porting.translate.ir import CustomGradient


_APPLY: Final = m.SimpleStatementLine(
    [
        m.Return(
            m.Call(
                m.Attribute(m.SaveMatchedNode(m.Name(), "class"), m.Name("apply")),
                args=m.SaveMatchedNode([m.ZeroOrMore(m.Arg())], "arguments"),
            )
        )
    ]
)


class File:
    """A file and its translation so far; a subclass does the translation.

    Parameters
    ----------
    read : Source
        The file.
    of, to : str
        The dialects.
    strict : bool
        Whether second derivatives through outputs that a gradient uses must be the same in every case. Then the code
        computes these outputs again. Without this the code is shorter, and a check can tell whether that is enough.
    general : collection of str
        Some of `porting.translate.rule.TOPICS`: the special cases for which the translation must hold too.
    partial : bool
        Whether to translate code with refused parts: the translation raises in their place.
    inputs : sequence of str
        What the inputs of a gradient are called that takes them as ``*args``.
    transparent : sequence of str
        Decorators that change no number, as the user says.
    """

    def __init__(
        self,
        read: Source,
        of: str,
        to: str,
        *,
        strict: bool = True,
        general: Collection[str] = (),
        partial: bool = False,
        inputs: Sequence[str] = (),
        transparent: Sequence[str] = (),
    ) -> None:
        self.source = read
        self.of, self.to = of, to
        self.strict, self.general = strict, general
        self.partial: list[Refusal] | None = [] if partial else None
        self.names = names_of(read, of, inputs, transparent)
        self.notes: list[str] = []
        self.made: dict[str, Any] = {}
        self.taken_out: dict[str, TakenOut] = {}  # gradients from within classes and functions, by their titles
        self.others: dict[Path, File] = {}  # of other files of the package
        self.beside: File | None = None  # whose host code this one translates
        self.units: list[read_tf.Unit] = []  # whose inner names are known while they are translated
        self.open: list[str] = []
        self.arguments: list[Argument] = []  # of what was asked for
        self.returned: dict[str, list[Argument]] = {}  # of functions that make a gradient
        self.settings: dict[str, list[Argument]] = {}  # of modules and layers
        self.within: list[CustomGradient] = []  # gradients in the function that is being translated
        self.records: dict[str, list[CustomGradient]] = {}
        self.kinds: dict[str, Abstract] = {}  # of what helpers return, and of constants
        self.imports: set[str] = set()
        self.helpers: dict[str, str] = {}
        self.wrappers = {} if not DIALECTS[of].by_class or to == "numpy" else dict(self.one_with_a_class())

    def need(self, title: str, given: Sequence[Abstract] = ()) -> str:
        """Translate something that the module defines, once; return its name in the translation."""
        raise NotImplementedError

    def carry(self, title: str, node: cst.CSTNode) -> str:
        """Copy a function of the module without change: it computes with arrays."""
        raise NotImplementedError

    def gradient_within(self, expressions: Translating, node: cst.ClassDef) -> cst.FunctionDef | None:
        """Translate a custom gradient within a function; return nothing for another class."""
        raise NotImplementedError

    def another(self, path: Path) -> "File":
        """Return another file of the same package."""
        raise NotImplementedError

    @cached_property
    def several(self) -> dict[str, tuple[str, cst.CSTNode]]:
        """The names of the module whose value is not seen in it, see `changes_of`."""
        return changes_of(self.source.module)

    @cached_property
    def setters(self) -> dict[str, list[str]]:
        """The functions that assign to names of the module, by these names."""
        return setters_of(self.source.module)

    def gradients(self) -> list[str]:
        """Return the names of the custom gradients of the file."""
        is_one = self._makes_one if DIALECTS[self.of].by_class else read_tf.is_unit
        return [n for n, node in self.names.defined.items() if is_one(node, self.names)]

    @cached_property
    def unreached(self) -> dict[str, Seen]:
        """The custom gradients of the file that are not translated where they stand, by name."""
        by_class, names = DIALECTS[self.of].by_class, self.names
        listed = {names.spelled(title): names.defined[title] for title in self.gradients()}
        parts = (within(title, unit, names, by_class=by_class) for title, unit in listed.items())
        reached = Counter(part for several in parts for part in several)
        left = []
        for seen in reversed(gradients_of(self.source, self.of, names)):  # of two, the last one counts
            reached[seen.name] -= 1
            left += [seen] if reached[seen.name] < 0 else []
        found: dict[str, Seen] = {}
        for seen in reversed(left):
            again = seen.name in found or seen.name in listed
            found[f"{seen.name}@{self.source.line(seen.node)}" if again else seen.name] = seen
        return found

    def within_it(self, name: str) -> Seen | None:
        """Return the gradient of that name that is not translated where it stands, or the only one in that function."""
        every = gradients_of(self.source, self.of, self.names)
        inside = [seen for seen in every if seen.name.rpartition(".")[0] == name]
        alone = [seen for seen in inside if not seen.why and isinstance(seen.scopes[-1], cst.FunctionDef)]
        return self.unreached.get(name) or (alone[0] if len(inside) == len(alone) == 1 else None)

    def take_out(self, seen: Seen) -> TakenOut:
        """Take a gradient out of what stands around it, so that it is one of the module's own definitions.

        Raises
        ------
        Refusal
            If it stays where it is, with the reason.
        """
        if seen.why:
            raise Refusal(seen.why, seen.node)
        *_, around, own = ["", *seen.name.split(".")]
        joined = f"{around.strip('_')}_{own.strip('_')}"
        joined = naming.in_capitals(joined) if DIALECTS[self.of].by_class else joined
        alike = [other for other in self.unreached.values() if other.name.rpartition(".")[2] == own]
        first = next((other for other in alike if other.name == seen.name), seen) is seen
        titles = [own] * (len(alike) < 2) + [joined] * first + [f"{joined}_{self.source.line(seen.node)}"]
        if seen.operation:
            titles = titles_of(seen.node, seen.operation)
        try:
            made = taken_out(seen.node, seen.scopes, self.names, self.source.module, titles, self.of, seen.operation)
        except Refusal as refusal:
            raise Refusal(f"{seen.name}: {refusal}", refusal.node) from None
        self.taken_out[made.title] = made
        return made

    def is_layer(self, node: cst.CSTNode) -> bool:
        """Whether this is a module or a layer that is translated as one."""
        read = torch_layer if DIALECTS[self.of].by_class else tf_layer
        return self.to in FRAMEWORKS and read.is_layer(node, self.names)

    @staticmethod
    def _makes_one(node: cst.CSTNode, names: Names) -> bool:
        """Whether this is a custom gradient, or a function with one in it."""
        if isinstance(node, cst.FunctionDef):
            return any(read_torch.is_function(statement, names) for statement in node.body.body)
        return read_torch.is_function(node, names)

    def one_with_a_class(self) -> Iterator[tuple[str, cst.FunctionDef]]:
        """Yield the classes that a function only calls, with its own arguments: the two become one function."""
        for name, node in self.names.defined.items():
            if not isinstance(node, cst.FunctionDef) or node.decorators or self.names.is_member(name):
                continue  # a method of another class is no name for it
            body = body_of(node)
            found = m.extract(body[-1], _APPLY) if len(body) == 1 else None
            if found is None:
                continue
            called, arguments = found["class"], [source(a.value) for a in found["arguments"]]  # type: ignore[union-attr]
            title = source(called)  # type: ignore[arg-type]
            defined = self.names.defined.get(title)
            if defined is None or not read_torch.is_function(defined, self.names):
                continue
            if (
                [p.name.value for p in parameters_of(node)]
                == arguments
                == [p.name.value for p in read_torch.inputs_of(cst.ensure_type(defined, cst.ClassDef))]
            ):
                yield title, node

    def plain_name(self, title: str) -> str:
        """Return the name, in an oracle, of the forward of a custom gradient that is a helper of another one."""
        return f"_{naming.called(title) if DIALECTS[self.of].by_class else title.strip('_')}"

    def public(self, title: str) -> str:
        """Return the function that people call, for a class whose namesake function calls it and does more."""
        title = next((c for c, wrapper in self.wrappers.items() if wrapper.name.value == title), title)
        if title in self.wrappers or not isinstance(self.names.defined.get(title), cst.ClassDef):
            return title
        other = self.names.defined.get(naming.called(title))
        own: Any = body_of(other) if isinstance(other, cst.FunctionDef) else []
        lines = [statement for statement in own if not isinstance(statement, cst.FunctionDef)]  # not what it makes
        calls = f"{title}.apply(" in cst.Module(lines).code
        return cst.ensure_type(other, cst.FunctionDef).name.value if calls else title

    def target(self, title: str) -> str:
        """Return the name of something in the translation."""
        node = self.names.defined.get(title)
        if title in self.wrappers:
            return self.wrappers[title].name.value
        if self.to == "numpy" and node is not None and read_torch.is_function(node, self.names):
            return self.plain_name(title)
        if isinstance(node, cst.ClassDef) and not is_data(node) and not self.is_layer(node):
            alias = next((n for n in self.names.defined if n != title and self.alias(n) == title), "")
            name = alias or naming.free(naming.called(title))
            other = self.names.defined.get(name)
            return f"_{name}" if other not in (None, node) and not alias else name
        return title

    def result(self, title: str, given: Sequence[Abstract]) -> Abstract:
        """Return what is known of the value of a helper that is called with some arguments."""
        node = self.names.defined[title]
        names = [p.name.value for p in parameters_of(node)] if isinstance(node, cst.FunctionDef) else []
        likes = {n: kind.like for n, kind in zip(names, given, strict=False)}
        return self.kinds.get(title, UNKNOWN).elsewhere(likes)

    def is_constant(self, title: str) -> bool:
        """Whether a name of the module stands for a value."""
        return isinstance(self.names.defined[title], cst.SimpleStatementLine)

    def alias(self, title: str) -> str:
        """Return the class behind ``swish = SwishFunction.apply``."""
        node = self.names.defined[title]
        if m.matches(node, m.SimpleStatementLine([m.Assign(value=m.Attribute(m.Name(), m.Name("apply")))])):
            small: Any = cst.ensure_type(node, cst.SimpleStatementLine).body[0]
            return source(small.value).removesuffix(".apply")
        return ""

    def body(self) -> list[Any]:
        """Return the translation so far, in the order of the source."""
        order = [n for n in self.names.defined if n in self.made]
        for title, wrapper in self.wrappers.items():  # it stands where callers look for it
            if title in order:
                order.remove(title)
                before = list(self.names.defined)[: list(self.names.defined).index(wrapper.name.value)]
                order.insert(sum(n in order for n in before), title)
        parts = (part for n in order for part in (self.made[n] if isinstance(self.made[n], list) else [self.made[n]]))
        return list(dict.fromkeys(parts))  # two names may have one statement
