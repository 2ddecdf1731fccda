"""Translates simple statements; a write in place becomes a new value of the variable."""

import re
from typing import TYPE_CHECKING, Any, Final

import libcst as cst
from libcst import matchers as m

from porting.backends import PACKAGES
from porting.translate.abstract_value import UNKNOWN, Abstract, Sort
from porting.translate.analyse.targets import assigned, first, plain_target, unchanged, without_unread
from porting.translate.code import Expression, build, names_in, same, source, tidy
from porting.translate.dialects import DIALECTS
from porting.translate.lower import out, tapes, writes
from porting.translate.lower.any_part import with_part_of_view
from porting.translate.lower.expression import Expressions, element_of
from porting.translate.lower.in_place import Views, part_changed, through, viewed
from porting.translate.lower.operators import truth
from porting.translate.names import targets_of
from porting.translate.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

Statement = cst.BaseStatement
_OPERATORS: Final = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.PowerAssign: cst.Power,
    cst.BitAndAssign: cst.BitAnd,
    cst.BitOrAssign: cst.BitOr,
    cst.BitXorAssign: cst.BitXor,
    cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
    cst.MatrixMultiplyAssign: cst.MatrixMultiply,
}


_NONE: Final = re.compile(r"\bNone\b")
_REDUCED: Final = m.Call(m.Attribute(attr=m.Name("reduce_all")), [m.Arg()])
_LEAF: Final = m.Assign(targets=[m.AssignTarget(m.Attribute(attr=m.Name("requires_grad")))], value=m.Name("True"))


class Lines:
    """Translates the lines of one function.

    Parameters
    ----------
    expressions : Expressions
        With the function's variables.
    returning : callable
        Makes the statements of ``return``, of the translated value and its kind.
    quiet : bool
        Whether nothing in it is recorded for a derivative, as in the forward of a custom gradient.
    """

    def __init__(self, expressions: Expressions, returning: Any = None, *, quiet: bool = False) -> None:
        self.of = expressions
        self.scope = expressions.scope
        self.returning = returning or (lambda value, _: [cst.Return(value)])
        self.quiet = quiet
        self.rest: Sequence[Statement] = ()
        self.views: Views = {}  # variables with the memory of another one
        self.around: set[str] = set()  # variables of the function around that this one does not assign

    def line(self, line: cst.SimpleStatementLine) -> list[Statement]:
        """Translate a line with one statement."""
        (small,) = line.body
        handler = getattr(self, f"_{type(small).__name__.lower()}", None)
        if handler is None:
            raise Refusal(f"{source(small)[:60]}: not translated", line)
        self.of.changed.clear()
        made = [tidy(part) for part in handler(small)]
        before = self._written_in_place(small)
        lines = [cst.SimpleStatementLine([part]) for part in [*before, *made]]
        if not lines:
            return []
        above, behind = list(line.leading_lines), line.trailing_whitespace
        if (isinstance(small, cst.Return) or _NONE.search(source(small))) and not any(
            _NONE.search(source(part)) for part in lines
        ):
            above = [empty for empty in above if not _of_none(empty.comment)]
            behind = cst.TrailingWhitespace() if _of_none(behind.comment) else behind
        lines[0] = lines[0].with_changes(leading_lines=above)
        lines[-1] = lines[-1].with_changes(trailing_whitespace=_comment_behind(behind))
        return list(lines)

    def _written_in_place(self, small: cst.BaseSmallStatement) -> list[cst.BaseSmallStatement]:
        """Refuse an expression that changes a variable which is used again."""
        targets = {n for t in getattr(small, "targets", ()) for n in targets_of(t.target)}
        for changed in self.of.changed:
            later = any(changed in names_in(statement) for statement in self.rest)
            if later and changed not in targets and not (isinstance(small, cst.Expr)):
                raise Refusal(f"{changed}: is changed in place within an expression, and used again", small)
        return []

    def _expr(self, small: cst.Expr) -> list[cst.BaseSmallStatement]:
        value = small.value
        if isinstance(value, cst.SimpleString | cst.ConcatenatedString | cst.Ellipsis):
            return [] if isinstance(value, cst.Ellipsis) else [cst.Expr(value)]
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and DIALECTS[self.of.of].underscored:
            target, method = first(value.func), value.func.attr.value
            if method.endswith("_") and source(target) in self.scope:
                if (part := part_changed(value)) is not None:
                    return self._written(*part)
                made, kind = self.of.typed(value)
                self.of.changed.clear()
                self.scope[source(target)] = kind
                return [assigned(source(target), made), *self._through(source(target), small)]
        if isinstance(value, cst.Call) and (place := out.place_of(value)) is not None:
            return self._into(place, out.without_place(value))
        if (watched := tapes.watched(self.of, value)) is not None:
            return watched
        made, kind = self.of.typed(value)
        idle = isinstance(made, cst.Name) or (kind.tensor and not isinstance(value, cst.Call))
        return [] if idle else [cst.Expr(made)]

    def _into(self, place: cst.Name | cst.Subscript, value: cst.Call) -> list[cst.BaseSmallStatement]:
        """Write the result of a function into a tensor, or a part of one."""
        if not isinstance(place, cst.Name):
            return self._written(place, value, None)
        made, self.scope[place.value] = out.in_type_of(self.of, place, value)
        return [assigned(place.value, made), *self._through(place.value, cst.Expr(value))]

    def _assign(self, small: cst.Assign) -> list[cst.BaseSmallStatement]:
        if len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Subscript):
            return self._written(small.targets[0].target, small.value, None)
        if m.matches(small, _LEAF):  # what a tape watches is seen where it is asked
            return []
        targets = [target.target for target in small.targets]
        place = out.place_of(small.value)
        if isinstance(place, cst.Name) and len(targets) == 1 and same(targets[0], place):
            return self._expr(cst.Expr(small.value))
        made, kind = self.of.typed(small.value)
        if len(targets) == 1:
            targets[0], made, kind = without_unread(targets[0], made, kind)
        for target in targets:
            if not isinstance(target, cst.Name | cst.Tuple | cst.List):
                raise Refusal(f"{source(target)[:40]} = ...: not translated", small)
            self.bind(target, kind)
            if isinstance(target, cst.Name):
                self.views.pop(target.value, None)
                found = viewed(small.value)
                if found is not None:
                    self.views[target.value] = found
        if len(targets) == 1 and unchanged(targets[0], made):
            return []
        return [cst.Assign([cst.AssignTarget(plain_target(target)) for target in targets], made)]

    def bind(self, target: Expression, kind: Abstract) -> None:
        """Record what is known about the value that a target gets."""
        if isinstance(target, cst.Name):
            self.scope[target.value] = kind.assigned(target.value)
        elif isinstance(target, cst.Tuple | cst.List):
            for n, element in enumerate(target.elements):
                inside = kind.items[n] if n < len(kind.items) else element_of(kind)
                self.bind(element.value, Abstract(Sort.TUPLE) if isinstance(element, cst.StarredElement) else inside)

    def _annassign(self, small: cst.AnnAssign) -> list[cst.BaseSmallStatement]:
        if small.value is None:
            return []
        return self._assign(cst.Assign([cst.AssignTarget(small.target)], small.value))

    def _augassign(self, small: cst.AugAssign) -> list[cst.BaseSmallStatement]:
        operator: Any = _OPERATORS[type(small.operator)]
        if isinstance(small.target, cst.Subscript):
            return self._written(small.target, small.value, operator)
        whole = cst.BinaryOperation(small.target, operator(), small.value)
        made, kind = self.of.typed(whole)
        number = self.scope.get(source(small.target), UNKNOWN).sort is Sort.STATIC
        self.bind(small.target, kind)
        title = source(small.target)
        shared = self._through(title, small) if kind.tensor else []
        simple = isinstance(made, cst.BinaryOperation) and same(made.left, small.target)
        # On a tensor, += makes a new value in TensorFlow; in PyTorch and NumPy it writes to what the caller has.
        if simple and isinstance(small.target, cst.Name) and (number or DIALECTS[self.of.to].traced):
            return [cst.AugAssign(small.target, type(small.operator)(), made.right), *shared]  # type: ignore[attr-defined]  # `simple`
        return [cst.Assign([cst.AssignTarget(small.target)], made), *shared]

    def _through(self, variable: str, small: cst.BaseSmallStatement) -> list[cst.BaseSmallStatement]:
        if variable in self.around:
            raise Refusal(f"{variable}: belongs to the function around, and is changed in place", small)
        return through(self.of, self.views, variable, small, self.rest)

    def _written(self, target: cst.Subscript, value: Expression, operator: Any) -> list[cst.BaseSmallStatement]:
        """Write ``x[at] = value`` as a new value of x, where a framework writes nothing in place."""
        if not isinstance(target.value, cst.Name):
            found = with_part_of_view(self.of, target, value, operator)
            if found is None:
                raise Refusal(f"{source(target)[:40]} = ...: not translated", target)
            return [assigned(*found), *self._through(found[0], cst.Expr(target))]
        variable = target.value.value
        if self.scope.get(variable, UNKNOWN).sort in {
            Sort.TUPLE,
            Sort.STATIC,
            Sort.SHAPE,
            Sort.ARRAY,
        }:  # a list of Python, or NumPy
            at = self.of(target)
            new = self.of(value) if operator is None else self.of(cst.BinaryOperation(target, operator(), value))
            return [cst.Assign([cst.AssignTarget(at)], new)]  # type: ignore[arg-type]  # a subscript stays one
        made = writes.written(self.of, target, value, operator)
        return [assigned(variable, made), *self._through(variable, cst.Expr(target))]

    def _return(self, small: cst.Return) -> list[cst.BaseSmallStatement]:
        if small.value is None:
            return list(self.returning(None, UNKNOWN))
        return list(self.returning(small.value, self.of))

    def _raise(self, small: cst.Raise) -> list[cst.BaseSmallStatement]:
        return [cst.Raise(self.of.question(small.exc) if small.exc else None)]

    def _assert(self, small: cst.Assert) -> list[cst.BaseSmallStatement]:
        test = self.of.question(small.test)
        if truth(test):
            return []
        said = self.of.question(small.msg) if small.msg else None
        if DIALECTS[self.of.to].traced and self.of.typed(small.test)[1].mask:  # in a graph it has no truth value
            said = said or cst.SimpleString(repr(source(test)))
            whole = test if m.matches(test, _REDUCED) else build("tf.reduce_all({test})", test=test)
            return [cst.Expr(build("tf.debugging.Assert({whole}, [{said}])", whole=whole, said=said))]
        return [cst.Assert(test, said)]

    def _pass(self, small: cst.Pass) -> list[cst.BaseSmallStatement]:
        return [small]

    def _del(self, small: cst.Del) -> list[cst.BaseSmallStatement]:  # noqa: ARG002 - nothing has to go
        return []

    def _break(self, small: cst.Break) -> list[cst.BaseSmallStatement]:
        return [small]

    def _continue(self, small: cst.Continue) -> list[cst.BaseSmallStatement]:
        return [small]

    def _import(self, small: cst.Import) -> list[cst.BaseSmallStatement]:
        self.of.names.add(small)
        return [] if any(source(alias.name).startswith(tuple(PACKAGES)) for alias in small.names) else [small]

    def _importfrom(self, small: cst.ImportFrom) -> list[cst.BaseSmallStatement]:
        self.of.names.add(small)
        return [] if small.module and source(small.module).startswith(tuple(PACKAGES)) else [small]


def _of_none(comment: cst.Comment | None) -> bool:
    """Whether a comment is about None: where none is left, it is about nothing."""
    return comment is not None and bool(_NONE.search(comment.value))


def _comment_behind(given: cst.TrailingWhitespace) -> cst.TrailingWhitespace:
    if given.comment is None:
        return cst.TrailingWhitespace()
    return cst.TrailingWhitespace(cst.SimpleWhitespace("  "), given.comment)
