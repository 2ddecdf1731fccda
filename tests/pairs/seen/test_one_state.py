"""Frozen numbers that each side draws for itself are the same on all sides, so that a right port agrees.

Seen in public repositories: feedback alignment, networks that only learn which weights to use.
"""

import pytest
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")


class Feedback(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, back):
        ctx.save_for_backward(x, weight, back)
        return x @ weight.T

    @staticmethod
    def backward(ctx, dy):
        x, _, back = ctx.saved_tensors
        return dy @ back, dy.T @ x, None


class Aligned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3, 5))
        self.register_buffer("back", torch.randn(3, 5))
        self.register_buffer("mean", torch.zeros(5))

    def forward(self, x):
        return Feedback.apply(x - self.mean, self.weight, self.back)


class AlignedKeras(keras.layers.Layer):
    def __init__(self, times=1.0, frozen=1):
        super().__init__()
        self.kernel = self.add_weight(shape=(5, 3), name="kernel")
        self.feedback = [
            self.add_weight(shape=(5, 3), name=f"back{k}", trainable=False, initializer="random_normal")
            for k in range(frozen)
        ]
        self.mean = self.add_weight(shape=(5,), name="mean", trainable=False, initializer="zeros")
        self.times = times

    def call(self, x):
        back = tf.convert_to_tensor(self.feedback[0])

        @tf.custom_gradient
        def layer(x, kernel):
            def backward(dy):
                return self.times * tf.matmul(dy, back, transpose_b=True), tf.matmul(x, dy, transpose_a=True)

            return tf.matmul(x, kernel), backward

        return layer(x - tf.convert_to_tensor(self.mean), tf.convert_to_tensor(self.kernel))


X = {"x": porting.array(("n", 5))}


@pytest.mark.parametrize("times", [1.0, 1.01])
def test_a_port_agrees_and_a_fault_beside_is_found(times):
    pair = Pair(torch=Aligned(), tf=AlignedKeras(times), inputs=X)
    found, report = accused_by(pair, only=["value", "vjp"])
    assert bool(found) == (times != 1.0), str(report)
    assert "tf: back0 is frozen, and has the numbers of transposed torch:back" in report.described[0]
    assert "mean is frozen" not in report.described[0], "nobody draws zeros"


def test_the_objects_keep_their_own_numbers():
    module, layer = Aligned(), AlignedKeras()
    before = module.back.clone(), layer.feedback[0].numpy()
    porting.check(Pair(torch=module, tf=layer, inputs=X), only=["vjp"])
    assert torch.equal(module.back, before[0])
    assert (layer.feedback[0].numpy() == before[1]).all()


def test_what_is_not_clear_stays_as_it_is():
    _, report = accused_by(Pair(torch=Aligned(), tf=AlignedKeras(frozen=2), inputs=X), only=["vjp"])
    assert "is frozen, and has" not in report.described[0]
