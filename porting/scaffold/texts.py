"""The skeletons of the files of an op. Each part that is not written yet raises, and says what to write where."""

from porting.scaffold.place import Place


def oracle(p: Place) -> str:
    """Return the oracle: value and gradient are not written."""
    file = f"porting/oracle/{p.family}/{p.op}.py"
    return f'''"""TODO: what {p.op} is, in one line.

    y  = TODO
    dx = TODO

Derivation: TODO.

Source: TODO.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op
def {p.op}(x: Any) -> Any:
    """TODO: the formula."""
{_raise(4, f"write the formula of {p.op} in {file}")}


@{p.op}.defvjp
def {p.op}_vjp(dy: Any, y: Any, x: Any) -> Any:
    """TODO: the derivative."""
{_raise(4, f"write the gradient of {p.op} in {file}")}
'''


def torch(p: Place) -> str:
    """Return the PyTorch twin: the input is saved, the rest is not written."""
    file = f"torch_impl/{p.family}/{p.op}.py"
    return f'''"""TODO: what {p.op} is, in one line."""

import torch
from torch import Tensor


class {p.camel}Function(torch.autograd.Function):
    """``{p.camel}Function.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
{_raise(8, f"write the forward of {p.op} in {file}")}

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
{_raise(8, f"write the backward of {p.op} in {file}")}


def {p.op}(x: Tensor) -> Tensor:
    """TODO: the formula."""
    return {p.camel}Function.apply(x)
'''


def tf(p: Place) -> str:
    """Return the TensorFlow twin: value and gradient are not written."""
    file = f"tf_impl/{p.family}/{p.op}.py"
    return f'''"""TODO: what {p.op} is, in one line."""

import tensorflow as tf
from tensorflow import Tensor


def {p.op}(x: Tensor) -> Tensor:
    """TODO: the formula."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
{_raise(12, f"write the gradient of {p.op}, of x and dy, in {file}")}

{_raise(8, f"write the value of {p.op} in {file}: return the value of v, and vjp")}

    return forward(tf.identity(x))
'''


def layer(p: Place, backend: str) -> str:
    """Return the layer: it calls the twin, nothing else."""
    head, call = {"torch": ("", "forward"), "tf": ("@registered\n", "call")}[backend]
    return f'''

{head}class {p.camel}(Statics):
    """TODO: the formula."""

    def {call}(self, x: Tensor) -> Tensor:
        return {p.op}(x)
'''


def witness(p: Place, name: str) -> str:
    """Return the witness: the same value in mpmath, which is not written."""
    said = f"write {p.op} in mpmath, by another formula than the oracle's, in tests/oracle_truth/families/{p.family}.py"
    return f"def {name}(x):\n{_raise(4, said)}\n\n\n"


def row(p: Place) -> str:
    """Return the row of the index of the ops."""
    return f"| [{p.op}]({p.family}/{p.op}.md) | `TODO` | TODO: exact |\n"


def page(p: Place) -> str:
    """Return the page, with an example that compares the two twins."""
    up = "../../.."
    return f"""# {p.op}

TODO: what it is, in one line.

## Value and gradient

```text
y  = TODO
dx = TODO
```

Contract: TODO: exact, linear in `dy`, twice differentiable, no kinks. Kept for the backward: TODO: `x`, on both sides. See
the [oracle]({up}/porting/oracle/{p.family}/{p.op}.py).

![Value and gradient of {p.op}]({p.op}.svg)

## What changes between the two files

[PyTorch]({up}/torch_impl/{p.family}/{p.op}.py), [TensorFlow]({up}/tf_impl/{p.family}/{p.op}.py); what
[every pair](../index.md#in-every-pair) has is left out.

- TODO: what is called otherwise, or has no counterpart.

```python
import numpy as np
import tensorflow as tf
import torch
from tf_impl.{p.family} import {p.op} as {p.op}_tf
from torch_impl.{p.family} import {p.op}

x, x_tf = torch.tensor([-1.5, 0.25, 2.0], requires_grad=True), tf.Variable([-1.5, 0.25, 2.0])
y = {p.op}(x)
(dx,) = torch.autograd.grad(y, x, torch.tensor([1.0, -20.0, 3.0]))
with tf.GradientTape() as tape:
    y_tf = {p.op}_tf(x_tf)
dx_tf = tape.gradient(y_tf, x_tf, tf.constant([1.0, -20.0, 3.0]))
np.testing.assert_allclose([y.tolist(), dx.tolist()], [y_tf, dx_tf], rtol=1e-6)
```

## The trap

TODO: what goes wrong when it is ported without care, shown by code.

## Source

TODO.
"""


def _raise(indent: int, said: str) -> str:
    """Return the statement as the formatter writes it."""
    space = " " * indent
    line = f'{space}raise NotImplementedError("{said}")'
    if len(line) > 120:
        line = f'{space}raise NotImplementedError(\n{space}    "{said}"\n{space})'
    return line
