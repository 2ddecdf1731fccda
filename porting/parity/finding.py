"""What the checks say: `Finding`, one broken promise; `Result`, one check on one runner."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Final, Self, TypeAlias

from porting.parity import sentences
from porting.parity.codes import ensure_known, identity

Side: TypeAlias = tuple[str, str, str, str]  # op, runner, device, mode

STATUSES: Final = ("agree", "waived", "known", "note", "differ", "no verdict", "not applicable")
KINDS: Final = ("fault", "disagreement", "portability", "kink convention", "precision", "framework fault", "no verdict")


@dataclass(frozen=True)
class Around:
    """The elements beside one of an array, row after row: what is there, what should be, by how much it may be off.

    `first` is the place of the first of them, counted through the whole array, `shape` the lengths of the array's axes.
    """

    first: int
    shape: tuple[int, ...]
    got: tuple[float, ...]
    want: tuple[float, ...]
    allowed: tuple[float, ...]


@dataclass(frozen=True)
class Worst:
    """The element that is furthest off.

    `name` is what was compared (``y``, ``dx``), `at` the inputs and cotangents at that element where they have its
    shape, `ulp` and `allowed` the error and the tolerance in units in the last place. `around` are the elements beside
    it, which a report of an older version lacks.
    """

    name: str
    place: tuple[int, ...]
    got: float
    want: float
    at: dict[str, float]
    ulp: float
    allowed: float
    ratio: float
    around: Around | None = None

    @property
    def label(self) -> str:
        """``dx[3,17]``."""
        return f"{self.name}[{','.join(map(str, self.place))}]" if self.place else self.name

    def __str__(self) -> str:
        """``dx[3,17] = 0.99975586, should be 1   x = 88.73, dy = 1   (4096 ulp, 16 allowed)``."""
        return self.told("should be")

    def told(self, wanted: str) -> str:
        """Return the same with other words before the true number."""
        apart = {"dy": "cotangent"} if self.name == "dy" else {}  # of an input that is called y
        at = ", ".join(f"{apart.get(name, name)} = {x:.8g}" for name, x in self.at.items())
        off = f"({self.ulp:.4g} ulp, {self.allowed:.4g} allowed)"
        if not isfinite(self.ulp):  # beside 0 a unit in the last place is nothing
            numbers = isfinite(self.got) and isfinite(self.want)
            off = f"({self.ratio:.4g} times what is allowed)" if numbers else "(not finite)"
        got, want = sentences.apart(self.got, self.want, 9)
        return f"{self.label} = {got}, {wanted} {want}   {at}   {off}"


@dataclass(frozen=True)
class Finding:
    """One broken promise.

    Attributes
    ----------
    code : str
        What is broken: one of `porting.parity.codes.CODES`.
    fields : mapping
        What the code says it of, as listed there.
    kind : str
        One of `KINDS`.
    worst : Worst, optional
        The worst element, when numbers were compared; `bad` of `total` elements differ.
    """

    code: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    kind: str = "fault"
    worst: Worst | None = None
    bad: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        """Refuse a code or a field that is not in the list."""
        ensure_known(self.code, self.fields)

    @property
    def key(self) -> tuple[Any, ...]:
        """What two findings that say the same have in common."""
        return identity(self.code, self.fields)

    @property
    def what(self) -> str:
        """One line for people: ``gradient of x differs from the oracle``."""
        return sentences.sentence(self.code, self.fields)

    @property
    def details(self) -> tuple[str, ...]:
        """Further lines for people."""
        return sentences.further(self.code, self.fields)

    def has(self, **wanted: Any) -> bool:
        """Whether the fields have these values; a field that is not there is empty."""
        return all(self.fields.get(name, "") == value for name, value in wanted.items())

    def lacks_digits(self, who: str) -> bool:
        """Whether what is off is explained by the digits that one has: ``got``, the side, or ``want``, the truth."""
        return self.fields.get("single") == who or self.fields.get("noisy") in {who, "both", "float32"}

    def __str__(self) -> str:
        """Return the finding on its own: what, how far off, further lines."""
        kind = "" if self.kind == "fault" else f"  ({self.kind})"
        wanted = sentences.wanted(self.fields)
        worst = [f"worst: {self.worst.told(wanted)}; {self.bad} of {self.total} elements"] if self.worst else []
        return "\n  ".join([self.what + kind, *worst, *self.details])

    @property
    def seen(self) -> str:
        """What, and the worst element, on one line."""
        return f"{self.what}: {self.worst.told(sentences.wanted(self.fields))}" if self.worst else self.what

    def merged(self, other: Self) -> Self:
        """Return one finding for two that say the same, with the worse element and both counts."""
        mine = self.worst.ratio if self.worst else 0.0
        theirs = other.worst.ratio if other.worst else 0.0
        keep = other if theirs > mine else self
        return replace(keep, bad=self.bad + other.bad, total=self.total + other.total)


@dataclass(frozen=True)
class Diagnosis:
    """The likely cause of the findings on one side of an op.

    `cause` is its name for ``porting explain``, `kind` one of `KINDS`, `title` one sentence, `seen` the numbers that
    speak for it, `fix` what to do in this framework; of a disagreement, how to settle it. `provided` is the framework
    that must be right for it to hold. `explains` are the checks whose findings it was named for, `raised_in` the
    type in which an exception was seen that speaks for it: in another one another exception may come. `of_input` is the
    input whose gradient it is of, where those of several inputs have causes of their own. `meant` is what nobody
    said and it was seen for: "the guessed inputs are", where these were found by trying.
    """

    op: str
    runner: str
    device: str
    mode: str
    cause: str
    kind: str
    title: str
    seen: str
    fix: str
    provided: str = ""
    explains: tuple[str, ...] = ()
    raised_in: str = ""
    of_input: str = ""
    meant: str = ""

    @property
    def side(self) -> Side:
        """Who was asked: the key that results, tasks and causes of one side share."""
        return self.op, self.runner, self.device, self.mode

    @property
    def condition(self) -> str:
        """What must hold for it to be a fault of this side; empty where nothing must."""
        right = [f"{self.provided} is right"] if self.provided else []
        meant = [f"{self.meant} meant"] if self.meant else []
        return f"if {' and '.join([*right, *meant])}" if right or meant else ""

    @property
    def claim(self) -> str:
        """One line: how sure it is, the title, the name."""
        sure = f"I{self.condition[1:]}" if self.condition else "Likely cause"
        return f"{sure}{f', of {self.of_input}' if self.of_input else ''}: {self.title} ({self.cause}, {self.kind})"

    @property
    def advice(self) -> str:
        """What to do, after what it is for."""
        return f"{'to settle it' if self.kind == 'disagreement' else 'fix'}: {self.fix}"

    def __str__(self) -> str:
        """Return cause, numbers and fix, a line each."""
        return f"{self.claim[0].lower()}{self.claim[1:]}\n  seen: {self.seen}\n  {self.advice}"


@dataclass(frozen=True)
class Result:
    """One check of one op on one runner, device, mode and dtype.

    Attributes
    ----------
    status : str
        One of `STATUSES`. ``waived``: the contract waives the claim, and the waiver holds. ``known``: it differs, as an
        accepted difference says. ``note``: it differs, and may be meant so. ``no verdict``: nothing could be decided;
        never counted as a pass.
    note : str
        Why it is waived, known, undecided or not applicable.
    compared, excused : int
        How many elements and facts were compared, and how many elements were not judged (overflow, kinks that the type
        cannot represent).
    largest : float
        The largest error seen, in units of the tolerance.
    where : str
        ``file:line`` of the implementation.
    target : str
        What names the op on a command line; empty for one that was made in Python.
    cut : bool
        Whether time was over before all was compared.
    undefined : bool
        Whether nothing was compared as no value is finite for what was drawn, and where values are is not known.
    drawn : bool
        Whether the op draws random numbers, which both sides were given alike.
    """

    op: str
    check: str
    runner: str
    device: str
    mode: str
    dtype: str
    seed: int
    status: str
    note: str = ""
    findings: tuple[Finding, ...] = ()
    compared: int = 0
    excused: int = 0
    largest: float = 0.0
    where: str = ""
    target: str = ""
    cut: bool = False
    undefined: bool = False
    drawn: bool = False

    @property
    def side(self) -> Side:
        """Who was asked: the key that results, tasks and causes of one side share."""
        return self.op, self.runner, self.device, self.mode

    @property
    def found(self) -> bool:
        """Whether it found something that nobody has accepted."""
        return self.status in {"differ", "note"}

    def __str__(self) -> str:
        """Every finding in the one message form; one line if there is none."""
        if not self.findings:
            return f"{self.head}{self.check}: {self.status}{f' ({self.note})' if self.note else ''}"
        return "\n".join(self.message(finding) for finding in self.findings)

    @property
    def head(self) -> str:
        """What every message about this result begins with."""
        mode = "" if self.mode == "eager" else f" {self.mode}"
        return f"{self.op}  {self.runner} {self.device}{mode} {self.dtype} · "

    def message(self, finding: Finding, *more: str) -> str:
        """Return one finding in the one message form: what, how far off, more lines, where, how to see it again."""
        accepted = [f"accepted: {self.note}"] if self.status == "known" else []
        place = [self.where] if self.where else []
        lines = [f"{self.head}{finding}", *more, *accepted, *place, f"again: {self.again}"]
        return "\n  ".join(lines)

    @property
    def again(self) -> str:
        """The command that repeats this check, or the arguments for an op that was made in Python."""
        if not self.target:
            return (
                f"check(…, runners=[{self.runner!r}], dtypes=[{self.dtype!r}], only=[{self.check!r}], seed={self.seed})"
            )
        mode = "" if self.mode == "eager" else f" --mode {self.mode}"
        device = "" if self.device == "cpu" else f" --device {self.device}"
        return (
            f"porting check {self.target} --runner {self.runner} --dtype {self.dtype}{mode}{device}"
            f" -k {self.check} --seed {self.seed}"
        )
