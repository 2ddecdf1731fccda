"""Reads a ``tf.custom_gradient`` function; one that is nested in another is read with the function around it."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.analyse.slices import read_first, written
from porting.translate.code import Expression, build, names_in, renamed
from porting.translate.ir import CustomGradient, returned
from porting.translate.names import Names, targets_of
from porting.translate.read.chosen_by_key import with_choices
from porting.translate.read.decorators import is_transparent, unknown
from porting.translate.read.docstrings import docstring_of, of_both
from porting.translate.read.fields import is_object
from porting.translate.read.given_cotangent import with_cotangents_given
from porting.translate.read.given_numbers import numbers_given
from porting.translate.read.known_tuples import with_known_tuples
from porting.translate.read.one_gradient import with_one_gradient
from porting.translate.read.signatures import body_of, kind_of_annotation, parameters_of
from porting.translate.read.tail_call import without_tail_calls
from porting.translate.read.tf_gradient import differentiated, folded, left, only, returning, values
from porting.translate.read.typed_numbers import with_typed_numbers
from porting.translate.read.unpacking import indexed, told_apart
from porting.translate.refusal import HOW_MANY, Refusal

Statement = cst.BaseStatement
_PATHS: Final = (
    "tf.custom_gradient",
    "tf.compat.v1.custom_gradient",
    "tf.python.ops.custom_gradient.custom_gradient",
    "tf.contrib.eager.custom_gradient",
    "tf.keras.ops.custom_gradient",
    "keras.ops.custom_gradient",
)


def makes_gradient(node: cst.BaseExpression, names: Names) -> bool:
    """Whether this is what makes a custom gradient of a function."""
    maker = names.makers.get(node.value) if isinstance(node, cst.Name) else None
    return names.path(node) in _PATHS or isinstance(maker, cst.BaseExpression)


def is_gradient(node: cst.CSTNode, names: Names) -> bool:
    """Whether a function is decorated as a custom gradient."""
    return isinstance(node, cst.FunctionDef) and any(makes_gradient(d.decorator, names) for d in node.decorators)


def is_unit(node: cst.CSTNode, names: Names) -> bool:
    """Whether a function is a custom gradient, or has one in it."""
    return isinstance(node, cst.FunctionDef) and (is_gradient(node, names) or bool(gradients_within(node, names)))


def gradients_within(node: cst.FunctionDef, names: Names) -> list[cst.FunctionDef]:
    """Return the custom gradients that a function defines."""
    return [s for s in body_of(node) if isinstance(s, cst.FunctionDef) and is_gradient(s, names)]


class Unit:
    """Custom gradients and the function around them.

    Attributes
    ----------
    gradients : dict of str to CustomGradient
        By what the function calls them, in order; the parameters of each are those of the inner function, then what
        it takes from around it.
    outer : libcst.FunctionDef or None
        The function around them, without them and without helpers; nothing if the gradient stands alone.
    helpers : list of libcst.FunctionDef
        Functions beside them, with what they take from around them as further parameters.
    lifted : dict of str to list of str
        Names of these further arguments, by helper.
    taken : dict of str to set of str
        What each gradient takes from around it.
    title : str
        What the function around them is called.
    nested : dict of str to CustomGradient
        Gradients of gradients, by what these call them here; the parameters are the cotangents, then what is taken.
    """

    def __init__(self, node: cst.FunctionDef, names: Names) -> None:
        self.names = names
        self.title = node.name.value
        self.nested: dict[str, CustomGradient] = {}
        self.helpers: list[cst.FunctionDef] = []
        self.lifted: dict[str, list[str]] = {}
        node = with_typed_numbers(node, names)
        alone = is_gradient(node, names)
        if not alone:
            node = with_choices(node, gradients_within(node, names))
        inner = [node] if alone else gradients_within(node, names)
        around = set() if alone else self._around(node, inner)
        read = {f.name.value: self._read(node, f, around) for f in inner}
        self._share(read)
        self.taken = {title: taken for title, (_, taken) in read.items()}
        self.gradients = {title: self._with(ir, taken, node) for title, (ir, taken) in read.items()}
        for title, ir in list(self.gradients.items())[:-1]:
            ir.called = f"{node.name.value}_{title.strip('_')}"
        apart = {*self.lifted, *self.gradients}
        kept = left(node.body.body, apart)
        self.outer = None if alone else node.with_changes(body=cst.IndentedBlock(kept))

    def _around(self, node: cst.FunctionDef, inner: Sequence[cst.FunctionDef]) -> set[str]:
        """Return the variables of the outer function; helpers in it are lifted out of it."""
        variables = {p.name.value for p in parameters_of(node)}
        functions: list[cst.FunctionDef] = []
        for statement in body_of(node):
            if not isinstance(statement, cst.FunctionDef):
                variables |= written(statement)
            elif statement not in inner:
                functions.append(statement)
        for helper in functions:
            own = {p.name.value for p in parameters_of(helper)} | set().union(*map(written, body_of(helper)), set())
            free = [n for n in sorted(names_in(helper)) if n in variables and n not in own]
            self.lifted[helper.name.value] = free
            extra = [cst.Param(cst.Name(n)) for n in free]
            params = helper.params.with_changes(
                params=[*(p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in helper.params.params), *extra]
            )
            self.helpers.append(helper.with_changes(params=params, name=cst.Name(f"_{helper.name.value.lstrip('_')}")))
        return variables

    @staticmethod
    def _share(read: dict[str, tuple[CustomGradient, set[str]]]) -> None:
        """Have a gradient take what those that it calls take."""
        for _ in read:
            for ir, taken in read.values():
                used = names_in_all([*ir.forward, *ir.vjp])
                taken.update(*(other for title, (_, other) in read.items() if title in used))

    def _kind(self, parameter: cst.Param, code: Sequence[Statement]) -> Abstract:
        """Return what is known of a parameter: by its annotation, or an object by what is read of it."""
        kind = kind_of_annotation(parameter)
        found = kind.sort is Sort.UNKNOWN and is_object(parameter.name.value, code, self.names)
        return Abstract(Sort.OBJECT) if found else kind

    def _with(self, ir: CustomGradient, taken: set[str], node: cst.FunctionDef) -> CustomGradient:
        """Return a gradient with what it takes from around it as parameters, in the order of the function around."""
        known = {p.name.value: p for p in parameters_of(node)}
        order = [n for n in (*known, *sorted(taken - set(known))) if n in taken]
        ir.parameters = [*ir.parameters, *(cst.Param(cst.Name(n)) for n in order)]
        code = [*ir.forward, *ir.vjp]
        ir.kinds |= {n: self._kind(known[n], code) for n in order if n in known}
        return ir

    def _read(self, node: cst.FunctionDef, inner: cst.FunctionDef, around: set[str]) -> tuple[CustomGradient, set[str]]:
        """Return a gradient, and what it takes from around it."""
        if inner.params.star_kwarg or isinstance(inner.params.star_arg, cst.Param):
            raise Refusal(HOW_MANY, inner)
        given = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in parameters_of(inner)]
        own = [p.name.value for p in given]
        if own[:1] == ["self"]:
            raise Refusal(f"{inner.name.value}: a method, whose object has no place in the ir", inner)
        body = without_tail_calls(folded(body_of(inner), {}, self.names), self.names, {*around, *own})
        body = with_one_gradient(body, self.names, {*around, *own})
        functions = {s.name.value: s for s in body if isinstance(s, cst.FunctionDef)}
        forward, grad = self._split(body, inner)
        nested = functions.get(grad.value) if isinstance(grad, cst.Name) else None
        if nested is not None and is_gradient(nested, self.names):
            known = around.union(own, *map(written, forward))
            cotangents, vjp = self._nested(inner, nested, known)
        else:
            cotangents, vjp = self._gradient(grad, functions, forward)
            vjp = with_known_tuples(without_tail_calls(vjp, self.names, around.union(own, *map(written, forward))))
        vjp = with_cotangents_given(vjp, cotangents)
        vjp, outside = self._results(node, inner, forward, vjp, cotangents)
        numbers = numbers_given(node.name.value, given, self.names) if len(given) > 1 and inner is node else {*()}
        places = differentiated(given, vjp, inner, nested, numbers)
        if not places:
            raise Refusal(f"{inner.name.value}: gives no gradient at all", inner)
        vjp = [only(s, places) for s in vjp] if len(places) < len(own) else vjp
        assigned = set().union(*map(written, forward), set())
        of_vjp = (names_in_all(vjp) - set().union(*map(written, vjp), set()) - set(cotangents)) | read_first(vjp)
        used = names_in_all(forward) | of_vjp
        used |= self._of_helpers(used)
        taken = {n for n in around if n in used and n not in (*own, *assigned, *outside)}
        outputs = outside or [n for n in self._named(forward) if n not in own]
        captured = [n for n in dict.fromkeys(_in_order(forward)) if n in of_vjp and n not in (*outputs, *cotangents)]
        primals = [own[k] for k in places]
        kinds = {p.name.value: self._kind(p, [*forward, *vjp]) for p in given} | {
            n: Abstract(Sort.TENSOR, "float", n) for n in primals
        }
        return CustomGradient(
            inner.name.value,
            node.name.value,
            "tf",
            given,
            primals,
            forward,
            outputs,
            cotangents,
            vjp,
            captured,
            through=bool(outside),
            doc=of_both(docstring_of(node)),
            comments=node.leading_lines,
            kinds=kinds,
            numbers=[n for n in primals[1:] if n in numbers],
        ), taken

    def _nested(
        self, inner: cst.FunctionDef, grad: cst.FunctionDef, known: set[str]
    ) -> tuple[list[str], list[Statement]]:
        """Return the cotangents and the statements of a gradient that has one of its own: a call of it."""
        if any(not makes_gradient(d.decorator, self.names) for d in grad.decorators):
            raise Refusal(f"{grad.name.value}: a gradient with other decorators than tf.custom_gradient", grad)
        ir, taken = self._read(grad, grad, known)
        cotangents = [p.name.value for p in ir.parameters]
        ir.parameters = [*ir.parameters, *(cst.Param(cst.Name(n)) for n in sorted(taken))]
        title, called = (f"{of}_{grad.name.value.strip('_')}" for of in (inner.name.value, self.title))
        ir.called = called if all(other.called != called for other in self.nested.values()) else f"{self.title}_{title}"
        if title in self.nested:
            raise Refusal(f"{title}: two gradients of gradients have this name", grad)
        self.nested[title] = ir
        given = ", ".join([*cotangents, *sorted(taken)])
        return cotangents, [returning(build(f"{title}({given})"))]

    def _results(
        self,
        node: cst.FunctionDef,
        inner: cst.FunctionDef,
        forward: list[Statement],
        vjp: list[Statement],
        cotangents: list[str],
    ) -> tuple[list[Statement], list[str]]:
        """Return the gradient, and the names it has for the outputs as the outer function sees them."""
        call = m.Assign(targets=[m.AssignTarget()], value=m.Call(func=m.Name(inner.name.value)))
        lines = [s.body[0] for s in body_of(node) if m.matches(s, m.SimpleStatementLine(body=[call]))]  # type: ignore[attr-defined]  # a line has a body
        if len(lines) != 1 or inner is node:
            return vjp, []
        target = lines[0].targets[0].target
        names = list(targets_of(target))
        free = names_in_all(vjp) - set(cotangents) - set().union(*map(written, forward), set())
        if not set(names) & (free & read_first(vjp)):
            return vjp, []
        count = {len(returned(value)) for value in values(forward)}.pop()
        if isinstance(target, cst.Name) and count > 1:
            names = [f"{target.value}{k}" for k in range(count)]
            whole = cst.Tuple([cst.Element(cst.Name(n)) for n in names])
            return [indexed(renamed(s, {target.value: whole})) for s in vjp], names
        return vjp, names

    def _of_helpers(self, used: set[str]) -> set[str]:
        return {n for helper, free in self.lifted.items() if helper in used for n in free}

    def _split(self, body: Sequence[Statement], inner: cst.FunctionDef) -> tuple[list[Statement], Expression]:
        """Return the forward with the gradient taken out of each ``return``, and the gradient."""
        found: list[Expression] = []

        class Take(cst.CSTTransformer):
            def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
                return False

            def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: ARG002
                return False

            def leave_Return(self, original_node: Any, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
                items = returned(updated_node.value)
                if len(items) != 2:
                    raise Refusal("a return that is no pair of value and gradient", inner)
                found.append(items[1])
                return updated_node.with_changes(value=items[0])

        forward = [s.visit(Take()) for s in body]
        if not found:
            raise Refusal(f"{inner.name.value}: returns nothing", inner)
        grad = found[0]
        name = grad.value if isinstance(grad, cst.Name) else ""
        return left(forward, {name}), grad

    def _gradient(
        self, grad: Expression, functions: dict[str, cst.FunctionDef], forward: list[Statement]
    ) -> tuple[list[str], list[Statement]]:
        """Return the cotangents and the statements of the gradient."""
        if isinstance(grad, cst.Lambda):
            if isinstance(grad.params.star_arg, cst.Param):
                return self._starred(grad.params.star_arg.name.value, [returning(grad.body)], forward)
            return [p.name.value for p in grad.params.params], [returning(grad.body)]
        node = functions.get(grad.value) if isinstance(grad, cst.Name) else None
        if node is None:
            raise Refusal("the gradient is defined elsewhere", grad)
        given = parameters_of(node)
        extra = [p for p in given if p.name.value == "variables" or p is node.params.star_kwarg]
        none = {p.name.value: cst.Name("None") for p in extra}  # there are none in an autograd.Function
        given = [p for p in given if p not in extra]
        if isinstance(node.params.star_arg, cst.Param):
            return self._starred(node.params.star_arg.name.value, folded(body_of(node), none, self.names), forward)
        self._ensure_plain(node)
        comments = [line for line in node.leading_lines if line.comment]
        first, *rest = folded(body_of(node), none, self.names) or [returning(cst.Name("None"))]
        begin = [_bound(p) for p in given if p.default is not None]
        given = [p for p in given if p.default is None]
        return [p.name.value for p in given], [
            *begin,
            first.with_changes(leading_lines=[*comments, *first.leading_lines]),
            *rest,
        ]

    def _ensure_plain(self, node: cst.FunctionDef) -> None:
        """Refuse decorators of a gradient that do more than to say how it runs."""
        for decorator in node.decorators:
            if not is_transparent(decorator, self.names):
                raise Refusal(f"{node.name.value}: {unknown(decorator)}", decorator)

    def _starred(self, name: str, vjp: list[Statement], forward: list[Statement]) -> tuple[list[str], list[Statement]]:
        """Give ``*upstream`` one name per output."""
        counts = {len(returned(s)) for s in values(forward)}
        if len(counts) != 1:
            raise Refusal(f"*{name}: how many outputs? Not known here", vjp[0] if vjp else None)
        count = counts.pop()
        cotangents = ["dy"] if count == 1 else [f"dy{k}" for k in range(count)]
        return cotangents, [told_apart(s, name, cotangents) for s in vjp]

    def _named(self, forward: list[Statement]) -> list[str]:
        """Return the names of the outputs, where each return gives variables; none otherwise."""
        found = [[i.value if isinstance(i, cst.Name) else "" for i in returned(v)] for v in values(forward)]
        first = found[0] if found else []
        same = all(f == first for f in found) and all(first)
        return first if same else []


def _bound(parameter: cst.Param) -> Statement:
    """Return what binds a parameter of a gradient to its default: TensorFlow gives it the cotangents alone."""
    assert parameter.default is not None  # noqa: S101 - for mypy
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(parameter.name)], parameter.default)])


def names_in_all(body: Sequence[Statement]) -> set[str]:
    """Return the variables of several statements."""
    return set().union(*map(names_in, body), set())


def _in_order(body: Sequence[Statement]) -> list[str]:
    return [n for statement in body for n in sorted(written(statement))]
