"""Turns a side of a pair into a twin: a function that takes the inputs by position and the statics by name."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import re
import textwrap
from typing import TYPE_CHECKING, Any

from porting.errors import PairError
from porting.runners.kept_sources import kept_signature, kept_source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MISSING = re.compile(r"missing a required (?:keyword-only )?argument: '(\w+)'")
_UNKNOWN = re.compile(r"unexpected keyword argument '(\w+)'")
_LENGTH = re.compile(r"(in|out|num|n)_\w+|\w*(channels|features|filters|units|size|dim)")  # of what makes a module
_PLAIN = inspect.Parameter.POSITIONAL_OR_KEYWORD
WANTED = "name them, --input x=float64[3,4] or inputs={'x': porting.array((3, 4))} in Python"


def parameters_of(key: str, function: Callable[..., Any], *, more: bool = False) -> dict[str, Any]:
    """Return names and defaults of the arguments; of an `autograd.Function`, those of its forward.

    With `more`, it may also take others by name; the arguments that it names are then its inputs.
    """
    forward = getattr(function, "forward", None) if inspect.isclass(function) else None
    try:
        found = list(kept_signature(forward or called(function)).parameters.values())
    except (TypeError, ValueError):
        name = getattr(function, "__name__", repr(function))
        raise PairError(f"{key}: {name} has no signature to read; {WANTED}") from None
    if forward is not None and not _defines(function, "setup_context"):
        found = found[1:]  # ctx
    named = [p for p in found if p.kind is not p.VAR_KEYWORD]
    found = named if more and named else found
    for parameter in found:
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
            wanted = f"{WANTED}, or a function without *{parameter.name} around this side where they are named"
            raise PairError(f"{key}: *{parameter.name} does not say what the inputs are; {wanted}")
    return {parameter.name: parameter.default for parameter in found}


def behind_apply(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the ``autograd.Function`` whose `apply` was given, which names its arguments; else what was given."""
    owner = getattr(function, "__self__", None)
    named = getattr(function, "__name__", "") == "apply"
    return owner if named and inspect.isclass(owner) and hasattr(owner, "forward") else function


def is_autograd_function(thing: type) -> bool:
    """Whether a class is a ``torch.autograd.Function``."""
    return any(b.__name__ == "Function" and b.__module__.startswith("torch.") for b in thing.__mro__)


def module_kind(thing: Any) -> str:
    """Return ``torch`` for an `nn.Module`, ``keras`` for a Keras layer, ``tf`` for a `tf.Module`; else nothing.

    A class of these is one too. The framework is not imported: its name stands in the classes.
    """
    for base in thing.__mro__ if inspect.isclass(thing) else type(thing).__mro__:
        home = base.__module__.partition(".")[0]
        if base.__name__ == "Layer" and "keras" in base.__module__:
            return "keras"
        if base.__name__ == "Module" and home in {"torch", "tensorflow"}:
            return "torch" if home == "torch" else "tf"
    return ""


def called(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what takes the arguments: `call` of a Keras layer, `forward` of a module, else the function itself.

    Their `__call__` takes any arguments, and passes them on.
    """
    if inspect.isclass(function) or inspect.isroutine(function):
        return function
    method = getattr(function, "call", None) or getattr(function, "forward", None)
    return method if callable(method) else function


def _defines(function: Any, name: str) -> bool:
    """Tell whether a class defines a method itself, not `torch.autograd.Function` for it."""
    return any(name in vars(base) for base in function.__mro__ if base.__module__.partition(".")[0] != "torch")


def as_twin(
    key: str, function: Callable[..., Any], inputs: tuple[str, ...], statics: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return a twin: it takes the inputs by position and the statics by name. For a Function it calls `apply`."""
    if not inspect.isclass(function):
        signature = _ensure_fits(key, function, inputs, statics)
        if only_casts(function):
            return _uncast(function)
        return _by_place(function, signature, statics) if statics and signature else function
    if not is_autograd_function(function):
        others = "nn.Module, Keras layer or tf.Module"
        name = function.__name__
        do = f"name an object, as file.py:f for f = {name}(…), a method, file.py:{name}.call, or a function around it"
        raise PairError(f"{key}: {function.__name__} is a class, but no torch.autograd.Function, {others}: {do}")
    try:
        parameters = parameters_of(key, function)
    except PairError:
        if statics:  # which of *xs they are, nobody knows
            raise
        apply: Callable[..., Any] = getattr(function, "apply")  # noqa: B009 - a class that mypy knows nothing of
        return apply
    unknown = ", ".join(name for name in statics if name not in parameters)
    if unknown:
        raise PairError(f"{key}: {function.__name__}.forward has no argument {unknown}")
    places = [name for name in parameters if name not in statics]
    wanted = [name for name in places if parameters[name] is inspect.Parameter.empty]
    if not len(wanted) <= len(inputs) <= len(places):
        said = f"takes {', '.join(parameters)}; given are {', '.join((*inputs, *statics))}"
        raise PairError(f"{key}: {function.__name__}.forward {said}: {_to_mend(function, inputs, wanted)}")
    changed = {name for name, value in statics.items() if not _same(value, parameters[name])}
    left = _without_gradient(function, list(parameters), {*places[: len(inputs)], *changed})
    defaults = {name: parameters[name] for name in places[len(inputs) :] if name not in left}

    def twin(*xs: Any, **given: Any) -> Any:
        apply = getattr(function, "apply")  # noqa: B009 - a class that mypy knows nothing of
        settings = {n: v for n, v in {**statics, **given}.items() if n not in left or not _same(v, parameters[n])}
        values = {**dict(zip(places, xs)), **defaults, **settings}
        count = max(k for k, name in enumerate(parameters) if name in values) + 1
        return apply(*(values.get(name, parameters[name]) for name in [*parameters][:count]))

    twin.__wrapped__ = function  # type: ignore[attr-defined]  # where the source is
    twin.passed = defaults  # type: ignore[attr-defined]  # `apply` takes them by place, and a gradient for each
    twin.left_out = left  # type: ignore[attr-defined]  # for which there is none
    return twin


def passed_by(twin: Any) -> dict[str, Any]:
    """Return the defaults that a twin passes by place, which a caller would leave out."""
    return dict(_attribute(twin, "passed") or {})


def left_out_by(twin: Any) -> list[str]:
    """Return the last arguments that a twin leaves to their defaults: its backward returns no gradient for them."""
    return list(_attribute(twin, "left_out") or [])


def _attribute(twin: Any, name: str) -> Any:
    """Return an attribute of a twin, or of what it wraps."""
    while twin is not None and not getattr(twin, name, None):
        twin = getattr(twin, "__wrapped__", None)
    return getattr(twin, name, None)


def _without_gradient(function: Any, names: list[str], given: set[str]) -> list[str]:
    """Return the last arguments that are not given and for which a Function's backward returns no gradient.

    Its callers leave them out: `apply` with all of them would raise.
    """
    count = len(names)
    while count and names[count - 1] not in given:
        count -= 1
    returned = min(_counts_of(_body(getattr(function, "backward", None))), default=0)
    return names[max(count, returned) :] if returned else []


def _to_mend(function: Any, inputs: Sequence[str], wanted: Sequence[str]) -> str:
    """Return what to do where the forward of a Function takes more or fewer inputs than are given."""
    if len(inputs) < len(wanted):
        return f"say what each of them is, {' '.join(f'--input {name}=float64[...]' for name in wanted)}"
    forward = function.forward
    known = {**vars(builtins), **getattr(forward, "__globals__", {})}
    code = dis.get_instructions(forward) if hasattr(forward, "__code__") else ()
    read = {at.argval for at in code if at.opname == "LOAD_GLOBAL"}
    absent = [name for name in inputs if name in read and name not in known]
    if absent:
        return f"its forward reads {', '.join(absent)}, which is no argument of it and defined nowhere else"
    return "give its forward the same arguments, or check it by itself, without the other side"


def only_casts(function: Any) -> bool:
    """Whether this is a Keras layer that holds no weights, and casts what it is given to its own type, float32."""
    return bool(getattr(function, "autocast", False)) and _holds_nothing(function)


def without_weights(function: Any) -> bool:
    """Whether this is a Keras layer that has no weights, and makes none when it is built."""
    if not _holds_nothing(function):
        return False
    default: Any = _bases(function)[-1]
    return type(function).build is default.build and not getattr(function, "_layers", ())


def _holds_nothing(function: Any) -> bool:
    held = vars(function).values() if _bases(function) and not function.weights else None
    return held is not None and not any(map(_holds_variable, held))


def _holds_variable(value: Any, depth: int = 3) -> bool:
    """Whether this is a variable, or a list, a dictionary or a `tf.Module` with one in it."""
    if module_kind(value) == "tf" and not inspect.isclass(value):
        return bool(value.variables)
    if depth and isinstance(value, (list, tuple, dict)):
        return any(_holds_variable(v, depth - 1) for v in (value.values() if isinstance(value, dict) else value))
    return hasattr(value, "assign") and hasattr(value, "trainable")


def _bases(function: Any) -> list[Any]:
    """Return the classes that make this a Keras layer; none if it is another thing."""
    return [base for base in type(function).__mro__ if base.__name__ == "Layer" and "keras" in base.__module__]


def _uncast(layer: Any) -> Callable[..., Any]:
    """Return a function that calls a layer in the type of its inputs: the casts are Keras', not the gradient's."""

    def twin(*xs: Any, **given: Any) -> Any:
        if not getattr(layer, "built", True):
            layer(*xs, **given)  # it may make the layers that it holds
        held = [part for part in layer._flatten_layers() if part.autocast]  # noqa: SLF001 - nothing else names them all
        for part in held:
            part.autocast = False
        try:
            return layer(*xs, **given)
        finally:
            for part in held:
                part.autocast = True

    twin.__wrapped__ = layer  # type: ignore[attr-defined]  # where the source is
    return twin


def given(twin: Callable[..., Any], statics: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a twin that is called with these statics, unless others are given."""
    if not statics:
        return twin

    def bound(*xs: Any, **others: Any) -> Any:
        return twin(*xs, **{**statics, **others})

    bound.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    bound.fixed = dict(statics)  # type: ignore[attr-defined]  # their names have no place of an input
    return bound


def _same(value: Any, default: Any) -> bool:
    plain = isinstance(value, (bool, int, float, str, type(None)))
    return plain and type(value) is type(default) and value == default


def _by_place(
    function: Callable[..., Any], signature: inspect.Signature, statics: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return a function that hands its statics on as people do: by place, those with a default by name if they differ.

    To `tf.custom_gradient` this is not the same: what comes by place wants a gradient. What it returns a gradient for
    comes by place too. The inputs take the places that the statics leave.
    """
    wanted = list(signature.parameters)[: _returned(function)]
    defaults = {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}
    if set(wanted).issuperset(defaults):
        defaults = {}
    places = _left(signature, statics)

    def twin(*xs: Any, **given: Any) -> Any:
        named = {n: v for n, v in given.items() if n in defaults}
        if not xs:  # everything is wanted by name
            return function(**given)
        others = {n: v for n, v in given.items() if n not in defaults}
        by_place = () if places else xs
        bound = signature.bind_partial(*by_place, **dict(zip(places, xs)), **others)
        changed = {n: v for n, v in named.items() if not _same(v, defaults[n])}
        return function(*bound.args, **bound.kwargs, **changed)

    twin.__wrapped__ = function  # type: ignore[attr-defined]  # where the source is
    return twin


def _returned(function: Any) -> int:
    """Return how many gradients a `tf.custom_gradient` function returns, as far as its source says so; else 0."""
    outer = _body(function)
    if not any("custom_gradient" in ast.dump(d) for d in getattr(outer, "decorator_list", ())):
        return 0
    inner = [n for n in ast.walk(outer) if isinstance(n, (ast.FunctionDef, ast.Lambda)) and n is not outer]
    counts = _counts_of(*inner)
    return counts.pop() if len(counts) == 1 else 0


def _body(function: Any) -> ast.AST:
    """Return the definition of a function as it stands in its file; an empty one if it is nowhere to be read."""
    try:
        return ast.parse(textwrap.dedent(kept_source(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        return ast.Pass()


def _counts_of(*functions: ast.AST) -> set[int]:
    """Return how many values the tuples have that functions return; nothing if one holds others, *rest."""
    returns = [part.value for node in functions for part in ast.walk(node) if isinstance(part, ast.Return)]
    returns += [node.body for node in functions if isinstance(node, ast.Lambda)]
    tuples = [value.elts for value in returns if isinstance(value, ast.Tuple)]
    unknown = any(isinstance(v, ast.Starred) for values in tuples for v in values)
    return set() if unknown else {len(values) for values in tuples}


def _left(signature: inspect.Signature, statics: Mapping[str, Any]) -> list[str]:
    """Return the arguments that are no statics, in order; nothing where some can be given by place, or name, alone."""
    plain = all(p.kind is _PLAIN for p in signature.parameters.values())
    return [name for name in signature.parameters if name not in statics] if plain else []


def _positional(signature: inspect.Signature, statics: Mapping[str, Any]) -> int:
    """Return how many arguments can be given by place and are no statics."""
    kinds = (_PLAIN, inspect.Parameter.POSITIONAL_ONLY)
    return sum(p.kind in kinds and name not in statics for name, p in signature.parameters.items())


def _without_place(inputs: tuple[str, ...]) -> str:
    """Return what to say of arguments that another side has and this one has no place for."""
    flags = " ".join(f"--static {name}=VALUE" for name in inputs)
    return f"; it has no place for {', '.join(inputs)}: {flags} says what the other side is given" if inputs else ""


def _hint(key: str, error: str) -> str:
    """Return what to say of an argument that is missing, or that a side has under another name."""
    missing, unknown = _MISSING.search(error), _UNKNOWN.search(error)
    if missing:
        return f'; --static {missing[1]}=VALUE or --input "{missing[1]}=float64[SHAPE]" says what it is'
    return f"; if it is called otherwise there, --rename {key}:{unknown[1]}=NAME says how" if unknown else ""


def _ensure_fits(
    key: str, function: Callable[..., Any], inputs: tuple[str, ...], statics: Mapping[str, Any]
) -> inspect.Signature | None:
    try:
        signature = inspect.signature(called(function))
    except (TypeError, ValueError):
        return None
    try:
        places = _left(signature, statics)
        if len(inputs) <= len(places):
            signature.bind(**dict(zip(places, inputs)), **statics)
        else:
            signature.bind(*inputs, **statics)
    except TypeError as error:
        given = ", ".join([*inputs, *(f"{name}=" for name in statics)])
        name = getattr(function, "__name__", function)
        made = inputs and all(_LENGTH.fullmatch(n) for n in inputs)
        hint = f"; if it makes a module, name what it makes, as file.py:f for f = {name}(…)" if made else ""
        hint = hint or _without_place(inputs[_positional(signature, statics) :]) or _hint(key, str(error))
        raise PairError(f"{key}: {name}{signature} cannot be called with ({given}): {error}{hint}") from None
    return signature
