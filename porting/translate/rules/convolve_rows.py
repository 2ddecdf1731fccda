"""Convolutions of rows: PyTorch's have the channels first. They are images of one line."""

from porting.translate.abstract_value import Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.convolve import GIVEN, biased, convolved, undilated

CONV1D = Rule(torch=[f"torch.nn.functional.conv1d{GIVEN}", f"torch.conv1d{GIVEN}"], kind="x")
RULES = [CONV1D]


@CONV1D.writes("tf")
def _conv1d(
    w: Writer,
    x: Expression,
    kernel: Expression,
    bias: Given = None,
    stride: Given = None,
    padding: Given = None,
    dilation: Given = None,
    groups: Given = None,
) -> Expression:
    what = "torch.nn.functional.conv1d"
    undilated(w, dilation, what)
    by, around = _number(w, "stride", stride, "1", what), _number(w, "padding", padding, "0", what)
    line, kernel = (w.build("{part}[:, :, None]", part=part) for part in (x, kernel))
    made = convolved(w, line, kernel, f"(1, {by}), (0, {around})", groups)
    return biased(w, w.build("{y}[:, :, 0]", y=made), bias, 1, what)


def _number(w: Writer, name: str, given: Given, other: str, what: str) -> str:
    """Return the number for the axis of a row: a number, or one in a tuple."""
    if given is None:
        return other
    if w.is_sequence(given) and len(w.parts(given)) == 1:
        return w.code(w.parts(given)[0])
    if w.text(given) or (w.kinds[name].sort is not Sort.STATIC and not w.code(given).isdecimal()):
        raise w.refuse(f"{what}: {name} is not known here to be a number")
    return w.code(given)
