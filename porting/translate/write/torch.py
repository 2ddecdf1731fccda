"""Writes a ``torch.autograd.Function`` and the function that calls it."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import STATIC, Abstract, Sort
from porting.translate.analyse.copy_propagation import propagated
from porting.translate.analyse.dead_code import without_dead
from porting.translate.analyse.draws import draws, saved_before_return
from porting.translate.analyse.rematerialization import recomputed
from porting.translate.analyse.renaming import with_new_outputs, without_views
from porting.translate.analyse.slices import read_first, written
from porting.translate.code import Expression, build, name, names_in, renamed, tidy, without_banners
from porting.translate.dialects import DIALECTS
from porting.translate.ir import CustomGradient, gradients, returned
from porting.translate.lower.expression import Expressions
from porting.translate.lower.signatures import annotation
from porting.translate.lower.statements import Statements
from porting.translate.naming import in_capitals
from porting.translate.read.outputs import returns, with_returns
from porting.translate.read.taken_apart import is_used_as_tensor
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
_VIEW: Final = "{x}.view_as({x})"  # another tensor with the same numbers


def class_name(function: str) -> str:
    """Return ``SteRoundFunction`` for ``ste_round``, and ``SpikeFunction`` for ``spike_function``."""
    made = in_capitals(function)
    if made.endswith("Function"):
        return made if made != function else f"_{made}"
    return f"{made}Function"


def write(ir: CustomGradient, expressions: Expressions, *, strict: bool, alone: bool = False) -> cst.ClassDef:
    """Write one custom gradient.

    Parameters
    ----------
    ir : CustomGradient
        What to write.
    expressions : Expressions
        Translates what is in it; its variables are set here.
    strict : bool
        Whether the gradient computes an output that it needs again, from the inputs. Its derivative is then that of
        these operations, as in TensorFlow. A saved output has this gradient as its derivative.
    alone : bool
        Whether one function calls it, which is written afterwards: then it takes no argument that is not used, such as
        the name of an operation, and the parameters of `ir` are those that are left.

    Raises
    ------
    Refusal
        If something in it has no rule.
    """
    return _Writer(ir, expressions, strict=strict, alone=alone).write()


class _Writer:
    def __init__(self, ir: CustomGradient, expressions: Expressions, *, strict: bool, alone: bool) -> None:
        self.ir = ir
        self.alone = alone
        self.of = expressions
        self.around = dict(expressions.scope)  # variables of the function around it
        self.own = [p.name.value for p in ir.parameters]
        self.again = strict and not ir.through and not draws(ir.forward)

    def write(self) -> cst.ClassDef:
        """Return the class."""
        ir = self.ir
        known, body = self._forward(quiet=True)
        self.of.scope.update({o: Abstract(Sort.TENSOR, "float", o) for o in ir.outputs if o not in known})
        self.of.scope.update({c: Abstract(Sort.TENSOR, "float", c) for c in ir.cotangents})
        vjp = propagated(Statements(self.of, self._gradients).block(ir.vjp))
        before = dict(self.of.scope)
        wanted = [*ir.captured, *(ir.outputs if self.again else ())]
        computed = self._forward(quiet=False)[1]
        wanted = [n for n in wanted if n in read_first(vjp)]
        drawn = [n for n in wanted if draws(recomputed(computed, [n]))]
        again = recomputed(computed, [n for n in wanted if n not in drawn])
        self.of.scope.update(before)
        lines = [without_views(line, (), _VIEW) for line in without_dead(propagated([*map(_bare, again), *vjp]))]
        if self.alone:
            lines = self._without_unused(body, lines)
        used = read_first(lines)
        tensors = [n for n in self.own if n in used and (self._is_tensor(n, known) or is_used_as_tensor(n, lines))]
        statics = [n for n in self.own if n in used and n not in tensors]
        said = {p.name.value for p in ir.parameters if p.annotation is not None}
        said |= {*ir.numbers}
        if numbers := [n for n in tensors if n in ir.primals[1:] and n not in said and DIALECTS[ir.dialect].traced]:
            self.of.note(f"{' and '.join(numbers)}: a tensor is wanted here, where TensorFlow makes one of a number.")
        outputs = [n for n in ir.outputs if n in used and n not in self.own]
        if drawn:
            body = self._keeping(body, [*tensors, *outputs, *drawn], statics)
        body = [without_views(line, self.own, _VIEW) for line in without_dead(body)]
        body = with_new_outputs(body, [n for n in self.own if self._is_tensor(n, known)], _VIEW)
        bound = [n for n in statics if any(n in written(s) for s in lines)]  # a variable of the gradient's own
        replaced = {n: name(f"ctx.{n}") for n in statics if n not in bound}
        decorators = [cst.Decorator(name("torch.autograd.function.once_differentiable"))] if ir.once else []
        backward = self._method(
            "backward",
            [cst.Param(cst.Name(c)) for c in ("ctx", *ir.cotangents)],
            [
                *self._unpacked([*tensors, *outputs, *drawn]),
                *map(_from_ctx, bound),
                *(renamed(s, replaced) for s in lines),
            ],
            decorators,
        )
        given = [self._parameter(p) for p in ir.parameters]
        if drawn:
            methods = [self._method("forward", [cst.Param(cst.Name("ctx")), *given], body), _apart(backward)]
        else:
            context = self._method(
                "setup_context",
                [cst.Param(cst.Name(n)) for n in ("ctx", "inputs", "output")],
                self._context(tensors, statics, outputs),
            )
            methods = [self._method("forward", given, body), _apart(context), _apart(backward)]
        return cst.ClassDef(
            cst.Name(class_name(ir.called)),
            cst.IndentedBlock(methods),
            [cst.Arg(name("torch.autograd.Function"))],
            leading_lines=without_banners(ir.comments),
        )

    def _keeping(self, body: list[Any], tensors: Sequence[str], statics: Sequence[str]) -> list[Any]:
        """Return a forward that keeps what its backward needs: among it random numbers, which are no inputs."""
        kept = saved_before_return(body, tensors)
        if kept is None:
            raise Refusal("random numbers that the gradient needs are drawn where some returns have passed")
        places = [cst.AssignTarget(cst.Attribute(cst.Name("ctx"), cst.Name(n))) for n in statics]
        return [*(_line(cst.Assign([at], cst.Name(n))) for at, n in zip(places, statics, strict=True)), *kept]

    def _without_unused(self, body: Sequence[Any], lines: list[Any]) -> list[Any]:
        """Leave out the arguments that neither the value nor the gradient uses; return what is left of the gradient."""
        used = {*self.ir.primals}.union(*map(names_in, (*body, *lines)))
        places = [k for k, n in enumerate(self.own) if n in used]
        results = returns(lines)
        if len(places) == len(self.own) or any(len(found) != len(self.own) for found in results):
            return lines
        self.own = [self.own[k] for k in places]
        self.ir.parameters = [self.ir.parameters[k] for k in places]
        return [with_returns(line, lambda found: [found[k] for k in places]) for line in lines]

    def _forward(self, *, quiet: bool) -> tuple[dict[str, Abstract], list[Any]]:
        """Translate the forward; where nothing is recorded, nothing has to be taken out of the ir."""
        ir = self.ir
        self.of.scope.clear()
        self.of.scope.update(self.around)
        self.of.scope.update(dict.fromkeys(ir.constants, STATIC) | ir.kinds)
        self.of.quiet = quiet
        body = propagated(Statements(self.of, self._value, quiet=True).block(ir.forward), ir.captured)
        self.of.quiet = False
        return dict(self.of.scope), body

    def _is_tensor(self, title: str, known: dict[str, Abstract]) -> bool:
        given = self.ir.kinds.get(title, STATIC)
        if given.sort is Sort.UNKNOWN and any(title in written(s) for s in self.ir.forward):
            return False  # what it is made into is known, what it came as is not: a tensor or a number
        kind = known.get(title, STATIC)
        return kind.sort is Sort.TENSOR or title in self.ir.primals

    def _method(
        self, title: str, parameters: Sequence[cst.Param], body: Sequence[Any], decorators: Sequence[cst.Decorator] = ()
    ) -> cst.FunctionDef:
        return cst.FunctionDef(
            cst.Name(title),
            cst.Parameters(list(parameters)),
            cst.IndentedBlock([tidy(s) for s in body]),
            [cst.Decorator(cst.Name("staticmethod")), *decorators],
        )

    def _parameter(self, parameter: cst.Param) -> cst.Param:
        return cst.Param(parameter.name, annotation(parameter.annotation, self.of))

    def _value(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        given = cst.Tuple(value.elements) if isinstance(value, cst.List) else value  # of a list PyTorch sees no outputs
        items = [of(item) for item in returned(given)]
        return [cst.Return(_together(items))]

    def _gradients(self, value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        primals = self.ir.primals
        items: list[Any] = [of(item) for item in gradients(value, len(primals))]
        nothing = cst.Name("None")
        if len(items) == len(primals):
            given = dict(zip(primals, items, strict=True))
            return [cst.Return(_together([given.get(n, nothing) for n in self.own]))]
        if self.own[: len(primals)] != primals:
            raise Refusal("a call gives the gradients, and which of them are none is not seen here")
        if not self.ir.constants:
            return [cst.Return(items[0])]
        whole = [cst.StarredElement(items[0]), *(cst.Element(nothing) for _ in self.ir.constants)]
        return [cst.Return(cst.Tuple(whole))]

    def _unpacked(self, tensors: Sequence[str]) -> list[Statement]:
        if not tensors:
            return []
        target = cst.Tuple(
            [cst.Element(cst.Name(t)) for t in tensors],
            lpar=[] if len(tensors) > 1 else [cst.LeftParen()],
            rpar=[] if len(tensors) > 1 else [cst.RightParen()],
        )
        return [cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], name("ctx.saved_tensors"))])]

    def _context(self, tensors: Sequence[str], statics: Sequence[str], outputs: Sequence[str]) -> list[Statement]:
        lines: list[cst.BaseSmallStatement] = []
        if tensors or statics:
            slots = [name(f"ctx.{n}") if n in statics else cst.Name(n if n in tensors else "_") for n in self.own]
            pars: Any = {"lpar": [], "rpar": []} if len(slots) > 1 else {}
            lines.append(
                cst.Assign([cst.AssignTarget(cst.Tuple([cst.Element(s) for s in slots], **pars))], cst.Name("inputs"))
            )
        every = self.ir.outputs
        if outputs and len(every) > 1:
            slots = [cst.Name(n if n in outputs else "_") for n in every]
            lines.append(
                cst.Assign(
                    [cst.AssignTarget(cst.Tuple([cst.Element(s) for s in slots], lpar=[], rpar=[]))], cst.Name("output")
                )
            )
        kept = [*tensors, *(["output"] if outputs and len(every) == 1 else outputs)]
        if kept:
            lines.append(cst.Expr(build(f"ctx.save_for_backward({', '.join(kept)})")))
        return [cst.SimpleStatementLine([line]) for line in lines or [cst.Pass()]]


def _together(items: Sequence[Expression]) -> Expression:
    return items[0] if len(items) == 1 else cst.Tuple([cst.Element(i) for i in items], lpar=[], rpar=[])


def _line(small: cst.BaseSmallStatement) -> Statement:
    return cst.SimpleStatementLine([small])


def _from_ctx(title: str) -> Statement:
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(title))], name(f"ctx.{title}"))])


def _bare(statement: Any) -> Any:
    """Return a statement that was written above already, without what was said of it there."""
    plain = statement.with_changes(leading_lines=[])
    return (
        plain.with_changes(trailing_whitespace=cst.TrailingWhitespace())
        if isinstance(plain, cst.SimpleStatementLine)
        else plain
    )


def _apart(statement: Any) -> Any:
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False), *statement.leading_lines])
