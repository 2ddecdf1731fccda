"""Degrees and radians: TensorFlow has no function for them."""

from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer
from porting.translate.rules.elementwise import floating, whole_as_floating

TO_RADIANS = Rule(torch="torch.deg2rad(x: input)", numpy=["np.deg2rad(x)", "np.radians(x)"], kind=floating)
TO_DEGREES = Rule(torch="torch.rad2deg(x: input)", numpy=["np.rad2deg(x)", "np.degrees(x)"], kind=floating)
RULES = [TO_RADIANS, TO_DEGREES]


@TO_RADIANS.writes("tf")
def _to_radians(w: Writer, x: Expression) -> Expression:
    w.imports.add("math")
    return w.build("{x} * (math.pi / 180)", x=whole_as_floating(w, x))


@TO_DEGREES.writes("tf")
def _to_degrees(w: Writer, x: Expression) -> Expression:
    w.imports.add("math")
    return w.build("{x} * (180 / math.pi)", x=whole_as_floating(w, x))
