"""An op whose truth somebody else has: the other side of a pair, run in the type of its inputs, or a recording."""

import builtins
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from porting.contract import Contract
from porting.dtypes import FLOATS, as_dtype, complex_of
from porting.errors import NoTruthError
from porting.numeric.differences import COMPLEX_STEP, as_tuple
from porting.pairs.answers import Answers
from porting.runners import Case, Outcome, Raised, Runner
from porting.runners.base import asked_for_the_truth
from porting.subject import Subject


def standing_in(
    name: str,
    truth: str,
    runner: Runner,
    inputs: tuple[str, ...],
    statics: Mapping[str, Any],
    contract: Contract,
    twins: Mapping[str, Callable[..., Any]],
    widest: str = "float64",
) -> Subject:
    """Return an op whose value and gradient are those of one side, run in the type of the inputs.

    Where that side refuses the type, and the pair is declared to be of a narrower one, it is run in the `widest`; in
    float32 where one side takes nothing else.
    """
    empty = inspect.Parameter.empty
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in inputs]
    parameters += [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=statics.get(n, empty)) for n in statics]

    asked_before = Answers()

    def ask(xs: tuple[Any, ...], dy: tuple[Any, ...] | None, given: Mapping[str, Any]) -> Outcome:
        at = {n: np.asarray(x) for n, x in zip(inputs, xs, strict=True)}
        kinds = {np.iscomplexobj(x) for x in at.values() if x.dtype.kind not in "iu"}
        stepped = True not in kinds and any(map(np.iscomplexobj, dy or ()))
        known = {n for n, x in at.items() if np.iscomplexobj(x)} == {*op.complex_inputs}
        alone = (kinds == {True, False} and not known) or (kinds == {True} and not contract.complex)
        stepped |= any(0 < np.abs(x.imag).max(initial=0.0) <= COMPLEX_STEP for x in at.values() if np.iscomplexobj(x))
        meet = truth == "oracle" or not (stepped or alone)
        if not meet:  # a complex step, on one argument
            raise TypeError("real and complex numbers do not meet")
        types = [x.real.dtype for x in at.values() if x.dtype.kind not in "iu"]  # of complex numbers, of their parts
        dtype = np.result_type(*types).name if types else "float64"
        with asked_for_the_truth(truth):
            case = Case(op, dtype, at, dy, statics=given)
            outcome = asked_before.of(case, runner.run) if op.memory is None else runner.run(case)
            if outcome.raised is not None and True in kinds and dy and not any(map(np.iscomplexobj, dy)):
                kind = np.result_type(*at.values()).name  # of a complex output
                outcome = runner.run(Case(op, dtype, at, _in_type(dy, kind), statics=given))
            other = "float32" if op.narrow else widest
            if dtype == "float64" != other and (outcome.raised is not None or op.narrow):
                narrower = runner.run(Case(op, other, _in(at, other), _in_type(dy, other), statics=given))
                outcome = _of_the_type_that_suits(op, outcome, narrower, other)
        if outcome.raised is not None:
            raised = outcome.raised
            if truth == "oracle":
                raise _again(raised)
            raise NoTruthError(_why(outcome, raised, dy, runner.title), raised.stage)
        return outcome

    def value(*xs: Any, **given: Any) -> Any:
        outputs = ask(xs, None, given).value
        return outputs[0] if len(outputs) == 1 else outputs

    def both(dy: Any, *xs: Any, **given: Any) -> tuple[Any, Any]:
        cotangents = tuple(np.asarray(v) for v in as_tuple(dy))
        outcome = ask(xs, cotangents, given)
        wanted = [x for n, x in zip(inputs, xs, strict=True) if n in op.wrt]
        dx = tuple(np.zeros_like(x) if g is None else g for g, x in zip(outcome.vjp, wanted, strict=True))
        y = outcome.value
        return y[0] if len(y) == 1 else y, dx[0] if len(dx) == 1 else dx

    def rule(dy: Any, _y: Any, *xs: Any, **given: Any) -> Any:
        return both(dy, *xs, **given)[1]

    value.__name__ = name
    value.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect reads
    op = Subject(value, contract, twins)
    op.rule, op.truth, op.together = rule, truth, both
    return op


def _of_the_type_that_suits(op: Subject, wide: Outcome, narrow: Outcome, dtype: str) -> Outcome:
    """Return the outcome in a narrower type, where the wide one is refused or seen as other numbers: two for one."""
    if wide.raised is None and [y.shape for y in wide.value] == [y.shape for y in narrow.value]:
        return wide
    op.truth_in = dtype if narrow.raised is None else op.truth_in
    return narrow


def _in(at: Mapping[str, Any], dtype: str) -> dict[str, Any]:
    return {name: x if x.dtype.kind in "iub" else _cast(x, dtype) for name, x in at.items()}


def _in_type(dy: tuple[Any, ...] | None, dtype: str) -> tuple[Any, ...] | None:
    return None if dy is None else tuple(_cast(v, dtype) for v in dy)


def _cast(x: Any, dtype: str) -> Any:
    """Return numbers in a floating type; complex ones with parts of that type."""
    return x.astype(complex_of(dtype) if np.iscomplexobj(x) and dtype in FLOATS else as_dtype(dtype))


def _why(outcome: Outcome, raised: Raised, dy: tuple[Any, ...] | None, title: str) -> str:
    """Return why a side has no truth to give: it raises, unless it was sent the cotangent of another output."""
    if dy and any(y.shape != v.shape for y, v in zip(outcome.value, dy, strict=False)):
        said = "the shape of its output depends on the numbers in its inputs, or on their type, and is another one here"
        return f"{title}: {said}; an input that is only looked at wants a type of integers"
    whose = ": " if raised.is_returned else "'s "
    return f"{title}{whose}{raised.told}, at {raised.where}"


def _again(raised: Raised) -> Exception:
    """Return the exception that the oracle raised, by what it said: a refusal is compared by type and sentence."""
    kind = getattr(builtins, raised.type, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        return kind(raised.message)
    return NoTruthError(f"the oracle's {raised.stage} raised {raised}")
