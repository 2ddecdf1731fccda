"""The results of a run: one row per op, mode and size."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from porting.bench.growth import exponent
from porting.bench.measure import FLOOR, LIMIT
from porting.bench.modes import backend_of
from porting.bench.ratio import Spread, noise, ratio, spread
from porting.bench.subjects import TWIN
from porting.pairs.pair import Pair
from porting.spec import Op


@dataclass(frozen=True)
class Row:
    """One op in one mode at one size.

    Attributes
    ----------
    op, family, mode : str
        ``swish``, ``activation``, ``torch-compile``.
    size, elements : int
        What was asked for, and how many the largest input had.
    shapes : str
        Of the inputs.
    seconds : mapping
        Median time of one forward and backward: floor, limit, twin, composition, built-in.
    ratios : mapping
        The twin over each of the others, within the round.
    over_floor : mapping
        The others over the floor.
    noisy : mapping
        The ratios that say nothing, with the reason.
    errors : mapping
        The subjects without a time, with the reason.
    rounds : int
        How many there were.
    """

    op: str
    family: str
    mode: str
    size: int
    elements: int = 0
    shapes: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    ratios: Mapping[str, Spread] = field(default_factory=dict)
    over_floor: Mapping[str, Spread] = field(default_factory=dict)
    noisy: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0


def family_of(op: Op | Pair) -> str:
    """Return the family of an op; what a user gave has none."""
    return op.family if isinstance(op, Op) else "your own"


def rows(op: Op | Pair, backend: str, size: int, found: Mapping[str, Any], limit: float) -> list[Row]:
    """Turn the results of `porting.bench.measure.measuring` into rows, one per mode."""
    floor = found["floor"]
    made = []
    for mode, times in found["times"].items():
        least = {LIMIT: found["limits"][mode]} if isinstance(op, Op) else {}  # nobody has said what a user's op needs
        others = {FLOOR: floor, **least, **times}
        quotients = {name: ratio(times[TWIN], others[name]) for name in others if name != TWIN and TWIN in times}
        noisy = {name: noise(floor, q, limit) for name, q in quotients.items()}
        made.append(
            Row(
                op=op.name,
                family=family_of(op),
                mode=f"{backend}-{mode}",
                size=size,
                elements=found["elements"],
                shapes=found["shapes"],
                seconds={name: spread(values).median for name, values in others.items()},
                ratios=quotients,
                over_floor={name: ratio(others[name], floor) for name in others if name not in {FLOOR, TWIN}},
                noisy={name: reason for name, reason in noisy.items() if reason},
                errors=found["errors"][mode],
                rounds=len(floor),
            )
        )
    return made


@dataclass(frozen=True)
class Kept:
    """What one op keeps for its backward in one framework, eagerly.

    Attributes
    ----------
    op, backend : str
        ``swish``, ``torch``.
    inputs : mapping
        Bytes per subject, in largest inputs.
    growth : mapping
        How the bytes grow with the iterations, per subject: the exponent; empty for an op without iterations.
    """

    op: str
    backend: str
    inputs: Mapping[str, float]
    growth: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Peak:
    """The peak memory of the stack of one op in one mode, in tensors, per subject."""

    op: str
    mode: str
    tensors: Mapping[str, float]


@dataclass(frozen=True)
class Bench:
    """A whole run.

    Attributes
    ----------
    rows : tuple of Row
        In the registry's order.
    kept : tuple of Kept
        What is kept for the backward.
    peaks : tuple of Peak
        Of the stack.
    machine : mapping
        Cores, versions, what else was going on.
    command : str
        What was asked for.
    dtype : str
        The type of all inputs.
    missing : mapping
        Frameworks that are not here, with the reason.
    interrupted : bool
        Whether it was ended early.
    """

    rows: tuple[Row, ...]
    machine: Mapping[str, str]
    command: str
    dtype: str
    kept: tuple[Kept, ...] = ()
    peaks: tuple[Peak, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def kept_by(self, op: str, mode: str) -> Mapping[str, float]:
        """Return the memory kept per subject in eager mode, in largest inputs; other modes may keep less."""
        return next((k.inputs for k in self.kept if (k.op, k.backend) == (op, backend_of(mode))), {})

    def growth(self, op: str, mode: str) -> float | None:
        """Return the exponent of the twin's time over the elements, between the two largest sizes."""
        points = {
            row.elements: row.seconds[TWIN] for row in self.rows if (row.op, row.mode) == (op, mode) and row.ratios
        }
        return exponent(sorted(points.items())[-2:]) if len(points) > 1 else None

    def to_json(self) -> str:
        """Return everything as JSON."""
        places = dict.fromkeys((row.op, row.mode) for row in self.rows)
        growth = [{"op": op, "mode": mode, "exponent": self.growth(op, mode)} for op, mode in places]
        return json.dumps({**asdict(self), "growth": growth}, indent=1)
