"""Complex numbers that nobody promised: where both sides take them, it is told once whether their gradients agree."""

from dataclasses import replace
from weakref import WeakKeyDictionary

from porting.pairs.pair import Pair
from porting.parity.finding import Finding

_PROMISING: WeakKeyDictionary[Pair, Pair | None] = WeakKeyDictionary()


def promising(pair: Pair) -> Pair | None:
    """Return a pair that promises complex numbers; nothing where its inputs are said to be real."""
    if pair not in _PROMISING:
        said = [a for a in pair.inputs.values() if a.differentiated and (a.domain is not None or a.kind is not None)]
        real = said or pair.contract.domain or pair.contract.prepare or pair.surrogate_of is not None or pair.parameters
        two = pair.oracle is None and pair.against is None and not pair.python and (len(pair.sides) > 1 or pair.like)
        promise = replace(pair, contract=replace(pair.contract, complex=True)) if two and not real else None
        _PROMISING[pair] = promise
    return _PROMISING[pair]


def gradients_alone(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return findings as what nobody declared, if they are of gradients alone: a side may refuse."""
    if not all(f.code == "differs" and f.fields["quantity"] == "gradient" for f in findings):
        return ()
    return tuple(replace(f, fields={**f.fields, "how": "undeclared", "of_input": f.fields["name"]}) for f in findings)
