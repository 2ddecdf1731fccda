"""What was said falsely of strangers' code, and what was missed in it, the second time; typed in again in its shape."""

import pytest
from judged import accused

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def test_a_product_that_one_side_flushes_to_zero_turns_no_branch():
    class ClampWithGrad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clamp(0, 1)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy * (dy * (x - x.clamp(0, 1)) >= 0)

    @tf.custom_gradient
    def clamp_with_grad(x):
        def vjp(dy):
            return dy * tf.cast(dy * (x - tf.clip_by_value(x, 0, 1)) >= 0, dy.dtype)

        return tf.clip_by_value(x, 0, 1), vjp

    asked = {"only": ["special_values"], "dtypes": ["float32"]}
    for seed in range(5):
        found, report = accused(Pair(torch=ClampWithGrad, tf=clamp_with_grad), seed=seed, **asked)
        assert not found, str(report)


def test_a_function_that_says_that_it_works_in_place_is_given_a_copy():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx, dy):
            return dy * 3

    found, report = accused(Pair(torch=Scaled, tf=lambda x: 3 * x))
    assert not found, str(report)
    assert report.exit_code == 0, str(report)


@pytest.mark.parametrize("knee", [0.5, 2.0, 3.0, 6.0])
def test_the_knee_of_a_hard_activation_is_tried(knee):
    class Hard(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clamp(-knee, knee)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy * (x.abs() < knee)

    @tf.custom_gradient
    def hard(x):
        return tf.clip_by_value(x, -knee, knee), lambda dy: dy * tf.cast(tf.abs(x) <= knee, dy.dtype)

    found, report = accused(Pair(torch=Hard, tf=hard), only=["special_values"])
    assert found, str(report)
    assert {d.cause for d in report.diagnoses} <= {"kink_convention"}, str(report)


def test_a_detached_cotangent_is_no_saved_intermediate():
    class Masked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x > 0)
            return x.relu()

        @staticmethod
        def backward(ctx, dy):
            (mask,) = ctx.saved_tensors
            return dy.detach() * mask

    _, report = accused(Pair(torch=Masked, tf=tf.nn.relu), only=["value", "vjp", "second_order"])
    assert "saved_intermediate" not in [d.cause for d in report.diagnoses], str(report)
    assert report.exit_code == 1


def test_a_number_of_float32_is_no_factor():
    class Leaky(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 0.3

        @staticmethod
        def backward(ctx, dy):
            return dy * torch.tensor(0.3, dtype=torch.float32).double().to(dy.dtype)

    _, report = accused(Pair(torch=Leaky, tf=lambda x: x * 0.3))
    assert "constant_factor" not in [d.cause for d in report.diagnoses], str(report)
    assert report.exit_code == 1


def test_a_gradient_that_is_nan_for_a_cotangent_of_zero_is_compared():
    class Normed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            return dy / dy.norm()

    @tf.custom_gradient
    def normed(x):
        return tf.identity(x), lambda dy: dy / tf.norm(dy)

    found, report = accused(Pair(torch=Normed, tf=normed), only=["value", "vjp"])
    assert not found, str(report)
    assert {r.status for r in report.results} == {"agree"}, str(report)


def test_lost_digits_of_one_input_do_not_explain_the_sign_of_another():
    class Shifted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            mask = (x > 0).to(x.dtype)
            ctx.save_for_backward(mask)
            return -w * mask

        @staticmethod
        def backward(ctx, dy):
            (mask,) = ctx.saved_tensors
            return mask * dy * torch.tensor(0.7).double(), (mask * dy).sum()

    @tf.custom_gradient
    def shifted(x, w):
        mask = tf.cast(x > 0, x.dtype)
        return -w * mask, lambda dy: (0.7 * mask * dy, -tf.reduce_sum(mask * dy))

    inputs = {"x": porting.array(("n",)), "w": porting.array((), domain=(0.1, 1))}
    _, report = accused(Pair(torch=Shifted, tf=shifted, inputs=inputs, reference="tf"), only=["value", "vjp"])
    assert report.diagnoses[0].cause == "wrong_sign", str(report)


def test_what_works_in_place_without_a_word_is_told_of_it():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.mul_(3)

        @staticmethod
        def backward(ctx, dy):
            return dy * 3

    _, report = accused(Pair(torch=Scaled, tf=lambda x: 3 * x), only=["inputs_unchanged", "layouts"])
    codes = {(r.check, f.code) for r in report.results if r.status == "differ" for f in r.findings}
    assert {("inputs_unchanged", "overwritten"), ("layouts", "raised")} <= codes, str(report)
