"""Makes constants of what is computed where nothing is recorded: ``with torch.no_grad()``."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.analyse.slices import written
from porting.translate.analyse.targets import assigned, first
from porting.translate.code import Expression, build, source
from porting.translate.lower.expression import Expressions
from porting.translate.lower.in_place import viewed
from porting.translate.refusal import Refusal

_PLAIN: Final = {Sort.STATIC, Sort.SHAPE, Sort.DTYPE}
_CHANGING: Final = m.Attribute(attr=m.Name(m.MatchRegex("[a-z][a-z0-9_]*[a-z0-9]_")))


def variables(statement: cst.With, scope: dict[str, Abstract]) -> list[cst.SimpleStatementLine]:
    """Return lines of the source that make constants of the tensors that are computed in a block.

    Raises
    ------
    Refusal
        If it is not known which variables are tensors.
    """
    made: list[cst.SimpleStatementLine] = []
    for n in sorted(written(statement)):
        sort = scope[n].sort if n in scope else Sort.UNKNOWN
        if sort not in {Sort.TENSOR, *_PLAIN}:
            raise Refusal(f"with torch.no_grad(): is {n} a tensor? Not known here", statement)
        if sort is Sort.TENSOR:
            made.append(cst.SimpleStatementLine([assigned(n, build(f"{n}.detach()"))]))
    return made


def returned(value: Expression, of: Expressions) -> Expression:
    """Return what is returned from within a block, in the source's words, with constants for tensors."""
    if isinstance(value, cst.Tuple):
        return value.with_changes(elements=[e.with_changes(value=returned(e.value, of)) for e in value.elements])
    sort = of.typed(value)[1].sort
    if sort not in {Sort.TENSOR, *_PLAIN}:
        raise Refusal(f"with torch.no_grad(): is {source(value)[:40]} a tensor? Not known here", value)
    return build("{x}.detach()", x=value) if sort is Sort.TENSOR else value


def refuse_shared(statement: cst.With, scope: dict[str, Abstract]) -> None:
    """Refuse a block that changes a tensor in place, unless the tensor was made in the block.

    Parameters
    ----------
    statement : libcst.With
        The block.
    scope : dict of str to Abstract
        The variables before it.
    """
    shared = {
        target.target.value
        for found in _found(statement, m.Assign())
        for target in found.targets
        if isinstance(target.target, cst.Name) and viewed(found.value) is not None
    }
    for base in _changed(statement):
        if not isinstance(base, cst.Name) or base.value in {*scope, *shared}:
            raise Refusal(f"with torch.no_grad(): changes {source(base)[:40]} in place", statement)


def _changed(statement: cst.With) -> list[Expression]:
    """Return what is changed in place."""
    targets = [t.target for found in _found(statement, m.Assign()) for t in found.targets]
    targets += [found.target for found in _found(statement, m.AugAssign())]
    parts = [t.value for t in targets if isinstance(t, cst.Subscript)]
    whole = [found.target for found in _found(statement, m.AugAssign(target=m.Name()))]
    return [*parts, *whole, *(first(call.func) for call in _found(statement, m.Call(_CHANGING)))]


def _found(statement: cst.With, what: Any) -> Sequence[Any]:
    return m.findall(statement, what)
