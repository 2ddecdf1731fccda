"""A module that was given as a class is constructed; what it holds is found out, by a call if it must."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from porting.backends.tf.copies import KerasCopies, module_copies
from porting.backends.tf.first_call import FirstCall
from porting.backends.tf.module import TensorFlowModule
from porting.backends.tf.untracked import tensors
from porting.backends.torch.module import TorchModule
from porting.errors import PairError, UnsaidError
from porting.pairs.constructor import arguments_of, inherited, looked_up, makes_a_function
from porting.pairs.examples import Call
from porting.pairs.methods import method_of, owner_of
from porting.pairs.names import mean_the_same
from porting.pairs.unmade import unmade
from porting.runners.base import raised_by, telling_line
from porting.runners.side import module_kind, without_weights

MODE: Final = "training"
_VARIABLES: Final = "must accept keyword argument 'variables'"  # what TensorFlow says of every input
_PLAIN: Final = (bool, int, float, str, tuple, type(None))
_OF_WEIGHTS: Final = re.compile(r"initiali[sz]er|regulari[sz]er|constraint|^(name|dtype|device|padding_mode)$")
_FRAMEWORK: Final = {"torch": "torch", "keras": "tf", "tf": "tf"}
_CALLED: Final = {"torch": "an nn.Module", "keras": "a Keras layer", "tf": "a tf.Module"}


class Loaded(NamedTuple):
    """A side as it is called: the function, what makes another one, the statics that a constructor took, its kind.

    At last the defaults of that constructor.
    """

    function: Callable[..., Any]
    again: Callable[[], Any] | None = None
    taken: frozenset[str] = frozenset()
    kind: str = ""
    defaults: Mapping[str, Any] = MappingProxyType({})

    @property
    def mode(self) -> bool | None:
        """Whether a module trains, where it has that as a state; nothing where a call says so."""
        return bool(getattr(self.function, MODE)) if self.kind == "torch" else None


def constructed(key: str, thing: Any, statics: Mapping[str, Any]) -> Loaded:
    """Return a side, after a module that is given as a class was constructed with those statics that it takes.

    A function without arguments that makes a module is as good as its class.

    Raises
    ------
    PairError
        If it wants arguments that nobody gave, raises, or is of the other framework.
    """
    kind = module_kind(thing)
    if not kind:
        return _function(key, thing, statics)
    name = getattr(thing, "__name__", None) or type(thing).__name__
    if _FRAMEWORK[kind] != key:
        raise PairError(f"{key}: {name} is {_CALLED[kind]}; give it as the other side, --{_FRAMEWORK[kind]}")
    if not inspect.isclass(thing):
        return Loaded(_in_mode(thing, kind, statics), kind=kind)
    function, again, taken = _object(key, thing, statics)
    function = _in_mode(function, kind, {n: v for n, v in statics.items() if n not in taken})
    return Loaded(function, again, taken, kind, _defaults_of(thing))


def _function(key: str, thing: Any, statics: Mapping[str, Any]) -> Loaded:
    """Return a side that is no module, after what it is called on was made: a function, or a method's object."""
    maker = _maker(thing)
    if maker is None and _takes_nothing(thing):
        made = _made(key, thing)
        module = module_kind(made) and not inspect.isclass(made)
        return constructed(key, made, statics)._replace(again=thing) if module else Loaded(thing)
    if maker is None:
        return Loaded(thing)
    own = inspect.unwrap(thing).__name__ if maker is not thing else ""  # of a method that was named
    made, _, taken = _object(key, maker, statics, own)
    method = method_of(thing) or (thing if maker is not thing else None)
    function = made if method is None else getattr(made, inspect.unwrap(method).__name__)
    return Loaded(function, taken=taken, defaults=_defaults_of(maker))


def _maker(thing: Any) -> Any:
    """Return what has to be called first, where a side is no module: a function that makes one, or a class."""
    return thing if makes_a_function(thing) or method_of(thing) is not None else owner_of(thing)


def lent_to(key: str, sides: Mapping[str, Loaded]) -> dict[str, Any]:
    """Return the defaults of the constructors of all sides but one: it may be called with what they are made with."""
    return {n: d for side, other in sides.items() if side != key for n, d in other.defaults.items()}


def left_at_defaults(sides: Mapping[str, Loaded]) -> list[str]:
    """Return what sides are made with where nobody said it: functions that make one, and modules that a text tells how.

    How the weights of a module begin, and its name, are nobody's question here.
    """
    found: dict[str, list[str]] = {}
    for key, each in sides.items():
        left = {n: d for n, d in each.defaults.items() if n not in each.taken and isinstance(d, _PLAIN)}
        if each.kind:
            left = {n: d for n, d in left.items() if isinstance(d, str) and not _OF_WEIGHTS.search(n)}
        if left:
            found.setdefault(", ".join(f"{n}={d!r}" for n, d in left.items()), []).append(key)
    return [f"{' and '.join(keys)}: made with {said} by default, --static says others" for said, keys in found.items()]


def _defaults_of(thing: Any) -> dict[str, Any]:
    return {n: p.default for n, p in arguments_of(thing).items() if p.default is not p.empty}


def _object(
    key: str, thing: Any, statics: Mapping[str, Any], method: str = ""
) -> tuple[Any, Callable[[], Any], frozenset[str]]:
    """Return an object, or a function, that is made, what makes another one, and which statics it was made with.

    Its `method` is what was asked for, if one was.
    """
    name = thing.__name__
    if absent := _wanted_by(thing, statics):
        raise unmade(key, thing, absent, method)
    taken = _taken(thing, statics)
    again = partial(thing, **{n: statics[name] for n, name in taken.items()})
    try:
        return again(), again, frozenset(taken.values())
    except Exception as error:  # noqa: BLE001 - theirs
        given = ", ".join(f"{n}={statics[name]!r}" for n, name in taken.items())
        do = _other_values(name, [n for n in taken if isinstance(statics[taken[n]], list | tuple)])
        raise PairError(f"{key}: {name}({given}) raised {_said(error)}; {do}") from None


def _other_values(name: str, lists: Sequence[str]) -> str:
    """Return what to do where a constructor refuses its statics; one that is a list may be meant as a tensor."""
    if not lists:
        return "give other values with --static"
    of = f"FILE.py:make, a function without arguments that returns {name}({', '.join(f'{n}=…' for n in lists)})"
    which = f"{lists[0]} is a list" if len(lists) == 1 else f"{' and '.join(lists)} are lists"
    return f"{which} here, and no static is a tensor: give other values with --static, or name {of}"


def _takes_nothing(thing: Any) -> bool:
    """Whether this is a function of Python without arguments: it has no inputs, so it makes something."""
    return inspect.isfunction(thing) and not inspect.signature(thing).parameters


def _made(key: str, thing: Any) -> Any:
    try:
        return thing()
    except Exception as error:  # noqa: BLE001 - theirs
        raise PairError(f"{key}: {thing.__name__}() raised {_said(error)}") from None


def _in_mode(module: Any, kind: str, statics: Mapping[str, Any]) -> Any:
    """Return a module; one of PyTorch trains or not as is said: it has that as a state, where Keras has an argument."""
    if kind != "torch" or MODE not in statics or _takes(module, MODE) or module.training == bool(statics[MODE]):
        return module
    mine = deepcopy(module)  # what was given stays as it is
    mine.train(bool(statics[MODE]))
    return mine


def lacking(thing: Any, statics: Mapping[str, Any]) -> list[str]:
    """Return what makes a module, a function or a method's object, wants, and is not among the statics."""
    made = _constructor(thing)
    return [] if made is None else _wanted_by(made, statics)


def taken_by(thing: Any, statics: Mapping[str, Any]) -> set[str]:
    """Return which of the statics the same takes."""
    made = _constructor(thing)
    return set() if made is None else {*_taken(made, statics).values()}


def _constructor(thing: Any) -> Any:
    return (thing if inspect.isclass(thing) else None) if module_kind(thing) else _maker(thing)


def _wanted_by(thing: Any, statics: Mapping[str, Any]) -> list[str]:
    if own := _without_default(arguments_of(thing), statics):
        return own
    wanted = _without_default(inherited(thing), statics)
    if wanted:  # unless its own constructor gives them
        try:
            thing(**{n: statics[name] for n, name in _taken(thing, statics).items()})
        except TypeError:
            return wanted
        except Exception:  # noqa: BLE001 - theirs, and told where it is made
            return []
    return []


def _without_default(named: Mapping[str, inspect.Parameter], statics: Mapping[str, Any]) -> list[str]:
    wanted = [n for n, p in named.items() if p.default is p.empty and n not in statics]
    return [n for n in wanted if not any(mean_the_same(n, name) for name in statics)]


def _taken(thing: Any, statics: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments that a constructor takes, itself or by handing them on, each with its name as a static.

    It may call them otherwise: ``axis`` what is ``dim`` here.
    """
    named = {*arguments_of(thing), *inherited(thing), *looked_up(thing, statics)}
    own = {n: n for n in statics if n in named}
    others = {n: name for name in statics if name not in own for n in named - {*own} if mean_the_same(n, name)}
    return {**own, **others}


def lengths_of(side: Loaded) -> set[int]:
    """Return the lengths of what a module holds already."""
    module: Any = side.function
    with suppress(Exception):  # a lazy one has none yet
        held = module.parameters() if side.kind == "torch" else module.variables
        return {int(n) for parameter in held for n in parameter.shape}
    return set()


def held_by(key: str, side: Loaded, call: Call, training: bool | None = None) -> TorchModule | TensorFlowModule | None:
    """Return what a module holds; nothing if it holds nothing, so that it is a function like others.

    It may be called a few times, with examples of its forward's inputs, later on in a mode if that is an argument.

    Raises
    ------
    PairError
        If it cannot be called with inputs as they are described, or its weights have a length that varies.
    """
    name = type(side.function).__name__
    statics = {n: v for n, v in call.statics.items() if _takes(side.function, n)}
    other = False
    if side.kind == "keras" and without_weights(side.function) and not tensors(side.function):
        return None
    later = {MODE: training, **statics} if training is not None and _takes(side.function, MODE) else statics
    try:
        found = _held(side, call, statics, later)
        if call.guessed and side.kind != "keras" and found.parameters:  # a Keras layer was called to be built
            for other in (False, True):  # of the first widths one may be the module's by chance
                found.tried(call.arguments(other=other), statics)
    except PairError:
        raise
    except Exception as error:  # noqa: BLE001 - theirs
        wanted = " ".join(f"--input {n}=float64[SHAPE]" for n in call.forward)
        said = f"{name} was called with {call.shapes(other=other)} and raised {_said(error)}"
        if _VARIABLES in str(error):
            wants = "its gradient function takes no argument `variables`; see `porting explain missing_variables`"
            raise PairError(f"{key}: {said}: {wants}") from None
        where = raised_by(error, "forward", side.function).where
        raise UnsaidError(f"{key}: {said}", f"; say which shapes it takes: {wanted}", where) from None
    if side.kind != "torch":
        _ensure_fixed(key, side, call, statics, found)
    return found if found.parameters or any(found.state.values()) else None


def _held(
    side: Loaded, call: Call, statics: dict[str, Any], later: dict[str, Any] | None = None, *, other: bool = False
) -> Any:
    inputs = call.arguments(other=other)
    calls = (inputs, replace(call, seed=call.seed + 1).arguments(other=other))
    if side.kind == "torch":
        return TorchModule(side.function, calls, statics, side.again)
    first = None if later is None else FirstCall(calls, later)
    if side.kind == "tf":
        return TensorFlowModule(module_copies(side.function, inputs), side.function, first)
    copies = KerasCopies(side.function, side.again, inputs, statics, strict=call.guessed)
    return TensorFlowModule(copies, side.function, first)


def _ensure_fixed(key: str, side: Loaded, call: Call, statics: dict[str, Any], now: Any) -> None:
    """Refuse weights whose shape follows from a length that varies: those of an input are fixed."""
    then = None
    with suppress(Exception):  # such lengths may not go together
        then = _held(side, call, statics, other=True)
    if then is None or then.parameters == now.parameters:
        return
    name = next(n for n, shape in now.parameters.items() if shape != then.parameters.get(n))
    shapes = [list(held.parameters.get(name, ())) for held in (now, then)]
    said = f"{name} is {shapes[0]} for {call.shapes()} and {shapes[1]} for {call.shapes(other=True)}"
    raise UnsaidError(f"{key}: {said}", f": say how long that axis is, as in --input {call.forward[0]}=float64[n,8]")


def _takes(function: Any, name: str) -> bool:
    method = getattr(function, "call", None) or getattr(function, "forward", None) or function
    with suppress(TypeError, ValueError):
        return name in inspect.signature(method).parameters
    return False


def _said(error: Exception) -> str:
    telling = telling_line(str(error))
    return f"{type(error).__name__}: {telling}" if telling else type(error).__name__
