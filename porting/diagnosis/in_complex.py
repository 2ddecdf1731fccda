"""Gradients for complex numbers: what is wrong with them where those for real numbers are right, or refused."""

from contextlib import suppress
from typing import Final

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Example, alike, size
from porting.diagnosis.experiments import factor, finite
from porting.errors import NotRecordedError
from porting.parity.checks.complex_numbers import complex_case

_FURTHER: Final = "complex again", "complex once more"
_PROOF: Final = 3  # elements


def complex_examples(e: Evidence) -> list[Example]:
    """Return cases of complex numbers whose gradients are wrong, all that were drawn; none if values are, too."""
    found = e.finding("complex_numbers", "differs", quantity="gradient") if e.clean else None
    if found is None or e.finding("complex_numbers", "differs", quantity="value"):
        return []
    examples = [e.look(complex_case(e.probe(e.dtype)), rough=True)]
    for label in _FURTHER:
        with suppress(NotRecordedError):
            examples.append(e.look(complex_case(e.probe(e.dtype), label), rough=True))
    return [x for x in examples if x] if all(x is not None and x.wrong for x in examples) else []


def complex_constant(e: Evidence) -> dict[str, float]:
    """Return, by input, the number that a gradient for complex numbers is off by; nothing if there is none."""
    examples = complex_examples(e)
    names = dict.fromkeys(name for at in examples for name in at.wrong)
    factors = {n: _constant([at.got[n] for at in examples], [at.want[n] for at in examples]) for n in names}
    return {n: f for n, f in factors.items() if f} if all(factors.values()) else {}


def _constant(these: list[Array], those: list[Array]) -> float | None:
    a, b = _parts(these), _parts(those)
    return factor(a, b) if a.shape == b.shape and np.count_nonzero(b) >= _PROOF else None


def _parts(arrays: list[Array]) -> Array:
    """Return the real and the imaginary parts of all elements."""
    return np.concatenate([part(g).reshape(-1) for g in arrays for part in (np.real, np.imag)])


def turned_in_complex(e: Evidence) -> str | None:
    """Say where a gradient for complex numbers has the wrong sign: everywhere, or always in the same places."""
    examples = complex_examples(e)
    places = examples[0].wrong if examples else {}
    told = []
    for name, mask in places.items():
        for at in examples:
            there = at.wrong.get(name)
            if there is None or not np.array_equal(there, mask) or len(at.wrong) != len(places):
                return None
            if not alike({name: -at.got[name][mask]}, {name: at.want[name][mask]}):
                return None
        told.append(f"gradient of {name} in {int(mask.sum())} of {mask.size} elements")
    return f"{examples[0].worst}; so {' and '.join(told)} for complex numbers" if told else None


def ignores_cotangent_in_complex(e: Evidence) -> str | None:
    """Say which gradient for complex numbers is the same for another cotangent, and should not be."""
    examples = complex_examples(e)
    if len(examples) < 2:
        return None
    first, other = examples[0], examples[1].case.dy or ()
    got, want = e.ask(first.case, other), e.truth(first.case, other)
    if got is None or want is None:
        return None
    for name in first.wrong:
        there, wanted = got[name], want[name]
        same = finite(there) and size(there) and alike({name: there}, {name: first.got[name]})
        if same and not alike({name: wanted}, {name: first.want[name]}):
            seen = f"gradient of {name} for complex numbers: {first.worst_of(name)}"
            return f"{seen}, and the same again for another cotangent"
    return None
