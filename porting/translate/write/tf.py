"""Writes a ``tf.custom_gradient`` function."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate import summed
from porting.translate.abstract_value import STATIC, Abstract, Sort
from porting.translate.analyse.copy_propagation import propagated
from porting.translate.analyse.dead_code import without_dead
from porting.translate.analyse.known_conditions import decided
from porting.translate.analyse.lengths import as_tensors, asked_once, not_again
from porting.translate.analyse.numbers_read import numbers_read
from porting.translate.analyse.renaming import local, with_new_outputs
from porting.translate.analyse.slices import read_first, written
from porting.translate.code import (
    Expression,
    build,
    docstring,
    in_one_line,
    names_in,
    renamed,
    source,
    tidy,
    without_banners,
)
from porting.translate.ir import CustomGradient, returned
from porting.translate.lower.expression import TIGHT, Expressions
from porting.translate.lower.signatures import Defaults, annotation
from porting.translate.lower.statements import Statements
from porting.translate.rule import of_input
from porting.translate.write.host import Host
from porting.translate.write.once import once_only
from porting.translate.write.pieces import apart, converted, together, with_gradient
from porting.translate.write.remarks import with_remark

Statement = cst.BaseStatement
_FLOATING: Final = {"", "float", "complex"}
_DECORATOR: Final = cst.Decorator(cst.Attribute(cst.Name("tf"), cst.Name("custom_gradient")))


def write(
    ir: CustomGradient, expressions: Expressions, *, strict: bool, host: Callable[[], Expressions] | None = None
) -> cst.FunctionDef:
    """Write one custom gradient.

    Parameters
    ----------
    ir : CustomGradient
        What to write.
    expressions : Expressions
        Translates what is in it; its variables are set here.
    strict : bool
        Whether the gradient computes an output that it needs again, through the function itself. Its derivative is then
        this gradient, as for an output that PyTorch saved. A captured output has the derivative of the operations
        inside.
    host : callable, optional
        Returns the translator of the parts that run on the host.

    Raises
    ------
    Refusal
        If something in it has no rule.
    """
    on_host = Host.of(ir, expressions.names, host)
    return _Writer(ir, expressions, strict=strict, host=on_host).write()


class _Writer:
    def __init__(self, ir: CustomGradient, expressions: Expressions, *, strict: bool, host: Host | None) -> None:
        self.host = host
        self.ir = ir
        self.of = expressions
        self.around = dict(expressions.scope)  # variables of the function around it
        self.of_another_type = False
        self.others: set[str] = set()  # settings that the forward makes others of: a gradient has what they became
        self.alone: set[str] = set()  # what gets no gradient, and would have one
        self.axes: list[list[int]] = []  # of the values of each return
        self.again = strict and ir.through and not ir.once
        taken = {p.name.value for p in ir.parameters} | set().union(*map(names_in, (*ir.forward, *ir.vjp)))
        self.inner = next(n for n in ("forward", "run", "_forward") if n not in taken)
        self.grad = next(n for n in ("grad", "vjp", "grad_fn", "_grad") if n not in taken)

    def write(self) -> cst.FunctionDef:
        """Return the function; the inner one is positional-only, because a call with keywords loses the gradient."""
        ir = self.ir
        self.of.scope.clear()
        self.of.scope.update(self.around)
        self.of.scope.update(ir.kinds)
        self.of.quiet = True
        body: list[Any] = []
        if self.host and self.host.forward:
            self.of.scope.update({o: Abstract(Sort.TENSOR, "float", ir.primals[0]) for o in ir.outputs})
        else:
            body = propagated(Statements(self.of, self._value, quiet=True).block(ir.forward), ir.captured)
            self.others = {n for n in ir.constants if n in read_first(body) and any(n in written(s) for s in body)}
            body = local(body, self.others)
        self.of.quiet = False
        known = self.of.scope
        known.update({o: Abstract(Sort.TENSOR, "float", o) for o in ir.outputs if o not in known})
        axes = [n.pop() if len(n) == 1 else 0 for n in map(set, zip(*self.axes, strict=False))]  # of each value
        axes += [0] * len(ir.cotangents)
        known.update({c: Abstract(Sort.TENSOR, "float", c, axes=n) for c, n in zip(ir.cotangents, axes, strict=False)})
        grad = self.host.gradient_of(self.grad) if self.host and self.host.gradient else self._gradient(body)
        body = decided(body)[0]
        body = with_new_outputs(asked_once(without_dead(body, names_in(grad))), ir.primals, "tf.identity({x})")
        if self.alone:
            gets = f"{' and '.join(sorted(self.alone))} get{'s' * (len(self.alone) == 1)} no gradient"
            body = with_remark(body, "tf.stop_gradient", gets)
        block = with_gradient(body, grad)
        if self.host and self.host.forward:
            *head, last = self.host.forward_lines(self.grad)
            block = [*head, apart(grad), apart(last)]
        if self.host:
            self.of.imports |= self.host.expressions.imports
            self.of.helpers |= self.host.expressions.helpers
        primals = [p for p in ir.parameters if p.name.value in ir.primals]
        inner = cst.FunctionDef(
            cst.Name(self.inner),
            cst.Parameters([self._parameter(p, bare=p.name.value != self._optional()) for p in primals]),
            cst.IndentedBlock(block),
            [_DECORATOR],
        )
        call = self._called()
        outer = [*self._doc(), apart(inner), apart(cst.SimpleStatementLine([cst.Return(call)]))]
        parameters = cst.Parameters([self._parameter(p) for p in ir.parameters])
        if ir.signature is not None:
            parameters = ir.signature.visit(Defaults(self.of))  # type: ignore[assignment]  # parameters stay parameters
        made = cst.FunctionDef(
            cst.Name(ir.called),
            parameters,
            cst.IndentedBlock(outer),
            leading_lines=without_banners(ir.comments),
            returns=annotation(ir.returns, self.of),
        )
        return in_one_line(as_tensors(made))

    def _parameter(self, parameter: cst.Param, *, bare: bool = False) -> cst.Param:
        default = None if bare or parameter.default is None else self.of(parameter.default)
        noted = annotation(parameter.annotation, self.of)
        equal = TIGHT if default is not None and noted is None else cst.MaybeSentinel.DEFAULT
        return cst.Param(parameter.name, noted, default=default, equal=equal)

    def _doc(self) -> list[Statement]:
        if not self.ir.doc:
            return []
        return [cst.SimpleStatementLine([cst.Expr(cst.SimpleString(docstring(self.ir.doc)))])]

    def _optional(self) -> str:
        """Return the last input that gets a gradient, if it may be left out; TensorFlow takes no None for an input."""
        last = self.ir.primals[-1]
        given = next(p for p in self.ir.parameters if p.name.value == last)
        return last if len(self.ir.primals) > 1 and m.matches(given, m.Param(default=m.Name("None"))) else ""

    def _called(self) -> Expression:
        every, optional = self.ir.primals, self._optional()
        call = f"{self.inner}({', '.join(every)})"
        if optional:
            call = f"{self.inner}({', '.join(every[:-1])}) if {optional} is None else {call}"
        return build(call)

    # --- forward ---

    def _value(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        """Return value and gradient; an input as it came would be no output of the function."""
        made = []
        self.axes.append([])
        for item in returned(value):
            node, kind = of.typed(item)
            self.axes[-1].append(kind.axes)
            self.of_another_type |= kind.tensor and bool(kind.number) and not kind.like
            if source(item) in self.ir.non_differentiable or self._leaks(item):
                self.alone.update({source(item)} & {*self.ir.non_differentiable} or self._leaks(item))
                node = build("tf.stop_gradient({x})", x=node)
            made.append(cst.Element(node))
        values = made[0].value if len(made) == 1 else cst.Tuple(made)
        return [cst.Return(cst.Tuple([cst.Element(values), cst.Element(cst.Name(self.grad))], lpar=[], rpar=[]))]

    def _leaks(self, item: Expression) -> set[str]:
        """Return the tensors that get no gradient, by which a value would have one: TensorFlow records what is inside.

        Without a graph it takes that record where nobody asks for a derivative by an input.
        """
        given = [p.name.value for p in self.ir.parameters if p.name.value not in self.ir.primals]
        tensors = {n for n in given if self.ir.kinds.get(n, STATIC).tensor and self.ir.kinds[n].number in _FLOATING}
        return tensors & numbers_read(item, self.ir.forward) if tensors else tensors

    # --- gradient ---

    def _gradient(self, body: Sequence[Any]) -> cst.FunctionDef:
        ir = self.ir
        made = propagated(Statements(self.of, self._gradients).block(ir.vjp))
        became = {n: cst.Name(f"{n}_") for n in self.others}
        made = [renamed(s, became) for s in made]
        made = asked_once(not_again(body, decided(body, made)[1], [p.name.value for p in ir.parameters]))
        around = {p.name.value for p in ir.parameters} | {*ir.outputs, *ir.captured} - set(ir.cotangents)
        around |= {name.value for name in became.values()}
        used = set().union(*map(names_in, without_dead(made)), set())
        lines = [converted(c) for c in ir.cotangents if c in used]
        if self.again and any(o in used for o in ir.outputs):
            made = [self._outputs_again(used), *made]
        made = without_dead(local(made, around | {*self.of.names.defined, *self.of.names.imported}))
        params = cst.Parameters([cst.Param(cst.Name(c)) for c in ir.cotangents])
        if ir.once:
            made = with_remark(made, "tf.raw_ops.PreventGradient", "a second derivative is refused")
        return cst.FunctionDef(cst.Name(self.grad), params, cst.IndentedBlock([tidy(line) for line in (*lines, *made)]))

    def _in_its_type(self, primal: str, made: Expression, kind: Abstract) -> Expression:
        """Return a gradient in the type of its input, where it may have another: PyTorch casts it."""
        if (
            not (self.of_another_type or kind.wide)
            or source(made) == "None"
            or source(made).endswith(f"{primal}.dtype)")
        ):
            return made
        return build(f"tf.cast({{x}}, {primal}.dtype)", x=made)

    def _outputs_again(self, used: set[str]) -> Statement:
        """Compute the output again through the function itself: its derivative is right to every order."""
        names = [n if n in used else "_" for n in self.ir.outputs]
        call = build(f"{self.inner}({', '.join(self.ir.primals)})")
        target: Any = cst.Name(names[0])
        if len(names) > 1:
            target = cst.Tuple([cst.Element(cst.Name(n)) for n in names], lpar=[], rpar=[])
        return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], call)])

    def _gradients(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        found = [
            self._summed(p, self._in_its_type(p, *of.typed(item)))
            for p, item in zip(self.ir.primals, returned(value), strict=False)
        ]
        before: list[cst.BaseSmallStatement] = []
        if self.ir.once:
            before, found = once_only(self.ir.primals, found)
        made = [cst.Element(one) for one in found]
        whole = made[0].value if len(made) == 1 else cst.Tuple(made, lpar=[], rpar=[])
        if self._optional():
            whole = build(
                f"{{some}} if {self._optional()} is None else {{all}}", some=together(made[:-1]), all=cst.Tuple(made)
            )
        return [*before, cst.Return(whole)]

    def _summed(self, primal: str, made: Expression) -> Expression:
        """Return a gradient in the shape of its input, where that may be broadcast: PyTorch sums it."""
        every = "broadcast" in self.of.general and len(self.ir.primals) > 1
        if not (every or of_input(primal) in self.of.general) or source(made) == "None":
            return made
        self.of.helper(summed.NAME, summed.HELPER)
        return build(f"{summed.NAME}({{x}}, tf.shape({primal}))", x=made)
