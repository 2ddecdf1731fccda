"""What a pair promises: its contract, with what is said of its inputs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from porting.contract import Contract
from porting.errors import PairError
from porting.loading import load
from porting.pairs.array import COMPLEX, Array
from porting.spec import Op


def function_of(given: Any, what: str) -> Callable[..., Any]:
    """Return a function that was given, or load the one that was named."""
    found: Callable[..., Any] = load(given, what) if isinstance(given, str) else given
    if not callable(found):
        raise PairError(f"{what} {given} is of type {type(found).__name__}: a function is wanted")
    return found


def promised(
    contract: Contract, arrays: Mapping[str, Array], surrogate_of: Any, statics: Mapping[str, Any]
) -> Contract:
    """Return what a pair without an oracle promises.

    Parameters
    ----------
    contract : Contract
        What somebody said.
    arrays : mapping
        What is said of the inputs.
    surrogate_of : callable or str, optional
        The function whose derivative the gradient is.
    statics : mapping
        What that function takes and no side does.

    Raises
    ------
    PairError
        If the surrogate is said twice, or is no function.
    """
    found: Contract = replace(contract, **_claims(contract, arrays))
    if surrogate_of is None:
        return found
    if contract.gradient_of is not None:
        raise PairError("surrogate_of and contract.gradient_of say the same: give one of the two")
    return replace(found, gradient_of=_with_statics(function_of(surrogate_of, "surrogate_of"), statics))


def promised_by(oracle: Op, arrays: Mapping[str, Array], statics: Mapping[str, Any]) -> Contract:
    """Return the contract of an oracle, of the inputs that are described and with the statics that are given."""
    examples = {**oracle.contract.statics, **{name: (value,) for name, value in statics.items()}}
    found: Contract = replace(oracle.contract, **_claims(oracle.contract, arrays), statics=examples)
    return found


def _with_statics(function: Callable[..., Any], statics: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function that has some of its arguments, under its own name."""
    if not statics:
        return function
    found = partial(function, **statics)
    found.__name__ = function.__name__  # type: ignore[attr-defined]  # as reports call it
    return found


def _claims(contract: Contract, inputs: Mapping[str, Array]) -> dict[str, Any]:
    """Return what the described inputs add to a contract."""
    domains = {name: a.domain for name, a in inputs.items() if a.domain is not None}
    shapes = {name: a.shape for name, a in inputs.items() if a.shape != (...,)}
    prepare = {name: a.kind for name, a in inputs.items() if a.kind is not None}
    complexes = any(a.dtype in COMPLEX for a in inputs.values())
    return {
        "domain": {**contract.domain, **domains},
        "shapes": {**contract.shapes, **shapes},
        "prepare": {**contract.prepare, **prepare},
        "complex": contract.complex or complexes,
    }
