"""Translates the named functions of a file, with the helpers, constants and imports that they need."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate import helper_calls
from porting.translate.abstract_value import Abstract, Sort
from porting.translate.analyse.helpers_used import used
from porting.translate.analyse.targets import assigned
from porting.translate.argument import Argument, arguments_among, arguments_of, compared_with, settings_of
from porting.translate.code import build, docstring, in_one_line, names_in, same, tidy
from porting.translate.data import stays
from porting.translate.dialects import DIALECTS
from porting.translate.file import File
from porting.translate.format.layout import laid_out
from porting.translate.ir import CustomGradient
from porting.translate.lower import host_calls, host_expression
from porting.translate.lower.expression import Expressions
from porting.translate.lower.statements import function
from porting.translate.lower.translating import Translating
from porting.translate.names import targets
from porting.translate.read import tf as read_tf
from porting.translate.read import tf_layer as read_tf_layer
from porting.translate.read import torch as read_torch
from porting.translate.read import torch_layer as read_torch_layer
from porting.translate.read.docstrings import docstring_of, of_both
from porting.translate.read.fields import fields_of
from porting.translate.read.source import read_source
from porting.translate.refusal import Refusal
from porting.translate.translated import Translated as Translated
from porting.translate.write import imports, oracle
from porting.translate.write import numpy as write_numpy
from porting.translate.write import tf as write_tf
from porting.translate.write import torch as write_torch
from porting.translate.write.tf_layer import LayerOfKeras
from porting.translate.write.torch_layer import ModuleOfTorch
from porting.translate.write.undefined import undefined

_PASS = cst.IndentedBlock([cst.SimpleStatementLine([cst.Pass()])])

_INDENT: Final = 4  # of a function at the left margin


class Translator(File):
    """Translates parts of one file."""

    def translate(self, title: str, *, alone: bool = False) -> Translated:
        """Translate a class or function of the file, with all that it needs.

        If it is wanted `alone`, a gradient is translated without the function around it.
        """
        around = self._layers_with(title)
        if seen := self.within_it(title) if alone else self.unreached.get(title):
            try:
                taken = self.take_out(seen)
            except Refusal as refusal:
                line = self.source.line(refusal.node, within=seen.node)
                return Translated(title, title, refused=[(line, str(refusal))])
            self.notes.append(taken.note(self.source.line(taken.called)))
            title, alone = taken.title, True
        title = self.names.title(title)
        title = title if alone else self.public(title)
        if self.to == "numpy" and DIALECTS[self.of].by_class:
            title = next((wrapper.name.value for c, wrapper in self.one_with_a_class() if c == title), title)
        result = Translated(title, self.target(title))
        try:
            self._op(title) if self.to == "numpy" else self.need(title)
            self.arguments = self._arguments(title)
        except Refusal as refusal:
            result.refused.append((self._line(refusal, title), str(refusal)))
            return result
        result.refused += [(self._line(refusal, title), str(refusal)) for refusal in self.partial or ()]
        result.text = self._module()
        if missing := undefined(result.text):
            line = self.source.line(self.names.origin(title))
            result.refused += [(line, f"{name}: is not defined in the translation") for name in missing]
            result.text = result.text if self.partial is not None else ""
        result.notes = [*self.notes, *around]
        result.arguments, result.returned = self.arguments, self.returned.get(title, [])
        result.settings = self.settings.get(title, [])
        return result

    def _layers_with(self, title: str) -> list[str]:
        """Say which modules or layers a gradient stands in, or is called in: they are translated by their own names."""
        called = m.FunctionDef(m.OneOf(*map(m.Name, ("forward", "call", "__call__"))))
        layers = {n: node for n, node in self.names.defined.items() if self.is_layer(node) and m.findall(node, called)}
        root = title.partition(".")[0]
        around = [root] if root in layers else [n for n, node in layers.items() if title in names_in(node)]
        around = [] if title in layers else around
        return [f"`{self.source.path.name}:{around[0]}` translates the class around it too."] if around else []

    def _left_out(self, *titles: str) -> None:
        """Say what was left out of some definitions."""
        for title in titles:
            self.notes += [note for note in self.names.notes.get(title, []) if note not in self.notes]

    def _refuse_several(self, title: str) -> None:
        """Refuse a name that is one thing here and another one there, and say which functions change it."""
        if title in self.several:
            why, node = self.several[title]
            raise Refusal(why, node)
        for setter in self.setters.get(title, ()):
            note = f"{title}: {setter}() changes it in the source; here it stays as it is."
            self.notes += [note] if note not in self.notes else []

    def _op(self, title: str) -> None:
        """Write what was asked for as an oracle op."""
        expressions = self._expressions({})
        self._left_out(title)
        self.open.append(title)
        self.made[title] = oracle.op_of(self, title, expressions)
        self.imports |= expressions.imports
        self.helpers |= expressions.helpers
        self.open.remove(title)

    def _line(self, refusal: Refusal, title: str) -> int:
        """Return the line of what was refused: of a helper, if it was being translated."""
        within = self.open[-1] if self.open else title
        return self.source.line(refusal.node, self.names.origins.get(within) or self.names.defined.get(within))

    def _arguments(self, title: str) -> list[Argument]:
        """Return what a translation is called with."""
        node = self.wrappers.get(title) or self.names.defined[title]
        own = self.records.get(title, [])
        records = own or [ir for several in self.records.values() for ir in several]  # those that it calls
        primals = [p for ir in records for p in ir.primals] if title not in self.returned else []
        kinds = {n: kind for ir in records for n, kind in ir.kinds.items()}
        compared = compared_with([node, *(self.names.defined[name] for name in self.made)])
        if isinstance(node, cst.FunctionDef):
            found = arguments_of(node, primals, kinds, compared)
        else:
            found = arguments_among(own[0].parameters, primals, kinds, compared) if own else []
        code = [statement for ir in records for statement in (*ir.forward, *ir.vjp)]
        return [
            replace(a, fields=fields_of(a.name, code, self.names)) if a.kind.sort is Sort.OBJECT else a for a in found
        ]

    def need(self, title: str, given: Sequence[Abstract] = ()) -> str:
        """Translate something that the module defines, once; return its name in the translation.

        `given` is what is known of the arguments of its first call.
        """
        title = next((c for c, wrapper in self.wrappers.items() if wrapper.name.value == title), title)
        target = self.target(title) if self.beside is None else f"{self.target(title)}_np"
        if title in self.made or title in self.open:
            return target
        node = self.names.defined[title]
        if self.open:  # what was asked for stands at its line
            self._refuse_several(title)
        self._left_out(title, *(w.name.value for c, w in self.wrappers.items() if c == title))
        self.open.append(title)
        expressions = self._expressions({})
        if read_torch.is_function(node, self.names):
            ir = read_torch.read(cst.ensure_type(node, cst.ClassDef), self.names)
            ir.called = target
            self.records[title] = [ir]
            self.notes += [note for note in ir.notes if note not in self.notes]
            wrapper = self.wrappers.get(title)
            if wrapper is not None:
                ir.signature, ir.returns = wrapper.params, wrapper.returns
                ir.doc = of_both(docstring_of(wrapper)) or ir.doc
            made: Any = (
                write_numpy.plain(ir, target, expressions)
                if self.to == "numpy"
                else write_tf.write(ir, expressions, strict=self.strict, host=self._host)
            )
        elif not DIALECTS[self.of].by_class and read_tf.is_unit(node, self.names):
            made = self._unit(cst.ensure_type(node, cst.FunctionDef), expressions)
        elif isinstance(node, cst.FunctionDef):
            made, self.kinds[title] = function(node, expressions, given=given)
            self._made_by(title, self.kinds[title])
        elif isinstance(node, cst.SimpleStatementLine):
            made, self.kinds[title] = self._constant(title, node, expressions)
        else:
            made = self._of_class(title, cst.ensure_type(node, cst.ClassDef), expressions)
        self.imports |= expressions.imports
        self.helpers |= expressions.helpers
        self.open.remove(title)
        self.made[title] = made
        return target

    def _of_class(self, title: str, node: cst.ClassDef, expressions: Expressions) -> cst.ClassDef:
        """Translate a module or a layer, or take a class of values over as it is."""
        if self.is_layer(node):
            return self._layer(node, expressions)
        if not stays(node, self.names.imported):
            raise Refusal(f"{title}: a class that is no autograd.Function", node)
        self.kinds[title] = Abstract(Sort.OBJECT)
        for other in sorted(names_in(node) & set(self.names.defined) - {title}):
            self.need(other)
        return node

    def _layer(self, node: cst.ClassDef, expressions: Expressions) -> cst.ClassDef:
        """Translate a module or a layer."""
        by_class = DIALECTS[self.of].by_class
        layer = (read_torch_layer if by_class else read_tf_layer).read(node, self.names)
        self.notes += [note for note in layer.notes if note not in self.notes]
        self.settings[layer.name] = settings_of(layer)
        for title, lifted in layer.lifted.items():
            self.names.define_before(layer.name, title, lifted)
        return (LayerOfKeras if by_class else ModuleOfTorch)(layer, expressions).write()

    def _constant(self, title: str, node: cst.SimpleStatementLine, expressions: Expressions) -> tuple[Any, Abstract]:
        """Translate a constant, and return what it is; ``LOW, HIGH = 0.0, 1.0`` is one statement for both."""
        small: Any = node.body[0]
        value, kind = expressions.typed(small.value)
        names = list(targets(small))
        if len(names) > 1 and kind.sort is Sort.TUPLE and len(kind.items) == len(names):
            kind = kind.items[names.index(title)]
        made = node.with_changes(body=[tidy(small.with_changes(value=value))])
        return next((self.made[n] for n in names if n in self.made and same(self.made[n], made)), made), kind

    def _made_by(self, title: str, kind: Abstract, taken: int = 0) -> None:
        """Remember what a function returns that makes a gradient; the last arguments are taken from around it."""
        if kind.sort is Sort.FUNCTION and self.within:
            ir = self.within[-1]
            own = ir.parameters[: len(ir.parameters) - taken]
            self.returned[title] = arguments_among(own, ir.primals, ir.kinds, {})
        self.within = []

    def another(self, path: Path) -> File:
        """Return another file of the same package."""
        if path not in self.others:
            self.others[path] = Translator(
                read_source(path), self.of, self.to, strict=self.strict, general=self.general,
                transparent=self.names.transparent,
            )  # fmt: skip
            self.others[path].others = self.others
        return self.others[path]

    def gradient_within(self, expressions: Translating, node: cst.ClassDef) -> cst.FunctionDef | None:
        """Translate a custom gradient within a function."""
        if not read_torch.is_function(node, self.names):
            return None
        ir = read_torch.read(node, self.names)
        taken = {*expressions.scope, *expressions.names.defined}
        ir.called = ir.called if ir.called not in taken else f"_{ir.called}"
        self.within.append(ir)
        inner = self._expressions(dict(expressions.scope))
        made = (
            write_numpy.plain(ir, ir.called, inner)
            if self.to == "numpy"
            else write_tf.write(ir, inner, strict=self.strict, host=self._host)
        )
        expressions.imports |= inner.imports
        expressions.helpers |= inner.helpers
        return made

    def _expressions(self, scope: dict[str, Abstract]) -> Expressions:
        made = Expressions(
            self.of, self.to, self.names, scope, partial(helper_calls.call, self), self.notes, self.gradient_within
        )
        made.partial, made.general = self.partial, self.general
        return made

    def _host(self) -> Expressions:
        """Return what translates to NumPy, for what runs on the host within this translation."""
        place = Path(f"{self.source.path}, on the host")
        if place not in self.others:
            self.others[place] = Translator(self.source, self.of, "numpy")
            self.others[place].beside = self
        other = self.others[place]
        call = partial(helper_calls.call, other)
        return host_expression.HostExpressions(
            other.of, other.to, other.names, {}, call, self.notes, other.gradient_within
        )

    def carry(self, title: str, node: cst.CSTNode) -> str:
        """Take a function of the module over as it is: it computes with arrays."""
        if self.made.get(title, self.names.defined[title]) is not self.names.defined[title]:
            raise Refusal(f"{title}: is called with arrays and with tensors", node)
        if title not in self.made:
            self._refuse_several(title)
            self.made[title] = self.names.defined[title]
            if not host_calls.is_plain(self.made[title], self.names):
                raise Refusal(f"{title}: runs on the host, and names a framework", node)
            for other in sorted(names_in(self.made[title]) & set(self.names.defined) - {title}):
                if isinstance(self.names.defined[other], cst.FunctionDef):
                    self.carry(other, node)
                else:
                    self.need(other)
        return title

    def _unit(self, node: cst.FunctionDef, expressions: Expressions) -> Any:
        """Translate TensorFlow custom gradients, and the function around them."""
        unit = read_tf.Unit(node, self.names)
        self.units.append(unit)
        records = self.records[node.name.value] = list(unit.gradients.values())
        try:
            if unit.outer is None and self.to == "numpy":
                return [write_numpy.plain(records[0], node.name.value, expressions)]
            if unit.outer is not None:
                known: dict[str, Abstract] = {}
                outer, kind = function(unit.outer, expressions, keep=known)
                for ir in records:
                    ir.kinds = known | ir.kinds
                self.within = [records[-1]]
                self._made_by(node.name.value, kind, len(unit.taken[list(unit.gradients)[-1]]))
            if self.to == "numpy":
                return [*oracle.called_within(self, unit, expressions, [outer]), outer]
            made: list[Any] = [function(h, expressions)[0] for h in unit.helpers]
            alone = unit.outer is None
            written = [write_torch.write(ir, expressions, strict=self.strict, alone=alone) for ir in records]
            if alone:
                outer = self._calling(node, records[0], expressions)
            nested = [write_torch.write(ir, expressions, strict=self.strict) for ir in reversed(unit.nested.values())]
            made += [*reversed(nested), *written]
        finally:
            self.units.pop()
        return [*made, outer.with_changes(leading_lines=[])]

    def _calling(self, node: cst.FunctionDef, ir: CustomGradient, expressions: Expressions) -> cst.FunctionDef:
        """Return the function that calls a gradient which stands alone."""
        given = ", ".join(p.name.value for p in ir.parameters)
        call = build(f"{write_torch.class_name(ir.called)}.apply({given})")
        # of a gradient in one piece an annotation such as Tuple[Tensor, Callable] is that of value and gradient
        returns = None if node.returns and isinstance(node.returns.annotation, cst.Subscript) else node.returns
        bare = node.with_changes(decorators=[], body=_PASS, returns=returns)
        head, _ = function(in_one_line(bare), expressions)
        made = f"torch.as_tensor({{n}}, dtype={ir.primals[0]}.dtype, device={ir.primals[0]}.device)"
        lines = [assigned(n, build(made, n=cst.Name(n))) for n in ir.numbers if n in given.split(", ")]
        body = [cst.SimpleStatementLine([line]) for line in (*lines, cst.Return(call))]
        return head.with_changes(body=cst.IndentedBlock([*_docstring(node), *body]))

    def _module(self) -> str:
        """Return what was made as a file, with what came from others above it."""
        every = [*(other for other in self.others.values() if other is not self), self]
        body = [part for one in every for part in one.body()]
        helpers = {title: text for one in every for title, text in one.helpers.items()}
        body += used(helpers, body)
        lines = imports.lines_of(every, body) | ({oracle.IMPORT} if self.to == "numpy" else set())
        head = cst.parse_module(imports.in_order(lines)).body
        text = laid_out(cst.Module([*head, *body]))
        return oracle.titled(text, self.source.module) if self.to == "numpy" else text


def _docstring(node: cst.FunctionDef) -> list[cst.BaseStatement]:
    """Return the docstring of a function as a statement, without what it says of the framework that is left."""
    said = node.get_docstring(clean=False) or ""
    kept = of_both(said)
    if not kept:
        return []
    block: Any = node.body
    first = block.body[0] if isinstance(node.body, cst.IndentedBlock) else None
    margins = {len(line) - len(line.lstrip()) for line in said.splitlines()[1:] if line.strip()}
    if kept == said and first is not None and min(margins, default=_INDENT) == _INDENT:
        return [first]
    return [cst.SimpleStatementLine([cst.Expr(cst.SimpleString(docstring(kept)))])]
