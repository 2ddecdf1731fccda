"""Writes a ``tf.custom_gradient`` function."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, build, docstring, names_in, source, tidy
from porting.translate.copies import propagated
from porting.translate.dead import without_dead
from porting.translate.expression import TIGHT, Expressions
from porting.translate.host import Host
from porting.translate.local import local, with_new_outputs
from porting.translate.record import CustomGradient, returned
from porting.translate.signatures import Defaults, annotation
from porting.translate.statements import Statements

Statement = cst.BaseStatement
_DECORATOR: Final = cst.Decorator(cst.Attribute(cst.Name("tf"), cst.Name("custom_gradient")))


def write(
    record: CustomGradient, expressions: Expressions, *, strict: bool, host: Callable[[], Expressions] | None = None
) -> cst.FunctionDef:
    """Write one custom gradient.

    Parameters
    ----------
    record : CustomGradient
        What to write.
    expressions : Expressions
        Translates what is in it; its variables are set here.
    strict : bool
        Whether the gradient computes an output that it uses again, through the function itself: its derivative is
        this gradient then, as that of an output that PyTorch saved. Captured, it is that of the operations inside.
    host : callable, optional
        Makes what translates the parts that run on the host.

    Raises
    ------
    Refusal
        If something in it has no rule.
    """
    on_host = Host.of(record, expressions.names, host)
    return _Writer(record, expressions, strict=strict, host=on_host).write()


class _Writer:
    def __init__(self, record: CustomGradient, expressions: Expressions, *, strict: bool, host: Host | None) -> None:
        self.host = host
        self.record = record
        self.of = expressions
        self.around = dict(expressions.scope)  # variables of the function around it
        self.of_another_type = False
        self.again = strict and record.through and not record.once
        taken = {p.name.value for p in record.parameters} | set().union(*map(names_in, (*record.forward, *record.vjp)))
        self.inner = next(n for n in ("forward", "run", "_forward") if n not in taken)
        self.grad = next(n for n in ("grad", "vjp", "grad_fn", "_grad") if n not in taken)

    def write(self) -> cst.FunctionDef:
        """Return the function; the inner one takes positions alone: one called by keywords loses its gradient."""
        record = self.record
        self.of.scope.clear()
        self.of.scope.update(self.around)
        self.of.scope.update(record.kinds)
        self.of.quiet = True
        body: list[Any] = []
        if self.host and self.host.forward:
            self.of.scope.update({o: Abstract(Sort.TENSOR, "float", record.primals[0]) for o in record.outputs})
        else:
            body = propagated(Statements(self.of, self._value, quiet=True).block(record.forward))
            body = local(body, set(record.constants))
        self.of.quiet = False
        known = self.of.scope
        known.update({o: Abstract(Sort.TENSOR, "float", o) for o in record.outputs if o not in known})
        known.update({c: Abstract(Sort.TENSOR, "float", c) for c in record.cotangents})
        grad = self.host.gradient_of(self.grad) if self.host and self.host.gradient else self._gradient()
        body = with_new_outputs(without_dead(body, names_in(grad)), record.primals, "tf.identity({x})")
        block = self._with_gradient(body, grad)
        if self.host and self.host.forward:
            *head, last = self.host.forward_lines(self.grad)
            block = [*head, _apart(grad), _apart(last)]
        if self.host:
            self.of.imports |= self.host.expressions.imports
            self.of.helpers |= self.host.expressions.helpers
        primals = [p for p in record.parameters if p.name.value in record.primals]
        inner = cst.FunctionDef(
            cst.Name(self.inner),
            cst.Parameters([self._parameter(p, bare=p.name.value != self._optional()) for p in primals]),
            cst.IndentedBlock(block),
            [_DECORATOR],
        )
        call = self._called()
        outer = [*self._doc(), _apart(inner), _apart(cst.SimpleStatementLine([cst.Return(call)]))]
        parameters = cst.Parameters([self._parameter(p) for p in record.parameters])
        if record.signature is not None:
            parameters = record.signature.visit(Defaults(self.of))  # type: ignore[assignment]  # parameters stay parameters
        return cst.FunctionDef(
            cst.Name(record.called),
            parameters,
            cst.IndentedBlock(outer),
            leading_lines=record.comments,
            returns=annotation(record.returns, self.of),
        )

    def _parameter(self, parameter: cst.Param, *, bare: bool = False) -> cst.Param:
        default = None if bare or parameter.default is None else self.of(parameter.default)
        noted = annotation(parameter.annotation, self.of)
        equal = TIGHT if default is not None and noted is None else cst.MaybeSentinel.DEFAULT
        return cst.Param(parameter.name, noted, default=default, equal=equal)

    def _doc(self) -> list[Statement]:
        if not self.record.doc:
            return []
        return [cst.SimpleStatementLine([cst.Expr(cst.SimpleString(docstring(self.record.doc)))])]

    def _optional(self) -> str:
        """Return the last input that gets a gradient, if it may be left out; TensorFlow takes no None for an input."""
        last = self.record.primals[-1]
        given = next(p for p in self.record.parameters if p.name.value == last)
        return last if len(self.record.primals) > 1 and m.matches(given, m.Param(default=m.Name("None"))) else ""

    def _called(self) -> Expression:
        every, optional = self.record.primals, self._optional()
        call = f"{self.inner}({', '.join(every)})"
        if optional:
            call = f"{self.inner}({', '.join(every[:-1])}) if {optional} is None else {call}"
        return build(call)

    # --- forward ---

    def _value(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        """Return value and gradient; an input as it came would be no output of the function."""
        made = []
        for item in returned(value):
            node, kind = of.typed(item)
            self.of_another_type |= kind.tensor and bool(kind.number) and not kind.like
            if source(item) in self.record.non_differentiable:
                node = build("tf.stop_gradient({x})", x=node)
            made.append(cst.Element(node))
        values = made[0].value if len(made) == 1 else cst.Tuple(made)
        return [cst.Return(cst.Tuple([cst.Element(values), cst.Element(cst.Name(self.grad))], lpar=[], rpar=[]))]

    def _with_gradient(self, body: list[Statement], grad: cst.FunctionDef) -> list[Statement]:
        """Put the gradient before the first statement that may return."""
        first = next((n for n, statement in enumerate(body) if "return" in source(statement)), len(body))
        rest: list[Any] = body[first:]
        if rest:
            rest[0] = _apart(rest[0])
        return [*body[:first], _apart(grad) if first else grad, *rest]

    # --- gradient ---

    def _gradient(self) -> cst.FunctionDef:
        record = self.record
        made = propagated(Statements(self.of, self._gradients).block(record.vjp))
        around = {p.name.value for p in record.parameters} | {*record.outputs, *record.captured} - set(
            record.cotangents
        )
        used = set().union(*map(names_in, without_dead(made)), set())
        lines = [self._converted(c) for c in record.cotangents if c in used]
        if self.again and any(o in used for o in record.outputs):
            made = [self._outputs_again(used), *made]
        made = without_dead(local(made, around))
        params = cst.Parameters([cst.Param(cst.Name(c)) for c in record.cotangents])
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

    def _converted(self, cotangent: str) -> Statement:
        call = build(f"tf.convert_to_tensor({cotangent})")
        behind = cst.TrailingWhitespace(cst.SimpleWhitespace("  "), cst.Comment("# it may be tf.IndexedSlices"))
        return cst.SimpleStatementLine(
            [cst.Assign([cst.AssignTarget(cst.Name(cotangent))], call)], trailing_whitespace=behind
        )

    def _outputs_again(self, used: set[str]) -> Statement:
        """Compute the output again through the function itself: its derivative is right to every order."""
        names = [n if n in used else "_" for n in self.record.outputs]
        call = build(f"{self.inner}({', '.join(self.record.primals)})")
        target: Any = cst.Name(names[0])
        if len(names) > 1:
            target = cst.Tuple([cst.Element(cst.Name(n)) for n in names], lpar=[], rpar=[])
        return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], call)])

    def _gradients(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        made = [
            cst.Element(self._once(self._in_its_type(p, *of.typed(item))))
            for p, item in zip(self.record.primals, returned(value), strict=False)
        ]
        whole = made[0].value if len(made) == 1 else cst.Tuple(made, lpar=[], rpar=[])
        if self._optional():
            whole = build(
                f"{{some}} if {self._optional()} is None else {{all}}", some=_together(made[:-1]), all=cst.Tuple(made)
            )
        return [cst.Return(whole)]

    def _once(self, made: Expression) -> Expression:
        """Return a gradient that has no derivative, if the source has it so."""
        if not self.record.once or source(made) == "None":
            return made
        return build('tf.raw_ops.PreventGradient(input={x}, message="once differentiable")', x=made)


def _together(elements: Sequence[cst.Element]) -> Expression:
    return elements[0].value if len(elements) == 1 else cst.Tuple(elements)


def _apart(statement: Any) -> Any:
    """Put an empty line above a statement."""
    if statement.leading_lines and not statement.leading_lines[0].comment:
        return statement
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False), *statement.leading_lines])
