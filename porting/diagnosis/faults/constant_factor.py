"""A number too many."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example, size
from porting.diagnosis.experiments import SHARES, constant
from porting.diagnosis.in_complex import complex_constant
from porting.runners import Case

_OTHER: Final = (7, 5)
_LENGTHS: Final = (5, 6, 7, 8, 9)
_PROOF: Final = 3  # elements
_ROUGHLY: Final = 0.01  # of an element: what a few digits less leave of it
_FEW: Final = 2  # a 2 is the 2 of a square


def _divided(e: Evidence, example: Example) -> Arrays | None:
    names = e.example.wrong if e.example else ()
    return {name: g / _factor(e, example, name) if name in names else g for name, g in example.got.items()}


def _factor(e: Evidence, example: Example, name: str) -> float:
    """Return the number: it may follow from the shape, and a few elements do not show it."""
    found = next((factor for at in (example, e.example) if at for factor, _ in _constants(at, name)), None)
    return next((factor for factor, _ in _of_several(e, name)), 1.0) if found is None else found


def _constants(example: Example, name: str) -> Iterator[tuple[float, float]]:
    """Yield the number, if there is one, and the share of an element up to which it is: float32 has fewer digits."""
    for share in SHARES:
        if (factor := constant(example.got[name], example.want[name], share)) is not None:
            yield factor, share


def _of_several(e: Evidence, name: str) -> Iterator[tuple[float, float]]:
    """Yield the same of all everyday cases, where the gradient is 0 but for a few elements of one of them."""
    cases = [at for at in (e.example, *e.examples) if at is not None]
    if not cases or np.count_nonzero(cases[0].want[name]) >= _PROOF or cases[0].want[name].size < _PROOF:
        return
    got, want = (
        np.concatenate([of[name].reshape(-1) for of in side])
        for side in zip(*((at.got, at.want) for at in cases), strict=True)
    )
    if np.count_nonzero(want) >= _PROOF:
        yield from ((f, share) for share in SHARES if (f := constant(got, want, share)) is not None)


def _stays(e: Evidence, name: str, factor: float, share: float) -> bool:
    """Whether other cases of this shape have this factor too: it may follow from the numbers.

    One or two elements have a factor whatever is wrong, so that further cases are wanted.
    """
    assert e.example is not None  # noqa: S101 - asked for where there is one
    shape = e.example.want[name].shape
    if _counted(factor, shape, share):
        return True
    cases = [at for at in e.examples if name in at.wrong and size(at.want[name])]
    many = math.prod(shape) >= _PROOF
    if many:
        cases = [at for at in cases if at.want[name].shape == shape and at.case.statics == e.example.case.statics]
        nearer = _nearer(e, e.example.case)
        cases += [nearer] if nearer and nearer.want[name].shape == shape else []
    wants = [factor * at.want[name] for at in cases]
    same = [np.allclose(at.got[name], want, share, share * size(want)) for at, want in zip(cases, wants, strict=True)]
    return all(same) and (many or len(same) > 1)


def _nearer(e: Evidence, case: Case) -> Example | None:
    """Look at the case with each input's numbers a tenth nearer to their mean: no largest one stays what it was."""
    if case.op.contract.prepare:
        return None
    floats = {n: x for n, x in case.inputs.items() if x.size and np.issubdtype(x.dtype, np.floating)}
    inputs = {**case.inputs, **{n: (0.9 * x + 0.1 * x.mean()).astype(x.dtype) for n, x in floats.items()}}
    return e.further("nearer", inputs=inputs, statics=case.statics)


def _length(e: Evidence, name: str, factor: float, share: float) -> str:
    """Say which length the number is, unless it stays the same for other lengths, or is another one then.

    That it is a root is said only where it is one for other lengths, too.
    """
    assert e.example is not None  # noqa: S101 - asked for where there is one
    shape = e.example.want[name].shape
    says, root = _counted(factor, shape, share), _counted(factor, shape, share, roots=True)
    other = e.further("other lengths", shape=_OTHER, lengths=_LENGTHS) if root else None
    there = next(_constants(other, name), (None,))[0] if other is not None and name in other.wrong else None
    if other is None or there is None:
        return says
    if np.isclose(there, factor, share):
        return ""
    if _counted(there, other.want[name].shape, share, roots=True) == root:
        return root
    return f" ({there:.6g} times for other lengths)" if says else ""


def _contradicted(e: Evidence, name: str, factor: float) -> bool:
    """Whether an element that a check found is another multiple: what was looked at is a part of what is wrong."""
    found = [f for r in e.results if r.check == "vjp" and r.dtype == e.dtype for f in r.findings]
    worst = (f.worst for f in found if f.code == "differs" and f.has(quantity="gradient", name=name))
    return any(
        w is not None and np.isfinite([w.got, w.want]).all() and not np.isclose(w.got, factor * w.want, _ROUGHLY)
        for w in worst
    )


def _counted(factor: float, shape: tuple[int, ...], share: float, *, roots: bool = False) -> str:
    """Say of which lengths the number is the product, or one part of it, or the root of one."""
    more = ((factor**2, "the square root of "), (1 / factor**2, "1 / the square root of ")) if roots else ()
    for number, text in ((factor, ""), (1 / factor, "1 / "), *more):
        axes = [str(k) for k, n in enumerate(shape) if n > _FEW and np.isclose(number, n, share)]
        if axes:
            return f" ({text}the length of axis {' or '.join(axes)})"
        if math.prod(shape) > _FEW and np.isclose(number, math.prod(shape), share):
            return f" ({text}the number of elements)"
    return ""


@cause(
    rank=51,
    meant=SURROGATE,
    repair=_divided,
    of_gradients=True,
    by_input=True,
)
def constant_factor(e: Evidence) -> str | None:
    """The gradient is the true one times a constant.

    The exponent of a power, the 1/n of a mean, a 2 or a 1/2 was forgotten or counted twice.
    """
    if e.example is None:
        off = complex_constant(e)
        told = [f"gradient of {name} is {factor:.12g} times the true one" for name, factor in off.items()]
        turned = any(np.isclose(factor, -1) for factor in off.values())  # which is `wrong_sign`
        return f"{', '.join(told)} for complex numbers" if told and not turned else None
    parts = []
    for name in e.example.wrong:
        every = *_constants(e.example, name), *_of_several(e, name)
        found = [(f, s) for f, s in every if abs(abs(f) - 1) >= s and _stays(e, name, f, s)]
        if not found:
            return None  # close to -1 it is `wrong_sign`, to 1 a number of a narrower type
        factor, share = found[0]
        says = _length(e, name, factor, share)
        if not says and _contradicted(e, name, factor):
            return None
        number = f"{factor:.12g}" if share == SHARES[0] else f"some {factor:.4g}"
        parts.append(f"gradient of {name} is {number} times the true one{says}")
    return ", ".join(parts)
