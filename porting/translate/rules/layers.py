"""Small functions of neural networks: a bias, a normalization with given moments, weights in a loss."""

from typing import Final

from porting.translate.abstract_value import TENSOR, Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

L2_LOSS = Rule(tf=["tf.nn.l2_loss(x: t, _name: name=None)", "tf.raw_ops.L2Loss(x: t, _name: name=None)"])
BIAS = Rule(
    tf=[
        f"{path}(x: value, y: bias, data_format=None, _name: name=None)"
        for path in ("tf.nn.bias_add", "tf.raw_ops.BiasAdd")
    ]
)
BATCH = Rule(tf="tf.nn.batch_normalization(x, mean, variance, offset, scale, eps: variance_epsilon, _name: name=None)")
WEIGHTED = Rule(tf="tf.nn.weighted_cross_entropy_with_logits(labels, x: logits, weight: pos_weight, _name: name=None)")
CRELU = Rule(tf="tf.nn.crelu(x: features, axis=-1, _name: name=None)")
GLOBAL_NORM = Rule(
    tf=["tf.linalg.global_norm(x: t_list, _name: name=None)", "tf.global_norm(x: t_list, _name: name=None)"],
    kind=TENSOR,
)
CLIP_GLOBAL = Rule(
    tf="tf.clip_by_global_norm(x: t_list, limit: clip_norm, norm: use_norm=None, _name: name=None)",
    kind=lambda kinds: Abstract(Sort.TUPLE, items=(kinds["x"], TENSOR)),
)
FLATTEN = Rule(tf="tf.keras.backend.flatten(x)")
BATCH_FLATTEN = Rule(tf="tf.keras.backend.batch_flatten(x)")
DOT = Rule(tf="tf.keras.backend.dot(x, y)")
RULES = [L2_LOSS, BIAS, BATCH, WEIGHTED, CRELU, GLOBAL_NORM, CLIP_GLOBAL, FLATTEN, BATCH_FLATTEN, DOT]
_CLIPPED: Final = '''
def _clip_by_global_norm(tensors, limit):
    """Tensors that are shortened together to a length, and the length that they had."""
    norm = sum(part.square().sum() for part in tensors).sqrt()
    scale = torch.where(norm.isfinite(), limit / norm.clamp(min=limit), torch.nan)
    return [part * scale for part in tensors], norm
'''
L2_LOSS.form("{x}.square().sum() / 2", "torch")
L2_LOSS.form("np.sum(np.square({x})) / 2", "numpy")
GLOBAL_NORM.form("sum(part.square().sum() for part in {x}).sqrt()", "torch")
FLATTEN.form("{x}.reshape(-1)", "torch", "numpy")
BATCH_FLATTEN.form("{x}.reshape({x}.shape[0], -1)", "torch", "numpy")
# The last axis of x with the last but one of y
DOT.form("torch.tensordot({x}, {y}, dims=([-1], [-2]))", "torch")
DOT.form("np.tensordot({x}, {y}, ([-1], [-2]))", "numpy")


@BIAS.writes("torch", "numpy")
def _bias(w: Writer, x: Expression, y: Expression, data_format: Given = None) -> Expression:
    if data_format is not None and w.text(data_format) not in {"NHWC", "N..C"}:
        raise w.refuse("tf.nn.bias_add: a rule for the channels last alone")
    return w.build("{x} + {y}", x=x, y=y)


@BATCH.writes("torch")
def _batch(
    w: Writer,
    x: Expression,
    mean: Expression,
    variance: Expression,
    offset: Expression,
    scale: Expression,
    eps: Expression,
) -> Expression:
    made = w.build("({x} - {mean}) * torch.rsqrt({variance} + {eps})", x=x, mean=mean, variance=variance, eps=eps)
    for name, part, template in (("scale", scale, "{y} * {part}"), ("offset", offset, "{y} + {part}")):
        if not w.kinds[name].tensor and w.code(part) != "None":
            raise w.refuse(f"tf.nn.batch_normalization: is {name} a tensor or None? Not known here")
        made = w.build(template, y=made, part=part) if w.kinds[name].tensor else made
    return made


@WEIGHTED.writes("torch")
def _weighted(w: Writer, labels: Expression, x: Expression, weight: Expression) -> Expression:
    if not w.kinds["weight"].tensor:
        weight = w.build("{x}.new_tensor({weight})", x=x, weight=weight)
    function = "torch.nn.functional.binary_cross_entropy_with_logits"
    made = f'{function}({{x}}, {{labels}}, reduction="none", pos_weight={{weight}})'
    return w.build(made, x=x, labels=labels, weight=weight)


@CRELU.writes("torch")
def _crelu(w: Writer, x: Expression, axis: Given = None) -> Expression:
    axis = w.build("-1") if axis is None else axis
    return w.build("torch.cat([{x}, -{x}], {axis}).relu()", x=x, axis=axis)


@CLIP_GLOBAL.writes("torch")
def _clip_global(w: Writer, x: Expression, limit: Expression, norm: Given = None) -> Expression:
    if norm is not None:
        raise w.refuse("tf.clip_by_global_norm: use_norm has no rule")
    w.helper("_clip_by_global_norm", _CLIPPED)
    return w.build("_clip_by_global_norm({x}, {limit})", x=x, limit=limit)
