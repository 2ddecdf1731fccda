"""One hot: whole numbers as rows of zeros with a one. In TensorFlow a number outside the depth gives a row of zeros."""

from collections.abc import Mapping

from porting.translate.abstract_value import FLOAT, INT, Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer


def _typed(kinds: Mapping[str, Abstract]) -> Abstract:
    if "dtype" in kinds:
        return kinds["dtype"].values()
    return Abstract(Sort.TENSOR, kinds["on"].number) if "on" in kinds else FLOAT


ONE_HOT = Rule(torch="torch.nn.functional.one_hot(x: tensor, depth: num_classes=-1)", kind=INT)
TF_ONE_HOT = Rule(
    tf="tf.one_hot(x: indices, depth, on: on_value=None, off: off_value=None, axis=-1, dtype=None, _name: name=None)",
    kind=_typed,
)
RULES = [ONE_HOT, TF_ONE_HOT]
_TYPES = {"True": "torch.bool", "1": "torch.int32", "1.0": "torch.float32"}
_OFF = {"True": "False", "1": "0", "1.0": "0.0"}


@ONE_HOT.writes("tf")
def _one_hot(w: Writer, x: Expression, depth: Given = None) -> Expression:
    if depth is None:
        raise w.refuse("torch.nn.functional.one_hot: num_classes is not given")
    return w.build("tf.one_hot({x}, {depth}, dtype=tf.int64)", x=x, depth=depth)


@ONE_HOT.writes("numpy")
def _one_hot_numpy(w: Writer, x: Expression, depth: Given = None) -> Expression:
    if depth is None:
        raise w.refuse("torch.nn.functional.one_hot: num_classes is not given")
    return w.build("np.eye({depth}, dtype=np.int64)[{x}]", x=x, depth=depth)


@TF_ONE_HOT.writes("torch")
def _tf_one_hot(
    w: Writer,
    x: Expression,
    depth: Expression,
    on: Given = None,
    off: Given = None,
    axis: Given = None,
    dtype: Given = None,
) -> Expression:
    """Not torch.nn.functional.one_hot, which raises for a number outside of the depth."""
    yes = "1.0" if on is None else w.code(on)
    cold = (yes, "" if off is None else w.code(off)) == ("False", "True")
    if not cold and (yes not in _TYPES or (off is not None and w.code(off) not in {_OFF[yes], "0"})):
        raise w.refuse("tf.one_hot: a rule for on_value 1 and off_value 0 alone")
    if w.kinds["x"].sort is Sort.STATIC:
        x = w.build("torch.tensor({x})", x=x)
    same = "!=" if cold else "=="
    made = w.build(f"{{x}}.unsqueeze(-1) {same} torch.arange({{depth}}, device={{x}}.device)", x=x, depth=depth)
    yes = "True" if cold else yes
    said = _TYPES[yes] if dtype is None else w.code(dtype)
    if said != "torch.bool":
        made = w.build("({made}).to({dtype})", made=made, dtype=w.build(said))
    return made if axis is None else w.build("({made}).movedim(-1, {axis})", made=made, axis=axis)


@TF_ONE_HOT.writes("numpy")
def _tf_one_hot_numpy(
    w: Writer,
    x: Expression,
    depth: Expression,
    on: Given = None,
    off: Given = None,
    axis: Given = None,
    dtype: Given = None,
) -> Expression:
    yes = "1.0" if on is None else w.code(on)
    hot = w.build("np.expand_dims({x}, -1) == np.arange({depth})", x=x, depth=depth)
    if yes not in _TYPES or (off is not None and w.code(off) not in {_OFF[yes], "0"}):
        values = {"hot": hot, "on": on or w.build("1.0"), "off": off or w.build("0.0")}
        made = w.build("np.where({hot}, {on}, {off})", **values)
        return made if axis is None else w.build("np.moveaxis({made}, -1, {axis})", made=made, axis=axis)
    made = hot
    said = _TYPES[yes].replace("torch.bool", "bool").replace("torch.", "np.") if dtype is None else w.code(dtype)
    if said != "bool":
        made = w.build("({made}).astype({dtype})", made=made, dtype=w.build(said))
    return made if axis is None else w.build("np.moveaxis({made}, -1, {axis})", made=made, axis=axis)
