"""Translates one custom gradient, has the translation checked, and says in its first lines what is proven."""

import ast
import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from porting.port import discover as sources
from porting.port.complex_limit import complex_limits
from porting.port.discover import Unit
from porting.port.extract import extract
from porting.port.header import grouped, header, printable
from porting.port.options import Checking, inputs, lacking, loadable, versions, without
from porting.port.ways import is_spread, topics_of
from porting.translate.dialects import FRAMEWORKS
from porting.translate.module import Translated, Translator
from porting.translate.read.source import Source, SourceError, parse_source
from porting.translate.rule import TOPICS

if TYPE_CHECKING:
    from porting.port.proof import Proof

_TOPIC: Final = {"nan_input": "nan", "traced": "lengths"}  # of a check
_ORDER: Final = ("proven", "no verdict", "different")
_DRAFT: Final = "a draft of an oracle; read it against its source, and give it a contract"


@dataclass(frozen=True)
class Port:
    """The result for one custom gradient.

    Attributes
    ----------
    file, name, line : str, str, int
        Where it stands in the source.
    called : str
        The name of the function in the translation.
    to : {"torch", "tf", "numpy"}
        The framework of the translation.
    status : {"proven", "not proven", "different", "refused"}
        A translation is handed over if it is proven or not proven, never if it is different.
    said : str
        What was compared, or why it was not, or what differs.
    text : str
        The translation, with a comment at the top that says what is proven; empty if none is handed over.
    refused : tuple of (int, str)
        Line and reason.
    faults, mended : tuple of str
        Faults of the source that the checks found: those that the translation has too, and those that it does not have.
    limits : tuple of str
        Ways to run that the translation refuses, and numbers for which it is not the source.
    notes : tuple of str
        What a reader should know.
    source : str
        The text of the original, with the helpers that it needs.
    calls : int
        How many calls there are in the gradient.
    inputs : str
        What it was checked with.
    back, came_back : str, bool
        The result for the translation of the translation, if it was asked for.
    interrupted : bool
        The checks were interrupted (Ctrl-C): `said` is what is known so far.
    holds : tuple of str
        The custom gradients in it, where a function has several.
    """

    file: str
    name: str
    line: int
    called: str
    to: str
    status: str
    said: str
    text: str = ""
    refused: tuple[tuple[int, str], ...] = ()
    faults: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""
    calls: int = 0
    inputs: str = ""
    back: str = ""
    came_back: bool = True
    interrupted: bool = False
    holds: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Its name, with those of the gradients in it."""
        *others, last = self.holds or ("",)
        return f"{self.name} (with {', '.join(others)} and {last})" if others else self.name


def port(
    unit: Unit,
    *,
    check: bool | None = None,
    how: Checking | None = None,
    partial: bool = False,
    round_trip: bool = False,
) -> Port:
    """Translate one custom gradient, and check the translation against it.

    The file is only read here. Only the checks run it, in worker processes.

    Parameters
    ----------
    unit : Unit
        What to translate, see `porting.port.discover.units_of`.
    check : bool, optional
        Whether to check; when not given, if both frameworks are installed.
    how : Checking, optional
        What to check with.
    partial : bool
        Hand over a translation that has refused calls; these calls raise when they are reached.
    round_trip : bool
        Translate the translation back, and check that too.

    Raises
    ------
    SourceError
        If the file cannot be read.
    KeyboardInterrupt
        If it was interrupted before a check.
    """
    source = sources.read(unit.path)
    unit = replace(unit, inputs=tuple(how.inputs)) if how else unit
    made, needed = _translated(source, unit, partial=partial)
    text, line, calls = sources.original(source, unit, needed.get(source.path, ()))
    plain = Port(
        printable(str(unit.path)), unit.name, line, made.called, unit.to, "refused", "", source=text, calls=calls,
        refused=tuple((at or line, printable(why)) for at, why in made.refused),
        notes=tuple(dict.fromkeys(printable(note) for note in made.notes)),
        holds=tuple(map(printable, sources.held(Translator(source, unit.of, unit.to), unit.name))),
    )  # fmt: skip
    if not made.text:
        return replace(plain, said="; ".join(dict.fromkeys(why for _, why in plain.refused)))
    plain = replace(plain, limits=complex_limits(made.text) if unit.to in FRAMEWORKS else ())
    if made.refused:
        said = f"{len(made.refused)} refused, where the translation raises when it gets there"
        return _told(unit, replace(plain, status="not proven", said=said), made.text)
    if unit.to == "numpy":
        return _told(unit, replace(plain, status="not proven", said=_DRAFT), made.text)
    lacks = lacking() if check is None else ""
    if check is False or lacks:
        done = replace(plain, status="not proven", said=lacks or "not checked")
        return _told(unit, _back_unchecked(unit, done, made) if round_trip else done, made.text)
    with TemporaryDirectory(prefix="porting-") as folder:
        how = (how or Checking()).begun()
        return _checked(source, unit, plain, made, needed, Path(folder), how, round_trip=round_trip)


def _translated(
    source: Source, unit: Unit, *, partial: bool, strict: bool = True, general: Collection[str] = ()
) -> tuple[Translated, dict[Path, list[str]]]:
    """Return the translation, and the names of the source, and of files beside it, that are in it."""
    options: dict[str, Any] = {"partial": partial, "strict": strict, "general": general}
    options |= {"inputs": unit.inputs, "transparent": unit.transparent}
    new = functools.partial(Translator, source, unit.of, unit.to, **options)
    try:
        translator = new()
        made = translator.translate(unit.name)
        around = made.name != unit.name or translator.within_it(unit.name)  # this may do what is not translated
        if made.refused and around and unit.name not in translator.unreached:
            other = new()
            alone = other.translate(unit.name, alone=True)
            if not alone.refused:
                alone.notes.append(f"what is around it is refused: {made.refused[0][1]}")
                translator, made = other, alone
        ast.parse(made.text)
    except Exception as error:  # noqa: BLE001 - one gradient that we fail at must not take the others with it
        why = f"a fault of porting itself, please report it: {type(error).__name__}: {error}"
        return Translated(unit.name, unit.name, refused=[(0, why)]), {}
    needed: dict[Path, list[str]] = {}
    for one in (translator, *translator.others.values()):  # what runs on the host stands in the same file
        needed.setdefault(one.source.path, []).extend(one.made)
    return made, needed


def _checked(
    source: Source, unit: Unit, plain: Port, made: Translated, needed: Mapping[Path, Sequence[str]], folder: Path,
    how: Checking, *, round_trip: bool,
) -> Port:  # fmt: skip
    from porting.runners import RUNNERS

    original = Translator(source, unit.of, unit.to, transparent=unit.transparent)
    seen = original.within_it(unit.name) if made.name not in original.names.defined else None
    if seen:
        original.take_out(seen)
    wrapper = original.wrappers.get(made.name)
    name = wrapper.name.value if wrapper else made.name
    apart = folder / f"taken_out_{made.called}.py"
    apart.write_text(extract(original, needed), encoding="utf-8")
    alone = f"{apart}:{name}"
    theirs_at = alone if seen else loadable(source, unit, original.names.spelled(name), folder)
    others = {alone: "checked apart from the rest of its file, which does not import: {lacks}"}
    on_cpu = extract(original, needed, on_cpu=True)
    if on_cpu != apart.read_text(encoding="utf-8") and RUNNERS[unit.of].devices().get("gpu"):
        moved = folder / f"on_cpu_{made.called}.py"
        moved.write_text(on_cpu, encoding="utf-8")
        others[f"{moved}:{name}"] = "checked without its .cuda(): there is no GPU here"
    made, proof, note = _proof(source, unit, made, folder, how, theirs_at, others)
    if note:
        plain = replace(plain, notes=(*plain.notes, note))
    status = "not proven" if proof.status == "no verdict" else proof.status
    done = replace(
        plain,
        status=status,
        faults=tuple(map(printable, proof.faults)),
        mended=tuple(map(printable, proof.mended)),
        limits=(*plain.limits, *(f"{check}: {without(folder, said)}" for check, said in proof.limits.items())),
        said=without(folder, proof.said),
        inputs=inputs(proof, made.called),
        interrupted=proof.interrupted,
    )
    if proof.status == "different":
        return done
    if round_trip and proof.status == "proven" and not proof.interrupted:
        done = _back(unit, done, made, folder, how)
    return _told(unit, done, made.text, proof)


def _proof(
    source: Source, unit: Unit, made: Translated, folder: Path, how: Checking, theirs: str, others: Mapping[str, str]
) -> "tuple[Translated, Proof, str]":
    """Return the shortest translation that has no limits, or the fewest; its proof, and a note on what it is proven by.

    The source is the gradient in its file, or one of `others`, with this note: where the file does not import, or what
    it calls is not here.
    """
    from porting.port.verify import verify

    file = folder / f"translated_{made.called}.py"
    shorter, _ = _translated(source, unit, partial=False, strict=False)
    tries = [shorter, made] if shorter.text not in {"", made.text} else [made]
    found: list[tuple[Translated, Proof]] = []
    note = ""
    while tries:
        tried = tries.pop(0)
        file.write_text(tried.text, encoding="utf-8")
        proof = verify(theirs, f"{file}:{tried.called}", unit.to, tried, how)
        alone, *moved = others
        for other in [*([alone] if proof.lacks else []), *moved]:
            if proof.status != "no verdict" or how.is_over:
                break
            again = verify(other, f"{file}:{tried.called}", unit.to, tried, how)
            if again.status != "no verdict" or again.interrupted or other == alone:
                note = others[other].format(lacks=proof.lacks)
                proof, theirs = again, other
        found.append((tried, proof))
        if proof.status == "no verdict" or (proof.status == "proven" and not proof.limits):
            break
        if tried is made:
            longer, _ = _translated(source, unit, partial=False, general=_topics(proof))
            tries += [longer] if longer.text not in {"", made.text} and not longer.refused else []
    best, proof = min(found, key=lambda one: (_ORDER.index(one[1].status), len(one[1].limits)))
    file.write_text(best.text, encoding="utf-8")
    return best, replace(proof, interrupted=any(one.interrupted for _, one in found)), note


def _topics(proof: "Proof") -> set[str]:
    """Return what a translation should hold for too, by where it does not hold."""
    if proof.status == "different":
        return set(TOPICS)
    wanted = (topics_of(limit) if is_spread(limit) else {_TOPIC.get(limit, "rest")} for limit in proof.limits)
    return set().union(*wanted)


def _back(unit: Unit, done: Port, made: Translated, folder: Path, how: Checking) -> Port:
    """Translate the translation back, and check the two against each other."""
    from porting.port.verify import verify

    again = _returned(unit, made)
    if not again.text:
        return _back_unchecked(unit, done, made)
    file = folder / f"back_{again.called}.py"
    file.write_text(again.text, encoding="utf-8")
    ours = f"{folder / f'translated_{made.called}.py'}:{made.called}"
    proof = verify(ours, f"{file}:{again.called}", unit.of, made, how)
    said, came_back = f"{proof.status}: {without(folder, proof.said)}", proof.status == "proven"
    return replace(done, back=said, came_back=came_back, interrupted=proof.interrupted)


def _back_unchecked(unit: Unit, done: Port, made: Translated) -> Port:
    again = _returned(unit, made)
    if again.text:
        return replace(done, back="translated, not checked")
    line, why = again.refused[0]
    return replace(done, back=f"refused: line {line} of the translation: {printable(why)}", came_back=False)


def _returned(unit: Unit, made: Translated) -> Translated:
    try:
        source = parse_source(made.text, Path(f"{made.called}.py"))
    except SourceError as error:
        return Translated(made.called, unit.name, refused=[(0, str(error))])
    return _translated(source, Unit(source.path, made.called, unit.to, unit.of), partial=False)[0]


def _told(unit: Unit, done: Port, text: str, proof: "Proof | None" = None) -> Port:
    """Put what is known above the text."""
    if proof and done.status == "proven":
        inputs = f", inputs {done.inputs}" if done.inputs else ""
        verdict = f"Proven with {versions(proof)}: {proof.counted}{inputs}{proof.also}."
    else:
        draft = " (draft)" if unit.to == "numpy" else ""
        verdict = f"NOT PROVEN{draft}: {done.said.rstrip('.')}."
        verdict += "".join(f" Line {line}: {why}." for line, why in done.refused[:2])
    told = {
        "A fault of the source, and of this": grouped(done.faults),
        "A fault of the source, not of this": grouped(done.mended),
        "A limit of this": grouped(done.limits),
        "Note": done.notes,
    }
    told["Translated back"] = (done.back,) if done.back else ()
    return replace(done, text=header(unit.path, unit.name, verdict, told) + "\n" + text)
