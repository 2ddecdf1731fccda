"""Reading signatures: inputs are positional, statics keyword-only; every mistake is refused with the right form."""

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from porting.contract import Contract, SpecError


def written(inputs: tuple[str, ...], statics: Mapping[str, Any]) -> str:
    """Return a signature as text: ``(x, *, slope=25.0)``."""
    keyword = [
        name if default is inspect.Parameter.empty else f"{name}={default!r}" for name, default in statics.items()
    ]
    return f"({', '.join([*inputs, *(['*', *keyword] if keyword else [])])})"


def parameters_of(function: Callable[..., Any]) -> str:
    """Return the signature as text, annotations left out."""
    empty = inspect.Signature.empty
    signature = inspect.signature(function)
    parameters = [p.replace(annotation=empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=empty))


def read_signature(
    name: str, value: Callable[..., Any], contract: Contract
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the inputs' names, and the statics with their defaults.

    Raises
    ------
    SpecError
        If an argument is neither an input nor a static.
    """
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


def check_names(op: str, inputs: tuple[str, ...], statics: Mapping[str, Any], contract: Contract) -> None:
    """Refuse a contract that speaks of arguments that the op does not have."""
    for label, names, known in (
        ("domain", contract.domain, inputs),
        ("prepare", contract.prepare, inputs),
        ("refuses", [name for bad in contract.refuses for name in bad], (*inputs, *statics)),
        ("kinks", contract.kinks, inputs),
        ("shapes", contract.shapes, inputs),
        ("wrt", contract.wrt or (), inputs),
        ("statics", contract.statics, tuple(statics)),
    ):
        for name in names:
            if name not in known:
                raise SpecError(f"{op}: {label} names {name!r}, which is not among {', '.join(known) or '(none)'}")
    g = contract.gradient_of
    if callable(g):
        parameters = inspect.signature(g).parameters.values()
        required = [p for p in parameters if p.default is p.empty and p.kind not in {p.VAR_POSITIONAL, p.VAR_KEYWORD}]
        positional = [p.name for p in required if p.kind is not p.KEYWORD_ONLY]
        extra = [p.name for p in required if p.kind is p.KEYWORD_ONLY and p.name not in statics]
        if len(positional) != len(inputs) or extra:
            raise SpecError(
                f"{op}: gradient_of must take the op's inputs and none but its statics, "
                f"{written(inputs, statics)}; {getattr(g, '__name__', g)} takes {parameters_of(g)}",
            )
