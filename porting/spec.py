"""What an op promises, and nothing about how it runs: ``@op``, `Op`, `Contract`.

An op is a NumPy function (its *value*) with a hand-written vector-Jacobian product and a contract. Twins in PyTorch and
TensorFlow are found by path when they are first asked for, or bound by hand with `Op.bind`.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Self, overload

from porting.backends import BACKENDS, CATALOGUED
from porting.contract import Contract as Contract
from porting.contract import SpecError as SpecError
from porting.contract import Unstated as Unstated
from porting.contract import identity as identity
from porting.contract import unstated as unstated
from porting.errors import PortingError
from porting.notebook import html_of
from porting.signature import check_names, parameters_of, read_signature, written

_ORACLE_PACKAGE = "porting.oracle"


class TwinMissingError(PortingError, LookupError):
    """An op has no implementation for a backend; the message says where one is looked for."""


class Op:
    """A differentiable function: its NumPy value, its vjp, its contract, and where its twins are.

    Calling it gives the value. Made by the `op` decorator; the vjp is added by `defvjp`, once. Nothing else of it
    changes. What is checked under other circumstances, as a side of a pair is, is a `porting.subject.Subject`.

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
    rule : callable, optional
        The vjp as it was defined.
    together : callable, optional
        Gives value and vjp from one call, where that takes half as long: ``together(dy, <inputs>, **statics)``.
    """

    # The circumstances of an op by itself; see `porting.subject.Subject`.
    truth: str = "oracle"
    answers: Mapping[str, Any] = MappingProxyType({})
    memory: Any = None
    stands_for: "Op | None" = None
    draws: str = ""
    common: str = ""
    narrow: str = ""
    truth_in: str = ""
    widest: str = "float64"
    integer_types: Mapping[str, str] = MappingProxyType({})
    complex_inputs: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()

    value: Callable[..., Any]
    contract: Contract
    name: str
    module: str
    family: str
    inputs: tuple[str, ...]
    statics: Mapping[str, Any]
    wrt: tuple[str, ...]
    rule: Callable[..., Any] | None = None
    together: Callable[..., Any] | None = None
    _bindings: Mapping[str, Any]

    def __init__(self, value: Callable[..., Any], contract: Contract, bindings: Mapping[str, Any] = {}) -> None:
        name, module = value.__name__, value.__module__
        inputs, statics = read_signature(name, value, contract)
        vars(self).update(
            value=value, contract=contract, name=name, module=module, inputs=inputs, statics=statics,
            family=module.split(".")[-2] if "." in module else module,
            wrt=contract.wrt or tuple(name for name in inputs if name not in contract.integers),
            __doc__=value.__doc__, _bindings=dict(bindings),
        )  # fmt: skip
        check_names(name, inputs, statics, contract)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: an op is a promise.

        Raises
        ------
        AttributeError
            Always.
        """
        raise AttributeError(
            f"{self.name}.{name} cannot be set: an op does not change; bind() makes one with other twins"
        )

    def __repr__(self) -> str:
        """Show the call and the kind of gradient."""
        return f"<op {self.family}/{self.name}{written(self.inputs, self.statics)}, {self.contract.kind}>"

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        return html_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel by reference: a worker imports the op's module again.

        Raises
        ------
        SpecError
            If that would give another op.
        """
        if self.original is None:
            raise SpecError(
                f"{self.name} cannot be sent to a worker process, where {self.module} has no such op: "
                "define it at the top of its module, or use one job",
            )
        return _rebuild, (self.module, self.name, self._bindings)

    @property
    def original(self) -> "Op | None":
        """The op that the module defines under this name, if this is that op or a binding of it."""
        found = getattr(sys.modules.get(self.module), self.name, None)
        if not isinstance(found, Op):
            return None
        same = found.value is self.value and found.rule is self.rule and found.contract is self.contract
        return found if same else None

    @property
    def runners(self) -> tuple[str, ...]:
        """Who can be asked: the oracle, the frameworks that the catalogue has twins in, and those that are bound."""
        return ("oracle", *(key for key in BACKENDS if key in CATALOGUED or key in self._bindings))

    @property
    def in_catalogue(self) -> bool:
        """Whether this is an op of ours with its own twins: neither made anew from one, nor bound to others."""
        if self.stands_for is not None:
            return self.stands_for.in_catalogue
        return self.module.startswith(_ORACLE_PACKAGE + ".") and self.original is self

    def in_complex(self, inputs: Mapping[str, Any], turned: Callable[[Any], Any]) -> dict[str, Any]:
        """Return inputs of which those that hold complex numbers are turned into such."""
        names = self.complex_inputs or self.wrt
        return {name: turned(x) if name in names else x for name, x in inputs.items()}

    def __call__(self, *inputs: Any, **statics: Any) -> Any:
        """Return the value: an array, or a tuple of arrays."""
        return self.value(*inputs, **statics)

    def vjp(self, dy: Any, *inputs: Any, **statics: Any) -> Any:
        """Return the gradient: an array for one input in `wrt`, else a tuple of arrays in the order of `wrt`.

        Raises
        ------
        SpecError
            If there is no vjp yet, or it returns another number of gradients.
        """
        return self.value_and_vjp(dy, *inputs, **statics)[1]

    def value_and_vjp(self, dy: Any, *inputs: Any, **statics: Any) -> tuple[Any, Any]:
        """Return the value and the gradient; see `vjp`."""
        if self.together is not None:
            found: tuple[Any, Any] = self.together(dy, *inputs, **statics)
            return found
        y = self.value(*inputs, **statics)
        return y, self.vjp_at(dy, y, *inputs, **statics)

    def vjp_at(self, dy: Any, y: Any, *inputs: Any, **statics: Any) -> Any:
        """Return the gradient where the value is known; see `vjp`."""
        if self.rule is None:
            raise SpecError(f"{self.name} has no vjp yet: add @{self.name}.defvjp")
        gradients = self.rule(dy, y, *inputs, **statics)
        count = len(gradients) if isinstance(gradients, tuple | list) else 1
        if count != len(self.wrt):
            raise SpecError(f"{self.name}: the vjp returned {count} gradients, {len(self.wrt)} are wanted: {self.wrt}")
        return gradients

    def defvjp(self, vjp: Callable[..., Any]) -> Callable[..., Any]:
        """Register the vjp; a decorator.

        Parameters
        ----------
        vjp : callable
            ``<op>_vjp(dy, y, <inputs>, *, <statics>)`` with the op's own inputs and statics. `dy` and `y` are tuples
            when the op has several outputs. Returns one array per input in `wrt`.

        Raises
        ------
        SpecError
            If the signature is another one, or a vjp is there already.
        """
        want = written(("dy", "y", *self.inputs), self.statics)
        got = parameters_of(vjp)
        if got != want:
            raise SpecError(f"{self.name}: the vjp must be {self.name}_vjp{want}, got {vjp.__name__}{got}")
        if self.rule is not None:
            raise SpecError(f"{self.name}: a vjp is already defined; an op has one")
        vars(self)["rule"] = vjp
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

    def bound(self, backend: str) -> Callable[..., Any] | str | None:
        """Return what `bind` gave for a backend, if it gave any."""
        found: Callable[..., Any] | str | None = self._bindings.get(backend)
        return found

    def bind(self, **twins: Callable[..., Any] | str) -> Self:
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
                raise SpecError(
                    f"{self.name}.bind: {key!r} is no backend; use {' or '.join(f'{k}=' for k in BACKENDS)}"
                )
            if not callable(twin) and not (isinstance(twin, str) and ":" in twin):
                raise SpecError(f'{self.name}.bind: {key}={twin!r} is neither a function nor "package.module:function"')
        bound = type(self)(self.value, self.contract, {**self._bindings, **twins})
        vars(bound).update({name: value for name, value in vars(self).items() if name != "_bindings"})
        return bound

    def through(self, function: str) -> Self:
        """Return a new op that is checked through other functions of the trees than those of its own name.

        Parameters
        ----------
        function : str
            Where they are in each tree: ``"distributed:all_reduced"``, of all ranks in one process.
        """
        return self.bind(**{key: f"{key}_impl.{function}" for key in CATALOGUED})

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
        raise SpecError(
            f"@op takes the fields of Contract ({', '.join(Contract.__dataclass_fields__)}): {error}"
        ) from error
    if value is not None:
        return Op(value, promise)
    return lambda function: Op(function, promise)


def _rebuild(module: str, name: str, bindings: Mapping[str, Any]) -> Op:
    found: Op = getattr(import_module(module), name)
    same = found._bindings == bindings  # noqa: SLF001 - of the same class; the module's own op stays that one
    return found if same else found.bind(**bindings)
