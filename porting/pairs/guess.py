"""A description of inputs that was found by trying, and how it is said."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

from porting.pairs.array import Array, array
from porting.pairs.parse import written_static
from porting.pairs.turned import written_axes

# Given what constructors are given: the inputs, in order, lengths that a module has, and how many parts lists have.
Names: TypeAlias = Callable[[Mapping[str, Any]], tuple[Sequence[str], Collection[int], Mapping[str, int]]]


class Saying(NamedTuple):
    """What sources say of inputs.

    Attributes
    ----------
    shapes : mapping
        The shapes that they give some of them in words.
    booleans, wholes, definite, indices, tensors : collection of str
        What they take for True and False, cast to whole numbers, call positive definite, look something up with,
        annotate as a tensor.
    flags : collection of str
        What they ask whether it is true.
    texts : mapping
        What they compare with texts, or look up in a dictionary of the module, with those texts.
    widths : mapping
        Of which they take parts along the last axis, with the length that has all these parts.
    limits : collection of str
        What they hold something between, and between its negative.
    """

    shapes: Mapping[str, tuple[Any, ...]]
    booleans: Collection[str]
    wholes: Collection[str]
    definite: Collection[str]
    indices: Collection[str]
    tensors: Collection[str]
    flags: Collection[str]
    texts: Mapping[str, Sequence[str]]
    widths: Mapping[str, int]
    limits: Collection[str]


Said: TypeAlias = Callable[[Sequence[str]], Saying]
_ASKED: Final = (0.3, 1.5)  # a number that was data, where its gradient is asked for


@dataclass(frozen=True)
class Guess:
    """What was found.

    Attributes
    ----------
    pair : porting.Pair
        The pair, with inputs that are described.
    why : str
        Why it was looked for.
    settings : mapping
        The arguments that are numbers of Python.
    still : bool
        Whether no output was seen to depend on any input.
    constant : collection of str
        The arguments for which no side has a gradient.
    forwards : bool
        Whether the forwards alone suit it: a side has no gradient that is fit for it.
    unfit : bool
        Whether no side has a gradient of the shape of one of the inputs.
    limit : str
        Why equal values say nothing: what the sides differ for, beside it.
    """

    pair: Any
    why: str
    settings: Mapping[str, Any]
    still: bool = False
    constant: Collection[str] = ()
    forwards: bool = False
    unfit: bool = False
    limit: str = ""

    def with_(self, pair: Any, *said: str) -> "Guess":
        """Return the same with more described, and why."""
        return replace(self, pair=pair, why="; ".join(filter(None, (self.why, *said))))

    @property
    def flags(self) -> str:
        """The options that say the same."""
        return self._options(self.pair.inputs)

    def _options(self, inputs: Mapping[str, Array]) -> str:
        said = [f'--input "{given.part or name}={given}"' for name, given in inputs.items()]
        orders = [word for text in written_axes(self.pair.axes) for word in ("--axes", text)]
        return " ".join([*said, *(typed(name, value) for name, value in self.settings.items()), *orders])

    @property
    def _uncompared(self) -> str:
        """What is said of gradients that no side has: they may have been forgotten on all of them."""
        asked = {n: array((), domain=_ASKED) for n, a in self.pair.inputs.items() if n in self.constant and a.kind}
        fixed = [n for n, value in self.settings.items() if n in self.constant and isinstance(value, float)]
        how = f": {self._options({**self.pair.inputs, **asked})} compares it" if asked else ""
        left = " and ".join([*asked, *fixed])
        return f"; no side has a gradient by {left}, so none is compared{how}" if left else ""

    def __str__(self) -> str:
        """Return why it was looked for, what is not compared so, and the options that say the same."""
        numbers = bool(self.pair.inputs) and all(a.shape == () for a in self.pair.inputs.values())
        no_array = "; so no array is compared, single numbers alone" if numbers else ""
        how = "no side has gradients of these shapes, say others than" if self.unfit else "the same is"
        return f"   (guessed, {self.why}{no_array}{self._uncompared}; {how} {self.flags})"


def taken_with(pair: Any, given: Mapping[str, Any], names: Sequence[str]) -> Guess | None:
    """Return what the inputs are of a pair that is given some statics; nothing if the sides refuse what was tried.

    Parameters
    ----------
    pair : porting.Pair
        The pair, with these statics.
    given : mapping
        Those of the statics that are part of the guess.
    names : sequence of str
        What stands for inputs.
    """
    if (found := pair.guess()) is None and pair.advice:
        return None
    return replace(found, settings={**found.settings, **given}) if found else of_arrays(pair, given, names)


def of_arrays(pair: Any, given: Mapping[str, Any], names: Sequence[str]) -> Guess:
    """Return that the inputs but for some statics are arrays of any shape."""
    return Guess(replace(pair, inputs={n: array() for n in names if n not in given}), "", given)


def typed(name: str, value: Any) -> str:
    """Return a static as a shell takes it in one piece."""
    said = f"{name}={written_static(value)}"
    return f'--static "{said}"' if isinstance(value, tuple | dict) else f"--static {said}"
