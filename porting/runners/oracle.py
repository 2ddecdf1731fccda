"""The oracle as a runner: NumPy in float64, on inputs that were first rounded to the tested type."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.dtypes import wide
from porting.errors import NotRecordedError
from porting.runners.base import Array, Case, Outcome, raised_by, source_of
from porting.runners.state import process_state, restore_process
from porting.spec import Op

if TYPE_CHECKING:
    from porting.runners.uses import Use


class OracleRunner:
    """Answers with the truth that the others are compared with."""

    key = "oracle"
    module = "numpy"
    title = "oracle"
    modes: tuple[str, ...] = ("eager",)
    whole = modes
    layouts: tuple[str, ...] = ()
    uses: "tuple[Use, ...]" = ()
    mutable = True

    def missing(self) -> str | None:
        """Return `None`: NumPy is always there."""
        return None

    def version(self) -> str:
        """Return NumPy's version."""
        return np.__version__

    def devices(self) -> dict[str, str | None]:
        """Return the CPU only."""
        return {"cpu": None}

    def where(self, op: Op) -> str:
        """Return where the oracle's vjp stands."""
        return source_of(op.rule or op.value)

    def state(self) -> dict[str, Any]:
        """Return the process's settings."""
        return process_state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back what can be put back."""
        restore_process(state)

    def run(self, case: Case) -> Outcome:
        """Evaluate value and vjp. The second order is not the oracle's own: the checks take differences of its vjp."""
        inputs = {name: _widen(x) for name, x in case.inputs.items()}
        before = {name: x.tobytes() for name, x in inputs.items()}
        value: tuple[Array, ...] = ()
        gradients: tuple[Array, ...] = ()
        raised = None
        stage = "forward"
        at_once = case.dy is not None and case.op.truth != "oracle"  # who stands in for an oracle is asked once
        with np.errstate(all="ignore"):
            try:
                if not at_once:
                    value = _arrays(case.op(*inputs.values(), **case.statics))
                if case.dy is not None:
                    stage = "backward"
                    dy = tuple(_widen(v) for v in case.dy)
                    before |= {f"dy{k}": v.tobytes() for k, v in enumerate(dy)}
                    v = dy[0] if len(dy) == 1 else dy
                    if at_once:
                        value, gradients = map(_arrays, case.op.value_and_vjp(v, *inputs.values(), **case.statics))
                    else:
                        y = [np.array(a) for a in value]  # copies: the rule may overwrite them
                        given = y[0] if len(y) == 1 else tuple(y)
                        gradients = _arrays(case.op.vjp_at(v, given, *inputs.values(), **case.statics))
                    inputs |= {f"dy{k}": v for k, v in enumerate(dy)}
            except NotRecordedError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever an op raises is part of the answer
                raised = raised_by(error, stage, case.op.value)
        changed = tuple(name for name, x in inputs.items() if x.tobytes() != before[name])
        return Outcome(value=value, vjp=gradients, raw=gradients, changed=changed, raised=raised)


def _widen(x: Array) -> Array:
    return np.array(wide(x))


def _arrays(result: Any) -> tuple[Array, ...]:
    return tuple(np.asarray(a) for a in (result if isinstance(result, tuple | list) else (result,)))
