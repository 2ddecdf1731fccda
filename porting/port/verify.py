"""Checks a translation against its source, in worker processes: the source counts as right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from porting.contract import Contract
from porting.engine.check import check
from porting.errors import PortingError
from porting.loading import LoadError
from porting.pairs.array import COMPLEX, array
from porting.pairs.pair import Pair
from porting.parity.report import Report
from porting.port.adapter import adapter
from porting.port.candidate_inputs import Attempt, attempts, variants
from porting.port.judge import OF_COMPLEX, RAW, TOLD, is_unfit, judged, raises, seen
from porting.port.options import Checking
from porting.port.proof import Proof
from porting.port.spread import spread
from porting.port.ways import is_spread
from porting.translate.argument import Argument
from porting.translate.dialects import DIALECTS, other_than
from porting.translate.translated import Translated

_OVER: Final = "the time of --budget was over"


def verify(source: str, translation: str, to: str, made: Translated, how: Checking) -> Proof:
    """Check a translation, in worker processes.

    Parameters
    ----------
    source, translation : str
        ``path/to/file.py:function``, each.
    to : {"torch", "tf"}
        The framework of the translation.
    made : Translated
        The arguments of both functions, and of the functions that they return, if they return one.
    how : Checking
        The inputs and options to check with; if no inputs are given, a few are tried and those that the source accepts
        are used.

    Raises
    ------
    KeyboardInterrupt
        If it was interrupted.
    """
    of = other_than(to)
    try:
        with TemporaryDirectory(prefix="porting-") as folder:
            trying = _Trying({of: source, to: translation}, of, made, how, Path(folder))
            tries = trying.tries()
            if not tries:
                return Proof(
                    "no verdict", "no argument is known to get a gradient; say what it is called with: --input"
                )
            (pair, attempt), *others = tries
            proof = _checked(pair, of, to, how)
            if proof.status == "no verdict" and others and not how.is_over:
                found = _first_that_runs([other for other, _ in others], to, how)
                again = next((one for one in others if one[0] is found), None)
                if again:
                    pair, attempt = again
                    proof = _where_given(_checked(pair, of, to, how), attempt, trying)
            if proof.status == "no verdict" and not how.inputs and not how.is_over:
                return _with_guess(proof, trying, to)
            if proof.status == "different":
                return _with_arrays(proof, attempt, others, trying, to)
            return _otherwise(proof, trying, _guessed(pair, attempt)) if proof.status == "proven" else proof
    except _InterruptedError as error:
        return replace(judged(error.report, of, to, ended="it was interrupted"), interrupted=True)
    except PortingError as error:
        first, *_, last = [*str(error).splitlines(), ""] if "\n" not in str(error) else str(error).splitlines()
        lacks = error.lacks if isinstance(error, LoadError) else ""
        return Proof("no verdict", f"{first.rstrip(':')}: {last}".rstrip(": "), lacks=lacks)


@dataclass(frozen=True)
class _Trying:
    """Both functions, the source's framework, what is known of their arguments, and a folder for adapters."""

    sides: Mapping[str, str]
    of: str
    made: Translated
    how: Checking
    folder: Path

    @property
    def arguments(self) -> list[Argument]:
        """All arguments, those of a returned function first."""
        return [*self.made.returned, *self.made.arguments]

    @property
    def otherwise(self) -> list[Argument]:
        """The arguments that may be others: of a module those of its constructor."""
        return self.made.settings or self.arguments

    @property
    def name(self) -> str:
        """What the source is called."""
        return self.sides[self.of].rpartition(":")[2]

    def tries(self) -> list[tuple[Pair, Attempt]]:
        """Return the pair with what it may be checked with, the likeliest first."""
        inputs, statics = self.how.inputs, self.how.statics
        if not self.arguments:
            alone = Attempt(dict(inputs), dict(statics))
            pair = Pair(sides=self.sides, reference=self.of, inputs=alone.inputs, statics=alone.statics, name=self.name)
            return [(pair, alone)]
        found = attempts(self.arguments, inputs, statics, self.made.text)
        promoting = not DIALECTS[self.of].traced  # then nothing is for single precision alone
        kept = {str(n): one for n, one in enumerate(found) if not (one.single and promoting)}
        return [(self.pair(label, one), one) for label, one in kept.items()]

    def pair(self, label: str, attempt: Attempt) -> Pair:
        """Return the pair that is called so; its adapters stand in a folder of their own, a module has none."""
        if self.made.settings:
            given, name = (attempt.inputs, attempt.statics), f"{self.name}{label}"
            return Pair(sides=self.sides, reference=self.of, inputs=given[0], statics=given[1], name=name)
        place = self.folder / label
        place.mkdir()
        adapters = {
            side: adapter(
                place, f"{side}{label}", at, self.made.arguments, attempt.inputs, attempt.statics, self.made.returned,
            )
            for side, at in self.sides.items()
        }  # fmt: skip
        return _pair(adapters, self.of, attempt, self.arguments, f"{self.name}{label}")


def _guessed(pair: Pair, attempt: Attempt) -> Attempt:
    """Return an attempt with the inputs that a check guessed of a module, so that the next one is asked with them."""
    guess = None if attempt.inputs else pair.guess()
    return Attempt(dict(guess.pair.inputs), {**attempt.statics, **guess.settings}) if guess else attempt


def _with_guess(proof: Proof, trying: _Trying, to: str) -> Proof:
    """Return what is proven with inputs that the check guesses: what the sources say of them, shapes that fit.

    They are given by nobody, so that no other way to call the functions is tried, but with what has a gradient and may
    be left out.
    """
    how = trying.how
    wrt = tuple(a.name for a in trying.arguments if a.differentiated and not a.default)
    contract = Contract(wrt=wrt) if wrt else Contract()
    pair = Pair(sides=dict(trying.sides), reference=trying.of, statics=how.statics, contract=contract, name=trying.name)
    try:
        found = _checked(pair, trying.of, to, how)
    except _InterruptedError:
        return replace(proof, interrupted=True)
    except PortingError:
        return proof
    optional = any(a.differentiated and a.default for a in trying.arguments)
    if found.status == "proven" and (optional or trying.made.settings):
        guess = pair.guess()
        given = guess.pair.inputs if guess else {name: array() for name in wrt}
        settings = {**how.statics, **(guess.settings if guess else {})}
        return _otherwise(found, trying, Attempt(dict(given), settings))
    return proof if found.status == "no verdict" else found


def _where_given(proof: Proof, attempt: Attempt, trying: _Trying) -> Proof:
    """Say which arguments had to be given, though they may be left out."""
    given = [a.name for a in trying.arguments if a.default and a.name in {*attempt.statics} - {*trying.how.statics}]
    if not given or proof.status != "proven":
        return proof
    return replace(proof, counted=f"{proof.counted}; nothing is known where {' and '.join(given)} is left out")


def _otherwise(proof: Proof, trying: _Trying, attempt: Attempt) -> Proof:
    """Return what is left of a proof where the functions are called in other ways.

    An argument that is None where it is left out, and has no gradient, is never given: a mask, say.
    """
    proof = _called_otherwise(proof, trying, attempt)
    taken = {*attempt.inputs, *attempt.statics}
    left = [a.name for a in trying.arguments if a.absent and not a.differentiated and a.name not in taken]
    left = [name for name in left if f"with {name}" not in proof.counted]
    if not left or proof.status != "proven":
        return proof
    return replace(proof, counted=f"{proof.counted}; nothing is known where {' or '.join(left)} is given")


def _with_arrays(
    proof: Proof, attempt: Attempt, others: Sequence[tuple[Pair, Attempt]], trying: _Trying, to: str
) -> Proof:
    """Return what is proven with arrays for the numbers that nobody gave, where the translation raises for these.

    A number where a tensor is meant, TensorFlow makes a tensor; PyTorch does not. Then the numbers are a limit. So are
    real numbers where complex ones are meant: the imaginary part of a real tensor is 0 in TensorFlow alone.
    """
    guessed = {n: v for n, v in attempt.statics.items() if n not in trying.how.statics}
    guessed = {a.name: guessed[a.name] for a in trying.arguments if not a.default and a.name in guessed}
    arrays = [one for one in others if guessed.keys() <= one[1].inputs.keys() and not one[1].single]
    arrays = arrays if guessed else [one for one in others if _is_complex(one[0])]
    if not arrays or not raises(proof, to):
        return proof
    found = _first_that_runs([pair for pair, _ in arrays], to, trying.how)
    if found is None:
        return proof
    again = _checked(found, trying.of, to, trying.how)
    if again.status != "proven":
        return proof
    said = ", ".join(f"{name}={value!r}" for name, value in guessed.items()) or "real numbers"
    return replace(again, limits={**again.limits, f"with {said}": proof.counted})


def _called_otherwise(proof: Proof, trying: _Trying, attempt: Attempt) -> Proof:
    """Look at values and gradients where the functions are called in other ways: defaults left out, other statics.

    A way that the source refuses proves nothing.
    """
    given = {*trying.how.inputs, *trying.how.statics}
    otherwise = [*variants(attempt, trying.otherwise, given), *spread(attempt, trying.arguments, given)]
    ways = {f"other{n}": way for n, way in enumerate(otherwise)}
    if not ways:
        return proof
    try:
        pairs = [trying.pair(label, way) for label, (_, way) in ways.items()]
        report = _whole(check(pairs, only=TOLD, dtypes=["float64"], **trying.how.asked))
    except _InterruptedError:
        return replace(proof.unfinished("it was interrupted where it is called in other ways"), interrupted=True)
    except PortingError:  # a way that cannot be asked takes nothing from what was proven
        return proof
    same: list[str] = []
    left: list[str] = []
    for pair, (said, _) in zip(pairs, ways.values(), strict=True):
        mine = [r for r in report.results if r.op == pair.name]
        theirs, ours = ([r for r in mine if r.runner == runner] for runner in (trying.of, other_than(trying.of)))
        if any(r.status == "differ" for r in theirs):
            continue
        wrong = next((r for r in ours if r.status == "differ"), None)
        if wrong and is_spread(said):
            proof = replace(proof, limits={**proof.limits, said: seen(wrong)})
            continue
        if wrong:
            return replace(proof, status="different", counted=f"{said}: {wrong.check}: {seen(wrong)}", also="")
        whole = {r.check for r in ours if r.status == "agree" and r.compared} >= {*TOLD}
        (same if whole else left).append(said)
    if left and _is_over(report, other_than(trying.of), trying.how):
        return proof.unfinished(f"{_OVER} before it was called {', '.join(left)}")
    tried = dict.fromkeys(way for way, _ in ways.values())
    optional = {f"with {a.name}" for a in trying.arguments if a.differentiated and a.default}
    never = [way for way in tried if way in optional and way not in same]
    more = [f"; also {', '.join(dict.fromkeys(same))}"] if same else []
    more += [f"; not compared {', '.join(never)}: say what it is, --input"] if never else []
    return replace(proof, counted=f"{proof.counted}{''.join(more)}")


def _checked(pair: Pair, of: str, to: str, how: Checking) -> Proof:
    whole = _whole(check(pair, dtypes=how.dtypes, strict=True, **how.asked))
    ended = _OVER if _is_over(whole, to, how) else ""
    return judged(whole, of, to, of_complex=_is_complex(pair), ended=ended)


def _is_complex(pair: Pair) -> bool:
    """Whether an input holds complex numbers."""
    return any(given.dtype in COMPLEX for given in pair.inputs.values())


def _is_over(report: Report, to: str, how: Checking) -> bool:
    """Whether the time of --budget was over before all of a translation was compared."""
    return how.left is not None and any(r.cut for r in report.results if r.runner == to)


class _InterruptedError(Exception):
    """A check was interrupted: the part of it that was done proves nothing."""

    def __init__(self, report: Report) -> None:
        super().__init__("interrupted")
        self.report = report


def _whole(report: Report) -> Report:
    """Return a report that was not interrupted."""
    if report.interrupted:
        raise _InterruptedError(report)
    return report


def _pair(adapters: Mapping[str, str], of: str, attempt: Attempt, arguments: Sequence[Argument], name: str) -> Pair:
    wrt = tuple(a.name for a in arguments if a.differentiated and a.name in attempt.inputs)
    contract = Contract(wrt=wrt) if wrt and len(wrt) < len(attempt.inputs) else Contract()
    return Pair(
        sides=dict(adapters),
        reference=of,
        inputs=attempt.inputs,
        statics=attempt.statics,
        contract=contract,
        name=name,
    )


def _first_that_runs(pairs: Sequence[Pair], to: str, how: Checking) -> Pair | None:
    """Return the first pair whose source computes something with what it is given, if one does.

    One whose source has gradients of other shapes than its inputs comes after those that have none.
    """
    report = _whole(check(pairs, only=[*TOLD, OF_COMPLEX, RAW], **how.asked))
    running: list[Pair] = []
    for pair in pairs:
        mine = [r for r in report.results if r.op == pair.name]
        compared = {r.check for r in mine if r.runner == to and r.compared}
        if compared >= set(TOLD) or (OF_COMPLEX in compared and _is_complex(pair)):
            if not any(is_unfit(r) for r in mine if r.runner != to):
                return pair
            running.append(pair)
    return next(iter(running), None)
