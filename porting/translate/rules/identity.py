"""Operations that keep the numbers: copies, not needed in a framework without writes in place; stopped gradients."""

from porting.translate.abstract_value import STATIC, Abstract, Sort
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

COPY = Rule(
    torch=[
        "torch.clone(x: input, *, _memory_format: memory_format=None)",
        "Tensor.contiguous(x, _memory_format: memory_format=None)",
        "Tensor.requires_grad_(x, _requires_grad: requires_grad=True)",
        "Tensor.cpu(x, _memory_format: memory_format=None)",
        "Tensor.cuda(x, _device: device=None, _non_blocking: non_blocking=False, _memory_format: memory_format=None)",
        "Tensor.resolve_conj(x)",
        "torch.nn.Parameter(x: data, _requires_grad: requires_grad=True)",
        "torch.autograd.Variable(x: data, _requires_grad: requires_grad=False, _volatile: volatile=False)",
    ]
)
IDENTITY = Rule(tf=["tf.identity(x: input, _name: name=None)", "tf.raw_ops.Identity(x: input, _name: name=None)"])
ENSURE = Rule(tf="tf.ensure_shape(x, shape, _name: name=None)")
SET_SHAPE = Rule(tf="Tensor.set_shape(x, shape)", kind=STATIC)
DETACH = Rule(torch=["torch.detach(x: input)"], tf=["tf.stop_gradient(x: input, _name: name=None)"])
DATA = Rule(torch="Tensor.data")
PREVENT = Rule(tf=["tf.raw_ops.PreventGradient(x: input, _message: message='', _name: name=None)"])
DEVICE = Rule(torch=["Tensor.device"], kind=Abstract(Sort.DEVICE))
DEVICE_OF = Rule(torch="torch.device(_type: type, _index: index=None)", kind=Abstract(Sort.DEVICE))
RULES = [COPY, IDENTITY, ENSURE, SET_SHAPE, DETACH, DATA, PREVENT, DEVICE, DEVICE_OF]


@COPY.writes("tf", "numpy")
@DETACH.writes("numpy")
@DATA.writes("numpy")
@IDENTITY.writes("numpy")
@PREVENT.writes("numpy")
def _itself(w: Writer, x: Expression) -> Expression:  # noqa: ARG001 - every rule's writer takes one
    return x


@IDENTITY.writes("torch")
def _identity(w: Writer, x: Expression) -> Expression:
    if not w.code(x).isidentifier():  # what is computed is a tensor of its own
        return x
    return w.build("{x}.view_as({x})", x=x)


@ENSURE.writes("torch", "numpy")
def _ensured(w: Writer, x: Expression, shape: Expression) -> Expression:
    w.note(f"tf.ensure_shape: that the shape is {w.code(shape)} is not looked at any more.")
    return x if w.to == "numpy" else _identity(w, x)


@SET_SHAPE.writes("torch", "numpy")
def _set_shape(w: Writer, x: Expression, shape: Expression) -> Expression:
    w.note(f"set_shape: that the shape of {w.code(x)} is {w.code(shape)} is not looked at any more.")
    return w.build("None")


@DETACH.writes("tf")
@DATA.writes("tf")
def _detach(w: Writer, x: Expression) -> Expression:
    return x if w.quiet else w.build("tf.stop_gradient({x})", x=x)


@DETACH.writes("torch")
def _detach_torch(w: Writer, x: Expression) -> Expression:
    return x if w.quiet else w.build("{x}.detach()", x=x)


DEVICE.form("None", "tf", "numpy")
DEVICE_OF.form("None", "tf", "numpy")
