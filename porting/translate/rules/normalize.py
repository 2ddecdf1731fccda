"""Division by a length or a spread: normalized vectors, limited norms, normalization layers."""

from porting.translate.abstract_value import Sort
from porting.translate.calls import call, method
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.reduce import one_axis

_F = "torch.nn.functional."
NORMALIZE = Rule(torch=f"{_F}normalize(x: input, p=2.0, axis: dim=1, eps=1e-12)")
TF_NORMALIZE = Rule(
    tf=[f"tf.{module}.l2_normalize(x, axis=None, epsilon=1e-12, _name: name=None)" for module in ("math", "nn")]
)
CLIP_NORM = Rule(tf="tf.clip_by_norm(x: t, limit: clip_norm, axes=None, _name: name=None)")
LAYER = Rule(torch=f"{_F}layer_norm(x: input, shape: normalized_shape, weight=None, bias=None, eps=1e-05)")
GROUP = Rule(torch=f"{_F}group_norm(x: input, groups: num_groups, weight=None, bias=None, eps=1e-05)")
RULES = [NORMALIZE, TF_NORMALIZE, CLIP_NORM, LAYER, GROUP]


@NORMALIZE.writes("tf")
def _normalize(w: Writer, x: Expression, p: Given = None, axis: Given = None, eps: Given = None) -> Expression:
    """Not tf.math.l2_normalize: its epsilon is the least square of the length, not the least length."""
    if p is not None and w.code(p) != "2":
        raise w.refuse("torch.nn.functional.normalize: a rule for p = 2 alone")
    axis, eps = axis if axis is not None else w.build("1"), eps if eps is not None else w.build("1e-12")
    return w.build("{x} / tf.maximum(tf.norm({x}, axis={axis}, keepdims=True), {eps})", x=x, axis=axis, eps=eps)


@TF_NORMALIZE.writes("torch")
def _tf_normalize(w: Writer, x: Expression, axis: Given = None, epsilon: Given = None) -> Expression:
    axis = one_axis(w, axis)
    eps = epsilon if epsilon is not None else w.build("1e-12")
    squares = w.build("{x}.square()", x=x)
    total = method(w, squares, "sum", axis, keepdim=None if axis is None else w.build("True"))
    return w.build("{x} * {total}.clamp(min={eps}).rsqrt()", x=x, total=total, eps=eps)


@CLIP_NORM.writes("torch")
def _clip_norm(w: Writer, x: Expression, limit: Expression, axes: Given = None) -> Expression:
    if axes is not None and w.is_sequence(axes) and not w.parts(axes):
        raise w.refuse("tf.clip_by_norm: over no axis")
    axis = one_axis(w, axes)
    norm = call(w, "torch.linalg.vector_norm", x, dim=axis, keepdim=None if axis is None else w.build("True"))
    if "rest" in w.general and not w.code(limit).replace(".", "").isdecimal():  # a negative number counts as 0
        form = "{limit}.clamp(min=0)" if w.kinds["limit"].tensor else "max({limit}, 0)"
        limit = w.build(form, limit=limit)
    return w.build("{x} * {limit} / {norm}.clamp(min={limit})", x=x, limit=limit, norm=norm)


_LAYER = '''
def _layer_norm(x, shape, weight=None, bias=None, eps=1e-5):
    """x less its mean, divided by its spread, over the last axes."""
    mean, variance = tf.nn.moments(x, list(range(-len(shape), 0)), keepdims=True)
    y = (x - mean) * tf.math.rsqrt(variance + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias
'''
_GROUP = '''
def _group_norm(x, groups, weight=None, bias=None, eps=1e-5):
    """x less its mean, divided by its spread, over groups of channels, which are its second axis."""
    rows = tf.reshape(x, [x.shape[0], groups, -1])
    mean, variance = tf.nn.moments(rows, [-1], keepdims=True)
    y = tf.reshape((rows - mean) * tf.math.rsqrt(variance + eps), x.shape)
    channels = [-1] + [1] * (x.shape.rank - 2)
    y = y if weight is None else y * tf.reshape(weight, channels)
    return y if bias is None else y + tf.reshape(bias, channels)
'''


@LAYER.writes("tf")
def _layer(
    w: Writer, x: Expression, shape: Expression, weight: Given = None, bias: Given = None, eps: Given = None
) -> Expression:
    w.helper("_layer_norm", _LAYER)
    if w.kinds["shape"].sort is Sort.STATIC:
        shape = w.build("[{shape}]", shape=shape)
    return call(w, "_layer_norm", x, shape, weight=weight, bias=bias, eps=eps)


@GROUP.writes("tf")
def _group(
    w: Writer, x: Expression, groups: Expression, weight: Given = None, bias: Given = None, eps: Given = None
) -> Expression:
    w.helper("_group_norm", _GROUP)
    return call(w, "_group_norm", x, groups, weight=weight, bias=bias, eps=eps)
