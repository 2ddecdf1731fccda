"""What a proof costs, as it was measured."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from porting.bench.checking.steps import CHECK, UNIT
from porting.bench.growth import exponent
from porting.bench.ratio import Spread, ratio, spread

FLAT: Final = 10_000  # elements up to which the cost of a check should hardly grow


@dataclass(frozen=True)
class Place:
    """One op in one framework at one size.

    Attributes
    ----------
    op, backend : str
        ``swish``, ``torch``.
    size : int
        Elements of the largest input.
    seconds : mapping
        Median time of one call, by subject.
    units : mapping
        The time over that of one forward and backward, within the round.
    errors : mapping
        The subjects without a time, with the reason.
    """

    op: str
    backend: str
    size: int
    seconds: Mapping[str, float] = field(default_factory=dict)
    units: Mapping[str, Spread] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)


def place_of(
    op: str, backend: str, size: int, times: Mapping[str, Sequence[float]], errors: Mapping[str, str]
) -> Place:
    """Return what was measured at one size, from seconds per round by subject."""
    seconds = {subject: spread(values).median for subject, values in times.items()}
    unit = times.get(UNIT)
    units = {subject: ratio(values, unit) for subject, values in times.items() if unit and subject != UNIT}
    return Place(op, backend, size, seconds, units, errors)


@dataclass(frozen=True)
class Checking:
    """A whole run.

    Attributes
    ----------
    places : tuple of Place
        By op, framework and size.
    whole : mapping
        Seconds of all checks of an op in all types, by framework and op.
    imports : mapping
        Seconds of importing a framework, by framework.
    machine : mapping
        What the numbers depend on.
    command : str
        What was asked for.
    missing : mapping
        Frameworks that are not here, with the reason.
    interrupted : bool
        Whether it was ended early.
    """

    places: tuple[Place, ...]
    whole: Mapping[str, Mapping[str, float]]
    imports: Mapping[str, float]
    machine: Mapping[str, str]
    command: str = ""
    missing: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def sizes(self) -> list[int]:
        """All sizes, ascending."""
        return sorted({p.size for p in self.places})

    @property
    def of(self) -> list[tuple[str, str]]:
        """Ops and frameworks, by op."""
        ops = list(dict.fromkeys(p.op for p in self.places))
        return sorted(dict.fromkeys((p.op, p.backend) for p in self.places), key=lambda one: ops.index(one[0]))

    def at(self, op: str, backend: str) -> dict[int, Place]:
        """Return what was measured of an op in a framework, by size."""
        return {p.size: p for p in self.places if (p.op, p.backend) == (op, backend)}

    def growth(self, op: str, backend: str) -> float | None:
        """Return the exponent with which a check's time grows with the elements up to 10,000; None of one size."""
        found = self.at(op, backend).items()
        points: dict[float, float] = {n: p.seconds[CHECK] for n, p in found if CHECK in p.seconds and n <= FLAT}
        return exponent(points) if len(points) > 1 else None

    def to_json(self) -> str:
        """Return everything as JSON."""
        growth: list[dict[str, Any]] = [
            {"op": op, "backend": backend, "exponent": self.growth(op, backend)} for op, backend in self.of
        ]
        return json.dumps({**asdict(self), "growth": growth}, indent=1)
