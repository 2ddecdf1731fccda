"""Shared by the tests of layers: for each op and each setting of it, what a layer is made with and called on.

A layer holds some inputs of its op, as weights (`layer.gain`) or as one number for all elements (`layer.bound`), and is
called on the others. So what its tests want follows from the signatures of its class; there is no list to edit.
"""

import inspect
from dataclasses import dataclass

import numpy as np

from porting.numeric.differences import as_tuple
from porting.parity.cases import Cases
from porting.registry import ops

NUMBERS = {"bound": 0.25, "scale": 0.5, "zero_point": 1}  # held inputs that are one number
CAMEL = {
    "".join(part.capitalize() for part in op.name.split("_")): op
    for op in ops().values()
    if op.module.startswith("porting.oracle.")
}


def signature(method):
    """Return the parameters of a method as (name, kind, default), without self and without the framework's own."""
    found = list(inspect.signature(method).parameters.values())[1:]
    return [(p.name, p.kind, p.default) for p in found if p.kind is not p.VAR_KEYWORD]


@dataclass
class Sample:
    """Keyword arguments to make a layer with, arrays to call it on, arrays to put into it, and the oracle's answers."""

    arguments: dict
    inputs: dict
    held: dict
    cotangents: tuple
    values: tuple
    gradients: dict


def samples(name, construct, call, dtype="float64"):
    """Yield a sample for each setting of an op, given the constructor and the call method of a layer of it."""
    op = CAMEL[name]
    called = [parameter for parameter, *_ in signature(call)]
    for statics in Cases(op, dtype).variants():
        case = Cases(op, dtype).case("layer", statics=statics)
        arrays = {n: np.full_like(x, NUMBERS[n]) if n in NUMBERS else x for n, x in case.inputs.items()}
        held = {n: x for n, x in arrays.items() if n not in called}
        settings = op.settings(statics)
        own = [parameter for parameter, *_ in signature(construct) if parameter not in settings]
        dy = case.dy if len(case.dy) > 1 else case.dy[0]
        with np.errstate(all="ignore"):
            values = as_tuple(op(*arrays.values(), **statics))
            gradients = as_tuple(op.vjp(dy, *arrays.values(), **statics))
        yield Sample(
            arguments={n: _own(n, held) for n in own} | settings,
            inputs={n: arrays[n] for n in called},
            held={n: x for n, x in held.items() if n not in NUMBERS},
            cotangents=case.dy,
            values=values,
            gradients={n: g for n, g in zip(op.wrt, gradients, strict=True) if n not in NUMBERS},
        )


def _own(parameter, held):
    """Return a number to make a layer with: one that it holds, or a length of its first weight."""
    if parameter in NUMBERS:
        return NUMBERS[parameter]
    shape = next(iter(held.values())).shape
    return {
        "rows": shape[:1], "codes": shape[:1], "size2": shape[:1], "size": shape[-1:], "size1": shape[-1:],
        "initial_step": (0.75,),
    }[parameter][0]  # fmt: skip


def refusals(name, construct, call):
    """Yield (arguments, a sample's inputs, type, sentence) for each bad setting that the oracle refuses."""
    op = CAMEL[name]
    good = next(samples(name, construct, call))
    for bad in op.contract.refuses:
        if not set(bad) & set(op.inputs):
            arrays = {n: {**good.inputs, **good.held}.get(n, np.float64(NUMBERS.get(n, 0))) for n in op.inputs}
            arrays = {n: np.full_like(arrays[op.inputs[0]], x) if n == "bound" else x for n, x in arrays.items()}
            try:
                op(*arrays.values(), **{n: v for n, v in (good.arguments | bad).items() if n in op.statics})
            except (ValueError, TypeError) as error:
                yield good.arguments | bad, good.inputs, type(error), str(error)


def agree(mine, wanted):
    np.testing.assert_allclose(mine, wanted, rtol=1e-9, atol=1e-12)  # float64; sums in another order
