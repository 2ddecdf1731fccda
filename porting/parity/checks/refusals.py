"""What an op cannot do: both twins refuse it, in the oracle's words."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from porting.dtypes import as_dtype
from porting.parity.checks import ALL, NotApplicableError, check
from porting.parity.probe import Probe
from porting.runners import Case


@check(runners=ALL, once=True)
def refusals(probe: Probe) -> None:
    """What the contract says is refused raises the oracle's exception with the oracle's sentence."""
    if not probe.op.contract.refuses:
        raise NotApplicableError("the contract refuses nothing")
    if probe.mode != "eager":
        raise NotApplicableError("a compiled function may not see the numbers; tested in eager mode")
    for bad in probe.op.contract.refuses:
        case = _case(probe, bad)
        given = ", ".join(f"{name}={value!r}" for name, value in bad.items())
        wanted = _refusal(case)
        if isinstance(wanted, str):
            probe.fact(False, "oracle_accepts", given=given, instead=wanted)
        elif probe.runner.key == "oracle":
            clear = isinstance(wanted, ValueError | TypeError) and bool(str(wanted)) and "\n" not in str(wanted)
            probe.fact(clear, "oracle_refuses_badly", given=given, got=f"{type(wanted).__name__}: {wanted}")
        else:
            raised = probe.runner.run(case).raised
            got = f"{raised.type}: {raised.message}" if raised else "nothing"
            want = f"{type(wanted).__name__}: {wanted}"
            probe.fact(got == want, "refusal_differs", given=given, want=want, got=got.splitlines()[0])


def _case(probe: Probe, bad: Mapping[str, Any]) -> Case:
    """Make an ordinary case with the bad values in it, and no cotangent."""
    base = probe.case("refusals", order=0)
    inputs = {name: _array(bad[name], probe.dtype) if name in bad else x for name, x in base.inputs.items()}
    statics = {**base.statics, **{name: value for name, value in bad.items() if name not in inputs}}
    watch = tuple(name for name in probe.op.wrt if inputs[name].dtype.kind not in "iub")  # integers cannot be watched
    return Case(probe.op, probe.dtype, inputs, statics=statics, device=probe.device, watch=watch)


def _array(value: Any, dtype: str) -> np.ndarray[Any, Any]:
    array = np.asarray(value)
    return array.astype(as_dtype(dtype)) if array.dtype.kind == "f" else array


def _refusal(case: Case) -> Exception | str:
    """Return what the oracle raises for these very arrays, or what it says instead."""
    try:
        with np.errstate(all="ignore"):
            value = case.op(*case.inputs.values(), **case.statics)
    except Exception as error:  # noqa: BLE001  # whatever it is, the caller judges it
        return error
    return f"it gives {value!r}"
