"""Loops and choices that are written as functions: PyTorch has the statements of Python."""

from collections.abc import Mapping

import libcst as cst

from porting.translate.abstract_value import TENSOR, Abstract, Sort
from porting.translate.calls import call
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer


def _state(kinds: Mapping[str, Abstract]) -> Abstract:
    start = kinds.get("start", TENSOR)
    return start if start.sort in {Sort.TUPLE, Sort.TENSOR} else TENSOR


WHILE = Rule(
    tf="tf.while_loop(cond, body, start: loop_vars, _shapes: shape_invariants=None,"
    " _parallel: parallel_iterations=10, _back: back_prop=True, _swap: swap_memory=False,"
    " most: maximum_iterations=None, _name: name=None)",
    kind=_state,
)
COND = Rule(tf="tf.cond(test: pred, yes: true_fn=None, no: false_fn=None, _name: name=None)", kind=TENSOR)
MAP = Rule(
    tf="tf.map_fn(step: fn, x: elems, _dtype: dtype=None, _parallel: parallel_iterations=None,"
    " _back: back_prop=True, _swap: swap_memory=False, _infer: infer_shape=True, _name: name=None,"
    " _signature: fn_output_signature=None)",
    kind=TENSOR,
)
VMAP = Rule(tf="tf.vectorized_map(step: fn, x: elems)", kind=TENSOR)
SCAN = Rule(
    tf="tf.scan(step: fn, x: elems, start: initializer=None, _parallel: parallel_iterations=10,"
    " _back: back_prop=True, _swap: swap_memory=False, _infer: infer_shape=True, reverse=False, _name: name=None)",
    kind=_state,
)
FOLD = Rule(
    tf="tf.foldl(step: fn, x: elems, start: initializer=None, _parallel: parallel_iterations=10,"
    " _back: back_prop=True, _swap: swap_memory=False, _name: name=None)",
    kind=_state,
)
RULES = [WHILE, COND, MAP, VMAP, SCAN, FOLD]
_WHILE = '''
def _while_loop(cond, body, values, most=None):
    """Values after so many turns, or as soon as the condition does not hold."""
    turns = 0
    while cond(*values) and (most is None or turns < most):
        values, turns = body(*values), turns + 1
    return values
'''
_SCAN = '''
def _scan(step, rows, state=None):
    """The states that a function goes through from row to row, stacked. The first row is the first, or state."""
    states = []
    for row in rows:
        state = row if state is None else step(state, row)
        states.append(state)
    if isinstance(state, (tuple, list)):
        return tuple(torch.stack(part) for part in zip(*states))
    return torch.stack(states)
'''

_FOLD = '''
def _fold(step, rows, state=None):
    """The state after all rows; the first row is the first state if none is given."""
    for row in rows:
        state = row if state is None else step(state, row)
    return state
'''


@WHILE.writes("torch")
def _while(w: Writer, cond: Expression, body: Expression, start: Expression, most: Given = None) -> Expression:
    w.helper("_while_loop", _WHILE)
    return call(w, "_while_loop", cond, body, start, most)


@COND.writes("torch")
def _cond(w: Writer, test: Expression, yes: Given = None, no: Given = None) -> Expression:
    if yes is None or no is None:
        raise w.refuse("tf.cond: a function for each case is wanted")
    return w.build("{yes} if {test} else {no}", yes=_result(w, yes), test=test, no=_result(w, no))


def _result(w: Writer, function: Expression) -> Expression:
    """Return the call of a function without arguments, or what stands in a lambda."""
    return function.body if isinstance(function, cst.Lambda) else w.build("{function}()", function=function)


@MAP.writes("torch")
def _map(w: Writer, step: Expression, x: Expression) -> Expression:
    _one_tensor(w, "tf.map_fn")
    if isinstance(step, cst.Lambda) and len(step.params.params) == 1:
        row = step.params.params[0].name
        return w.build(f"torch.stack([{{made}} for {row.value} in {{x}}])", made=step.body, x=x)
    return w.build("torch.stack([{step}(row) for row in {x}])", step=step, x=x)


def _one_tensor(w: Writer, what: str) -> None:
    if w.kinds["x"].sort is Sort.TUPLE:
        raise w.refuse(f"{what}: a rule for one tensor alone")


@VMAP.writes("torch")
def _vmap(w: Writer, step: Expression, x: Expression) -> Expression:
    _one_tensor(w, "tf.vectorized_map")
    return w.build("torch.vmap({step})({x})", step=step, x=x)


@SCAN.writes("torch")
def _scan(w: Writer, step: Expression, x: Expression, start: Given = None, reverse: Given = None) -> Expression:
    _one_tensor(w, "tf.scan")
    if reverse is not None:
        raise w.refuse("tf.scan: reverse has no rule")
    w.helper("_scan", _SCAN)
    return call(w, "_scan", step, x, start)


@FOLD.writes("torch")
def _fold(w: Writer, step: Expression, x: Expression, start: Given = None) -> Expression:
    _one_tensor(w, "tf.foldl")
    w.helper("_fold", _FOLD)
    return call(w, "_fold", step, x, start)
