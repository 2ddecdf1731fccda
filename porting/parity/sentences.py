"""What people read of a finding: one sentence for each code, and further lines."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from porting.backends import BACKENDS
from porting.runners.base import Raised

Fields: TypeAlias = Mapping[str, Any]
Sentence: TypeAlias = str | Callable[[Fields], str]

_USES: Final = {
    "": "",
    "large": " in a large array",
    "complex": " for complex numbers",
    "undeclared": ' for complex numbers, which both take and nobody declared: --input "{of_input}=complex128" does',
    "broadcast": " for inputs of shapes {shapes_given}",
    "duplicates": " where {of_input} repeats one number",
    "layout": " with {layout} {side}",
    "interleaved": " after the op was used with other numbers in between",
    "retained": " in a second backward through the same graph",
    "keyword": " when its arguments are given by name",
    "indexed": " for a cotangent that is tf.IndexedSlices",
    "shared": " beside a branch that shares its cotangent",
    "some inputs": " when {names} alone needs one",
    "numbers alone": " when {names}, which has none otherwise, alone needs one",
    "one output": " when output {index} alone is used",
    "vmap": " under vmap over the {axis} axis",
    "forward mode": " in forward mode",
    "far": " far from ordinary numbers",
    "at": " for {of_input} = {number:g}",
    "throughout": " for {of_input} = {number:g} throughout",
    "nan input": " for a NaN in {of_input}",
    "nan cotangent": " for a NaN in the cotangent",
    "beside nan": " beside a NaN in {of_input}",
    "scaled": " for cotangents times 2^{power}",
    "function": " in a tf.function",
    "function again": " at the second call of a tf.function",
    "function reshaped": " in a tf.function that was called with another shape",
    "function any shape": " in a tf.function for unknown shapes",
    "xla": " compiled by XLA",
}
_COTANGENTS: Final = {"cotangent": "the cotangent", "second cotangent": "the gradient's cotangent"}
_OF_A_COTANGENT: Final = frozenset({"retained", "indexed", "shared", "nan cotangent", "scaled"})
_INEXACT: Final = ("float", "bfloat", "complex")
_QUANTITIES: Final = {
    "value": "{name}",
    "gradient": "gradient of {name}",
    "second": "second derivative by {name}",
    "jvp": "the Jacobian-vector product",
    "variable": "gradient of the captured variable {name}",
}
TRUTHS: Final = {  # other than another side, which is called by its name
    "oracle": "the oracle",
    "own": "its own in float64",
    "forward": "differences of the forward",
    "second order": "differences of the first gradient",
    "loop": "a loop over the samples",
    "contiguous": "the contiguous one",
    "first": "the first one",
    "plain": "an ordinary call",
}
_OWN: Final = "the op's own forward"
_BY_SIGNS: Final = " by the signs of vectors"
_FREE: Final = {"some": _BY_SIGNS, "all": _BY_SIGNS, "phases": " by the order or the phases of an eigenproblem"}
_CLAIMS: Final = {
    "linear": "the contract waives linearity in the cotangent, but no sign of non-linearity was found",
    "gradient_of": "gradient_of is unstated, but the gradient is the primal's derivative",
}
_DROP: Final = {
    "linear": "drop linear=False: the claim holds and is checked",
    "gradient_of": "drop unstated(…): the default, gradient_of=None, is true and is checked",
}


def quantity(f: Fields) -> str:
    """Return what was compared: ``gradient of x``, ``real part of y``."""
    return _part(f) + _QUANTITIES[f["quantity"]].format(**_shown(f))


def _part(f: Fields) -> str:
    return f"{f['part']} part of " if f.get("part") else ""


def use(f: Fields) -> str:
    """Return in which use, with a blank before it; nothing of everyday use, nor of a cotangent in a forward."""
    if f.get("stage") == "forward" and f.get("how") in _OF_A_COTANGENT:
        return ""
    return _USES[f.get("how", "")].format(**_shown(f))


def settled_by(sides: Collection[str]) -> str:
    """Return what settles a disagreement of some sides."""
    return (
        f"say who is right, --reference {' or '.join(key for key in BACKENDS if key in sides)} (Pair(reference=…)), or "
        "what the gradient is the derivative of, --surrogate-of (surrogate_of=…), or give an --oracle (oracle=…)"
    )


def truth(f: Fields) -> str:
    """Return what it was compared with."""
    if f.get("alike"):
        return "differences of the gradient, on both sides alike"
    if f.get("quantity") == "second" and f["truth"] not in TRUTHS:
        return f"differences of {f['truth']}'s gradient"
    if f["truth"] == "own":
        return f"its own in {f.get('in_type', 'float64')}"
    return TRUTHS.get(f["truth"]) or f"{f['truth']} in {f.get('in_type', 'float64')}"


def apart(got: float, want: float, digits: int) -> tuple[str, str]:
    """Return two numbers with so many digits, or with as many as it takes to show that they differ."""
    shown = ((f"{got:.{n}g}", f"{want:.{n}g}") for n in range(digits, 18))
    return next((pair for pair in shown if pair[0] != pair[1]), (f"{got:.{digits}g}", f"{want:.{digits}g}"))


def wanted(f: Fields) -> str:
    """Return what comes before the number of the truth: another framework's is not what should be."""
    if f.get("truth", "oracle") in TRUTHS:
        return "should be"
    return f"{f['truth']}'s give" if f.get("quantity") == "second" else f"{f['truth']} has"


def _single(f: Fields) -> str:
    told = {"got": "it has the digits of float32 only", "want": f"{f['truth']} has the digits of float32 only"}
    noisy = {"got": "its", "want": f"{f['truth']}'s", "both": f"its and {f['truth']}'s"}.get(f.get("noisy", ""))
    if f.get("rounded"):
        return "its output has a narrower type, so it gets its cotangent rounded: that many digits are lost"
    if f.get("no_worse"):
        return f"in this type {f['truth'].partition(' in ')[0]} is off by as much: both lose the digits"
    if f.get("scattered"):
        return f"its and {f['truth']}'s roundings on the way are as large beside these inputs: neither has more digits"
    if f.get("noisy") == "float32":
        return "both have the digits of float32 only"
    if noisy:
        return f"{noisy} numbers jump by as much beside these inputs: that many digits are lost on the way"
    return told.get(f.get("single", ""), "")


def _raised(f: Fields) -> str:
    return f"{Raised(f['stage'], f['type'], f['message'], '').told}{use(f)}"


def _of_dtype(f: Fields) -> str:
    """Say which type there is; of an output it may be meant so."""
    wanted = "the inputs" if f["quantity"] == "value" and f["want_dtype"].startswith(_INEXACT) else "should be"
    return f"{quantity(f)} has dtype {f['got_dtype']}, {wanted} {f['want_dtype']}"


def _of_shape(f: Fields) -> str:
    """Return what PyTorch does with a gradient of another shape: it sums what its input is broadcast to."""
    got, want = f["got_shape"], f["want_shape"]
    fits = len(want) <= len(got) and all(b in {1, a} for a, b in zip(got[::-1], want[::-1], strict=False))
    return "sums it for you" if fits else "refuses it"


def _not_its_derivative(f: Fields) -> str:
    if f.get("silent"):
        depends = f"on which {f['claim'] or _OWN} depends"
        return f"no gradient comes to {f['silent']}, {depends}; the gradient of {f['others']} is its derivative"
    known = f"; if that is meant, {f['surrogate']} says so" if f.get("surrogate") else ""
    return f"the gradient is not the derivative of {f['claim'] or _OWN}{known}"


def _changes(f: Fields) -> str:
    why = ": the forward draws random numbers" if f.get("drawn") else ""
    return f"{quantity(f)} differs when the op is called again{why}"


def _by_differences(f: Fields) -> str:
    said = f"<vjp(v), u> = {f['by_gradient']:.9g}, but differences along u give {f['by_forward']:.9g}"
    shown = f"; the gradient: {f['curve']}" if f.get("curve") else ""
    return f"{said}; so in {f['draws']} draws{shown}"


def _never_freed(f: Fields) -> str:
    if not f["on_ctx"]:
        return "it is part of a cycle"
    return f"tensors stand on ctx itself ({f['on_ctx']}): an output there is a cycle"


def _changed_setting(f: Fields) -> str:
    if "seed" in f["setting"]:
        return "randomness comes in as an input: a hidden draw cannot be repeated on the other side"
    return "other code of the same process gets the changed setting"


def _detached(f: Fields) -> str:
    if f["by"].startswith("dy"):
        return "the backward ignores the cotangent, or computes with it where the framework does not see it"
    return "what depends on it is a constant to autograd: a value that the forward saved, or one that is detached"


def _source(f: Fields) -> str:
    return f"a NaN in {_COTANGENTS.get(f['source'], f['source'])}"


def _place(f: Fields) -> str:
    if f.get("kink"):
        return "at a kink of the forward"
    return f"where {truth(f)} has a number" if f.get("truth", "oracle") not in TRUTHS else "where the true one is"


# Of each code the sentence, then the further lines; a line that is empty is left out.
_SENTENCES: Final[dict[str, tuple[Sentence, ...]]] = {
    "raised": (
        _raised,
        lambda f: f"for {f['shapes']}, at {f['where']}" if "shapes" in f else "",
        lambda f: (
            f"it raises only where a gradient by {f['raised_with']} is asked for, and none comes"
            if "raised_with" in f
            else ""
        ),
    ),
    "process_ended": ("the op's process {how_ended}, in {stage}", "{where}"),
    "no_truth": ("{message}",),
    "misuse": ("{message}",),
    "differs": (
        lambda f: f"{quantity(f)} differs from {truth(f)}{_FREE.get(f.get('signs', ''), '')}{use(f)}",
        _single,
    ),
    "shape_differs": (lambda f: f"{quantity(f)} has shape {f['got_shape']}, should be {f['want_shape']}{use(f)}",),
    "dtype_differs": (_of_dtype,),
    "count_differs": ("{got} outputs, should be {want}",),
    "not_finite": (lambda f: f"{quantity(f)} is not finite {_place(f)}{use(f)}",),
    "changes": (_changes,),
    "detached": (
        lambda f: (
            f"second derivative by {f['by']} is detached{', on both sides alike' if f.get('alike') else ''}: "
            f"to the framework the gradient does not depend on {f['by']}"
        ),
        _detached,
    ),
    "nan_hidden": (
        lambda f: (
            f"{quantity(f)} hides {_source(f)}"
            if f["truth"] in TRUTHS
            else f"{quantity(f)} is a number for {_source(f)} where {truth(f)} has NaN"  # which may spread it too far
        ),
        "in {count} of {total} elements",
    ),
    "nan_spreads": (
        lambda f: f"{quantity(f)} is NaN for {_source(f)} where {truth(f)} has a number",
        "in {count} of {total} elements",
    ),
    "raw_differs": ("the backward's own gradient of {name} differs from what autograd hands out",),
    "raw_shape": (
        "the backward returns {got_shape} as gradient of {name}, which is {want_shape}",
        lambda f: f"PyTorch {_of_shape(f)}; TensorFlow hands it out as it is",
    ),
    "raw_repaired": (
        "the backward returns {got_dtype}{got_shape} as gradient of {name}, whose input is {want_dtype}{want_shape}",
        "PyTorch sums and casts it for you; TensorFlow hands it out as it is",
    ),
    "not_its_derivative": (
        _not_its_derivative,
        _by_differences,
    ),
    "not_linear": (
        lambda f: f"{_part(f)}gradient of {f['name']} is not linear in the cotangent",
        lambda f: (
            "cotangents of one sign pass, those of the other do not"
            if f.get("masked")
            else f"vjp({f['p']:g} a - {-f['q']:g} b) is not {f['p']:g} vjp(a) - {-f['q']:g} vjp(b)"  # q is negative
        ),
    ),
    "not_zero": ("gradient of {name} is not 0 for a cotangent of 0: vjp(0) = {number:g}",),
    "overwritten": (
        "{name} is overwritten in place",
        "another branch of the graph that uses it gets the overwritten numbers; work on a copy",
    ),
    "setting_changed": ("the op changes {setting}", _changed_setting),
    "value_kept": (
        "a tf.function goes on with the old value of {name}",
        "the value was read when the function was traced; eagerly the new one counts",
    ),
    "never_freed": ("an output is never freed without the garbage collector", _never_freed),
    "jvp_of_forward": ("forward mode gives the derivative of the op's own forward, which its gradient is not",),
    "not_refused_twice": ("the contract says order=1, but a second derivative was not refused", "instead: {instead}"),
    "refusal_differs": ("for {given} it must raise {want}", "it raised {got}"),
    "domain_not_refused": ("at {name} = {number:g}, outside the domain, {want} must be raised, got {got}",),
    "domain_finite": ("at {name} = {number:g}, outside the domain, the value must not be finite",),
    "domain_raised": ("at {name} = {number:g}, outside the domain, the value must not be finite, but {got}",),
    "needless_waiver": (lambda f: _CLAIMS[f["claim"]], lambda f: _DROP[f["claim"]]),
    "oracle_raised": ("the oracle raised {type}: {message}",),
    "oracle_accepts": ("the oracle does not refuse {given}: {instead}",),
    "oracle_refuses_badly": ("the oracle refuses {given} without a sentence: {got}",),
    "oracle_nan": ("the oracle's {quantity} is NaN at {inputs}",),
    "oracle_differs": (
        lambda f: f"{_part(f)}the oracle's gradient of {f['name']} is not the derivative of {f['function']}",
    ),
    "undeclared_kink": (
        "undeclared kink at {name} = {number:g}",
        "the slope of {function} is {left:.6g} on the left and {right:.6g} on the right",
        "declare it: @op(kinks={{{name!r}: ({number:g},)}}), and state the convention in the oracle",
    ),
    "rehearsed": ("rehearsed",),
    "told": ("{what}",),
}


def sentence(code: str, fields: Fields) -> str:
    """Return what a finding says, on one line."""
    return _made(_SENTENCES[code][0], fields)


def further(code: str, fields: Fields) -> tuple[str, ...]:
    """Return further lines."""
    lines = [_made(line, fields) for line in _SENTENCES[code][1:]]
    return (*(line for line in lines if line), *fields.get("details", ()))


def _made(line: Sentence, fields: Fields) -> str:
    return line.format(**_shown(fields)) if isinstance(line, str) else line(_shown(fields))


def _shown(fields: Fields) -> Fields:
    """Return the fields as they are printed: names with "and" between them, a shape as a list."""
    return {key: _listed(value) if isinstance(value, tuple) else value for key, value in fields.items()}


def _listed(value: tuple[Any, ...]) -> Any:
    return " and ".join(value) if value and all(isinstance(part, str) for part in value) else list(value)
