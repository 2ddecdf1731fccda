"""What an op promises, and nothing about how it runs: ``@op``, `Op`, `Contract`.

An op is a NumPy function (its *value*) with a hand-written vector-Jacobian product and a contract. Twins in PyTorch and
TensorFlow are found by path when they are first asked for, or bound by hand with `Op.bind`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, TypeAlias, overload

from porting.errors import PortingError

BACKENDS: Final = ("torch", "tf")
_ORACLE_PACKAGE = "porting.oracle"

Kinks: TypeAlias = tuple[float, ...] | Callable[..., tuple[Any, ...]]
Domain: TypeAlias = tuple[float, float] | range


class SpecError(PortingError, TypeError):
    """An op is declared in a form that cannot be meant; the message shows the right form."""


class TwinMissingError(PortingError, LookupError):
    """An op has no implementation for a backend; the message says where one is looked for."""


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
        `None`: the gradient is the primal's derivative (*exact*). A function of the same inputs: it is the derivative of
        that function (*surrogate*; straight-through is `identity`). `unstated("reason")`: no such function is known.
    linear : bool
        The vjp is linear in the cotangent. When waived, a witness of non-linearity must be found.
    order : {1, 2}
        How often both twins may be differentiated. With 1, a second derivative must be refused.
    domain : mapping of input name to (low, high) or range
        Where an input is defined (closed interval), or the integers it may take. All reals when not given.
    raises : exception type, optional
        What both twins must raise outside the domain.
    nonfinite : bool
        Outside the domain both twins must give NaN or infinity.
    kinks : mapping of input name to tuple of float or callable
        Where there is no derivative. A callable takes the op's inputs and statics and returns a tuple of arrays. Kinks are
        excused from finite differences, never from parity.
    wrt : tuple of str, optional
        The differentiated inputs. All that are not integers when not given.
    statics : mapping of static name to tuple
        Values that the checks use besides the default.
    """

    gradient_of: Callable[..., Any] | Unstated | None = None
    linear: bool = True
    order: int = 2
    domain: Mapping[str, Domain] = field(default_factory=dict)
    raises: type[Exception] | None = None
    nonfinite: bool = False
    kinks: Mapping[str, Kinks] = field(default_factory=dict)
    wrt: tuple[str, ...] | None = None
    statics: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Freeze the mappings too, and refuse what contradicts itself."""
        for name in ("domain", "kinks", "statics"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.order not in (1, 2):
            raise SpecError(f"order={self.order!r}: an op promises order 1 or 2")
        if (self.raises or self.nonfinite) and not self.domain:
            raise SpecError("raises= and nonfinite= say what happens outside the domain: give domain= as well")

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


class Op:
    """A differentiable function: its NumPy value, its vjp, its contract, and where its twins are.

    Calling it gives the value. Made by the `op` decorator; the vjp is added by `defvjp`.

    Attributes
    ----------
    name, family : str
        ``custom_exp`` and ``published``: the file and the folder that the op stands in.
    inputs : tuple of str
        Names of the array arguments, in order.
    statics : mapping
        Keyword-only Python values with their defaults.
    wrt : tuple of str
        The inputs that are differentiated.
    contract : Contract
        What the op promises.
    """

    def __init__(self, value: Callable[..., Any], contract: Contract, bindings: Mapping[str, Any] = {}) -> None:  # noqa: B006 - never written to
        self.value = value
        self.contract = contract
        self.name: str = value.__name__
        self.module: str = value.__module__
        self.family: str = self.module.split(".")[-2] if "." in self.module else self.module
        self.__doc__ = value.__doc__
        self.inputs, self.statics = _read_signature(self.name, value, contract)
        integers = {name for name, domain in contract.domain.items() if isinstance(domain, range)}
        self.wrt = contract.wrt or tuple(name for name in self.inputs if name not in integers)
        self._vjp: Callable[..., Any] | None = None
        self._bindings = dict(bindings)
        _check_names(self)

    def __repr__(self) -> str:
        """Show the call and the kind of gradient."""
        return f"<op {self.family}/{self.name}{_signature(self.inputs, self.statics)}, {self.contract.kind}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel by reference: a worker imports the oracle's module again."""
        return _rebuild, (self.module, self.name, self._bindings)

    def __call__(self, *inputs: Any, **statics: Any) -> Any:
        """Return the value: an array, or a tuple of arrays."""
        return self.value(*inputs, **statics)

    def vjp(self, dy: Any, *inputs: Any, **statics: Any) -> Any:
        """Return the gradient: an array for one input in `wrt`, else a tuple of arrays in the order of `wrt`."""
        if self._vjp is None:
            raise SpecError(f"{self.name} has no vjp yet: add @{self.name}.defvjp")
        return self._vjp(dy, self.value(*inputs, **statics), *inputs, **statics)

    def defvjp(self, vjp: Callable[..., Any]) -> Callable[..., Any]:
        """Register the vjp; a decorator.

        Parameters
        ----------
        vjp : callable
            ``<op>_vjp(dy, y, <inputs>, *, <statics>)`` with the op's own inputs and statics. `dy` and `y` are tuples when
            the op has several outputs. Returns one array per input in `wrt`.

        Raises
        ------
        SpecError
            If the signature is another one, or a vjp is there already.
        """
        want = _signature(("dy", "y", *self.inputs), self.statics)
        got = _bare(vjp)
        if got != want:
            raise SpecError(f"{self.name}: the vjp must be {self.name}_vjp{want}, got {vjp.__name__}{got}")
        if self._vjp is not None:
            raise SpecError(f"{self.name}: a vjp is already defined; an op has one")
        self._vjp = vjp
        return vjp

    def gradient_of(self, *inputs: Any, **statics: Any) -> Any:
        """Evaluate the function whose derivative the gradient is claimed to be.

        Raises
        ------
        SpecError
            If the contract names none.
        """
        g = self.contract.gradient_of
        if isinstance(g, Unstated):
            raise SpecError(f"{self.name}: gradient_of is unstated ({g.reason})")
        if g is None:
            return self.value(*inputs, **statics)
        wanted = inspect.signature(g).parameters
        return g(*inputs, **{name: value for name, value in self.settings(statics).items() if name in wanted})

    def settings(self, statics: Mapping[str, Any]) -> dict[str, Any]:
        """Return all statics: the given ones, and the defaults of the others."""
        defaults = {name: value for name, value in self.statics.items() if value is not inspect.Parameter.empty}
        return {**defaults, **statics}

    def bind(self, **twins: Callable[..., Any] | str) -> "Op":
        """Return a new op with other twins.

        Parameters
        ----------
        **twins
            ``torch=`` and ``tf=``: a callable, or ``"package.module:function"``.

        Raises
        ------
        SpecError
            If a key is no backend, or a value is neither.
        """
        for key, twin in twins.items():
            if key not in BACKENDS:
                raise SpecError(f"{self.name}.bind: {key!r} is no backend; use torch= or tf=")
            if not callable(twin) and not (isinstance(twin, str) and ":" in twin):
                raise SpecError(f'{self.name}.bind: {key}={twin!r} is neither a function nor "package.module:function"')
        bound = Op(self.value, self.contract, {**self._bindings, **twins})
        bound._vjp = self._vjp  # noqa: SLF001 - our own class
        return bound

    def twin_path(self, backend: str) -> str | None:
        """Return ``package.module:function`` of a twin, or `None` if a function object is bound."""
        bound = self._bindings.get(backend)
        if bound is not None:
            return bound if isinstance(bound, str) else None
        if not self.module.startswith(_ORACLE_PACKAGE + "."):
            raise TwinMissingError(
                f"{self.name} has no {backend} twin: bind one with {self.name}.bind({backend}=function)",
            )
        return f"{self.module.replace(_ORACLE_PACKAGE, backend + '_impl', 1)}:{self.name}"

    def twin(self, backend: str) -> Callable[..., Any]:
        """Import and return the twin for a backend.

        Raises
        ------
        TwinMissingError
            If the module or the function is not there.
        """
        path = self.twin_path(backend)
        if path is None:
            bound: Callable[..., Any] = self._bindings[backend]
            return bound
        module, _, attribute = path.partition(":")
        try:
            twin: Callable[..., Any] = getattr(import_module(module), attribute)
        except ModuleNotFoundError as error:
            if error.name is None or not module.startswith(error.name):
                raise
            raise TwinMissingError(f"{self.name} has no {backend} twin: {module} does not exist") from error
        except AttributeError as error:
            raise TwinMissingError(f"{self.name} has no {backend} twin: {module} defines no {attribute}") from error
        return twin


@overload
def op(value: Callable[..., Any], /) -> Op: ...
@overload
def op(**contract: Any) -> Callable[[Callable[..., Any]], Op]: ...
def op(value: Callable[..., Any] | None = None, /, **contract: Any) -> Op | Callable[[Callable[..., Any]], Op]:
    """Make an `Op` of a NumPy function; a decorator, bare or with the fields of `Contract`.

    Inputs are positional and have no default; statics are keyword-only.

    Raises
    ------
    SpecError
        If the signature or the contract cannot be meant.

    Examples
    --------
    >>> from porting import op
    >>> @op
    ... def square(x):
    ...     return x * x
    >>> @square.defvjp
    ... def square_vjp(dy, y, x):
    ...     return 2 * x * dy
    >>> square.vjp(1.0, 3.0)
    6.0
    """
    try:
        promise = Contract(**contract)
    except TypeError as error:
        if isinstance(error, SpecError):
            raise
        raise SpecError(f"@op takes the fields of Contract ({', '.join(Contract.__dataclass_fields__)}): {error}") from error
    if value is not None:
        return Op(value, promise)
    return lambda function: Op(function, promise)


def _rebuild(module: str, name: str, bindings: Mapping[str, Any]) -> Op:
    found: Op = getattr(import_module(module), name)
    return found.bind(**bindings) if bindings else found


def _signature(inputs: tuple[str, ...], statics: Mapping[str, Any]) -> str:
    keyword = [name if default is inspect.Parameter.empty else f"{name}={default!r}" for name, default in statics.items()]
    return f"({', '.join([*inputs, *(['*', *keyword] if keyword else [])])})"


def _bare(function: Callable[..., Any]) -> str:
    """Return the signature as text, annotations left out."""
    empty = inspect.Signature.empty
    signature = inspect.signature(function)
    parameters = [p.replace(annotation=empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=empty))


def _read_signature(
    name: str, value: Callable[..., Any], contract: Contract
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    inputs: list[str] = []
    statics: dict[str, Any] = {}
    form = f"{name}(x, ..., *, static=default)"
    for parameter in inspect.signature(value).parameters.values():
        match parameter.kind:
            case inspect.Parameter.KEYWORD_ONLY:
                statics[parameter.name] = parameter.default
                if parameter.default is inspect.Parameter.empty and not contract.statics.get(parameter.name):
                    raise SpecError(
                        f"{name}: the static {parameter.name!r} has no default, so the checks need values for it: "
                        f"@op(statics={{{parameter.name!r}: (…,)}})",
                    )
            case inspect.Parameter.VAR_POSITIONAL | inspect.Parameter.VAR_KEYWORD:
                raise SpecError(f"{name}: name every argument instead of *{parameter.name}: {form}")
            case _ if parameter.default is not inspect.Parameter.empty:
                raise SpecError(f"{name}: {parameter.name!r} has a default, so it is a static: put it after *: {form}")
            case _:
                inputs.append(parameter.name)
    if not inputs:
        raise SpecError(f"{name}: an op has at least one input: {form}")
    return tuple(inputs), MappingProxyType(statics)


def _check_names(op: Op) -> None:
    """Refuse a contract that speaks of arguments that the op does not have."""
    contract = op.contract
    for label, names, known in (
        ("domain", contract.domain, op.inputs),
        ("kinks", contract.kinks, op.inputs),
        ("wrt", contract.wrt or (), op.inputs),
        ("statics", contract.statics, tuple(op.statics)),
    ):
        for name in names:
            if name not in known:
                raise SpecError(f"{op.name}: {label} names {name!r}, which is not among {', '.join(known) or '(none)'}")
    g = contract.gradient_of
    if callable(g):
        parameters = inspect.signature(g).parameters.values()
        positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        extra = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name not in op.statics]
        if len(positional) != len(op.inputs) or extra:
            raise SpecError(
                f"{op.name}: gradient_of must take the op's inputs and none but its statics, "
                f"{_signature(op.inputs, op.statics)}; {getattr(g, '__name__', g)} takes {_bare(g)}",
            )
