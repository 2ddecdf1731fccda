"""What a finding can say: a code for each, and the fields that go with it.

Whatever decides reads codes, fields and numbers; what people read is made of them in `sentences`.
"""

from collections.abc import Mapping
from typing import Any, Final

# Of each code its fields. Findings with the same code and the same fields before the bar say the same thing; what comes
# after the bar is told of the first of them.
CODES: Final[dict[str, str]] = {
    # the op could not answer
    "raised": "stage type message how | where shapes on_purpose raised_with",
    "process_ended": "reason stage how_ended | where",
    "no_truth": "message stage",
    "misuse": "message",
    # numbers
    "differs": (
        "quantity name truth how part signs"
        " | in_type single noisy rounded shared no_worse alike own normwise scattered vectors"
    ),
    "shape_differs": "quantity name got_shape want_shape how",
    "dtype_differs": "quantity name got_dtype want_dtype",
    "count_differs": "got want",
    "not_finite": "quantity name how part | in_type kink truth vectors",
    "changes": "quantity name part | drawn",
    "detached": "by | alike own",
    "nan_hidden": "quantity name source truth | in_type count total vectors",
    "nan_spreads": "quantity name source truth | in_type count total itself vectors",
    # what a backward returns, before the framework repairs it
    "raw_differs": "name",
    "raw_shape": "name got_shape want_shape",
    "raw_repaired": "name got_dtype got_shape want_dtype want_shape",
    # laws of a gradient
    "not_its_derivative": "claim | by_gradient by_forward draws surrogate curve silent others",
    "not_linear": "name part | p q masked",
    "not_zero": "name | number",
    # what an op leaves behind, or reads
    "overwritten": "name",
    "setting_changed": "setting",
    "value_kept": "name",
    "never_freed": "| on_ctx",
    # what is refused
    "not_refused_twice": "| instead",
    "jvp_of_forward": "",
    "refusal_differs": "given want | got",
    "domain_not_refused": "name number want got",
    "domain_finite": "name number",
    "domain_raised": "name number got",
    # the contract and the oracle
    "needless_waiver": "claim",
    "oracle_raised": "type message",
    "oracle_accepts": "given instead",
    "oracle_refuses_badly": "given got",
    "oracle_nan": "quantity inputs",
    "oracle_differs": "name function part",
    "undeclared_kink": "name number | function left right",
    # neither: what a recording rehearses, and what a report of an older version says
    "rehearsed": "",
    "told": "what details",
}

# Of each way in which an op is used the fields that say more; the code stands in the field `how`.
USES: Final[dict[str, str]] = {
    "": "",
    "large": "",
    "complex": "",
    "undeclared": "of_input",
    "broadcast": "shapes_given",
    "duplicates": "of_input",
    "layout": "layout side",
    "interleaved": "",
    "retained": "",
    "keyword": "",
    "indexed": "",
    "shared": "",
    "some inputs": "names",
    "numbers alone": "names",
    "one output": "index",
    "vmap": "axis",
    "forward mode": "",
    "far": "",
    "at": "of_input number",
    "throughout": "of_input number",
    "nan input": "of_input",
    "nan cotangent": "",
    "beside nan": "of_input",
    "scaled": "power",
    "function": "",
    "function again": "",
    "function reshaped": "",
    "function any shape": "",
    "xla": "",
}

OF_NUMBERS: Final = frozenset({"differs", "not_finite", "nan_hidden", "nan_spreads"})  # which are compared
NUMBERS: Final = frozenset({"number", "by_gradient", "by_forward", "left", "right", "p", "q"})  # floats, always

# What each field holds, and in which unit. Numbers without a unit are those of the arrays.
FIELDS: Final[dict[str, str]] = {
    "quantity": "value, gradient, second (derivative), jvp or variable",
    "name": "of the input, the output (y, y1) or the variable",
    "by": "input or cotangent by which the gradient is differentiated",
    "truth": "what it is compared with: oracle, own (in float64), a framework's title (in float64), forward (its "
    "differences), second order (differences of the true first gradient), loop (over the samples), contiguous (memory) "
    "or first (backward)",
    "in_type": "the type that the truth answers in, if not float64",
    "single": "who computes in float32 inside float64: got, want; empty: neither, or both",
    "rounded": "whether that is so because the side's output, and so its cotangent, has a narrower type",
    "noisy": "whose last digits are noise in float64, as large as what is off: got, want, both; float32: of both, "
    "whose numbers are those of float32; empty: nobody's",
    "signs": "how many of an output's orthogonal vectors have the other sign, where nothing else differs: some, all;"
    " phases if it is of an eigenproblem, in another order or of other phases; no field otherwise",
    "vectors": "the outputs that are vectors of either sign, which are given the same signs; no field if none are",
    "part": "real or imaginary; empty for real numbers",
    "how": "in which use: a key of USES",
    "stage": "forward, backward, second order; of a process also import",
    "type": "name of the exception",
    "message": "of the exception, or of what cannot be checked",
    "where": "file:line",
    "shapes": "the inputs, each with type and shape, and the defaults that were passed by place",
    "on_purpose": "whether a second derivative is refused in the framework's way: once_differentiable, PreventGradient",
    "raised_with": "the inputs without a gradient, if it does not raise where they need none",
    "reason": "timeout, memory, signal or exit",
    "how_ended": "what became of the process, in words",
    "got_shape": "lengths of the axes",
    "want_shape": "lengths of the axes",
    "got_dtype": "name of a type",
    "want_dtype": "name of a type",
    "got": "what came: a count, or words for an exception",
    "want": "what should have come",
    "instead": "what came in place of an exception",
    "count": "elements",
    "total": "elements",
    "source": "where the NaN is: an input's name, cotangent, or second cotangent, of the gradient",
    "claim": "what the contract says the gradient is of; empty: the op's own forward. Of a waiver: linear, gradient_of",
    "by_gradient": "<vjp(v), u>",
    "by_forward": "the same by differences of the forward",
    "drawn": "whether the forward draws random numbers: the same from the same seeds",
    "draws": "fresh draws, each of which shows it",
    "surrogate": "the options that say which known surrogate the gradient is",
    "curve": "the gradient from left to right, as characters",
    "silent": "the inputs that get no gradient, or 0, though the value depends on them; nothing else is wrong",
    "others": "the inputs whose gradient is the derivative while those stay as they are",
    "p": "factor of the first cotangent",
    "q": "factor of the second cotangent",
    "shared": "whether the other side has no finite number there either, in this type; the widest: further out",
    "no_worse": "whether the other side is off by as much in this narrow type: both lose the digits",
    "alike": "whether the other side has the same second derivative",
    "own": "whether the second derivative is that of the side's own gradient",
    "scattered": "whether what is off is no more than the roundings of both sides beside these inputs",
    "normwise": "whether what is off is no more than roundings of the largest element of each input explain",
    "power": "of 2, times which the cotangents are ordinary ones",
    "masked": "whether the sign of the cotangent decides what passes, and nothing else is wrong",
    "setting": "of the framework or of the process",
    "on_ctx": "names of the tensors that stand on ctx",
    "given": "the arguments that must be refused",
    "inputs": "where it is so, as text",
    "function": "what the gradient is the derivative of",
    "kink": "whether the forward has two slopes there, one on each side",
    "of_input": "name of the input that is special",
    "left": "slope",
    "right": "slope",
    "number": "that the input has; of not_zero the gradient",
    "names": "of the inputs that need a gradient",
    "index": "of an output, from 0",
    "itself": "no element but that of the NaN",
    "axis": "first or last",
    "layout": "of the memory: transposed, strided, offset, expanded",
    "side": "inputs or cotangent",
    "shapes_given": "shapes of the inputs",
    "what": "sentence of a report of an older version",
    "details": "further sentences of a report of an older version",
}


def identity(code: str, fields: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what two findings that say the same have in common."""
    named = [*CODES[code].partition("|")[0].split(), *USES[fields.get("how", "")].split()]
    return (code, *(fields.get(name) for name in named))


def ensure_known(code: str, fields: Mapping[str, Any]) -> None:
    """Refuse a code that is not in the list, or a field that it does not have.

    Raises
    ------
    ValueError
        If so: a fault of the check.
    """
    if code not in CODES:
        raise ValueError(f"no finding has the code {code!r}")
    wanted = {*CODES[code].replace("|", " ").split(), *USES[fields.get("how", "")].split()}
    if unknown := set(fields) - wanted:
        raise ValueError(f"a finding {code} has no field {', '.join(sorted(unknown))}; there are {', '.join(wanted)}")
