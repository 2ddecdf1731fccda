"""How a check asks: an op on a runner in a dtype, the truth, and the findings that come of it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from porting.dtypes import complex_of, real_of
from porting.errors import NoTruthError, PortingError
from porting.parity.cases import Cases
from porting.parity.codes import OF_NUMBERS
from porting.parity.drawing import drawn
from porting.parity.finding import Finding
from porting.parity.kept import digest, kept
from porting.runners import RUNNERS, Case, Outcome, Runner, runner_of
from porting.runners.base import NOT_POSSIBLE, asked_for_the_truth
from porting.runners.side import passed_by

if TYPE_CHECKING:
    from porting.runners.uses import Use

COMPLEX_ONLY: Final = (
    "takes complex numbers only: `complex_numbers` compares its values and gradients, and this asks with real numbers"
)

_AXES: Final = 4  # that are tried, from one on
_ONE_IS_COMPLEX: Final = (
    "one side's output is complex for real numbers, the other's is real: `complex_numbers` compares for complex ones"
)


class OracleError(PortingError):
    """The oracle gives no truth to compare with."""


class NotApplicableError(Exception):
    """The property has no meaning for this op, runner or dtype; the message says why."""


@dataclass
class Asking(Cases):
    """One op on one runner, device, mode and dtype, while one check looks at it; see `Cases` for the first attributes.

    Attributes
    ----------
    runner : Runner
        Who answers.
    findings : dict of tuple to Finding
        By what they say; the same thing said of several cases is one finding.
    compared, excused : int
        Elements and facts compared; elements not judged.
    largest : float
        The largest error seen, in units of the tolerance.
    waived, note : str
        What the contract waives and why that holds; anything else to say.
    cut : bool
        Whether time was over before all was compared.
    kind : str
        The kind of the findings from now on.
    """

    runner: Runner = RUNNERS["oracle"]
    findings: dict[tuple[Any, ...], Finding] = field(default_factory=dict)
    compared: int = 0
    excused: int = 0
    largest: float = 0.0
    waived: str = ""
    note: str = ""
    cut: bool = False
    kind: str = "fault"
    _truths: dict[int, tuple[Case, Outcome]] = field(default_factory=dict)

    @property
    def independent(self) -> bool:
        """Whether the truth is not the runner's own answer in the same type."""
        recorded = self.op.memory is not None and self.op.truth == "oracle"  # and the runner has today's
        return self.op.truth != self.runner.key or self.dtype != "float64" or recorded

    @property
    def arithmetic(self) -> str:
        """The type that the runner computes in: the oracle takes rounded inputs, but works in float64."""
        return "float64" if self.runner.key == "oracle" else self.dtype

    def run(self, case: Case, how: str = "", **of: Any) -> Outcome | None:
        """Run a case; an exception becomes a finding, which says `how` it was run, and `None` comes back.

        `how` is a key of `porting.parity.codes.USES`, `of` has its fields.
        """
        return self.accepted(case, self.runner.run(case), how, **of)

    def accepted(
        self, case: Case, outcome: Outcome, how: str = "", *, raised_with: Sequence[str] = (), **of: Any
    ) -> Outcome | None:
        """Return an outcome; one that raised becomes a finding, as in `run`, which says with what it did."""
        if outcome.raised is None:
            return outcome
        if outcome.raised.stage == NOT_POSSIBLE:
            raise NotApplicableError(outcome.raised.message)
        if self.output_differs(case, outcome):
            raise NoTruthError("its output has another shape than the other side's, whose cotangent it was sent")
        if self.op.truth not in {"oracle", self.runner.key} and RUNNERS["oracle"].run(case).raised:
            raise NoTruthError(f"both sides raise, here {outcome.raised}")
        if self.op.contract.complex and self.op.truth != "oracle" and self.takes_complex(case):
            raise NoTruthError(f"it {COMPLEX_ONLY}")
        r = outcome.raised
        arrays = [f"{name} {x.dtype}{list(x.shape)}" for name, x in case.inputs.items()]
        passed = passed_by(self.op.bound(self.runner.key))
        shapes = ", ".join([*arrays, *(f"{name}={value!r}" for name, value in passed.items())])
        said = {"stage": r.stage, "type": r.type, "message": r.message, "where": r.where, "shapes": shapes}
        purpose = {"on_purpose": True} if r.on_purpose else {}
        silent = {"raised_with": raised_with} if raised_with else {}
        self.find(Finding("raised", {**said, **purpose, **silent, **use_of(how, of)}))
        return None

    def output_differs(self, case: Case, outcome: Outcome) -> bool:
        """Whether another side, which stands in for the oracle, gives outputs of other shapes."""
        if not self.independent or self.op.truth == "oracle" or not outcome.value:
            return False
        wanted = self.truth(replace(case, dy=None, ddx=None)).value  # its gradient may have any shape
        return any(y.shape != want.shape for y, want in zip(outcome.value, wanted, strict=False))

    def takes_complex(self, case: Case) -> bool:
        """Whether a side that refuses real numbers, in an everyday use too, takes complex ones."""
        if any(np.iscomplexobj(x) for x in case.inputs.values()):
            return False
        everyday = replace(case, ddx=None, use="plain", other=None, mode="eager", used=None, watch=None, raw=False)
        if self.runner.run(everyday).raised is None:
            return False
        inputs = self.op.in_complex(case.inputs, lambda x: x.astype(complex_of(self.dtype)))
        plain = replace(case, inputs=inputs, dy=None, ddx=None, use="plain", other=None)
        return self.runner.run(plain).raised is None

    def ensure_one_kind(self, case: Case, outcome: Outcome, wanted: Sequence[Any]) -> None:
        """Leave the check if, of complex inputs asked with real numbers, one side's output is complex and one's real.

        Nobody promised anything of real numbers there. A complex output of real inputs has its parts in a last axis.

        Raises
        ------
        NoTruthError
            If so.
        """
        if not self.op.complex_inputs or any(map(np.iscomplexobj, case.inputs.values())):
            return
        shapes = [(y.shape, want.shape) for y, want in zip(outcome.value, wanted, strict=False)]
        if any((*a, 2) == b or (*b, 2) == a for a, b in shapes):
            raise NoTruthError(_ONE_IS_COMPLEX)

    def as_deep_as_taken(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return a shape, with as many axes of one behind it as both sides want, where nobody said how many there are.

        What takes sums along its second axis takes no vector.
        """
        if self.op.contract.shapes or self.op.truth in {"oracle", self.runner.key}:
            return shape
        for deep in ((*shape, *(1,) * more) for more in range(_AXES)):
            with suppress(NoTruthError):  # the other side, which is asked for its outputs, may refuse it
                if self.runner.run(self.case("axes", shape=deep)).raised is None:
                    return deep
        return shape

    @property
    def who(self) -> str:
        """Who has the truth, as findings call it: ``oracle``, ``own``, or the title of the other side."""
        if self.op.truth in {"oracle", self.runner.key}:
            return "oracle" if self.op.truth == "oracle" else "own"
        return runner_of(self.op, self.op.truth).title

    def ensure_use(self, use: "Use") -> None:
        """Leave the check if the runner does not know a use.

        Raises
        ------
        NotApplicableError
            If so.
        """
        if use not in self.runner.uses:
            raise NotApplicableError(f"{self.runner.title} {self.runner.version()} cannot tell")

    def truth(self, case: Case) -> Outcome:
        """Run the oracle on the same numbers.

        Raises
        ------
        OracleError
            If the oracle raises, or gives a gradient of another shape than its input.
        NoTruthError
            If there is no oracle, and the side that has the truth raises, or gives a gradient of another shape.
        """
        if id(case) in self._truths:
            return self._truths[id(case)][1]
        random = self._drawn(case) if case.dy is not None else ""
        if random:
            who = f"{self.who}'s gradient" if random == "gradient" else self.who
            raise NoTruthError(f"{who} draws random numbers; pass the noise as an input")
        outcome = self._asked(case)
        if outcome.raised is not None and self.op.truth != "oracle":
            if outcome.raised.type == NoTruthError.__name__:  # which says who raised what
                raise NoTruthError(outcome.raised.message)
            raise NoTruthError(f"{runner_of(self.op, self.op.truth).title} raised {outcome.raised}")
        if outcome.raised is not None:
            raise OracleError(f"the oracle raised {outcome.raised} at {outcome.raised.where}")
        for name, dx in zip(self.op.wrt, outcome.vjp, strict=False):
            if dx is not None and dx.shape != case.inputs[name].shape:
                shapes = f"{list(dx.shape)}, its input {list(case.inputs[name].shape)}"
                if self.op.truth != "oracle":
                    who = runner_of(self.op, self.op.truth).title
                    raise NoTruthError(f"{who}'s gradient of {name} has shape {shapes}")
                raise OracleError(f"the oracle's gradient of {name} has shape {shapes}")
        if self.op.truth != "oracle":  # whose complex gradient of a real input is its own fault
            parts = zip(self.op.wrt, outcome.vjp, strict=False)
            outcome = replace(outcome, vjp=tuple(real_of(g, case.inputs[name]) for name, g in parts))
        self._truths[id(case)] = case, outcome
        return outcome

    def _drawn(self, case: Case) -> str:
        """Return what another side, which has the truth, draws by random numbers: value, or gradient alone."""
        if self.op.truth in {"oracle", "like", self.runner.key} or self.op.memory is not None:
            return ""
        truth = runner_of(self.op, self.op.truth)
        with asked_for_the_truth(self.op.truth):  # one that does not come back is not this side's
            return kept(self.op, self.seed, ("draws", self.dtype), lambda: drawn(truth, case))

    def _asked(self, case: Case) -> Outcome:
        def ask() -> Outcome:
            return RUNNERS["oracle"].run(case)

        if self.op.memory is not None:  # which may have more than one answer
            return ask()
        return kept(self.op, self.seed, ("truth", self.op.narrow, digest(case)), ask)

    def find(self, finding: Finding) -> None:
        """Note a finding; one that was made before is merged. It says in which type the truth was asked for."""
        kind = finding.kind if finding.kind != "fault" else self.kind
        narrower = self.op.truth_in and finding.has(truth=self.who)
        fields = {**finding.fields, "in_type": self.op.truth_in} if narrower else finding.fields
        if self.op.vectors and finding.code in OF_NUMBERS:
            fields = {**fields, "vectors": [*self.op.vectors]}
        finding = replace(finding, kind=kind, fields=fields)
        before = self.findings.get(finding.key)
        self.findings[finding.key] = before.merged(finding) if before else finding

    def fact(self, holds: bool, code: str, kind: str = "fault", **fields: Any) -> bool:
        """Count one yes-or-no comparison and note a finding if it does not hold."""
        self.compared += 1
        if not holds:
            self.find(Finding(code, fields, kind))
        return holds


def use_of(how: str, of: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that say how an op is used; none for the everyday use."""
    return {"how": how, **of} if how else {}
