"""Axes in another order on one side, found by trying: images with channels last, weights turned round."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from porting.errors import PortingError
from porting.pairs.array import array
from porting.pairs.guess import Guess, Names
from porting.pairs.lengths import made_with, widths
from porting.pairs.patience import Patience
from porting.pairs.said_by_names import Description, wanted_by
from porting.pairs.suitable import ALL, UNSUMMED, Ops, agree, works
from porting.pairs.turned import OUTPUT, Order

_IMAGES: Final[tuple[tuple[tuple[int, ...], Order, Order], ...]] = (  # lengths, their order, that of a kernel's axes
    ((8, 8), (0, 2, 3, 1), (2, 3, 1, 0)),
    ((16,), (0, 2, 1), (2, 1, 0)),
)
_CHANNELS: Final = 3
_FILTERS: Final = 4
_MOST: Final = 3  # numbers of channels that are tried
_TURNED: Final = (1, 0)
_AXES: Final = 3
_PATIENCE: Final = 10.0  # seconds


class _Layout(NamedTuple):
    """Inputs as the first side has them, and the orders in which the other one has some."""

    inputs: Description
    orders: Mapping[str, Order]


def of_images(pair: Any, wanted: Sequence[str], names_of: Names, ops: Ops, why: str, patience: float) -> Guess | None:
    """Return inputs that one side takes with channels last, and not as the other one has them.

    They are looked for where a constructor wants arguments, as of layers, or an error speaks of three axes or more.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    wanted : sequence of str
        What constructors of modules want.
    names_of, ops : callable
        As of `porting.pairs.guessed.guess`.
    why : str
        What a side says that refuses arrays of any shape.
    patience : float
        Seconds after which none is tried any more.
    """
    time = Patience(patience)
    if len(pair.compared) != 2 or pair.axes or not (wanted or len(wanted_by(why)) >= _AXES):
        return None
    other = [*pair.compared][1]
    for made in made_with(wanted, pair.statics):
        with suppress(PortingError):
            names, lengths, lists = names_of(made)
            for layout in _layouts(names, _channels(pair, lengths)) if not lists else ():
                if time.over:
                    return None
                tried = _in(pair, other, layout, made)
                if _suits(tried, ops):
                    same = _suits(replace(tried, axes={}), ops)
                    return None if same else Guess(tried, f"{why}; {other} has channels last", made)
    return None


def with_channels_last(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same for images with channels last on the other side, if the sides have the same values so only."""
    pair = found.pair
    names, lengths, lists = names_of(found.settings)
    image = pair.inputs.get(names[0])
    if len(pair.compared) != 2 or pair.axes or lists or image is None or len(image.shape) < _AXES or agree(pair, ops):
        return None
    other = [*pair.compared][1]
    time = Patience(_PATIENCE)
    for layout in _layouts(names, _channels(pair, lengths)):
        tried = _in(pair, other, layout, {})
        if not time.over and _suits(tried, ops) and agree(tried, ops):
            unfit = works(tried, ops)[0] < UNSUMMED
            return replace(found, unfit=found.unfit and unfit).with_(tried, f"{other} has channels last")
    return None


def with_weights_turned(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with a matrix that one side has turned round, if the sides have the same values so only."""
    pair, names = found.pair, names_of(found.settings)[0]
    square = [n for n, a in pair.inputs.items() if a.shape == ("n", "n") and a.kind is None]
    if len(pair.compared) != 2 or pair.axes or len(names) < 2 or names[1] not in square or agree(pair, ops):
        return None
    other = [*pair.compared][1]
    first, weight, *rest = names
    inputs = {first: array(("n", "k")), weight: array(("m", "k")), **{n: array(("m",)) for n in rest}}
    tried = _in(pair, other, _Layout(inputs, {weight: _TURNED}), {})
    if not _suits(tried, ops) or not agree(tried, ops):
        return None
    return found.with_(tried, f"{other} has {weight} turned round")


def _in(pair: Any, other: str, layout: _Layout, made: Mapping[str, Any]) -> Any:
    statics = {**pair.statics, **made}
    return replace(pair, inputs=layout.inputs, statics=statics, axes={other: dict(layout.orders)})


def _channels(pair: Any, lengths: Collection[int]) -> list[int]:
    """Return how many channels an image may have: first what a static says that is called so."""
    return [*dict.fromkeys([*widths(pair.statics).values(), *sorted(lengths), _CHANNELS])][:_MOST]


def _layouts(names: Sequence[str], channels: Sequence[int]) -> Iterator[_Layout]:
    """Yield images with what belongs to each channel, several images, and images with the kernel of a convolution."""
    first, *rest = names
    for count in channels:
        for lengths, order, of_kernel in _IMAGES:
            image, out = array(("b", count, *lengths)), {OUTPUT: order}
            yield _Layout({first: image, **{n: array((count,)) for n in rest}}, {first: order, **out})
            if rest:
                yield _Layout(dict.fromkeys(names, image), {**dict.fromkeys(names, order), **out})
                kernel, *biases = rest
                of = {
                    kernel: array((_FILTERS, count, *(3 for _ in lengths))),
                    **{n: array((_FILTERS,)) for n in biases},
                }
                yield _Layout({first: image, **of}, {first: order, kernel: of_kernel, **out})


def _suits(pair: Any, ops: Ops) -> bool:
    """Whether all sides take what is described, each gradient with the shape of its input."""
    with suppress(PortingError):
        return works(pair, ops)[0] == ALL
    return False
