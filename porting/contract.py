"""The claims that an op makes: `Contract`, and the words to fill it with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from porting.errors import PortingError

Kinks: TypeAlias = tuple[float, ...] | Callable[..., tuple[Any, ...]]
Domain: TypeAlias = tuple[float, float] | range | str
Shape: TypeAlias = tuple[Any, ...]  # of lengths, names of lengths, and at most one ... in front


class SpecError(PortingError, TypeError):
    """An op is declared in a form that cannot be meant; the message shows the right form."""


@dataclass(frozen=True)
class Unstated:
    """Stands for ``gradient_of`` when no function is known whose derivative the gradient is."""

    reason: str


def unstated(reason: str) -> Unstated:
    """Waive the claim that the gradient is some function's derivative.

    Parameters
    ----------
    reason : str
        Why no such function can be named. It is printed in every report.

    Raises
    ------
    SpecError
        If the reason is empty: a waiver without a reason is not a waiver.
    """
    if not reason.strip():
        raise SpecError('unstated() wants a reason: unstated("clips the cotangent, so it is no derivative")')
    return Unstated(reason)


def identity(x: Any) -> Any:
    """Return `x`: the function that a straight-through gradient is the derivative of."""
    return x


@dataclass(frozen=True)
class Contract:
    """The claims that an op makes; every one is tested, the waived ones too.

    Parameters
    ----------
    gradient_of : None, callable or Unstated
        `None`: the gradient is the primal's derivative (*exact*). A function of the same inputs: it is the derivative
        of that function (*surrogate*; straight-through is `identity`). `unstated("reason")`: no such function is
        known.
    linear : bool
        The vjp is linear in the cotangent. When waived, a witness of non-linearity must be found.
    order : {1, 2}
        How often both twins may be differentiated. With 1, a second derivative must be refused.
    domain : mapping of input name to (low, high), range or str
        Where an input is defined (closed interval), or the integers it may take: those of a range, or those that index
        an axis named in `shapes`. All reals when not given.
    prepare : mapping of input name to callable
        Makes a drawn array of normal numbers one that the op is defined for: a positive definite matrix, say. The
        checks leave out what would put other numbers into such an input.
    refuses : tuple of mappings
        Calls that both twins must refuse with the oracle's exception and the oracle's sentence. Each maps statics and
        inputs to the bad values; the others are ordinary.
    raises : exception type, optional
        What both twins must raise outside the domain.
    nonfinite : bool
        Outside the domain both twins must give NaN or infinity.
    kinks : mapping of input name to tuple of float or callable
        Where there is no derivative. A callable takes the op's inputs and statics and returns a tuple of arrays. Kinks
        are excused from finite differences, never from parity.
    wrt : tuple of str, optional
        The differentiated inputs. All that are not integers when not given.
    statics : mapping of static name to tuple
        Values that the checks use besides the default.
    shapes : mapping of input name to tuple
        The shapes that the op takes: a number is a length, a name a length that is the same wherever it occurs, and
        ``...`` in front any further axes: ``{"x": (..., "n"), "w": ("n", 3)}``. Inputs that are not named take any
        shape, all the same one: the op works element by element.
    complex : bool
        The op takes complex numbers too; its gradient is the conjugate one, as in both frameworks.
    nondiff : tuple of int
        The outputs without a gradient, by place from 0: compared as values, with a cotangent of 0. Masks and counts
        need not be named; their types say so.
    """

    gradient_of: Callable[..., Any] | Unstated | None = None
    linear: bool = True
    order: int = 2
    domain: Mapping[str, Domain] = field(default_factory=dict)
    prepare: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    refuses: tuple[Mapping[str, Any], ...] = ()
    raises: type[Exception] | None = None
    nonfinite: bool = False
    kinks: Mapping[str, Kinks] = field(default_factory=dict)
    wrt: tuple[str, ...] | None = None
    statics: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    complex: bool = False
    nondiff: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the mappings too, and refuse what cannot be meant."""
        for name, (fits, wanted) in _FORMS.items():
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise SpecError(f'{name}={given!r}: {name} wants a mapping by argument: {name}={{"x": …}}')
            for argument, value in given.items():
                if not fits(value):
                    raise SpecError(f"{name} of {argument!r}: {wanted} is wanted, got {value!r}")
            object.__setattr__(self, name, MappingProxyType(dict(given)))
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        if not isinstance(self.refuses, tuple) or not all(isinstance(bad, Mapping) and bad for bad in self.refuses):
            raise SpecError(f'refuses={self.refuses!r}: refuses is a tuple of calls, ({{"k": 0}}, {{"k": 99}})')
        axes = {length for shape in self.shapes.values() for length in shape if isinstance(length, str)}
        for name, domain in self.domain.items():
            if isinstance(domain, str) and domain not in axes:
                raise SpecError(f"domain of {name!r}: {domain!r} is no axis that shapes= names")
        if isinstance(self.wrt, str):
            raise SpecError(f"wrt={self.wrt!r}: wrt is a tuple of names, ({self.wrt!r},)")
        if not isinstance(self.nondiff, tuple) or not all(type(k) is int and k >= 0 for k in self.nondiff):
            raise SpecError(f"nondiff={self.nondiff!r}: nondiff is a tuple of outputs, counted from 0: (1,)")
        if self.raises and self.nonfinite:
            raise SpecError("raises= and nonfinite= exclude each other: outside the domain an op does one of the two")
        if self.order not in (1, 2):
            raise SpecError(f"order={self.order!r}: an op promises order 1 or 2")
        if (self.raises or self.nonfinite) and not self.domain:
            raise SpecError("raises= and nonfinite= say what happens outside the domain: give domain= as well")

    @property
    def integers(self) -> tuple[str, ...]:
        """The inputs that are integers."""
        return tuple(name for name, domain in self.domain.items() if isinstance(domain, range | str))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process, which the frozen mappings by themselves refuse."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return _remade, ({n: dict(v) if isinstance(v, Mapping) else v for n, v in values.items()},)

    @property
    def kind(self) -> str:
        """One word or two for tables: exact, straight-through, of `<function>`, unstated."""
        match self.gradient_of:
            case None:
                return "exact"
            case Unstated():
                return "unstated"
            case g if g is identity:
                return "straight-through"
            case g:
                return f"of {getattr(g, '__name__', g)}"


def _remade(values: dict[str, Any]) -> Contract:
    return Contract(**values)


def _is_domain(value: Any) -> bool:
    if isinstance(value, range | str):
        return len(value) > 0
    return isinstance(value, tuple) and len(value) == 2 and value[0] < value[1]


def _is_shape(value: Any) -> bool:
    if not isinstance(value, tuple):
        return False
    lengths = value[1:] if value[:1] == (...,) else value
    return all(n.isidentifier() if isinstance(n, str) else type(n) is int and n >= 0 for n in lengths)


# field -> what its values must be, and how to say it
_FORMS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "domain": (_is_domain, "(low, high) with low < high, a range, or the name of an axis"),
    "prepare": (callable, "a function of the drawn array"),
    "kinks": (lambda value: isinstance(value, tuple) or callable(value), "a tuple of numbers, (0.0,), or a function"),
    "statics": (lambda value: isinstance(value, tuple) and bool(value), "a tuple of values to check with, (2.0,),"),
    "shapes": (_is_shape, 'a tuple of lengths and names, (..., "n", 3),'),
}
