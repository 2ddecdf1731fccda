"""Code that runs on the host, in NumPy and SciPy: ``x.numpy()`` becomes a function that TensorFlow calls."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import STATIC, TENSOR, Sort
from porting.translate.analyse.copy_propagation import propagated
from porting.translate.analyse.dead_code import without_dead
from porting.translate.analyse.rematerialization import recomputed
from porting.translate.analyse.renaming import local
from porting.translate.analyse.slices import read_first
from porting.translate.code import Expression, build, name, names_in, source, tidy
from porting.translate.ir import CustomGradient, returned
from porting.translate.lower.expression import Expressions
from porting.translate.lower.statements import Statements
from porting.translate.names import Names
from porting.translate.read.enclosing_scope import with_gradient
from porting.translate.refusal import Refusal
from porting.translate.write.host_shape import keeps_shape

Statement = cst.BaseStatement
_FLOAT32: Final = m.Attribute(m.Name("np"), m.Name("float32"))
_SINGLE: Final = m.Call(m.Attribute(m.Name("np"), m.Name("asarray")), [m.Arg(), m.Arg(_FLOAT32)])
_PREVENT: Final = 'tf.raw_ops.PreventGradient(input={x}, message="computed on the host: once differentiable")'


def uses_host(body: Sequence[cst.CSTNode], names: Names, primals: Sequence[str] = ()) -> bool:
    """Whether statements compute with arrays of NumPy, or hand one of the primals to SciPy, which makes one of it."""
    calls: list[Any] = [call for statement in body for call in m.findall(statement, m.Call())]
    return any(
        m.matches(call, m.Call(func=m.Attribute(attr=m.Name("numpy")), args=[]))
        or names.path(call.func) == "torch.from_numpy"
        or (names.path(call.func).startswith("scipy.") and any(names_in(a) & {*primals} for a in call.args))
        for call in calls
    )


class Host:
    """The parts of a custom gradient that run on the host.

    Parameters
    ----------
    ir : CustomGradient
        The gradient.
    expressions : HostExpressions
        Translates to NumPy; its variables are set here.
    """

    def __init__(self, ir: CustomGradient, expressions: Expressions) -> None:
        self.ir = ir
        self.expressions = expressions
        names = expressions.names
        self.forward = uses_host(ir.forward, names, ir.primals)
        self.gradient = uses_host(ir.vjp, names, ir.primals) or (self.forward and bool(ir.captured))
        if self.gradient and not ir.once and not uses_host(ir.vjp, names, ir.primals):
            raise Refusal(f"{ir.captured[0]}: is computed on the host, and its type is not known here")
        self._taken = {p.name.value for p in ir.parameters}

    @classmethod
    def of(cls, ir: CustomGradient, names: Names, make: Callable[[], Expressions] | None) -> "Host | None":
        """Return the parts of a gradient that run on the host; nothing if there are none."""
        if make is None or not uses_host([*ir.forward, *ir.vjp], names, ir.primals):
            return None
        return cls(ir, make())

    def forward_lines(self, then: str) -> list[Statement]:
        """Return the forward: a function of arrays, its call, and the value with the gradient `then`."""
        primal = with_gradient(self.ir)[0]
        counts: list[int] = []

        def values(value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
            items = returned(value)
            counts.append(len(items))
            return [cst.Return(_together([_typed(of, item, primal) for item in items]))]

        body = self._translated(self.ir.forward, values)
        count = max(counts, default=1)
        titles = self.ir.outputs or (["y"] if count == 1 else [f"y{k}" for k in range(count)])
        titles = [t if t not in self._taken else f"{t}_out" for t in titles]
        types = f"{primal}.dtype" if count == 1 else f"[{', '.join([f'{primal}.dtype'] * count)}]"
        tensors = self._tensors(body)
        first = next((n for n, line in enumerate(body) if not _asks_settings(line, tensors)), 0)
        asked, body = body[:first], body[first:]
        function, given = self._function("host", body, tensors)
        call = build(f"tf.numpy_function(host, [{', '.join(given)}], {types})")
        value = name(titles[0]) if count == 1 else _together([name(t) for t in titles])
        result = cst.Tuple([cst.Element(value), cst.Element(cst.Name(then))], lpar=[], rpar=[])
        if count > 1:
            value = value.with_changes(lpar=[], rpar=[])
            result = build(f"({', '.join(titles)}), {then}")  # type: ignore[assignment]  # a tuple
        self.expressions.note("runs on the host through tf.numpy_function: not under XLA, and nothing is saved with it")
        lines = [_apart(_line(value, call))]
        statics = {p.name.value for p in self.ir.parameters} - {*given}
        if count == len(given) == 1 and keeps_shape(body, given[0], statics):
            lines.append(cst.SimpleStatementLine([cst.Expr(build(f"{titles[0]}.set_shape({given[0]}.shape)"))]))
        return [*map(tidy, asked), function, *lines, cst.SimpleStatementLine([cst.Return(result)])]

    def gradient_of(self, title: str) -> cst.FunctionDef:
        """Return the gradient: a function of arrays, and its call with what it reads."""
        ir = self.ir
        primals = with_gradient(ir)
        self.expressions.note("the gradient runs on the host: a second derivative is refused")
        forward = self._translated(
            ir.forward, lambda value, of: [cst.Return(_together([of(v) for v in returned(value)]))], ir.captured
        )
        self.expressions.scope.update(dict.fromkeys((*ir.cotangents, *ir.outputs), TENSOR))

        def values(value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
            made = [_typed(of, v, p) for p, v in zip(ir.primals, returned(value), strict=False) if p in primals]
            return [cst.Return(_together(made))]

        vjp = Statements(self.expressions, values).block(local(ir.vjp, {*primals}))  # whose types are asked at the end
        again = recomputed(forward, [n for n in ir.captured if n in read_first(vjp)])
        body = without_dead(propagated([*again, *vjp]))
        tensors = [*self._tensors(body), *(n for n in (*ir.outputs, *ir.cotangents) if n in read_first(body))]
        function, given = self._function("host_grad", body, list(dict.fromkeys(tensors)))
        types = [f"{p}.dtype" for p in primals]
        said = types[0] if len(types) == 1 else f"[{', '.join(types)}]"
        call = build(f"tf.numpy_function(host_grad, [{', '.join(given)}], {said})")
        made = [f"d{p}" if f"d{p}" not in self._taken else f"d{p}_" for p in primals]
        target = _together([name(n) for n in made])
        target = target.with_changes(lpar=[], rpar=[]) if isinstance(target, cst.Tuple) else target
        dense = [_line(name(c), build(f"tf.convert_to_tensor({c})")) for c in ir.cotangents if c in given]
        lines: list[Any] = [*dense, _apart(function) if dense else function, _apart(_line(target, call))]
        for n, primal in zip(made, primals, strict=True):
            lines.append(cst.SimpleStatementLine([cst.Expr(build(f"{n}.set_shape({primal}.shape)"))]))
        known = {p: build(_PREVENT, x=name(n)) for n, p in zip(made, primals, strict=True)}
        results = _together([known.get(p, cst.Name("None")) for p in ir.primals])
        lines.append(cst.SimpleStatementLine([cst.Return(results)]))
        params = cst.Parameters([cst.Param(cst.Name(c)) for c in ir.cotangents])
        return cst.FunctionDef(cst.Name(title), params, cst.IndentedBlock([tidy(line) for line in lines]))

    def _translated(self, body: Sequence[Statement], values: Any, kept: Sequence[str] = ()) -> list[Any]:
        self.expressions.scope.clear()
        self.expressions.scope.update(dict.fromkeys(self.ir.constants, STATIC) | self.ir.kinds)
        made = propagated(Statements(self.expressions, values, quiet=True).block(body), kept)
        return without_dead(made, set(kept))

    def _tensors(self, body: Sequence[Any]) -> list[str]:
        """Return the parameters that a body reads and that are no numbers of Python."""
        kinds = dict.fromkeys(self.ir.constants, STATIC) | self.ir.kinds
        read = read_first(body)
        titles = [p.name.value for p in self.ir.parameters]
        dynamic = {n for n in titles if n in self.ir.primals or kinds[n].sort in {Sort.TENSOR, Sort.UNKNOWN}}
        return [n for n in titles if n in read and n in dynamic]

    def _function(self, title: str, body: Sequence[Any], given: list[str]) -> tuple[cst.FunctionDef, list[str]]:
        """Return a function of arrays; what is no tensor it reads from around it."""
        if not given:
            given = self.ir.primals[:1]
        around = {p.name.value for p in self.ir.parameters} - set(given)
        copies = [_line(name(n), build(f"{n}.copy()")) for n in given if any(_changes(s, n) for s in body)]
        lines = [tidy(s) for s in local([*copies, *body], around)]
        params = cst.Parameters([cst.Param(cst.Name(n)) for n in given])
        return cst.FunctionDef(cst.Name(title), params, cst.IndentedBlock(lines)), given


def _asks_settings(line: Any, tensors: Sequence[str]) -> bool:
    """Whether a line asserts something of Python's own values: that is asked where the function is called."""
    asserts = isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Assert)
    return asserts and not names_in(line) & {*tensors}


def _typed(of: Expressions, item: Expression, primal: str) -> Expression:
    """Return a value as an array of the type of a primal, which TensorFlow was told."""
    made = of(item)
    if source(made) == "None":
        return build(f"np.zeros_like({primal})")
    if m.matches(made, _SINGLE):  # a type by habit: torch.Tensor(x)
        made = cst.ensure_type(made, cst.Call).args[0].value
    known = source(made).endswith(f".astype({primal}.dtype)")
    return made if known else build(f"np.asarray({{made}}, {primal}.dtype)", made=made)


def _together(items: Sequence[Expression]) -> Expression:
    if len(items) == 1:
        return items[0]
    return cst.Tuple([cst.Element(item) for item in items], lpar=[], rpar=[])


def _changes(statement: Any, variable: str) -> bool:
    """Whether a statement writes to an array: that of an argument is TensorFlow's own."""
    found = m.findall(statement, m.AssignTarget(target=m.Subscript(value=m.Name(variable))))
    return bool(found or m.findall(statement, m.AugAssign(target=m.Name(variable))))


def _apart(line: Any) -> Any:
    return line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])


def _line(target: Any, value: Expression) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], value)])
