"""Writes a draft of an oracle op in NumPy: the gradient is a function of its own; the contract is not written."""

import builtins
import json
from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.analyse.copy_propagation import propagated
from porting.translate.analyse.dead_code import without_dead
from porting.translate.analyse.rematerialization import bare, recomputed
from porting.translate.analyse.slices import read_first, written
from porting.translate.code import Expression, build, docstring, names_in, renamed, source, tidy
from porting.translate.ir import CustomGradient, gradients, returned
from porting.translate.lower.argument_checks import Checked
from porting.translate.lower.expression import TIGHT, Expressions
from porting.translate.lower.statements import Statements
from porting.translate.read.enclosing_scope import Whole, wrapped
from porting.translate.read.signatures import kind_of_annotation
from porting.translate.refusal import Refusal
from porting.translate.write.reserved_names import freed

Statement = cst.BaseStatement
_WIDTH: Final = 100  # of a line
_CLAIM: Final = 'unstated("draft of porting translate: say what this is the derivative of")'
_TRIED: Final = {"float": "(0.5,)", "int": "(1,)", "bool": "(True, False)"}


def write(whole: Whole, expressions: Expressions) -> list[Statement]:
    """Write a custom gradient as ``@op`` and ``defvjp``.

    Parameters
    ----------
    whole : Whole
        The gradient, with the function around it.
    expressions : Expressions
        Translates what is in it; its variables are set here.

    Raises
    ------
    Refusal
        If something in it has no rule, or the gradient cannot be computed from inputs and outputs.
    """
    return _Writer(whole, expressions).write()


def plain(ir: CustomGradient, title: str, expressions: Expressions) -> cst.FunctionDef:
    """Write only the forward, as a function that others call: an oracle does not need its gradient."""
    with expressions.within({p.name.value: Abstract(Sort.TENSOR) for p in ir.parameters} | ir.kinds):
        body = Statements(expressions, _values, quiet=True).block(ir.forward)
    own = without_dead(propagated(body))
    params = [cst.Param(p.name) for p in ir.parameters]
    return cst.FunctionDef(cst.Name(title), cst.Parameters(params), cst.IndentedBlock([tidy(s) for s in own]))


class _Writer:
    def __init__(self, whole: Whole, expressions: Expressions) -> None:
        self.whole = whole = freed(whole)
        self.of = expressions
        self.ir = whole.ir
        primals = set(whole.given.values())
        self.kinds = {p.name.value: self._kind(p, primals) for p in whole.parameters}
        keyword = {p.name.value for p in whole.parameters if p.name.value in whole.keyword or self._is_static(p)}
        self.inputs = [p.name.value for p in whole.parameters if p.name.value not in keyword - primals]
        self.statics = [p for p in whole.parameters if p.name.value not in self.inputs]
        self.wrt = [n for n in self.inputs if n in primals]

    def _kind(self, parameter: cst.Param, primals: set[str]) -> Abstract:
        title = parameter.name.value
        if title in primals:
            return Abstract(Sort.TENSOR, "float", title)
        found = kind_of_annotation(parameter)
        if found.sort is Sort.UNKNOWN:
            found = self.ir.kinds.get(title, found)
        return Abstract(Sort.TENSOR) if found.tensor else found

    def _is_static(self, parameter: cst.Param) -> bool:
        kind = self.kinds[parameter.name.value]
        return parameter.default is not None or kind.sort not in {Sort.TENSOR, Sort.UNKNOWN}

    def write(self) -> list[Statement]:
        """Return the two functions."""
        self._refuse_changed()
        self._refuse_unknown()
        self.of.scope.update(self.kinds)
        statements = Checked(self.of, self._value, quiet=True)
        before = statements.block(self.whole.before)
        before += statements.block(self._bindings())
        for title, kind in self.ir.kinds.items():
            if self.of.scope.get(title, Abstract()).sort is Sort.UNKNOWN:
                self.of.scope[title] = kind
        forward = [*before, *statements.block(self.ir.forward)]
        body = without_dead(propagated(forward))
        self.of.scope.update({c: Abstract(Sort.TENSOR, "float", c) for c in self.ir.cotangents})
        gradient = self._gradient(forward)
        return [self._op(body), self._rule(gradient)]

    def _refuse_changed(self) -> None:
        """Refuse a gradient that reads an input which the forward changes: it is not known which value is meant."""
        changed = set().union(*map(written, self.ir.forward), set()) & {p.name.value for p in self.ir.parameters}
        read = set().union(*map(names_in, self.ir.vjp), set())
        for title in sorted(changed & read):
            raise Refusal(f"{title}: is an input that the forward changes, and the gradient reads")

    def _refuse_unknown(self) -> None:
        """Refuse a gradient that reads what nobody has said."""
        ir, names = self.ir, self.of.names
        known = {*ir.outputs, *ir.cotangents, *self.kinds, *names.defined, *names.imported, *dir(builtins)}
        known |= self.whole.beside | set(self.whole.bound) | {p.name.value for p in ir.parameters}
        known |= set().union(*map(written, (*self.whole.before, *ir.forward, *ir.vjp)), set())
        unknown = sorted(read_first(ir.vjp) - known)
        if unknown:
            raise Refusal(f"{unknown[0]}: the gradient reads it, and nothing assigns it")

    def _bindings(self) -> list[Statement]:
        """Return the lines that give the gradient's function its parameters."""
        pairs = [(n, v) for n, v in self.whole.bound.items() if source(v) != n]
        apart = all(n not in names_in(v) for k, (n, _) in enumerate(pairs) for _, v in pairs[k + 1 :])
        if not apart:
            left, right = (
                [cst.Element(e) for e in side] for side in ([cst.Name(n) for n, _ in pairs], [v for _, v in pairs])
            )
            whole = cst.Assign([cst.AssignTarget(cst.Tuple(left))], cst.Tuple(right))
            return [cst.SimpleStatementLine([whole])]
        return [cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(n))], v)]) for n, v in pairs]

    def _value(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        return _values(wrapped(self.whole, value), of)

    # --- gradient ---

    def _gradient(self, forward: Sequence[Statement]) -> list[Statement]:
        """Return the lines of the gradient, with what they need of the forward computed again."""
        ir = self.ir
        vjp = Statements(self.of, self._gradients).block(ir.vjp)
        outputs = [o for o in ir.outputs if o in read_first(vjp)]
        wanted = read_first(vjp) - {*outputs, *ir.cotangents}
        again = recomputed(forward, wanted)
        if any(set(outputs) & written(s) for s in again):  # under the same name there is another value on the way
            again, outputs = recomputed(forward, {*wanted, *outputs}), []
        lines = without_dead(propagated([*map(bare, again), *vjp]))
        known = {*self.inputs, *(p.name.value for p in self.statics), *ir.cotangents, *outputs}
        known |= set().union(*map(written, lines), set())  # what a loop assigns is there behind it
        missing = sorted((read_first(lines) & set(self.of.scope)) - known)
        if missing:
            raise Refusal(f"{missing[0]}: the gradient needs it, and it cannot be computed again by itself")
        return [*self._named(outputs, lines)]

    def _named(self, outputs: list[str], lines: list[Any]) -> list[Any]:
        """Give cotangents and outputs the names that an op has for them."""
        used = read_first(lines)
        head: list[Any] = []
        for title, names in (("dy", self.ir.cotangents), ("y", self.ir.outputs)):
            present = [n for n in names if n in used and (n in outputs or title == "dy")]
            own = set().union(*map(names_in, lines), set())
            if title in own and title not in present:
                lines = [renamed(s, {title: cst.Name(f"{title}_")}) for s in lines]
            if len(names) == 1 and present and present[0] != title:
                lines = [renamed(s, {present[0]: cst.Name(title)}) for s in lines]
            elif len(names) > 1 and present:
                slots = [cst.Element(cst.Name(n if n in present else "_")) for n in names]
                target = cst.AssignTarget(cst.Tuple(slots, lpar=[], rpar=[]))
                head.append(cst.SimpleStatementLine([cst.Assign([target], cst.Name(title))]))
        return [*head, *lines]

    def _gradients(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        items = gradients(value, len(self.ir.primals))
        if len(items) != len(self.ir.primals):
            raise Refusal(f"{source(items[0])[:60]}: which gradients a call gives is not seen here")
        given = self.whole.given
        pairs = [(given[p], item) for p, item in zip(self.ir.primals, items, strict=True) if p in given]
        made = {primal: of(item) for primal, item in pairs}
        nothing = "np.zeros_like({x})"
        found = [build(nothing, x=cst.Name(n)) if source(made[n]) == "None" else made[n] for n in self.wrt]
        return [cst.Return(_together(found))]

    # --- the two functions ---

    def _op(self, body: Sequence[Any]) -> cst.FunctionDef:
        made = self._function(self.whole.called, self.inputs, body, doc=self.whole.doc)
        return made.with_changes(decorators=[self._decorator()], leading_lines=self.ir.comments)

    def _rule(self, body: Sequence[Any]) -> cst.FunctionDef:
        made = self._function(f"{self.whole.called.rstrip('_')}_vjp", ["dy", "y", *self.inputs], body)
        return made.with_changes(decorators=[cst.Decorator(build(f"{self.whole.called}.defvjp"))])

    def _function(self, title: str, inputs: Sequence[str], body: Sequence[Any], *, doc: str = "") -> cst.FunctionDef:
        defaults = {p.name.value: None if p.default is None else self.of(p.default) for p in self.statics}
        keyword = [_parameter(n, default) for n, default in defaults.items()]
        params = cst.Parameters([cst.Param(cst.Name(n)) for n in inputs], kwonly_params=keyword)
        text = [cst.SimpleStatementLine([cst.Expr(cst.SimpleString(docstring(doc)))])] if doc else []
        return cst.FunctionDef(cst.Name(title), params, cst.IndentedBlock([*text, *(tidy(s) for s in body)]))

    def _decorator(self) -> cst.Decorator:
        """Return the contract, as far as the source says it."""
        claims = [f"gradient_of={_CLAIM}"]
        if self.wrt != self.inputs:
            claims.append(f"wrt=({', '.join(json.dumps(n) for n in self.wrt)},)")
        values = {
            p.name.value: _TRIED.get(self.kinds[p.name.value].number, "(1,)") for p in self.statics if p.default is None
        }
        if values:
            inside = ", ".join(f'"{n}": {v}' for n, v in values.items())
            claims.append(f"statics={{{inside}}}")
            self.of.note(f"the checks need values of {', '.join(values)}: those in statics= are a guess")
        if self.ir.once:
            claims.append("order=1")
        return cst.Decorator(_on_lines(f"op({', '.join(claims)})", claims))


def _values(value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
    return [cst.Return(_together([of(item) for item in returned(value)]))]


def _together(items: Sequence[Expression]) -> Expression:
    if len(items) == 1:
        return items[0]
    return cst.Tuple([cst.Element(item) for item in items], lpar=[], rpar=[])


def _on_lines(text: str, arguments: Sequence[str]) -> Expression:
    """Return a call, each argument on a line of its own where one line is too short for all."""
    inside = "".join(f"    {argument},\n" for argument in arguments)
    return cst.parse_expression(text if len(text) < _WIDTH else f"op(\n{inside})")


def _parameter(title: str, default: Expression | None) -> cst.Param:
    if default is None:
        return cst.Param(cst.Name(title))
    return cst.Param(cst.Name(title), default=default, equal=TIGHT)
