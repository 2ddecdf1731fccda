"""Puts a helper's statements where it is called: its returns are those of a backward, or it is handed ``ctx``."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, names_in, renamed, source
from porting.translate.names import Names, static
from porting.translate.read.decorators import is_transparent
from porting.translate.read.outputs import assigned, returns
from porting.translate.read.signatures import body_of, parameters_of

Statement = cst.BaseStatement

_DEEP: Final = 3  # helpers that end with another one
_PLACE: Final = m.Name() | m.Attribute() | m.Integer() | m.Float() | m.SimpleString()


def without_tail_calls(body: list[Statement], names: Names, taken: set[str]) -> list[Statement]:
    """Return the statements of a gradient, with a helper's in place of ``return helper(...)``.

    Parameters
    ----------
    body : list of libcst.BaseStatement
        What the gradient does.
    names : Names
        Of the file, where the helper is defined.
    taken : set of str
        Variables around the gradient, which no variable of a helper may hide.

    Returns
    -------
    list of libcst.BaseStatement
        The same statements where no ``return`` gives the call of a function of the file that returns several values.
    """
    return _inlined(_returned_at_once(body), names, taken, "")


def without_handing(body: list[Statement], names: Names, taken: set[str], ctx: str) -> list[Statement]:
    """Return the statements of a method, with a helper's in place of a call that hands it `ctx`.

    Parameters
    ----------
    body : list of libcst.BaseStatement
        What the method does.
    names : Names
        Of the file, where the helper is defined: a function, or a static method of a class.
    taken : set of str
        Variables around the method, which no variable of a helper may hide.
    ctx : str
        What the method calls its ``ctx``.
    """
    return _inlined(body, names, taken, ctx)


def put_in_place(call: cst.Call, names: Names, taken: set[str]) -> list[Statement] | None:
    """Return the statements of a function of the file, with the arguments of a call of it; nothing of another one."""
    return _Inline(names, set(taken), "").statements(call)


def _inlined(body: list[Statement], names: Names, taken: set[str], ctx: str) -> list[Statement]:
    for _ in range(_DEEP):
        inline = _Inline(names, taken | set().union(*map(names_in, body)) if body else taken, ctx)
        body = list(cst.Module(body).visit(inline).body)  # type: ignore[arg-type]  # statements of a function are some
        if not inline.done:
            break
    return body


def _returned_at_once(body: list[Statement]) -> list[Statement]:
    """Return statements with ``return f(x)`` for ``g = f(x)`` and ``return g`` at the end."""
    if len(body) < 2:
        return body
    *before, made, last = body
    match made, last:
        case (
            cst.SimpleStatementLine(body=[cst.Assign(targets=[target], value=cst.Call() as call)]),
            cst.SimpleStatementLine(body=[cst.Return(value=cst.Name(value=title)) as back]),
        ) if m.matches(target.target, m.Name(title)):
            return [*before, made.with_changes(body=[back.with_changes(value=call)])]
    return body


class _Inline(cst.CSTTransformer):
    """Replaces the statements that return the call of a helper; with `ctx`, all that hand it on."""

    def __init__(self, names: Names, taken: set[str], ctx: str) -> None:
        self.names = names
        self.taken = taken
        self.ctx = ctx
        self.done = False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002
        *before, last = updated_node.body
        match last:
            case cst.Return(value=cst.Call() as call):
                made = self._made(call)
            case cst.Assign(value=cst.Call() as call) | cst.Expr(value=cst.Call() as call) if self.ctx:
                made = _ending(self._made(call), last)
            case _:
                made = None
        if made is None:
            return updated_node
        self.done = True
        if not made:
            return cst.RemoveFromParent() if not before else updated_node.with_changes(body=before)
        made[0] = made[0].with_changes(leading_lines=updated_node.leading_lines)
        first = [updated_node.with_changes(body=before)] if before else []
        return cst.FlattenSentinel([*first, *made])

    def _made(self, call: cst.Call) -> list[Any] | None:
        """Return the statements of a helper with the arguments of a call; nothing if it is another kind of function."""
        helper = self._helper(call.func)
        meant = helper is not None and self._is_meant(call, body_of(helper))
        return self.statements(call) if meant else None

    def statements(self, call: cst.Call) -> list[Any] | None:
        """Return the same of any function that has no decorator and binds no variable elsewhere."""
        helper = self._helper(call.func)
        if helper is None or not all(is_transparent(d, self.names) for d in helper.decorators):
            return None
        inner = body_of(helper)
        arguments = _bound(helper, call)
        if arguments is None or _binds_elsewhere(inner):
            return None
        written = assigned(inner)
        kept = {n: v for n, v in arguments.items() if n not in written and m.matches(v, _PLACE)}
        own = [*(n for n in arguments if n not in kept), *(n for n in written if n not in arguments)]
        fresh = {n: cst.Name(self._free(n)) for n in own}
        bindings = [
            cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(fresh[n])], value)])
            for n, value in arguments.items()
            if n not in kept
        ]
        changed: dict[str, Expression] = {**kept, **{n: v for n, v in fresh.items() if v.value != n}}
        return [*bindings, *(renamed(statement, changed) for statement in inner)]

    def _helper(self, called: cst.BaseExpression) -> cst.FunctionDef | None:
        """Return the function of the file, or the static method of a class, that is called."""
        match called:
            case cst.Name(value=title):
                found = self.names.defined.get(title)
                return found if isinstance(found, cst.FunctionDef) else None
            case cst.Attribute(value=cst.Name(value=title), attr=cst.Name(value=method)):
                owner = self.names.defined.get(title)
                inner = owner.body.body if isinstance(owner, cst.ClassDef) else []
                methods = (static(s, title) for s in inner if isinstance(s, cst.FunctionDef) and s.name.value == method)
                return next(
                    (s for s in methods if any(source(d.decorator) == "staticmethod" for d in s.decorators)), None
                )
        return None

    def _is_meant(self, call: cst.Call, inner: list[Statement]) -> bool:
        """Whether it is handed ``ctx``; without one, whether it returns several gradients, or the call of what may."""
        if self.ctx:
            return any(m.matches(a.value, m.Name(self.ctx)) for a in call.args)
        found = returns(inner)
        return bool(found) and all(len(values) > 1 or isinstance(values[0], cst.Call) for values in found)

    def _free(self, title: str) -> str:
        """Return a variable's name that nothing around it has."""
        free = title
        while free in self.taken:
            free = f"{free}_"
        self.taken.add(free)
        return free


def _ending(made: list[Any] | None, last: Any) -> list[Any] | None:
    """Return a helper's statements where its value is bound, or is none; nothing if it returns in another place."""
    if made is None:
        return None
    match made[-1] if made else None:
        case cst.SimpleStatementLine(body=[*before, cst.Return(value=value)]) as line:
            dropped = isinstance(last, cst.Expr) and not isinstance(value, cst.Call)  # what a call does is kept
            end = [] if value is None or dropped else _bound_anew(last, value)
            made = [*made[:-1], *([line.with_changes(body=[*before, *end])] if before or end else [])]
        case _ if not isinstance(last, cst.Expr):
            return None
    return None if returns(made) else made


def _bound_anew(last: Any, value: Expression) -> list[Any]:
    """Return what binds a helper's value, without the ``ctx`` that it hands back: ``ctx, x = ctx, 2 * x``."""
    target = last.targets[0].target if isinstance(last, cst.Assign) and len(last.targets) == 1 else None
    given, taken = ([e.value for e in part.elements] if isinstance(part, cst.Tuple) else [] for part in (value, target))
    pairs = list(zip(taken, given, strict=False)) if len(taken) == len(given) else []
    left = [(t, v) for t, v in pairs if not (isinstance(t, cst.Name) and m.matches(v, m.Name(t.value)))]
    if len(left) == len(pairs):
        return [last.with_changes(value=value)]
    if not left:
        return []
    targets, values = (
        side[0] if len(side) == 1 else cst.Tuple([cst.Element(one) for one in side]) for side in zip(*left, strict=True)
    )
    return [last.with_changes(targets=[cst.AssignTarget(targets)], value=values)]


def _binds_elsewhere(inner: list[Statement]) -> bool:
    return any(m.findall(s, m.Nonlocal() | m.Global() | m.Yield()) for s in inner)


def _bound(helper: cst.FunctionDef, call: cst.Call) -> dict[str, Expression] | None:
    """Return the arguments of a call by the names of the parameters; nothing where stars or defaults do not tell."""
    parameters = parameters_of(helper)
    if any(p.star in {"*", "**"} for p in parameters) or any(a.star for a in call.args):
        return None
    names = [p.name.value for p in parameters]
    places = [a.value for a in call.args if a.keyword is None]
    by_name = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    if len(places) > len(names):
        return None
    given = {**dict(zip(names, places, strict=False)), **by_name}
    defaults = {p.name.value: p.default for p in parameters if p.default is not None}
    found = {n: given.get(n, defaults.get(n)) for n in names}
    if set(given) - set(names) or any(value is None for value in found.values()):
        return None
    return {n: value for n, value in found.items() if value is not None}
