"""What is found where nobody said what a side takes, and is no fault of it: an exception for inputs that are ours."""

import os
import re
from collections.abc import Collection
from dataclasses import replace
from math import prod
from typing import Final

from porting.pairs.guess import Guess
from porting.pairs.pair import Pair
from porting.parity.finding import Result
from porting.parity.sides import is_of_type, is_settled

GUESSED: Final = "; these shapes are guessed, --input says others"
_UNFIT: Final = (
    "; these shapes are guessed, and no side has gradients of them: --input says others, --axes another order"
)
_SHAPES: Final = "; nobody said which shapes it takes, --input says so"
_RAISED: Final = frozenset({"raised"})
_IMAGE: Final = 4  # axes
_OF_OUTPUTS: Final = frozenset({"shape_differs"})
# An error, or a shape of a gradient.
_OF_WHAT_IS_GIVEN: Final = _RAISED | {"raw_shape", "raw_repaired", "shape_differs"}
_OF_NUMBERS: Final = re.compile(r"(?i)not invertible|singular|cholesky|positive[- ]definite")
# What TensorFlow's own kernels say on a CPU of images whose channels come first, which oneDNN's take.
_CHANNELS_LAST: Final = re.compile(r"only support(s|ed for) NHWC")
_ONEDNN: Final = "TF_ENABLE_ONEDNN_OPTS"
_WITH_ONEDNN: Final = f"; TensorFlow runs without oneDNN here, which may compute it: {_ONEDNN}=1 before the command"
_NUMBERS_OURS: Final = "; nobody said which numbers it takes, as --input NAME=float64[n,n]{spd} does"
_OURS: Final = "; nobody said what it takes"
_SILENT: Final = (
    "; its signature does not say what it takes: name a function around it that has the other side's inputs"
)
_IN_A_GRAPH: Final = frozenset({"function", "function again", "function reshaped", "function any shape", "xla"})
_A_TENSOR: Final = "; {}: a number of Python by a guess, which has a type of its own in a graph: that may be why"
# What is said where sizes do not go together; "an invalid gradient", of another shape than its input, is a fault.
_SIZES: Final = re.compile(
    r"(?i)number of (sizes|dimensions|elements)|must match the size|shapes cannot be multiplied|incompatible shapes"
    r"|size mismatch|size-incompatible|dimensions must be equal|must have rank|inconsistent tensor size"
    r"|expected \d-?d\b"
)


def no_fault(result: Result, op: object, guess: Guess | None) -> str:
    """Say why what was found is no fault of the side: it may be what the inputs are taken for; empty if it is one."""
    if _found_only(result, _RAISED) and (ours := _of_what_is_ours(result, op)):
        return ours
    if shapes := _of_shapes(result, op, guess):
        return shapes
    if guess is None:
        return _of_nobody(result, op)
    if not _found_only(result, _RAISED):
        return ""
    if (numbers := _called_with(guess, result)) and _of_types_in_a_graph(result):
        return _A_TENSOR.format(" and ".join(numbers))
    return GUESSED if guess.forwards and _of_sizes(result) else ""


def _of_what_is_ours(result: Result, op: object) -> str:
    """Say what of an exception is ours: that oneDNN is left out, or the numbers; empty if nothing is."""
    if isinstance(op, Pair) and not op.in_catalogue and _is_without_onednn(result):
        return _WITH_ONEDNN
    return _NUMBERS_OURS if _of_numbers(result) and _is_anything(op) else ""


def _of_shapes(result: Result, op: object, guess: Guess | None) -> str:
    """Say why what was found of shapes is no fault: nobody said that the op takes these; empty if it is one."""
    of_outputs = _found_only(result, _OF_OUTPUTS) and all(f.has(quantity="value") for f in result.findings)
    if guess is not None and guess.unfit and of_outputs and _has_images(guess):
        return _UNFIT
    unsaid = _nothing_is_said(op)
    if (guess is not None or unsaid) and _of_one_number(result):
        return GUESSED
    return _SHAPES if unsaid and _of_some_shapes(result, op) else ""


def _has_images(guess: Guess) -> bool:
    """Whether an array has as many axes as images have, of which one side may have the channels last."""
    return any(len(given.shape) >= _IMAGE for given in guess.pair.inputs.values())


def _of_nobody(result: Result, op: object) -> str:
    """Say why what was found is no fault where nothing was guessed: no side takes that, or this one says nothing."""
    if _nothing_is_said(op) and _found_only(result, _RAISED) and _is_silent(op, result.runner):
        return _SILENT
    return _OURS if _found_only(result, _OF_WHAT_IS_GIVEN) and _refused(op) else ""


def _called_with(guess: Guess, result: Result) -> list[str]:
    """Return the guessed numbers that the side is called with; those of a constructor become no tensors."""
    taken = guess.pair.on(result.runner).statics
    return [name for name in guess.settings if name in taken]


def _refused(op: object) -> bool:
    """Whether no side of a pair takes what its inputs are taken for."""
    return isinstance(op, Pair) and not op.in_catalogue and op.refused


def _is_silent(op: object, runner: str) -> bool:
    return isinstance(op, Pair) and op.is_silent(runner)


def _nothing_is_said(op: object) -> bool:
    """Whether nobody says of a pair what its inputs are."""
    return isinstance(op, Pair) and not op.in_catalogue and op.oracle is None and not (op.inputs or op.contract.shapes)


def _of_one_number(result: Result) -> bool:
    """Whether only a single number without an axis comes back with one, of this side or the other one.

    The op may be none of single numbers.
    """
    if result.check != "shapes" or not _found_only(result, {"raw_shape", "shape_differs"}):
        return False
    shapes = [(tuple(f.fields["want_shape"]), tuple(f.fields["got_shape"])) for f in result.findings]
    return all(() in both and prod(both[0]) == prod(both[1]) for both in shapes)


def _of_some_shapes(result: Result, op: object) -> bool:
    """Whether two sides, of which nobody said who is right, make outputs of other shapes of some arrays, or none."""
    shapes = [finding for finding in result.findings if finding.code == "shape_differs"]
    values = bool(shapes) and all(finding.has(quantity="value") for finding in shapes)
    alone = result.check == "shapes" and values and _found_only(result, {"shape_differs", *_RAISED})
    return alone and isinstance(op, Pair) and len(op.compared) > 1 and not is_settled(op)


def _found_only(result: Result, codes: Collection[str]) -> bool:
    """Whether all that was found has one of these codes."""
    return result.status == "differ" and all(finding.code in codes for finding in result.findings)


def _of_sizes(result: Result) -> bool:
    """Whether sizes do not go together: they may be what does not suit."""
    return all(_SIZES.search(finding.fields["message"]) for finding in result.findings)


def _of_numbers(result: Result) -> bool:
    """Whether what raises is a matrix that cannot be inverted or factored: by its numbers, not by its shape."""
    return all(_OF_NUMBERS.search(finding.fields["message"]) for finding in result.findings)


def _is_anything(op: object) -> bool:
    """Whether nobody says of a pair which numbers its inputs hold."""
    if not isinstance(op, Pair) or op.in_catalogue or op.contract.domain or op.oracle is not None:
        return False
    return not any(a.domain is not None or a.kind for a in op.inputs.values())


def _is_without_onednn(result: Result) -> bool:
    """Whether all that raises is a layout that TensorFlow computes with oneDNN alone, which is left out here."""
    said = [str(finding.fields["message"]) for finding in result.findings]
    return os.environ.get(_ONEDNN) == "0" and all(map(_CHANNELS_LAST.search, said))


def _of_types_in_a_graph(result: Result) -> bool:
    """Whether only types do not go together, in a graph: there a number of Python becomes a tensor of its own type."""
    return all(f.fields.get("how") in _IN_A_GRAPH and is_of_type(result, f) for f in result.findings)


def not_its_own(result: Result, why: str) -> Result:
    """Return no verdict: nobody said what the side takes, and it raised for a shape that is ours."""
    finding = result.findings[0]
    said = ", ".join([finding.what, *finding.details[:1]])
    return replace(result, status="no verdict", findings=(), note=f"{said}{why}")
