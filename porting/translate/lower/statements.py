"""Translates compound statements: blocks, without those that can never run, and functions within functions."""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import STATIC, UNKNOWN, Abstract, Sort
from porting.translate.analyse.slices import written
from porting.translate.analyse.targets import plain_target
from porting.translate.code import Expression, build, literal, source, tidy
from porting.translate.dialects import DIALECTS
from porting.translate.lower import constants, tapes
from porting.translate.lower.expression import Expressions, element_of
from porting.translate.lower.operators import countable, known_only, truth
from porting.translate.lower.signatures import Defaults, annotation
from porting.translate.lower.simple_statements import Lines
from porting.translate.read.contexts import inside
from porting.translate.read.decorators import is_transparent, unknown
from porting.translate.read.docstrings import neutral
from porting.translate.read.signatures import body_of, kind_of_annotation, parameters_of
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
_NOTHING: Final = m.IndentedBlock([m.SimpleStatementLine([m.Pass()], leading_lines=[])])
_RAISE: Final = m.SimpleStatementLine([m.Raise()])
_QUIET: Final = {"torch.no_grad", "torch.autograd.no_grad", "torch.inference_mode"}


class Statements(Lines):
    """Translates the statements of one function."""

    def block(self, body: Sequence[Statement], *, doc: bool = False) -> list[Statement]:
        """Translate statements in a row; the first one may be a docstring."""
        made: list[Statement] = []
        body = [*map(_neutral, body[:1]), *body[1:]] if doc else body
        remarks: list[cst.EmptyLine] = []
        flat = list(self._flattened(body))
        for n, statement in enumerate(flat):
            if (said := _remark(statement)) and (n or not doc):
                remarks += said
                continue
            self.rest = flat[n + 1 :]
            found: list[Any] = self.one(statement)
            if found and remarks:
                found[0] = found[0].with_changes(leading_lines=[*remarks, *found[0].leading_lines])
                remarks = []
            made += found
            if found and _leaves(found[-1]):
                break
        return made

    @staticmethod
    def _flattened(body: Sequence[Statement]) -> Iterator[Statement]:
        """Yield statements, one per line."""
        for statement in body:
            if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) <= 1:
                yield statement
                continue
            last = len(statement.body) - 1
            for k, small in enumerate(statement.body):
                yield statement.with_changes(
                    body=[small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)],
                    leading_lines=[] if k else statement.leading_lines,
                    trailing_whitespace=statement.trailing_whitespace if k == last else cst.TrailingWhitespace(),
                )

    def one(self, statement: Statement) -> list[Statement]:
        """Translate a statement; it may become none, or several."""
        try:
            made = self._translated(statement)
        except Refusal as refusal:
            refusal.node = refusal.node or statement
            if self.of.partial is None:
                raise
            self.of.partial.append(refusal)
            why = cst.SimpleString(json.dumps(str(refusal)))
            return [cst.SimpleStatementLine([cst.Raise(build("NotImplementedError({why})", why=why))])]
        return made

    def _translated(self, statement: Statement) -> list[Statement]:
        if isinstance(statement, cst.SimpleStatementLine):
            return self.line(statement)
        handler = getattr(self, f"_{type(statement).__name__.lower()}", None)
        if handler is None:
            raise Refusal(f"{type(statement).__name__.lower()}: not translated", statement)
        made: list[Statement] = handler(statement)
        return made

    # --- blocks ---

    def _if(self, statement: cst.If) -> list[Statement]:
        test = countable(self.of, self.of.question(statement.test))
        folded = truth(test)
        orelse = statement.orelse
        if folded is not None:
            if folded:
                return self._spliced(statement, statement.body.body)
            if orelse is None:
                return []
            return self._spliced(statement, orelse.body.body) if isinstance(orelse, cst.Else) else self.one(orelse)
        before = dict(self.scope)
        body = self._inner(statement.body)
        after = dict(self.scope)
        made_else: Any = None
        if orelse is not None:
            self._restore(before)
            if isinstance(orelse, cst.If):
                found = self._if(orelse)
                made_else = (
                    found[0]
                    if len(found) == 1 and isinstance(found[0], cst.If)
                    else cst.Else(cst.IndentedBlock(found))
                    if found
                    else None
                )
            else:
                inner = self._inner(orelse.body)
                made_else = None if m.matches(inner, _NOTHING) else cst.Else(inner)
        for variable, kind in after.items():
            known = self.scope.get(variable)
            if known is None or known.sort in {Sort.UNKNOWN, Sort.STATIC}:
                self.scope[variable] = kind
        self._forget_axes(n for n, kind in self.scope.items() for one in (before, after) if kind.axes != _axes(one, n))
        if "lengths" in self.of.general and all(m.matches(line, _RAISE) for line in body.body):
            test = known_only(self.of, test)
        if m.matches(body, _NOTHING) and isinstance(made_else, cst.Else):
            return [cst.If(tidy(build("not {test}", test=test)), made_else.body, leading_lines=statement.leading_lines)]
        return [cst.If(tidy(test), body, made_else, leading_lines=list(statement.leading_lines))]

    def _spliced(self, statement: cst.If, body: Any) -> list[Statement]:
        """Return the branch that is always taken, with the comment that stood over the question."""
        made = self.block(body)
        if made and hasattr(made[0], "leading_lines"):
            made[0] = made[0].with_changes(leading_lines=[*list(statement.leading_lines), *made[0].leading_lines])
        return made

    def _forget_axes(self, names: Iterable[str]) -> None:
        """Forget how many axes variables have that may be one thing or another."""
        for title in [n for n in names if n in self.scope]:
            self.scope[title] = self.scope[title].of_axes(0)

    def _restore(self, before: dict[str, Abstract]) -> None:
        self.scope.clear()
        self.scope.update(before)

    def _inner(self, block: Any) -> cst.IndentedBlock:
        rest = self.rest
        made = self.block(
            block.body if isinstance(block, cst.IndentedBlock) else [cst.SimpleStatementLine(list(block.body))]
        )
        self.rest = rest
        return cst.IndentedBlock(made or [cst.SimpleStatementLine([cst.Pass()])])

    def _foresee(self, loop: cst.For | cst.While) -> None:
        """Know what a loop assigns: one branch of its body may read what another one made the round before."""
        for title in written(loop) - {*self.scope}:
            self.scope[title] = UNKNOWN

    def _for(self, statement: cst.For) -> list[Statement]:
        made, kind = self.of.typed(statement.iter)
        self._forget_axes(written(statement))
        self.bind(statement.target, element_of(kind))
        self._foresee(statement)
        body = self._inner(statement.body)
        orelse = cst.Else(self._inner(statement.orelse.body)) if statement.orelse else None
        self._forget_axes(written(statement))
        return [
            cst.For(
                plain_target(statement.target),
                tidy(made),
                body,
                orelse,
                leading_lines=list(statement.leading_lines),
            )
        ]

    def _while(self, statement: cst.While) -> list[Statement]:
        self._forget_axes(written(statement))
        test = tidy(self.of.question(statement.test))
        self._foresee(statement)
        body = self._inner(statement.body)
        self._forget_axes(written(statement))
        return [cst.While(test, body, leading_lines=list(statement.leading_lines))]

    def _with(self, statement: cst.With) -> list[Statement]:
        alone = statement.items[0] if len(statement.items) == 1 else None
        if alone is not None and self._path(alone) in tapes.RECORDING and DIALECTS[self.of.to].traced:
            item, lines = tapes.taped(self.of, statement, self.rest)
            block = self._inner(cst.IndentedBlock(lines))
            return [cst.With([item], block, leading_lines=list(statement.leading_lines))]
        if alone is not None and self._path(alone) in tapes.TAPES and DIALECTS[self.of.to].by_class:
            return self._recorded(statement, alone)
        items = [item for item in statement.items if self._path(item) not in _QUIET]
        notes: list[str] = []
        body: Any = inside(statement, self.of.path, notes, items)
        if body is not None:
            for note in notes:
                self.of.note(note)
            recorded = self.quiet or len(items) == len(statement.items)
            return self.block(body) if recorded else self._constant(statement, body)
        raise Refusal(f"with {source(items[0].item)[:40]}: not translated", statement)

    def _recorded(self, statement: cst.With, item: cst.WithItem) -> list[Statement]:
        """Return the block of a tape of TensorFlow, in which PyTorch records; a forward has nothing recorded."""
        if item.asname is None:
            raise Refusal("with tf.GradientTape(): nobody can ask it", statement)
        tape = source(item.asname.name)
        persistent = m.matches(item.item, m.Call(args=[m.Arg(keyword=m.Name("persistent"), value=~m.Name("False"))]))
        self.scope[tape] = Abstract(Sort.TAPE, "persistent" * persistent)
        self.of.tape, before = tape, self.of.tape
        block = self._inner(statement.body)
        self.of.tape = before
        if self.of.quiet:
            return list(block.body)
        return [cst.With([cst.WithItem(build("torch.enable_grad()"))], block, leading_lines=statement.leading_lines)]

    def _constant(self, statement: cst.With, body: Sequence[Statement]) -> list[Statement]:
        """Return a block in which nothing is recorded, with constants of what it computes."""
        constants.refuse_shared(statement, self.scope)
        before = self.returning
        self.returning = lambda value, of: before(value and constants.returned(value, of), of)
        made = self.block(body)
        self.returning = before
        if made and _leaves(made[-1]):
            return made
        return [*made, *self.block(constants.variables(statement, self.scope))]

    def _path(self, item: cst.WithItem) -> str:
        return self.of.path(item.item.func if isinstance(item.item, cst.Call) else item.item)

    def _functiondef(self, statement: cst.FunctionDef) -> list[Statement]:
        made, kind = function(statement, self.of)
        self.scope[statement.name.value] = Abstract(Sort.FUNCTION, items=(kind,))
        return [made]

    def _classdef(self, statement: cst.ClassDef) -> list[Statement]:
        """Translate a custom gradient that is made within a function: it reads that function's variables."""
        made = self.of.class_of(self.of, statement)
        if made is None:
            raise Refusal(f"class {statement.name.value}: not translated", statement)
        self.of.gradients[statement.name.value] = made.name.value
        return [made]

    def _try(self, statement: cst.Try) -> list[Statement]:
        raise Refusal("try: not translated", statement)


def function(
    node: cst.FunctionDef,
    expressions: Expressions,
    *,
    given: Sequence[Abstract] = (),
    keep: dict[str, Abstract] | None = None,
) -> tuple[cst.FunctionDef, Abstract]:
    """Translate a function within another one, or beside it.

    Parameters
    ----------
    node : libcst.FunctionDef
        The function.
    expressions : Expressions
        Translates what is in it.
    given : sequence of Abstract
        What is known of the arguments it is called with.
    keep : dict of str to Abstract, optional
        Takes what is known of its variables.

    Returns
    -------
    (libcst.FunctionDef, Abstract)
        The translation, and what is known of the value it returns.
    """
    other = [d for d in node.decorators if not is_transparent(d, expressions.names) and not _is_quiet(d, expressions)]
    if node.asynchronous or other:
        why = unknown(other[0]) if other else "a coroutine, which is not translated"
        raise Refusal(f"def {node.name.value}: {why}", node)
    parameters = parameters_of(node)
    known = {p.name.value: kind_of_annotation(p) for p in parameters}
    for parameter, kind in zip(node.params.params, given, strict=False):
        title = parameter.name.value
        if known[title].sort is Sort.UNKNOWN or (known[title].tensor and kind.tensor):
            known[title] = Abstract(kind.sort, kind.number, title if kind.like else "", kind.items)
    params = node.params.visit(Defaults(expressions))
    results: list[Abstract] = []
    around = {*expressions.scope} - {*known} - written(node.body)

    def returning(value: Expression | None, of: Expressions) -> list[cst.BaseSmallStatement]:
        made, kind = of.typed(value) if value is not None else (None, STATIC)
        results.append(kind)
        return [cst.Return(made)]

    with expressions.within({n: kind.of_axes(0) for n, kind in (expressions.scope | known).items()}):
        statements = Statements(expressions, returning)
        statements.around = around
        body = statements.block(body_of(node, doc=True), doc=True)
        if keep is not None:
            keep.update({n: k for n, k in expressions.scope.items() if n not in keep})
    made = node.with_changes(
        decorators=[],
        params=params,
        body=cst.IndentedBlock(body or [cst.SimpleStatementLine([cst.Pass()])]),
        returns=annotation(node.returns, expressions),
        leading_lines=list(node.leading_lines),
    )
    return made, _of_any(results).elsewhere({p.name.value: p.name.value for p in parameters}) if results else STATIC


def _neutral(statement: Statement) -> Statement:
    """Return a docstring that names no framework's tensors; another statement as it is."""
    if not _remark(statement):
        return statement
    text = m.findall(statement, m.SimpleString())[0]
    value = neutral(cst.ensure_type(text, cst.SimpleString).value)
    return cst.ensure_type(statement.deep_replace(text, cst.SimpleString(value)), cst.SimpleStatementLine)


def _remark(statement: Statement) -> list[cst.EmptyLine]:
    """Return a text that stands alone, behind other statements, as comments; nothing for another statement."""
    if not m.matches(statement, m.SimpleStatementLine([m.Expr(m.SimpleString())])):
        return []
    text = cst.ensure_type(cst.ensure_type(statement, cst.SimpleStatementLine).body[0], cst.Expr).value
    lines = inspect.cleandoc(str(literal(text))).strip().splitlines()
    return [cst.EmptyLine(comment=cst.Comment(f"# {line}".rstrip())) for line in lines]


def _of_any(results: Sequence[Abstract]) -> Abstract:
    """Return what is known of a value that a function returns in several places: a tensor, if it may be one."""
    first = results[0]
    if first.sort is Sort.TUPLE and all(len(k.items) == len(first.items) for k in results):
        return replace(first, items=tuple(_of_any(kinds) for kinds in zip(*(k.items for k in results), strict=True)))
    return next((k for k in results if k.tensor), first) if first.sort is Sort.STATIC else first


def _is_quiet(decorator: cst.Decorator, expressions: Expressions) -> bool:
    """Whether nothing is recorded under a decorator."""
    call = decorator.decorator
    return expressions.path(call.func if isinstance(call, cst.Call) else call) in _QUIET


def _axes(scope: Mapping[str, Abstract], title: str) -> int:
    """Return how many axes a variable has in a scope; 0 where that is not known."""
    return scope[title].axes if title in scope else 0


def _leaves(statement: Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], cst.Return | cst.Raise)


def _assigned(title: str, value: Expression) -> cst.Assign:
    """Return ``title = value``."""
    return cst.Assign([cst.AssignTarget(cst.Name(title))], value)
