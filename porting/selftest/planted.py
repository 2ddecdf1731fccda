"""What the checker is tried on: twins and pairs that are wrong in one known way, and their right siblings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final, TypeVar

from porting.backends import CATALOGUED
from porting.pairs.pair import Pair
from porting.runners import RUNNERS
from porting.selftest.toys import TOYS
from porting.spec import Op

Twin = TypeVar("Twin", bound=Callable[..., Any])
Made = TypeVar("Made", bound=Callable[[], Pair])
_FOUND: Final[dict[str, "Planted"]] = {}
_PAIRS: Final = f"{__package__}.pairs"


@dataclass(frozen=True)
class Planted:
    """One planted fault, or something right that looks like one.

    Attributes
    ----------
    name : str
        ``torch.formula.wrong_sign``: backend, file, function or class.
    backend : str
        ``torch`` or ``tf``: whose twin it is, which side of the pair is wrong.
    subject : Op or Pair
        The toy op, bound to the twin; or two sides without an oracle.
    cause : str
        What the checker must name first, as ``porting explain`` lists it; empty for a right sibling.
    about : str
        What is wrong, or looks so, in one line.
    source : str
        Where it was seen outside of this project: a link or an issue's number; empty if it was not.
    """

    name: str
    backend: str
    subject: Op | Pair
    cause: str
    about: str
    source: str = ""

    @property
    def op(self) -> Op:
        """The op of this side."""
        return self.subject.on(self.backend) if isinstance(self.subject, Pair) else self.subject


def add(name: str, backend: str, subject: Op | Pair, cause: str, about: str, source: str) -> None:
    """Register one, by the attributes of `Planted`.

    Raises
    ------
    ValueError
        If there is another one of this name.
    """
    if name in _FOUND:
        raise ValueError(f"two planted faults are called {name}")
    _FOUND[name] = Planted(name, backend, subject, cause, about, source)


def planted(op: Op, cause: str, *, source: str = "") -> Callable[[Twin], Twin]:
    """Register a wrong twin: a function, or a subclass of ``torch.autograd.Function``. A decorator.

    Its docstring's first line says what is wrong.
    """

    def register(twin: Twin) -> Twin:
        backend, _, file = twin.__module__.removeprefix(__package__ + ".").partition(".")
        bound = op.bind(**{backend: getattr(twin, "apply", twin)})
        add(f"{backend}.{file}.{twin.__name__}", backend, bound, cause, _about(twin), source)
        return twin

    return register


def right(op: Op, *, source: str = "") -> Callable[[Twin], Twin]:
    """Register a right twin that is written in a way which looks wrong. A decorator.

    Its docstring's first line says what is unusual.
    """
    return planted(op, "", source=source)


def planted_pair(backend: str, cause: str, *, source: str = "") -> Callable[[Made], Made]:
    """Register a pair of which one side is wrong. A decorator of a function without arguments that makes the pair."""

    def register(make: Made) -> Made:
        name = f"{backend}.{make.__module__.removeprefix(__package__ + '.')}.{make.__name__}"
        add(name, backend, make(), cause, _about(make), source)
        return make

    return register


def right_pair(backend: str, *, source: str = "") -> Callable[[Made], Made]:
    """Register a right pair of which one side is written in a way that looks wrong. A decorator as `planted_pair`."""
    return planted_pair(backend, "", source=source)


def planted_faults(backend: str = "") -> list[Planted]:
    """Return the wrong twins of one backend, or of both, in the order of their names."""
    return [thing for thing in _twins(backend) if thing.cause]


def right_siblings(backend: str = "") -> list[Planted]:
    """Return the right twins of one backend, or of both, that are written in unusual ways."""
    return [thing for thing in _twins(backend) if not thing.cause]


def planted_pairs(backend: str = "") -> list[Planted]:
    """Return the pairs, wrong or right on the side of one backend, or of any; none without both frameworks."""
    if any(RUNNERS[key].missing() for key in CATALOGUED):
        return []
    for name in _modules(_PAIRS):
        import_module(name)
    return [thing for thing in _sorted(backend) if isinstance(thing.subject, Pair)]


def right_toys(backend: str) -> list[Op]:
    """Return the toy ops, each bound to its right twin: a function of the op's name in ``twins.py``."""
    twins = import_module(f"{__package__}.{backend}.twins")
    return [op.bind(**{backend: getattr(twins, name)}) for name, op in TOYS.items()]


def _about(thing: Any) -> str:
    return str(thing.__doc__ or "").strip().splitlines()[0]


def _twins(backend: str) -> list[Planted]:
    for key in [backend] if backend else CATALOGUED:
        for name in _modules(f"{__package__}.{key}"):
            import_module(name)
    return [thing for thing in _sorted(backend) if isinstance(thing.subject, Op)]


def _sorted(backend: str) -> list[Planted]:
    return [thing for _, thing in sorted(_FOUND.items()) if thing.backend == (backend or thing.backend)]


def _modules(package: str) -> Iterator[str]:
    for info in walk_packages(import_module(package).__path__, f"{package}."):
        if not (info.ispkg or info.name.endswith(".twins")):
            yield info.name
