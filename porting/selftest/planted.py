"""Planted faults: a toy op, a twin of it that is wrong in one known way, and the cause that the checker must name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, TypeVar

from porting.selftest.toys import TOYS
from porting.spec import BACKENDS, Op

Twin = TypeVar("Twin", bound=Callable[..., Any])
_FOUND: Final[dict[str, "Planted"]] = {}


@dataclass(frozen=True)
class Planted:
    """One planted fault.

    Attributes
    ----------
    name : str
        ``torch.formula.wrong_sign``: backend, file, function or class.
    backend : str
        ``torch`` or ``tf``.
    op : Op
        The toy op, bound to the wrong twin.
    cause : str
        What the checker must name first, as ``porting explain`` lists it.
    about : str
        What is wrong, in one line.
    source : str
        Where the fault was seen outside of this project: a link or an issue's number; empty if it was not.
    """

    name: str
    backend: str
    op: Op
    cause: str
    about: str
    source: str = ""


def planted(op: Op, cause: str, *, source: str = "") -> Callable[[Twin], Twin]:
    """Register a wrong twin: a function, or a subclass of ``torch.autograd.Function``. A decorator.

    Its docstring's first line says what is wrong.
    """

    def register(twin: Twin) -> Twin:
        backend, _, file = twin.__module__.removeprefix(__package__ + ".").partition(".")
        name = f"{backend}.{file}.{twin.__name__}"
        if name in _FOUND:
            raise ValueError(f"two planted faults are called {name}")
        about = (twin.__doc__ or "").strip().splitlines()[0]
        bound = op.bind(**{backend: getattr(twin, "apply", twin)})
        _FOUND[name] = Planted(name, backend, bound, cause, about, source)
        return twin

    return register


def planted_faults(backend: str = "") -> list[Planted]:
    """Import the faults of one backend, or of both, and return them in the order of their names."""
    for key in [backend] if backend else BACKENDS:
        for name in _modules(f"{__package__}.{key}"):
            import_module(name)
    return [fault for name, fault in sorted(_FOUND.items()) if fault.backend == (backend or fault.backend)]


def right_toys(backend: str) -> list[Op]:
    """Return the toy ops, each bound to its right twin: a function of the op's name in ``twins.py``."""
    twins = import_module(f"{__package__}.{backend}.twins")
    return [op.bind(**{backend: getattr(twins, name)}) for name, op in TOYS.items()]


def _modules(package: str) -> Iterator[str]:
    for info in iter_modules(import_module(package).__path__, f"{package}."):
        if not info.name.endswith(".twins"):
            yield info.name
