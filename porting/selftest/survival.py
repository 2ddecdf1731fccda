"""The mutants of our own twins, and the check that kills each: with the oracle, as a pair without one, and alone."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Final, TypeAlias

from porting import registry
from porting.backends import CATALOGUED
from porting.engine.check import check
from porting.pairs.pair import Pair
from porting.parity.checks import checks
from porting.parity.finding import Result
from porting.parity.plan import UsageError, installed
from porting.parity.report import EXIT_AGREE, EXIT_DIFFER, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_NOTHING
from porting.runners import RUNNERS
from porting.selftest.branches import as_if_compiled, branches
from porting.selftest.mutants import Mutant, equivalents, mutants
from porting.selftest.mutation import home
from porting.selftest.planted import right_toys
from porting.selftest.spread import collect, described, spread
from porting.spec import Op

Twin: TypeAlias = tuple[str, str, str]  # way, backend, name of the op: ``custom_exp``, ``toys.cube``
Known: TypeAlias = tuple[str, str, tuple[str, ...]]  # check, type, codes of what it finds

WAYS: Final = ("oracle", "pair", "alone")
WANTED: Final = {"oracle": 0.99, "pair": 0.97}  # of the mutants must be killed
_DTYPES: Final = ("float64", "float32")
_FIRST: Final = (("vjp", "value"), ("linear", "adjoint", "raw_gradient"))  # cheap ones, which kill most
_GRAPH: Final = "function"  # a mode, of who has it
_COMPILED: Final = "compiled formula"  # eager, and the lines run that are written for a compiler
_LAST: Final = ("second_order",)  # without an oracle it asks for thousands of the other side's gradients


@dataclass(frozen=True)
class Right:
    """A right twin, bound in one of the `WAYS`: no mutant is killed by what is found of it too.

    `fails` are the checks that find something, with types and codes; `error` is what a check raised, a fault of ours.
    """

    way: str
    backend: str
    op: str
    fails: tuple[Known, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Verdict:
    """One mutant, judged in one of the `WAYS`.

    Attributes
    ----------
    way, backend, op : str
        How, and whose twin it is.
    number : int
        Its place in the list of `mutants`.
    file, line, label : str, int, str
        Where it is in the twin's source, and what stood there and stands there now.
    killer : str
        The first check that differs; empty if it survives.
    error : str
        What a check raised, a fault of ours.
    """

    way: str
    backend: str
    op: str
    number: int
    file: str
    line: int
    label: str
    killer: str = ""
    error: str = ""


@dataclass(frozen=True)
class Survival:
    """All verdicts, what is found on right twins, and whether it was interrupted."""

    verdicts: tuple[Verdict, ...]
    right: tuple[Right, ...] = ()
    interrupted: bool = False

    def judged(self, way: str, backend: str = "", op: str = "") -> list[Verdict]:
        """Return the verdicts of one way, and of one backend and op."""
        return [v for v in self.verdicts if v.way == way and backend in {"", v.backend} and op in {"", v.op}]

    def fraction(self, way: str) -> float:
        """Return how many of the mutants are killed in one way."""
        judged = self.judged(way)
        return sum(bool(v.killer) for v in judged) / len(judged) if judged else 0.0

    def killers(self, way: str) -> Counter[str]:
        """Return how many mutants each check killed as the first."""
        return Counter(v.killer for v in self.judged(way) if v.killer)

    @property
    def errors(self) -> list[str]:
        """What failed in ours, each with the mutant."""
        found = [f"{r.backend} {r.op}, the right twin, {r.way}: {r.error}" for r in self.right if r.error]
        return found + [f"{v.file}:{v.line} {v.label}, {v.way}: {v.error}" for v in self.verdicts if v.error]

    @property
    def exit_code(self) -> int:
        """0: enough are killed with the oracle and as a pair; 3: a check failed."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        if self.errors:
            return EXIT_INTERNAL
        if not self.verdicts:
            return EXIT_NOTHING
        enough = all(self.fraction(way) >= least for way, least in WANTED.items() if self.judged(way))
        return EXIT_AGREE if enough else EXIT_DIFFER

    def to_json(self) -> str:
        """Return verdicts and sums as JSON text."""
        ways = [way for way in WAYS if self.judged(way)]
        content = {
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "right": [asdict(right) for right in self.right],
            "killed": {way: self.fraction(way) for way in ways},
            "killers": {way: dict(self.killers(way).most_common()) for way in ways},
            "interrupted": self.interrupted,
            "exit_code": self.exit_code,
        }
        return json.dumps(content, indent=1)


def survival(
    backends: Sequence[str],
    *,
    toys: bool = False,
    keyword: str = "",
    seed: int = 0,
    jobs: int = 1,
    on_start: Callable[[int], None] | None = None,
    on_result: Callable[[Right | Verdict], None] | None = None,
) -> Survival:
    """Judge all mutants of the catalogue's twins but the equivalent ones, in each way that is possible here.

    Parameters
    ----------
    backends : sequence of str
        ``torch``, ``tf``. Pairs want both frameworks to be installed.
    toys : bool
        The mutants of the right toys too.
    keyword : str
        Only twins whose name, ``torch.custom_exp`` or ``torch.toys.cube``, contains this text.
    seed : int
        Inputs and cotangents follow from it.
    jobs : int
        Number of worker processes; 1 runs in this process.
    on_start, on_result : callable, optional
        Told the number of judgements to come, of right twins and of mutants, then each.

    Raises
    ------
    UsageError
        If no twin has such a name.
    """
    named = [(key, name) for key in backends for name in _ops(key, toys=toys) if keyword in f"{key}.{name}"]
    if keyword and not named:
        raise UsageError(f"no twin matches -k {keyword!r}; they are called torch.custom_exp; toys want --toys")
    both = set(CATALOGUED) <= set(installed()[0])
    twins = [(way, *twin) for twin in named for way in WAYS if way != "pair" or both]
    equivalent = equivalents()
    wanted = {twin: [m.number for m in _mutants(*twin) if m.key not in equivalent] for twin in named}
    if on_start:
        on_start(len(twins) + sum(len(wanted[backend, op]) for _, backend, op in twins))
    needed: Collection[str] = CATALOGUED if both else backends
    asked = [(twin, seed) for twin in twins]
    right, interrupted = collect(spread(check_right, asked, jobs, needed, _lost_right), on_result)
    verdicts: list[Verdict] = []
    if not interrupted:
        exempt = {(r.way, r.backend, r.op): r.fails for r in right}
        work = [(twin, number, exempt[twin], seed) for twin in twins for number in wanted[twin[1:]]]
        verdicts, interrupted = collect(spread(judge, work, jobs, needed, _lost), on_result)
    place = {twin: n for n, twin in enumerate(twins)}
    verdicts.sort(key=lambda v: (place[v.way, v.backend, v.op], v.number))
    return Survival(tuple(verdicts), tuple(right), interrupted)


def check_right(job: tuple[Twin, int]) -> Right:
    """Check the right twin, and say what differs."""
    (way, backend, name), seed = job
    try:
        op = _op(backend, name)
        target = _target(way, backend, name, op.bind(**{backend: op.twin(backend)}))
        report = check(target, runners=[backend], dtypes=_DTYPES, seed=seed)
    except Exception as error:  # noqa: BLE001 - a fault of ours: counted and shown
        return Right(way, backend, name, error=described(error))
    if report.interrupted:
        raise KeyboardInterrupt
    fails = [(r.check, r.dtype, _codes(r)) for r in report.results if r.status == "differ"]
    return Right(way, backend, name, tuple(fails))


def _codes(result: Result) -> tuple[str, ...]:
    return tuple(sorted({finding.code for finding in result.findings}))


def judge(job: tuple[Twin, int, Sequence[Known], int]) -> Verdict:
    """Check one mutant until the first difference."""
    (way, backend, name), number, exempt, seed = job
    mutant = _mutants(backend, name)[number]
    verdict = _survivor(way, name, mutant)
    try:
        target = _target(way, backend, name, mutant.bound())
        graphs = _GRAPH in RUNNERS[backend].modes
        for mode, dtype, names in _rounds(graphs=graphs, alone=way != "oracle", branches=branches(mutant.source)):
            asked = mode == "eager" and dtype in _DTYPES  # the right twin too, as it is in these
            known = {check: codes for check, at, codes in exempt if at == dtype or not asked}
            for only in ([n for n in names if n not in known], [n for n in names if n in known]):
                if only and (killer := _killer(target, backend, mode, dtype, only, known, seed)):
                    return replace(verdict, killer=killer if mode == "eager" else f"{killer}, {mode}")
    except Exception as error:  # noqa: BLE001 - a fault of ours: counted and shown
        return replace(verdict, error=described(error))
    return verdict


def _killer(
    target: Op | Pair,
    backend: str,
    mode: str,
    dtype: str,
    only: Sequence[str],
    known: Mapping[str, Collection[str]],
    seed: int,
) -> str:
    """Return the first check that finds what is not `known` of the right twin."""
    fast = not known.keys() & set(only)
    with as_if_compiled() if mode == _COMPILED else nullcontext():
        modes = ["eager" if mode == _COMPILED else mode]
        report = check(target, runners=[backend], modes=modes, dtypes=[dtype], only=only, seed=seed, fail_fast=fast)
    if report.interrupted:
        raise KeyboardInterrupt
    found = [r for r in report.results if r.status == "differ"]
    return next((r.check for r in found if not set(_codes(r)) <= set(known.get(r.check, ()))), "")


def _rounds(*, graphs: bool, alone: bool, branches: bool) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the checks to run together, the mode and the type: what is cheap and strong comes first.

    With an oracle also 16 bits, which compute in a wider type on the way, and a graph or a compiler, which may run
    other lines.
    """
    early = {name for names in (*_FIRST, _LAST) for name in names}
    whole = (*_FIRST, [name for name in checks() if name not in early], _LAST)
    each = [name for name, found in checks().items() if not found.once]
    yield from (("eager", "float64", names) for names in whole)
    yield "eager", "float32", each
    if not alone:
        yield "eager", "bfloat16", each
        yield from ((_GRAPH, "float64", names) for names in whole if graphs)
        yield from ((_COMPILED, dtype, names) for dtype in _DTYPES for names in (whole if branches else ()))


def _target(way: str, backend: str, name: str, op: Op) -> Op | Pair:
    """Return what to check an op's twin as."""
    if way == "oracle":
        return op
    sides: dict[str, Any] = {backend: op.twin(backend)}
    if way == "pair":
        other = next(key for key in CATALOGUED if key != backend)
        sides[other] = _op(other, name).twin(other)
    return Pair(**sides, contract=op.contract, name=op.name)


def _ops(backend: str, *, toys: bool) -> dict[str, Op]:
    return {**registry.ops(), **{f"toys.{op.name}": op for op in (right_toys(backend) if toys else ())}}


def _op(backend: str, name: str) -> Op:
    return _ops(backend, toys=name.startswith("toys."))[name]


@cache
def _mutants(backend: str, name: str) -> list[Mutant]:
    return mutants(_op(backend, name), backend)


def _survivor(way: str, name: str, mutant: Mutant) -> Verdict:
    file = f"{home(mutant.op, mutant.backend)[0].__name__.replace('.', '/')}.py"
    return Verdict(way, mutant.backend, name, mutant.number, file, mutant.line, mutant.label)


def _lost_right(job: tuple[Twin, int], how: str) -> Right:
    return Right(*job[0], error=how)


def _lost(job: tuple[Twin, int, Sequence[Known], int], how: str) -> Verdict:
    (way, backend, name), number, *_ = job
    return replace(_survivor(way, name, _mutants(backend, name)[number]), error=how)
