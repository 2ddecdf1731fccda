"""What was said falsely of functions that strangers wrote; each is right, or is told what it did."""

import pytest
from judged import accused

import porting
from porting import Pair, array

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class SparseProduct(torch.autograd.Function):
    """Saves a sparse matrix, which has no one place in memory."""

    @staticmethod
    def forward(ctx, values, b):
        i = torch.tensor([[0, 1, 1], [1, 0, 1]])
        a = torch.sparse_coo_tensor(i, values, (2, 2))
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        i = a._indices()
        return (dy[i[0]] * b[i[1]]).sum(1), a.t() @ dy


@pytest.mark.filterwarnings("ignore:Sparse")
def test_a_sparse_tensor_may_be_saved():
    inputs = {"values": array((3,)), "b": array((2, 3))}
    pair = Pair(torch=SparseProduct, inputs=inputs, contract=porting.Contract(order=1))
    found, report = accused(pair, only=["leak", "vjp"])
    assert not found, str(report)


def test_an_output_need_not_depend_on_every_input():
    pair = Pair(torch=lambda x, z: torch.zeros_like(x) + 2 * z, tf=lambda x, z: tf.zeros_like(x) + 2 * z)
    found, report = accused(pair, only=["subsets"])
    assert not found, str(report)


@tf.custom_gradient
def scale_by_place(t, scale):
    """Take the factor by place, as documented, and return None for it."""
    return t * 1.0, lambda dy: (scale * dy, None)


@tf.custom_gradient
def scale_by_default(t, scale=0.5):
    """Take the factor as a setting, and return no gradient for it."""
    return t * 1.0, lambda dy: scale * dy


@pytest.mark.parametrize("side", [scale_by_place, scale_by_default])
def test_a_static_is_handed_on_as_people_do(side):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, t, scale=0.5):
            ctx.scale = scale
            return t * 1.0

        @staticmethod
        def backward(ctx, dy):
            return ctx.scale * dy, None

    pair = Pair(torch=Scale, tf=side, inputs={"t": array((..., "n"), dtype="float32")}, statics={"scale": 0.5})
    found, report = accused(pair)  # by place the factor becomes a tensor, of float32
    assert not found, str(report)


@tf.custom_gradient
def summed_too_far(x, b):
    """Return one number as the gradient of a row."""
    return x * b, lambda dy: (dy * b, tf.reduce_sum(dy * x))


def test_the_right_side_is_not_blamed_for_the_shape_of_the_other_one():
    pair = Pair(torch=lambda x, b: x * b, tf=summed_too_far, inputs={"x": array(("m", "n")), "b": array(("n",))})
    found, report = accused(pair)
    assert found == {"tf"}, str(report)
    assert next(d.cause for d in report.diagnoses if d.runner == "tf") == "wrong_shape"


def test_a_weight_belongs_to_all_samples():
    inputs = {"x": array(("m", "n")), "w": array(("n", "k"))}
    pair = Pair(torch=lambda x, w: x @ w, tf=lambda x, w: x @ tf.stop_gradient(w), inputs=inputs, reference="tf")
    _, report = accused(pair, dtypes=["float64"])
    assert "mixes_batch" not in [d.cause for d in report.diagnoses]


def test_outputs_of_other_shapes_say_nothing_of_gradients():
    class LowerBound(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            bound = torch.full((1,), 0.5, dtype=x.dtype)  # of one axis: so is the output for an x of none
            ctx.save_for_backward(x, bound)
            return torch.max(x, bound)

        @staticmethod
        def backward(ctx, dy):
            x, bound = ctx.saved_tensors
            return (x >= bound) * dy

    @tf.custom_gradient
    def lower_bound(x):
        return tf.maximum(x, tf.cast(0.5, x.dtype)), lambda dy: tf.cast(x >= 0.5, dy.dtype) * dy

    _, report = accused(Pair(torch=LowerBound, tf=lower_bound), only=["shapes"])
    assert {f.code for r in report.results for f in r.findings if r.runner == "tf"} <= {"shape_differs"}, str(report)
    assert not [d for d in report.diagnoses if d.runner == "tf"], str(report)


@pytest.mark.parametrize("hides", ["tf", "torch"])
def test_a_reference_that_hides_a_nan_accuses_nobody(hides):
    def plain(x):
        return x * 2.0

    def hard(x):
        return torch.where(torch.isnan(x), torch.zeros_like(x), x * 2.0)

    pair = Pair(
        torch=hard if hides == "torch" else plain,
        tf=(lambda x: tf.where(tf.math.is_nan(x), tf.zeros_like(x), x * 2.0)) if hides == "tf" else plain,
        reference="tf",
    )
    found, report = accused(pair, only=["nan_input"])
    assert found == (set() if hides == "tf" else {"torch"}), str(report)


class FlatSpike(torch.autograd.Function):
    """Computes in float32, as spiking code does, with another slope than the other side."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).float()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(-x.abs())


@tf.custom_gradient
def steep_spike(x):
    """Have a slope of half the width."""
    return tf.cast(x > 0, x.dtype), lambda dy: dy * 0.5 * tf.exp(-tf.abs(x) / 2)


def test_rounding_is_not_the_cause_of_another_formula():
    _, report = accused(Pair(torch=FlatSpike, tf=steep_spike))
    first = next(d.cause for d in report.diagnoses if d.runner == "torch")
    assert first not in {"not_linear", "precision_loss"}


def test_a_pair_is_not_taken_for_an_op_of_ours():
    report = porting.check(Pair(torch=lambda x: x * torch.sigmoid(x), name="swish"), only=["vjp"])
    from rich.console import Console

    from porting.report.text import verdict_table

    console = Console(record=True, width=100)
    console.print(verdict_table(report, ""))
    assert "your own" in console.export_text()


def test_a_setting_that_one_side_alone_has_keeps_its_default():
    pair = Pair(torch=lambda x, eps=1e-5: x * torch.rsqrt(x * x + eps), tf=lambda x: x * tf.math.rsqrt(x * x + 1e-5))
    found, report = accused(pair, only=["value", "vjp"])
    assert not found, str(report)


ONES = torch.eye(3)


class OfOneType(torch.autograd.Function):
    """Multiplies by a matrix of float32, and takes no other type."""

    @staticmethod
    def forward(ctx, x):
        return x @ ONES

    @staticmethod
    def backward(ctx, dy):
        return dy @ ONES.t()


@pytest.mark.parametrize("other", [None, lambda x: x @ tf.eye(3)])
def test_a_function_of_one_type_is_checked_in_it(other):
    found, report = accused(Pair(torch=OfOneType, tf=other, inputs={"x": array((3, 3), dtype="float32")}))
    assert not found, str(report)
    assert report.exit_code == 0
