"""What no reviewer wants in a port: code in comments, tests of what is never None, sentences on the other framework."""

import pytest

from porting.port.discover import units_of
from porting.port.one import port
from porting.translate.read.docstrings import of_both
from porting.translate.read.old_code import is_code

_TUTORIAL = """
    We can implement our own custom autograd Functions by subclassing
    torch.autograd.Function and implementing the forward and backward passes
    which operate on Tensors.
    """
_SOURCE = '''\
import tensorflow as tf


@tf.custom_gradient
def doubled(x):
    """Doubles. With ``tf.custom_gradient``."""
    y = 2.0 * x
    # print(y)

    def grad(dy):
        if dy is None:
            return tf.zeros_like(x)
        return 2.0 * dy if dy is not None else dy

    return y, grad
'''


@pytest.mark.parametrize(
    "comment",
    [
        "# print(x.shape)",
        "#x = x + 1",
        "# import pdb",
        "#from a import b",
        "# return torch.sign(x)",
        "# raise ValueError",
    ],
)
def test_a_statement_is_code(comment):
    assert is_code(comment)


@pytest.mark.parametrize(
    "comment",
    ["# y = 2 * x", "# return gradient", "# relu", "# Indicates x <= r1.", "# dL/dx = dy * w", "#", "# (n, k)"],
)
def test_a_sentence_or_a_formula_is_none(comment):
    assert not is_code(comment)


@pytest.mark.parametrize(
    ("doc", "left"),
    [
        (_TUTORIAL, ""),
        ("Rounds. Keeps ctx small.", "Rounds."),
        ("Rounds.\n\nArgs:\n    ctx: kept\n    x: input\n", "Rounds.\n\nArgs:\n    x: input\n"),
        ("Rounds up.", "Rounds up."),
    ],
)
def test_of_a_docstring_what_holds_of_both_is_left(doc, left):
    assert of_both(doc) == left


def test_what_is_never_none_is_not_asked_for(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(_SOURCE, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    made = port(unit, check=False)
    assert "is None" not in made.text
    assert "save_for_backward" not in made.text
    assert "custom_gradient" not in made.text
    assert "print" not in made.text


IN_COMMENTS = '''\
import tensorflow as tf

# The one below has no strength.
#@tf.custom_gradient
#def turned(x, strength):
#        def grad(dy):
#                return -strength * dy
#        return x, grad

# A gradient reversal: dy
# becomes -dy


@tf.custom_gradient
def turned(x):
  """Turned round.

  Args:
    x: numbers.
  """
  return x, lambda dy: -dy
'''


def test_a_definition_in_comments_is_left_out_and_a_docstring_has_the_margin_of_its_function(tmp_path):
    path = tmp_path / "turned.py"
    path.write_text(IN_COMMENTS)
    (unit,) = units_of(path, "turned", "torch")
    text = port(unit, check=False).text
    assert "strength * dy" not in text
    assert "#def" not in text
    assert "# A gradient reversal: dy\n# becomes -dy" in text
    assert "    Args:\n      x: numbers." in text


NAMED = """\
import tensorflow as tf


@tf.custom_gradient
def scaled(x, factor, name=None):
    with tf.name_scope(name or "scaled"):
        def grad(dy):
            return tf.multiply(dy, {slope}, name=name), None

        return tf.multiply(x, 2.0, name=name), grad
"""


@pytest.mark.parametrize(("slope", "given"), [("2.0", "x"), ("factor", "x, factor")])
def test_an_argument_that_is_not_used_does_not_go_through_the_function(tmp_path, slope, given):
    path = tmp_path / "scaled.py"
    path.write_text(NAMED.format(slope=slope))
    (unit,) = units_of(path, "scaled", "torch")
    text = port(unit, check=False).text
    assert "def scaled(x, factor, name=None):" in text
    assert f"return ScaledFunction.apply({given})" in text
    assert f"def forward({given}):" in text


_REMARKS = '''\
import torch


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        """Doubles."""
        \'\'\'
        Only numbers
        below 1.
        \'\'\'
        return 2.0 * x

    @staticmethod
    def backward(ctx, dy):
        slope = 2.0
        "by hand"
        return slope * dy
'''


def test_texts_that_stand_alone_become_comments(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(_REMARKS, encoding="utf-8")
    (unit,) = units_of(path, "Doubled", "tf")
    lines = [line.strip() for line in port(unit, check=False).text.splitlines()]
    assert lines[lines.index("# Only numbers") + 1] == "# below 1."
    assert lines[lines.index("# by hand") + 1] == "return slope * dy"
    assert '"by hand"' not in lines
    assert '"""Doubles."""' in lines


def test_the_class_around_a_gradient_is_named(tmp_path):
    around = """

class Layer(torch.nn.Module):
    def forward(self, x):
        return Doubled.apply(x)


class Other(torch.nn.Module):
    def forward(self, x):
        return x
"""
    path = tmp_path / "theirs.py"
    path.write_text(_REMARKS + around, encoding="utf-8")
    (unit,) = units_of(path, "Doubled", "tf")
    assert "`theirs.py:Layer` translates the class around it too." in port(unit, check=False).notes
    (unit,) = units_of(path, "Layer", "tf")
    assert not any("around" in note for note in port(unit, check=False).notes)


_CALLED = '''\
import torch


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return (x >= 0).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return scaled(dy, ctx.slope) / (1.0 + x.abs()), None


def scaled(x, by):
    """Scales ``torch.Tensor`` x by `by`."""
    return by * x


def spike(
    x: torch.Tensor,
    slope: float = 25.0,
) -> torch.Tensor:
    """Spikes.

    Returns
    -------
    torch.Tensor
        Of 0 and 1.
    """
    return Spike.apply(x, slope)
'''


def test_a_signature_is_laid_out_anew_and_docstrings_name_no_other_framework(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(_CALLED, encoding="utf-8")
    (unit,) = units_of(path, "Spike", "tf")
    text = port(unit, check=False).text
    assert "def spike(x: tf.Tensor, slope: float = 25.0) -> tf.Tensor:\n" in text
    assert "    Returns\n    -------\n    tensor\n" in text
    assert '"""Scales ``tensor`` x by `by`."""' in text


def test_what_is_a_tensor_in_a_backward_is_saved_as_one(tmp_path):
    text = """import tensorflow as tf


@tf.custom_gradient
def gathered(params, indices):
    def grad(dy):
        return tf.scatter_nd(tf.expand_dims(indices, 1), dy, tf.shape(params)), None

    return tf.gather(params, indices), grad
"""
    path = tmp_path / "theirs.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, "gathered", "torch")
    assert "ctx.save_for_backward(params, indices)" in port(unit, check=False).text


_NUMBERS = """import tensorflow as tf


@tf.custom_gradient
def swish(x):
    def grad(dy):
        one = tf.cast(1.0, x.dtype)
        s = tf.sigmoid(x)
        return dy * s * (one + x * (one - s))

    return x * tf.sigmoid(x), grad
"""


def test_a_number_in_a_type_is_a_number_where_it_is_used(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(_NUMBERS, encoding="utf-8")
    (unit,) = units_of(path, "swish", "torch")
    assert "return dy * s * (1.0 + x * (1.0 - s))" in port(unit, check=False).text
    path.write_text(_NUMBERS.replace("s = tf.sigmoid(x)", "s = one * tf.sigmoid(x)\n        one = s"), encoding="utf-8")
    assert "one = torch.tensor(1.0, dtype=x.dtype)" in port(unit, check=False).text


_HIDDEN = """import torch


def sign(x):
    return torch.where(x >= 0, 1.0, -1.0)


class Abs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, label, alpha):
        ctx.save_for_backward(sign(x))
        ctx.vars = (label, alpha)
        return x.abs()

    @staticmethod
    def backward(ctx, dy):
        (sign,) = ctx.saved_tensors
        label, alpha = ctx.vars
        slope = sign * 1.0
        slope.mul_((label * alpha).add_(1).sub_(label))
        return dy * slope, None, None
"""


def test_a_variable_does_not_hide_the_function_that_it_comes_from_and_numbers_have_no_method_in_place(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(_HIDDEN, encoding="utf-8")
    (unit,) = units_of(path, "Abs", "tf")
    text = port(unit, check=False).text
    assert "sign_ = sign(x)" in text
    assert "label * alpha + 1 - label" in text
    assert not [method for method in (".mul_", ".add_", ".sub_") if method in text]
