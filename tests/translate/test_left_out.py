"""What changes no number is left out of a translation, and it is said: scopes, devices, autocast, unread keywords."""

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import units_of
from porting.port.one import port

TF = """import tensorflow as tf


def outer(x, name=None, **kwargs):
    with tf.name_scope(name or "outer") as scope, tf.device("/cpu:0"):

        @tf.custom_gradient
        def inner(x):
            # a comment
            with tf.compat.v1.variable_scope("inner") as inside:
                y = tf.sin(x, name=inside)

                def grad(dy):
                    with tf.name_scope("grad") as scope:
                        return tf.multiply(dy, tf.cos(x), name=scope) * 2.0

                return y, grad

        return inner(tf.identity(x, name=scope))
"""
TORCH = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, **unread):
        from torch.cuda import amp

        with torch.no_grad(), amp.autocast(enabled=False), torch.profiler.record_function("here"):
            ctx.save_for_backward(x)
            y = torch.sin(x)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        with torch.autocast("cuda", enabled=False): dy = 2 * dy
        return dy * torch.cos(x)


def mine(x, **kwargs):
    with torch.amp.autocast("cpu", enabled=False):
        return Mine.apply(x)
"""
_X = np.array([-1.4, 0.3, 2.6])


def ported(text, name, to, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, name, to)
    return port(unit, check=False)


def run(made):
    ours = {}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    return ours[made.called]


def test_contexts_of_tensorflow(tmp_path):
    made = ported(TF, "outer", "torch", tmp_path)
    assert not made.refused
    x = torch.tensor(_X, requires_grad=True)
    y = run(made)(x)
    y.sum().backward()
    np.testing.assert_allclose(y.detach(), np.sin(_X))
    np.testing.assert_allclose(x.grad, 2 * np.cos(_X))
    said = " ".join(made.notes)
    assert '`with tf.name_scope(name or "outer")` is left out: it gives names' in said
    assert '`with tf.device("/cpu:0")` is left out: it says where to compute' in said
    assert '`with tf.compat.v1.variable_scope("inner")` is left out' in said
    assert '`with tf.name_scope("grad")` is left out' in said
    assert "`**kwargs` of `outer` is left out: nothing reads it" in said
    assert "# a comment" in made.text
    assert "kwargs" not in made.text.partition("\n\n")[2]


@pytest.mark.parametrize("name", ["Mine", "mine"])
def test_contexts_of_pytorch(name, tmp_path):
    made = ported(TORCH, name, "tf", tmp_path)
    assert not made.refused
    x = tf.constant(_X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run(made)(x)
    np.testing.assert_allclose(y, np.sin(_X))
    np.testing.assert_allclose(tape.gradient(y, x), 2 * np.cos(_X))
    said = " ".join(made.notes)
    assert "`with amp.autocast(enabled=False)` is left out: nothing is cast here on its own" in said
    assert '`with torch.autocast("cuda", enabled=False)` is left out' in said
    assert '`with torch.profiler.record_function("here")` is left out: it gives names' in said
    assert "`**unread` of `forward` is left out: nothing reads it" in said
    assert "`**kwargs` of `mine` is left out" in said
    assert '`with torch.amp.autocast("cpu", enabled=False)` is left out' in said


def test_no_grad_alone_leaves_what_stands_in_it(tmp_path):
    """A ``with`` without any context was made of it, which libcst refuses."""
    text = TORCH.replace(', amp.autocast(enabled=False), torch.profiler.record_function("here")', "")
    assert "with torch.no_grad():" in text
    made = ported(text, "Mine", "tf", tmp_path)
    assert not made.refused
    np.testing.assert_allclose(run(made)(tf.constant(_X)), np.sin(_X))


UNSEEN = {
    "a list is saved": ("ctx.save_for_backward(x)", "ctx.save_for_backward(*[x][:])", "save_for_backward(*[x][:])"),
    "a tuple is returned": (
        "return dy * torch.cos(x)",
        "return tuple([dy * torch.cos(x), None][:])",
        "backward returns tuple([dy * torch.cos(x), None][:]) for 2 inputs: which gradients that are is not seen here",
    ),
}


@pytest.mark.parametrize(("old", "new", "why"), UNSEEN.values(), ids=UNSEEN)
def test_what_is_not_written_out_is_said_in_the_words_of_the_source(old, new, why, tmp_path):
    """An internal name was told, and a number of gradients that was not true."""
    text = TORCH.replace("forward(ctx, x, **unread)", "forward(ctx, x, k=1)")
    made = ported(text.replace(old, new), "Mine", "tf", tmp_path)
    assert not made.text
    assert why in made.said


REFUSED = {
    "another context": (
        'with tf.name_scope("grad") as scope',
        "with tf.init_scope()",
        "with tf.init_scope",
    ),
    "a scope is read": ("name=scope) * 2.0", "name=scope + 'x') * 2.0", "with tf.name_scope"),
    "gradients of variables": (
        """def grad(dy):
                    with tf.name_scope("grad") as scope:
                        return tf.multiply(dy, tf.cos(x), name=scope) * 2.0""",
        """def grad(dy, variables=None):
                    return dy * tf.cos(x), [tf.reduce_sum(dy) for _ in variables]""",
        "gives gradients of the tf.Variables that it captures; make each an argument of the function",
    ),
}


@pytest.mark.parametrize(("old", "new", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_more_than_that_is_refused(old, new, why, tmp_path):
    assert old in TF
    made = ported(TF.replace(old, new), "outer", "torch", tmp_path)
    assert not made.text
    assert why in made.said


@pytest.mark.parametrize(
    "reads", ["return Mine.apply(x, kwargs.get('k'))", "return Mine.apply(x, **kwargs)"], ids=["an item", "all"]
)
def test_keywords_that_are_read_stay(reads, tmp_path):
    text = TORCH.replace("        return Mine.apply(x)", f"        {reads}")
    made = ported(text, "mine", "tf", tmp_path)
    assert "`**kwargs` of `mine` is left out" not in " ".join(made.notes)


def test_keywords_that_a_caller_gives_stay(tmp_path):
    made = ported(TORCH + "\n\ndef caller(x):\n    return mine(x, k=2)\n", "mine", "tf", tmp_path)
    assert "`**kwargs` of `mine` is left out" not in " ".join(made.notes)


ORDERED = """
import keras
import tensorflow as tf
from tensorflow.python.ops import array_ops, math_ops


@tf.custom_gradient
def ordered(x):
    def grad(dy):
        with tf.control_dependencies([dy]):
            return math_ops.multiply(dy, keras.ops.cos(x)) * 2.0

    return array_ops.identity(keras.ops.sin(keras.ops.clip(x, x_min=-1.0, x_max=1.0))), grad
"""


def test_what_orders_is_left_out_and_other_paths_are_known(tmp_path):
    made = ported(ORDERED, "ordered", "torch", tmp_path)
    assert not made.refused
    x = torch.tensor(_X, requires_grad=True)
    y = run(made)(x)
    y.sum().backward()
    np.testing.assert_allclose(y.detach(), np.sin(np.clip(_X, -1, 1)))
    np.testing.assert_allclose(x.grad, 2 * np.cos(_X))
    assert "`with tf.control_dependencies([dy])` is left out: what stands there is computed in the order" in " ".join(
        made.notes
    )


def test_an_assertion_that_comes_first_is_not_left_out(tmp_path):
    checked = ORDERED.replace("[dy]", "[tf.debugging.assert_positive(x)]")
    made = ported(checked, "ordered", "torch", tmp_path)
    assert not made.text
    assert "with tf.control_dependencies" in made.said


ONE_OF_TWO = """import torch


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, soft=False):
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        return {gradient}
"""


@pytest.mark.parametrize(("gradient", "is_read"), [
    ("dy", True), ("dy.clamp(min=-1, max=1)", True), ("dy.clone().mul(2).clamp(-1, 1)", True),
    ("clipped(dy)", False), ("dys", False),
])  # fmt: skip
def test_a_gradient_of_a_default_may_be_left_out_where_the_other_one_is_a_tensor(tmp_path, gradient, is_read):
    path = tmp_path / "step.py"
    path.write_text(ONE_OF_TWO.format(gradient=gradient))
    (unit,) = units_of(path, "Step", "tf")
    made = port(unit, check=False)
    assert (made.status != "refused") == is_read, made
    assert any("no gradient for soft" in note for note in made.notes) == is_read, made


ONLY_MARKED = """from typing import Optional, Tuple

import torch


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, inplace: Optional[bool] = False, of: Optional[Tuple[int]] = None):
        if inplace:
            ctx.mark_dirty(x)
        return torch.round(x)

    @staticmethod
    def backward(ctx, dy):
        return dy, None, None
"""


def test_a_branch_in_which_nothing_is_left_is_left_out_and_names_of_a_module_are_one_line(tmp_path):
    text = ported(ONLY_MARKED, "Rounded", "tf", tmp_path).text
    assert "pass" not in text, text
    assert "if inplace" not in text, text
    assert "from typing import Optional, Tuple\n" in text, text


NESTED = """import torch


class Biased(torch.autograd.Function):
    @staticmethod
    def forward(x, bias=None):
        if x.dim() == 2:
            if bias is not None:
                return x + bias
            else:
                return x * 2.0
        else:
            y = x * 3.0
            if bias is not None:
                return y + bias
            else:
                return y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        return

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x, None
"""


def test_branches_in_branches_stay_and_a_bare_return_is_left_out(tmp_path):
    made = ported(NESTED, "Biased", "tf", tmp_path)
    assert not made.refused, made.refused
    assert "if bias is not None" in made.text, made.text
    np.testing.assert_allclose(run(made)(tf.constant(_X)), 3.0 * _X)
