"""Parts of an axis, given by start and length: they become subscripts."""

from porting.translate.calls import whole
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

NARROW = Rule(torch="torch.narrow(x: input, axis: dim, start, length)")
SELECT = Rule(torch="torch.select(x: input, axis: dim, at: index)")
SLICE = Rule(tf="tf.slice(x: input_, start: begin, size, _name: name=None)")
RULES = [NARROW, SELECT, SLICE]


def subscript(axis: int, inside: str) -> str:
    """Return what stands in brackets to take something of one axis."""
    if axis < 0:
        return ", ".join(["...", inside, *[":"] * (-1 - axis)])
    return ", ".join([*[":"] * axis, inside])


def _range(w: Writer, start: Expression, length: Expression, what: str) -> str:
    first, count = whole(w, start), whole(w, length)
    if w.code(start).startswith("-"):  # -2:-2 + 2 would end before it starts
        raise w.refuse(f"{what}: a start that counts from the end")
    if first == 0:
        return f":{w.code(length)}"
    return f"{w.code(start)}:{first + count if first is not None and count is not None else '{start} + {length}'}"


@NARROW.writes("tf", "numpy")
def _narrow(w: Writer, x: Expression, axis: Expression, start: Expression, length: Expression) -> Expression:
    place = whole(w, axis)
    if place is not None:
        inside = subscript(place, _range(w, start, length, ".narrow()"))
        parts = {name: part for name, part in (("start", start), ("length", length)) if f"{{{name}}}" in inside}
        return w.build(f"{{x}}[{inside}]", x=x, **parts)
    function = "tf.gather({x}, tf.range({r}), axis={a})" if w.to == "tf" else "np.take({x}, np.arange({r}), {a})"
    if whole(w, start) == 0:
        return w.build(function.replace("{r}", "{length}").replace("{a}", "{axis}"), x=x, axis=axis, length=length)
    filled = function.replace("{r}", "{start}, {start} + {length}").replace("{a}", "{axis}")
    return w.build(filled, x=x, axis=axis, start=start, length=length)


@SELECT.writes("tf", "numpy")
def _select(w: Writer, x: Expression, axis: Expression, at: Expression) -> Expression:
    place = whole(w, axis)
    if place is not None:
        return w.build(f"{{x}}[{subscript(place, '{at}')}]", x=x, at=at)
    return w.build(
        "tf.gather({x}, {at}, axis={axis})" if w.to == "tf" else "np.take({x}, {at}, {axis})", x=x, at=at, axis=axis
    )


@SLICE.writes("torch", "numpy")
def _slice(w: Writer, x: Expression, start: Expression, size: Expression) -> Expression:
    if not (w.is_sequence(start) and w.is_sequence(size)):
        raise w.refuse("tf.slice: a rule for places that are written out alone")
    inside = []
    for begin, length in zip(w.parts(start), w.parts(size), strict=True):
        if w.code(length) == "-1":  # to the end
            inside.append(":" if whole(w, begin) == 0 else f"{w.code(begin)}:")
            continue
        said = _range(w, begin, length, "tf.slice")
        inside.append(said.replace("{start}", w.code(begin)).replace("{length}", w.code(length)))
    while len(inside) > 1 and inside[-1] == ":":
        inside.pop()
    return w.build(f"{{x}}[{', '.join(inside)}]", x=x)
