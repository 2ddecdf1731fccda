"""What is said of the results that differ: one message per side, or one per finding."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, TypeAlias

from porting.dtypes import FLOATS
from porting.parity.finding import Diagnosis, Finding, Result, Side
from porting.parity.of_another_shape import unexplained
from porting.parity.sentences import settled_by
from porting.parity.sides import SECOND, is_of_type

Group: TypeAlias = list[tuple[Result, Finding]]  # what says the same in several types
_NEAR: Final = 1e-3
_LEADING: Final = ("vjp", "value", "raw_gradient", "large", "adjoint")  # what says most, first
_DISAGREEMENT: Final = "disagreement"
_FORWARD: Final = {"wrong_value", "scaled_value"}
_VARIES: Final = re.compile(r"\d+|float|double", re.IGNORECASE)  # in the text of one error, from type to type
_LONG: Final = 120  # letters, that are not printed twice
_EXCEPTIONS: Final = {"raised", "no_truth"}
_OF_STAGE: Final = {"raises_in_forward": "forward", "raises_in_backward": "backward"}
_OF_NO_DIGITS: Final = {"shape_differs", "nan_hidden", "nan_spreads"}
_OF_ONE_TYPE: Final = {"wrong_dtype", "precision_loss"}  # causes that explain no numbers that differ in several types


@dataclass(frozen=True)
class Messages:
    """The messages of a report.

    Attributes
    ----------
    results : sequence of Result
        All of them.
    diagnoses : sequence of Diagnosis
        The likely causes, for each side the likeliest first.
    """

    results: Sequence[Result]
    diagnoses: Sequence[Diagnosis]

    def per_side(self) -> list[str]:
        """Return one message for each of the `parts`; what two sides would have done wrong is said once for both."""
        said: set[tuple[str, ...]] = set()
        return [self._headline(part, said) for part in self.parts()]

    def parts(self) -> list[list[Group]]:
        """Return what is told together: a side that differs; two that only disagree with each other stand together.

        A side has more where one cause does not explain all of which a cause is known: each stands under what it is of.
        """
        sides: dict[Side, list[Group]] = {}
        for group in self.groups():
            sides.setdefault(group[0][0].side, []).append(group)
        told: dict[tuple[str, ...], list[list[Group]]] = {}
        for side, groups in sides.items():
            disagree = all(finding.kind == _DISAGREEMENT for group in groups for _, finding in group)
            causes = self.causes(side)
            parts = [own for part in self._parts(groups, causes) for own in _unrelated(part, causes)]
            parts.sort(key=lambda part: not _of_forward(part, causes))
            told.setdefault((*_pair(side), *([] if disagree else [side[1]])), parts)
        return [part for parts in told.values() for part in parts]

    def every(self) -> list[str]:
        """Return every finding of what differs, once: in the widest type that shows it, with the other types named."""
        return [self._message(group) for group in self.groups()]

    def causes(self, side: Side) -> list[Diagnosis]:
        """Return the likely causes on a side, the likeliest first."""
        mine = told([d for d in self.diagnoses if d.side == side], self.results)
        return list({(d.cause, d.of_input): d for d in reversed(mine)}.values())[::-1]

    def groups(self, status: str = "differ") -> list[Group]:
        """Return what results of a status found, each once: a group has what says the same in several types."""
        groups: dict[tuple[Any, ...], Group] = {}
        for result in self.results:
            if result.status == status:
                for finding in result.findings:
                    groups.setdefault((*result.side, result.check, finding.key), []).append((result, finding))
        return list(groups.values())

    @staticmethod
    def _parts(groups: list[Group], causes: Sequence[Diagnosis]) -> list[list[Group]]:
        """Return what belongs together; what is of a type alone comes last where something else is the likeliest."""
        of_type, others = (
            [c for c in causes if c.cause in _OF_ONE_TYPE],
            [c for c in causes if c.cause not in _OF_ONE_TYPE],
        )
        typed, rest = [g for g in groups if _of_type(g)], [g for g in groups if not _of_type(g)]
        apart = of_type and typed and rest and causes[0] in others
        return [*Messages._apart(rest, others), typed] if apart else Messages._apart(groups, causes)

    @staticmethod
    def _apart(groups: list[Group], causes: Sequence[Diagnosis]) -> list[list[Group]]:
        """Return what the likeliest cause explains, and what another one does; the rest stands with the lead."""
        lead = leading(groups)
        mine = [group for group in groups if causes and _explains(causes[0], [group])]
        rest = [group for group in groups if group not in mine]
        if mine and lead in mine:
            apart = [group for group in rest if any(_explains(cause, [group]) for cause in causes[1:])]
            values = [
                group for group in rest if group not in apart and group[0][0].check == "value"
            ]  # of no cause here
            further = Messages._apart(apart, [c for c in causes[1:] if _explains(c, apart)]) if apart else []
            kept = [group for group in groups if group not in apart and group not in values]
            return [kept, *further, *([values] if values else [])]
        if not mine:
            return [groups]
        further = Messages._apart(rest, [c for c in causes[1:] if _explains(c, rest)]) if rest else []
        return [*further, mine] if lead[0][0].check in _LEADING else [mine, *further]

    def _headline(self, groups: list[Group], said: set[tuple[str, ...]]) -> str:
        more, explained = self.because(groups, said)
        others = self._others(groups)
        for text, named in (
            ("found by {} too, perhaps of the same cause", explained),
            ("of another cause perhaps: {}", set(others) - explained),
        ):
            these = [check for check in others if check in named]
            more += [text.format(", ".join(these))] if these else []
        return self._message(self._lead(groups), *more)

    def _lead(self, groups: list[Group]) -> Group:
        """Return what weighs most; of exceptions, the one that the likeliest cause is of."""
        lead = leading(groups)
        first = next(iter(self.causes(lead[0][0].side)), None)
        if first is None or lead[0][1].code not in _EXCEPTIONS:
            return lead
        return next((group for group in groups if group[0][1].what == first.seen), lead)

    def because(self, groups: list[Group], said: set[tuple[str, ...]]) -> tuple[list[str], set[str]]:
        """Return the lines on the likely causes of a part, and its further checks that they explain.

        Parameters
        ----------
        groups : list
            One of `parts`.
        said : set
            What was said of other parts before, which is not said twice; it is added to.
        """
        lead = self._lead(groups)
        side, checks = lead[0][0].side, {group[0][0].check for group in groups}
        numbers = {result.dtype for result, f in lead if f.worst is None or isfinite(f.worst.got)}  # not what overflows
        lost = any(f.lacks_digits("got") for _, f in lead)  # by a formula, in every type
        several = lead[0][1].code == "differs" and len(numbers) > 1 and not lost
        beside = _OF_ONE_TYPE if several else set()
        if all(map(_of_type, groups)) and any(c.cause in _OF_ONE_TYPE for c in self.causes(side)):
            beside = {c.cause for c in self.causes(side)} - _OF_ONE_TYPE
        beside = {*beside, *_unfit(lead), *self._of_other_shapes(groups)}
        causes = self._about(side, checks, beside)
        if lead[0][1].code in _EXCEPTIONS:
            causes = [cause for cause in causes if not cause.provided]  # an exception depends on no other side
        more = []
        if lead[0][1].kind == _DISAGREEMENT and not (causes and not causes[0].provided):
            lines = self._disagreement(side, checks, beside)
            more += lines if tuple(lines) not in said else ["What each side would have done wrong is said above."]
            said.add(tuple(lines))
            causes = [cause for s in self._sides(side) for cause in self._about(s, checks, beside)]
        elif causes:
            again = len(causes[0].seen) > _LONG and causes[0].seen == lead[0][1].what
            again |= causes[0].raised_in not in {"", *(result.dtype for result, _ in lead)}  # another exception
            more += [causes[0].claim, *([] if again else [f"  seen: {causes[0].seen}"])]
            more += [f"  fix: {line}" for line in causes[0].fix.splitlines()]
            for cause in _together(causes)[1:]:
                more += [cause.claim, f"  seen: {cause.seen}", *(f"  fix: {line}" for line in cause.fix.splitlines())]
            others = [c.cause for c in causes[1:] if not c.of_input][:3]
            more += [f"  or: {', '.join(others)}"] if others else []
        further = set(self._others(groups))
        explained = {check for c in causes for check in (c.explains if c.side == side else ()) or further}
        return more, (explained or further) & further

    def _of_other_shapes(self, groups: list[Group]) -> set[str]:
        """Return the causes that were named for checks of a part, and fit none of its findings."""
        about = [(d, group) for d in self.diagnoses for group in groups if group[0][0].check in d.explains]
        fit = {d.cause for d, group in about if not unexplained(d, group[0][1], self._beside(group))}
        return {d.cause for d, _ in about} - fit

    def _beside(self, group: Group) -> list[Result]:
        """Return what all sides say of the check of a group."""
        mine = group[0][0]
        return [r for r in self.results if (r.op, r.check) == (mine.op, mine.check)]

    def _others(self, groups: list[Group]) -> list[str]:
        """Return the checks of a part besides the one that leads."""
        lead = self._lead(groups)[0][0].check
        return [check for check in dict.fromkeys(g[0][0].check for g in groups) if check != lead]

    def _about(self, side: Side, checks: set[str], beside: Collection[str]) -> list[Diagnosis]:
        """Return the causes on a side that explain one of these checks, without some."""
        return [c for c in self.causes(side) if (not c.explains or checks & set(c.explains)) and c.cause not in beside]

    def _sides(self, side: Side) -> list[Side]:
        return [s for s in dict.fromkeys(r.side for r in self.results) if _pair(s) == _pair(side)]

    def _disagreement(self, side: Side, checks: set[str], beside: Collection[str]) -> list[str]:
        """Return what each side would have done wrong if the other one is right, and what speaks for either.

        What is told explains one of these checks: a side may have further faults.
        """
        sides = self._sides(side)
        causes = {s: _together(self._about(s, checks, beside)) for s in sides}
        lines = []
        for s, together in causes.items():
            for cause in together:
                lines += [f"{cause.claim}", f"  seen on the {s[1]} side: {cause.seen}"]
            if not together and (other := self._contradicted_by(s, checks)):
                lines.append(f"If {other} is right: what is wrong on the {s[1]} side has no known cause.")
        derivative = {s[1]: _own_forward([r for r in self.results if r.side == s]) for s in sides}
        if set(derivative.values()) == {True, False}:
            its = next(runner for runner, is_its in derivative.items() if is_its)
            other = next(runner for runner in derivative if runner != its)
            of = self._claim(other)
            by = f"the derivative of {of or 'its own forward'}"
            lines.append(f"For what was drawn the {its} gradient is {by}, the {other} gradient is not:")
            lines.append("  it is another surrogate, or a fault." if of else "  it is a surrogate, or a fault.")
        advice = next((d.fix for several in causes.values() for d in several if d.kind == _DISAGREEMENT), "")
        return [*lines, f"To settle it: {advice or settled_by({s[1] for s in sides})}"] if lines else lines

    def _contradicted_by(self, side: Side, checks: set[str]) -> str:
        """Return the title of the side that one of these checks has a disagreement with; nothing if there is none."""
        mine = [f for r in self.results if r.side == side and r.check in checks for f in r.findings if r.found]
        return next((str(f.fields["truth"]) for f in mine if f.kind == _DISAGREEMENT and "truth" in f.fields), "")

    def _claim(self, runner: str) -> str:
        """Return what somebody said that the gradient of a side is of, and it is not; nothing: its own forward."""
        found = [f for r in self.results if (r.check, r.runner) == ("adjoint", runner) for f in r.findings]
        return next((str(f.fields["claim"]) for f in found if f.fields.get("claim")), "")

    def _message(self, group: Group, *more: str) -> str:
        result, finding = shown(group)
        others, agreeing = self.beside(group)
        lines = [f"also in {', '.join(others)}"] if others else []
        lines += [f"{' and '.join(agreeing)} agrees there."] if agreeing else []
        return result.message(finding, *lines, *more)

    def beside(self, group: Group) -> tuple[list[str], list[str]]:
        """Return the other types of a group, and the runners that agree where it is shown."""
        result, finding = shown(group)
        others = [other.dtype for other, _ in group if other is not result]
        same = (result.op, result.check, result.dtype, result.device, "agree", False)  # not cut short
        agreeing = [r.runner for r in self.results if (r.op, r.check, r.dtype, r.device, r.status, r.cut) == same]
        none = {r.runner for r in self.results if r.check == SECOND and r.note and r.op == result.op}
        if result.check == SECOND and finding.code == "raised":  # who has no gradient agrees in nothing
            agreeing = [runner for runner in agreeing if runner not in none]
        if finding.kind == _DISAGREEMENT:  # with whom would it be that the other side agrees?
            agreeing = []
        return list(dict.fromkeys(others)), [runner for runner in dict.fromkeys(agreeing) if runner != "oracle"]


def shown(group: Group) -> tuple[Result, Finding]:
    """Return the one of a group that is told: that of the widest type."""
    return max(group, key=lambda pair: FLOATS.index(pair[0].dtype))


def told(diagnoses: Sequence[Diagnosis], results: Sequence[Result]) -> list[Diagnosis]:
    """Return the causes of what differs; those of notes alone where nothing else was found on their side."""
    differing = {(*r.side, r.check) for r in results if r.status == "differ"}
    sides = {key[:4] for key in differing}

    def counts(d: Diagnosis) -> bool:
        return not d.explains or d.side not in sides or any((*d.side, check) in differing for check in d.explains)

    return [d for d in diagnoses if counts(d)]


def leading(groups: Sequence[Group]) -> Group:
    """Return what weighs most, in the widest type: the causes are looked for there."""

    def weight(group: Group) -> tuple[int, int]:
        check = group[0][0].check
        rank = _LEADING.index(check) if check in _LEADING else len(_LEADING)
        return rank, -max(FLOATS.index(result.dtype) for result, _ in group)

    return min(groups, key=weight)


def _unrelated(groups: list[Group], causes: Sequence[Diagnosis]) -> list[list[Group]]:
    """Return apart what says another thing of another type than the lead, unless a cause explains it.

    Another error is another thing: that of float64 says nothing of float32, as it may be all that is wrong there.
    """
    lead, about = leading(groups), {check for cause in causes for check in cause.explains}
    dtypes = {result.dtype for result, _ in lead}

    def another(group: Group) -> bool:
        elsewhere = not dtypes & {result.dtype for result, _ in group}
        if elsewhere and _raises_otherwise(group, lead):
            return True
        same = group[0][1].code == lead[0][1].code or not elsewhere
        return not same and group[0][0].check not in about and all(cause.explains for cause in causes)

    rest = [group for group in groups if another(group)]
    if not rest:
        return [groups]
    mine, further = [group for group in groups if group not in rest], _unrelated(rest, causes)
    mistake = _of_type(lead) and any(_raises_otherwise(group, lead) for group in rest)
    return [*further, mine] if mistake else [mine, *further]


def _raises_otherwise(group: Group, lead: Group) -> bool:
    """Whether both are exceptions: one of a type alone and the other not, or with texts that differ beside types."""
    if {group[0][1].code, lead[0][1].code} != {"raised"}:
        return False
    texts = {_VARIES.sub("", str(g[0][1].fields["message"]).partition("\n")[0]) for g in (group, lead)}
    return _of_type(group) != _of_type(lead) or (len(texts) > 1 and not _of_type(lead))


def _unfit(lead: Group) -> set[str]:
    """Return the causes that cannot be that of what leads, though they explain something of the same check.

    A number is not wrong for an exception, which has none, nor an exception raised for digits or in another stage; no
    digits are lost where a NaN is gone or spreads.
    """
    finding = lead[0][1]
    if finding.code not in _EXCEPTIONS:
        return {*_OF_STAGE, *(_OF_ONE_TYPE if finding.code in _OF_NO_DIGITS else ())}
    stage = finding.fields.get("stage")
    other = {cause for cause, of in _OF_STAGE.items() if stage and of != stage}
    return other | (set() if _of_type(lead) else _OF_ONE_TYPE)


def _of_forward(groups: Sequence[Group], causes: Sequence[Diagnosis]) -> bool:
    """Whether everyday numbers have another value, for which a mistake is known: the rest may follow."""
    known = {check for cause in causes if cause.cause in _FORWARD for check in cause.explains}
    return any(r.check == "value" and f.code == "differs" for group in groups for r, f in group) and "value" in known


def _of_type(group: Group) -> bool:
    """Whether all that is said is that a type is another one."""
    return all(is_of_type(result, finding) for result, finding in group)


def _explains(cause: Diagnosis, groups: Sequence[Group]) -> bool:
    """Whether a cause was named for something of these, and fits it."""
    return any(
        group[0][0].check in cause.explains and not unexplained(cause, group[0][1], [result for result, _ in group])
        for group in groups
    )


def _together(causes: Sequence[Diagnosis]) -> list[Diagnosis]:
    """Return the likeliest cause, and those of the gradients of single inputs, one of each, which hold beside it."""
    first = list({c.of_input: c for c in reversed(causes)}.values())[::-1]
    beside = [c for c in first if c.of_input and (causes[0].of_input or not _same(c, causes))]
    return [*causes[:1], *(c for c in beside if c is not causes[0])]


def _same(cause: Diagnosis, causes: Sequence[Diagnosis]) -> bool:
    """Whether the likeliest cause says the same of all inputs."""
    return cause.cause == causes[0].cause


def _pair(side: Side) -> tuple[str, ...]:
    """Return what the two sides of a pair have in common: op, device and mode."""
    op, _, device, mode = side
    return op, device, mode


def _is_near(finding: Finding) -> bool:
    """Whether a gradient gives nearly what differences of its forward give."""
    mine, its = finding.fields.get("by_gradient"), finding.fields.get("by_forward")
    return mine is not None and its is not None and abs(mine - its) <= _NEAR * abs(its)


def _own_forward(results: Sequence[Result]) -> bool | None:
    """Whether the gradient is the derivative of its own forward; nothing where that was not compared, or it raises.

    Nor is anything said of one that is nearly so: a solver stops before its forward has all digits.
    """
    mine = [r for r in results if r.check == "adjoint"]
    statuses = {r.status for r in mine}
    if any(finding.code == "raised" or _is_near(finding) for r in mine for finding in r.findings):
        return None
    return False if statuses & {"differ", "note"} else True if "agree" in statuses else None
