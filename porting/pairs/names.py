"""What each side calls the Python arguments: ``dim`` here is ``axis`` there."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from porting.errors import PairError
from porting.runners.side import parameters_of

# One thing under the names that PyTorch, TensorFlow and those who write for them give it.
_SAME: Final = (
    {"dim", "axis", "dims", "axes"},
    {"keepdim", "keepdims", "keep_dims"},
    {"eps", "epsilon"},
    {"tau", "temperature"},
    {"lambd", "lambda_", "lamb", "lam", "lamda", "lmbda"},
    {"negative_slope", "alpha", "slope"},
)


def names_of(
    key: str,
    function: Callable[..., Any],
    inputs: Collection[str],
    statics: Collection[str],
    given: Mapping[str, str],
    defaults: Mapping[str, Any] = MappingProxyType({}),
    *,
    order: Sequence[str] = (),
    by_place: bool = True,
) -> dict[str, str]:
    """Return what a side calls those of the statics that it has under another name.

    Parameters
    ----------
    key : {"torch", "tf", "like"}
        The side, for messages.
    function : callable
        The side.
    inputs, statics : collection of str
        The arguments, as the pair calls them.
    given : mapping of str to str
        What the user said of this side: the pair's name, and the side's.
    defaults : mapping of str to object
        The defaults that arguments have on any side.
    order : sequence of str
        All arguments of the side that names the statics: one with as many has the same thing at the same place.
    by_place : bool
        Whether the one argument that is left is the one static that is left; only if the inputs are known.

    Raises
    ------
    PairError
        If the side has no argument of a name that the user gave.
    """
    try:
        parameters = parameters_of(key, function)
    except PairError:  # it does not say what it takes
        return dict(given)
    for name, theirs in given.items():
        if theirs not in parameters:
            raise PairError(f"{key}: {name} is renamed to {theirs}, but the side takes {', '.join(parameters)}")
    found = dict(given)
    lacking = [n for n in statics if n not in parameters and n not in found]
    for name in lacking:
        others = [n for n in parameters if n not in (*inputs, *statics, *found.values())]
        same = next((other for other in others if mean_the_same(name, other)), None)
        same = same or _of_one_default(name, parameters, defaults, {*inputs, *statics} - {name})
        if same:
            found[name] = same
    for name in lacking if len(order) == len(parameters) else ():
        there = list(parameters)[order.index(name)] if name in order and name not in found else None
        if there is not None and there not in (*inputs, *statics, *found.values()):
            found[name] = there
    places = [
        n for n in parameters if n not in {found[s] for s in found if s not in inputs}
    ]  # one may stand between the inputs
    free = [n for n in places[len(inputs) :] if n not in statics]
    left, wanted = [n for n in lacking if n not in found], [n for n in free if parameters[n] is inspect.Parameter.empty]
    wanted = wanted or free  # what has a default is meant only where nothing else is left
    if by_place and len(left) == len(wanted) == 1:
        found[left[0]] = wanted[0]
    return found


def mean_the_same(name: str, other: str) -> bool:
    """Whether two names mean one thing, or are one but for how words are joined: ``is_positive``, ``ispositive``."""
    joined = {n.replace("_", "").lower() for n in (name, other)}
    return len(joined) == 1 or any({name, other} <= group for group in _SAME)


def _of_one_default(
    name: str, parameters: Mapping[str, Any], defaults: Mapping[str, Any], others: Collection[str]
) -> str | None:
    """Return the one argument of a side that has the default of another side's, if no other argument has it."""
    default = defaults.get(name)
    if isinstance(default, bool) or not isinstance(default, int | float | str):
        return None
    theirs = [n for n, d in parameters.items() if n not in others and _equal(d, default)]
    mine = [n for n in {name, *others} - {*parameters} if _equal(defaults.get(n), default)]
    return theirs[0] if len(theirs) == len(mine) == 1 else None


def _equal(one: Any, other: Any) -> bool:
    """Whether two defaults are one number or text; 1 and True are not."""
    return not isinstance(one, bool) and isinstance(one, int | float | str) and bool(one == other)


def order_of(
    key: str,
    inputs: tuple[str, ...],
    taken: Collection[str],
    statics: Collection[str] = (),
    given: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, ...]:
    """Return the inputs in the order in which a function takes them: its own, if it calls all of them the same.

    If it calls all but one the same, that one is what is left.

    Parameters
    ----------
    key : str
        The side, for messages.
    inputs : tuple of str
        As the pair calls them, in its order.
    taken : collection of str
        The arguments of the function, in their order.
    statics : collection of str
        Those that are no inputs, as the pair calls them.
    given : mapping of str to str
        What the user said of this side: the pair's name, and the side's.

    Raises
    ------
    PairError
        If one stands elsewhere, and of several others nobody knows which is which.
    """
    mine = {theirs: name for name, theirs in given.items()}
    called = [mine.get(n, n) for n in taken]
    first = tuple(n for n in called if n in inputs or not any(mean_the_same(s, n) for s in statics))[: len(inputs)]
    if {*first} == {*inputs}:
        return first
    moved = [n for n in first if n in inputs and first.index(n) != inputs.index(n)]
    left = [n for n in inputs if n not in first]
    if not moved or len(first) < len(inputs):
        return inputs
    if len(left) > 1:
        others = [n for n in first if n not in inputs]
        do = f"--rename {key}:{left[0]}={others[0]} says it of one"
        which = f"{', '.join(others)} may be {', '.join(left)}, in any order"
        raise PairError(f"{key}: {moved[0]} stands elsewhere there than on the first side, and {which}: {do}")
    return tuple(n if n in inputs else left[0] for n in first)


def order_told(key: str, inputs: tuple[str, ...], order: tuple[str, ...], taken: Collection[str]) -> str:
    """Return what to say of inputs that a side takes in another order, or seems to by their names; else nothing."""
    if order != inputs:
        return f"{key}: {', '.join(order)} in this order"
    first = tuple(taken)[: len(inputs)]
    if first == inputs or len(first) < len(inputs):
        return ""
    alike = [[k for k, other in enumerate(first) if _alike(name, other)] for name in inputs]
    places = [k for found in alike for k in found]
    if sorted(places) != list(range(len(first))) or places == sorted(places):
        return ""
    paired = ", ".join(f"{name} is {other}" for name, other in zip(inputs, first, strict=True) if name != other)
    return f"{key}: {paired}, by place; if the names are right, give a function that takes them in the other order"


def _alike(name: str, other: str) -> bool:
    """Whether all words of one name stand in the other one."""
    these, those = ({word for word in n.lower().split("_") if word} for n in (name, other))
    return bool(these & those) and (these <= those or those <= these)


def renamed(twin: Callable[..., Any], names: Mapping[str, str]) -> Callable[..., Any]:
    """Return a twin that takes the pair's names."""
    if not names:
        return twin

    def called(*xs: Any, **statics: Any) -> Any:
        return twin(*xs, **{names.get(n, n): value for n, value in statics.items()})

    called.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    called.named = frozenset(names.values())  # type: ignore[attr-defined]  # no inputs, wherever they stand
    return called


def otherwise(
    key: str,
    function: Callable[..., Any],
    statics: Collection[str],
    names: Mapping[str, str],
    defaults: Mapping[str, Any],
) -> dict[str, str]:
    """Return what to say of the statics that a side calls otherwise, or that have another default there."""
    theirs: dict[str, Any] = {}
    with suppress(PairError):
        theirs = parameters_of(key, function)
    found = {}
    for name in statics:
        there = names.get(name, name)
        default = theirs.get(there, inspect.Parameter.empty)
        if name in defaults and default is not inspect.Parameter.empty and default != defaults[name]:
            found[name] = f"{there}={default!r}"
        elif there != name:
            found[name] = there
    return found


def takes(
    key: str, function: Callable[..., Any], name: str, defaults: Mapping[str, Any] = MappingProxyType({})
) -> bool:
    """Whether a side has an argument, under this name or one that means the same, or alone has its default.

    A function whose signature says nothing takes anything; a forward that takes ``*xs`` takes nothing by name.
    """
    with suppress(PairError):
        theirs = parameters_of(key, function)
        others = {*defaults} - {name}
        return any(mean_the_same(name, n) for n in theirs) or bool(_of_one_default(name, theirs, defaults, others))
    return not inspect.isclass(function)
