"""Arrays of tensors, which TensorFlow's loops write one by one: lists of Python.

What nobody has written is zeros in TensorFlow; here a list with such a place cannot be stacked, which raises.
"""

from typing import Final

from porting.translate.abstract_value import TENSOR, UNKNOWN, WHOLE
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

_REST: Final = (
    "_dynamic: dynamic_size=None, _clear: clear_after_read=None, _array: tensor_array_name=None, *, "
    "_infer: infer_shape=True, _element: element_shape=None, _name: name=None"
)
NEW = Rule(tf=f"tf.TensorArray(_dtype: dtype, size=None, {_REST})", kind=UNKNOWN)
WRITE = Rule(tf="Tensor.write(x, at: index, y: value, _name: name=None)", kind=UNKNOWN)
READ = Rule(tf="Tensor.read(x, at: index, _name: name=None)", kind=TENSOR)
STACK = Rule(tf="Tensor.stack(x, _name: name=None)", kind=TENSOR)
CONCAT = Rule(tf="Tensor.concat(x, _name: name=None)", kind=TENSOR)
UNSTACK = Rule(tf="Tensor.unstack(x, y: value, _name: name=None)", kind=UNKNOWN)
SIZE = Rule(tf="Tensor.size(x, _name: name=None)", kind=WHOLE)
RULES = [NEW, WRITE, READ, STACK, CONCAT, UNSTACK, SIZE]
_WRITTEN: Final = '''
def _written(array, at, x):
    """A list that has x at a place, and grows where it has to."""
    array += [None] * (int(at) + 1 - len(array))
    array[at] = x
    return array
'''


@NEW.writes("torch", "numpy")
def _new(w: Writer, size: Given = None) -> Expression:
    return w.build("[None] * {size}", size=size) if size is not None and w.code(size) != "0" else w.build("[]")


@WRITE.writes("torch", "numpy")
def _write(w: Writer, x: Expression, at: Expression, y: Expression) -> Expression:
    w.helper("_written", _WRITTEN)
    return w.build("_written({x}, {at}, {y})", x=x, at=at, y=y)


READ.form("{x}[{at}]", "torch", "numpy")
STACK.form("torch.stack({x})", "torch")
STACK.form("np.stack({x})", "numpy")
CONCAT.form("torch.cat({x})", "torch")
CONCAT.form("np.concatenate({x})", "numpy")
UNSTACK.form("list({y})", "torch", "numpy")
SIZE.form("len({x})", "torch", "numpy")
