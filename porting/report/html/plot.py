"""Draws the elements around the worst one: what came beside what is wanted, and below it how far off each is."""

from html import escape
from math import asinh, ceil, floor, inf, isfinite, isnan, log10, prod
from statistics import median
from typing import Final

from porting.parity.finding import Around, Worst

_WIDTH, _LEFT, _RIGHT = 440.0, 62.0, 6.0
_TOP, _BOTTOM = 10.0, 176.0  # of what came
_HIGH, _LOW = 200.0, 250.0  # of how far off it is
_HEIGHT: Final = 278.0
_LINE, _WORD = 14.0, 30.0  # room for a text, down and across
_WIDE: Final = 1e3  # times the median: numbers so far apart are drawn on another scale
_LEAST, _MOST = -2.0, 18.0  # decades of the tolerance that are told apart


def plot(worst: Worst) -> str:
    """Return the picture as SVG; nothing where the report does not have the elements, or there is but one.

    Parameters
    ----------
    worst : Worst
        The element in the middle.
    """
    around = worst.around
    if around is None or len(around.want) < 2 or not any(map(isfinite, (*around.got, *around.want))):
        return ""
    at = _flat(worst.place, around.shape) - around.first
    if not 0 <= at < len(around.want):
        return ""
    ratios = [_ratio(*three) for three in zip(around.got, around.want, around.allowed, strict=True)]
    scale = _Scale(around)
    step = (_WIDTH - _LEFT - _RIGHT) / len(around.want)
    xs = [_LEFT + step * (k + 0.5) for k in range(len(around.want))]
    made = [
        f'<svg class="plot" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img">',
        f"<title>{escape(_told(worst, ratios))}</title>",
        f'<rect class="at" x="{xs[at] - step / 2:.1f}" y="{_TOP:g}" width="{step:.1f}" height="{_LOW - _TOP:g}"/>',
        *scale.axis(),
    ]
    spoken = -inf
    for x, got, want, ratio in zip(xs, around.got, around.want, ratios, strict=True):
        a, b = scale.y(got), scale.y(want)
        if ratio > 1 and abs(a - b) > 1:
            made.append(f'<path class="off" d="M{x:.1f} {b:.1f}V{a:.1f}"/>')
        if isfinite(want):
            made.append(f'<circle cx="{x:.1f}" cy="{b:.1f}" r="4"/>')
        if isfinite(got):
            made.append(f'<path class="got" d="M{x - 3.5:.1f} {a - 3.5:.1f}l7 7m0 -7l-7 7"/>')
        if not (isfinite(got) and isfinite(want)) and x - spoken >= _WORD:
            spoken = x  # each of many words would stand on the next
            made += [_word(x, y, number, kind) for y, number, kind in ((a, got, "came"), (b, want, "want"))]
    made += _strip(xs, ratios, step)
    made += _labels(worst, around, xs, at)
    return "".join([*made, "</svg>"])


class _Scale:
    """From numbers to heights: linear, or by asinh where some are a thousand times the others."""

    def __init__(self, around: Around) -> None:
        finite = [x for x in (*around.got, *around.want) if isfinite(x)]
        sizes = [abs(x) for x in around.want if isfinite(x) and x]
        usual = median(sizes) if sizes else 1.0
        most = max(map(abs, finite))
        self.unit = max(usual, most * 1e-300) if most > _WIDE * usual else 0.0
        self.low, self.high = min(finite), max(finite)
        low, high = self._of(self.low), self._of(self.high)
        room = 0.06 * (high - low) or abs(high) * 0.1 or 1.0
        self._low, self._high = low - room, high + room

    def _of(self, x: float) -> float:
        return asinh(x / self.unit) if self.unit else x / 2  # half: the span of two large numbers is finite

    def y(self, x: float) -> float:
        """Return a height; a NaN is drawn at the top, an infinity beyond all others."""
        if not isfinite(x):
            return _BOTTOM - 4 if x == -inf else _TOP + 4
        return _BOTTOM - (self._of(x) - self._low) / (self._high - self._low) * (_BOTTOM - _TOP)

    def axis(self) -> list[str]:
        """Return frame, lines and numbers."""
        ticks = [0.0, self.high, self.low] if self.unit else _ticks(self.low, self.high)
        made = [f'<path class="frame" d="M{_LEFT:g} {_TOP:g}V{_BOTTOM:g}H{_WIDTH - _RIGHT:g}"/>']
        digits = next((n for n in range(3, 17) if len({f"{tick:.{n}g}" for tick in ticks}) == len({*ticks})), 17)
        if self.unit:
            said = f"logarithmic beyond {_short(self.unit, 2)}"
            made.append(f'<text x="{_WIDTH - _RIGHT:g}" y="{_BOTTOM + _LINE:g}" text-anchor="end">{said}</text>')
        there: list[float] = []
        for tick in ticks:
            y = self.y(tick)
            if _TOP <= y <= _BOTTOM and all(abs(y - other) >= _LINE for other in there):
                there.append(y)
                kind = "grid" if tick else "zero"
                made.append(f'<path class="{kind}" d="M{_LEFT:g} {y:.1f}H{_WIDTH - _RIGHT:g}"/>')
                made.append(f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">{_short(tick, digits)}</text>')
        return made


def _ticks(low: float, high: float) -> list[float]:
    """Return some round numbers between two."""
    span = high / 4 - low / 4
    if not 1e-300 < span < 1e300:
        return [low]
    unit = 10 ** floor(log10(span))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= span)
    if max(abs(low), abs(high)) > 1e6 * step:  # round numbers have as many digits as any
        return [low, high]
    return [step * k for k in range(ceil(low / step), floor(high / step) + 1)]


def _strip(xs: list[float], ratios: list[float], step: float) -> list[str]:
    """Return how far off each element is, in units of what is allowed, a decade as high as another."""
    finite = [r for r in ratios if isfinite(r)]
    top = min(_MOST, max(1.0, ceil(log10(max([*finite, 1.0])))))

    def y(ratio: float) -> float:
        decade = top if ratio > 10**top else max(_LEAST, log10(ratio)) if ratio > 0 else _LEAST
        return _LOW - (decade - _LEAST) / (top - _LEAST) * (_LOW - _HIGH)

    bars = [
        f'<rect class="{"bad" if r > 1 else "fine"}" x="{x - step / 3:.1f}" y="{y(r):.1f}" width="{step / 1.5:.1f}"'
        f' height="{max(_LOW - y(r), 0.5):.1f}"/>'
        for x, r in zip(xs, ratios, strict=True)
    ]
    line = f'<path class="allowed" d="M{_LEFT:g} {y(1.0):.1f}H{_WIDTH - _RIGHT:g}"/>'
    said = [(y(1.0), "allowed"), (y(10**top), _short(10.0**top, 3))]
    texts = [f'<text x="{_LEFT - 6:g}" y="{at + 4:.1f}" text-anchor="end">{text}</text>' for at, text in said]
    return [f'<path class="frame" d="M{_LEFT:g} {_HIGH:g}V{_LOW:g}H{_WIDTH - _RIGHT:g}"/>', *bars, line, *texts]


def _labels(worst: Worst, around: Around, xs: list[float], at: int) -> list[str]:
    """Return the name of the worst element, and the places of the first and the last one if there is room."""
    y = _LOW + 18
    anchor = "start" if xs[at] < _LEFT + 40 else "end" if xs[at] > _WIDTH - 46 else "middle"
    made = [f'<text class="here" x="{xs[at]:.1f}" y="{y:g}" text-anchor="{anchor}">{escape(worst.label)}</text>']
    for k in (0, len(xs) - 1):
        if abs(xs[k] - xs[at]) > 100:
            place = ",".join(map(str, _unravelled(around.first + k, around.shape)))
            made.append(f'<text x="{xs[k]:.1f}" y="{y:g}" text-anchor="{"end" if k else "start"}">[{place}]</text>')
    return made


def _short(number: float, digits: int) -> str:
    return f"{number:.{digits}g}".replace("e+", "e")


def _word(x: float, y: float, number: float, kind: str) -> str:
    """Return what a number is that has no height; nothing of one that has."""
    if isfinite(number):
        return ""
    said = "NaN" if isnan(number) else "∞" if number > 0 else "-∞"
    below = 12 if kind == "want" else 0
    return f'<text class="{kind}" x="{x:.1f}" y="{y + below:.1f}" text-anchor="middle">{said}</text>'


def _ratio(got: float, want: float, allowed: float) -> float:
    """Return an error in units of the tolerance; infinite where one is no number and the other is."""
    if got == want or (isnan(got) and isnan(want)) or not allowed < inf:
        return 0.0
    if not (isfinite(got) and isfinite(want)):
        return inf
    return abs(got - want) / allowed if allowed else inf


def _told(worst: Worst, ratios: list[float]) -> str:
    bad = sum(ratio > 1 for ratio in ratios)
    return f"{len(ratios)} elements around {worst.label}: {bad} of them are off by more than is allowed"


def _flat(place: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return sum(k * prod(shape[axis + 1 :]) for axis, k in enumerate(place))


def _unravelled(flat: int, shape: tuple[int, ...]) -> list[int]:
    found = []
    for length in reversed(shape):
        flat, k = divmod(flat, max(length, 1))
        found.append(k)
    return found[::-1]
