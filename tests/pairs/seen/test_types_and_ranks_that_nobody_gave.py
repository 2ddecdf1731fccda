"""Types, ranks and batches of inputs of which nothing is said.

Seen in code of public repositories.
"""

import pytest
from everyday import ASKED, causes, described, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")
from functions import function  # noqa: E402 - needs PyTorch

# Whole numbers that a side adds to a shape, which is int32 in TensorFlow.


def picked(params, indices):
    def slope(dy, params, indices):
        return dy.new_zeros(params.shape).index_add(0, indices, dy), None

    return function(lambda params, indices: params.index_select(0, indices), slope)(params, indices)


@tf.custom_gradient
def picked_tf(params, indices):
    def gradient(dy):
        return tf.scatter_nd(tf.expand_dims(indices, 1), dy, tf.shape(params)), None

    return tf.gather(params, indices), gradient


def test_whole_numbers_are_int32_where_a_backward_takes_no_others():
    guess = Pair(torch=picked, tf=picked_tf).guess()
    assert {n: a.dtype for n, a in guess.pair.inputs.items()} == {"params": "float64", "indices": "int32"}


def test_whole_numbers_are_int64_where_a_side_takes_no_others():
    def by_class(params, indices):
        return params * torch.nn.functional.one_hot(indices, params.shape[-1]).to(params.dtype)

    def by_class_tf(params, indices):
        return params * tf.one_hot(indices, params.shape[-1], dtype=params.dtype)

    pair = Pair(torch=by_class, tf=by_class_tf)
    assert pair.guess().pair.inputs["indices"].dtype == "int64"


def test_whole_numbers_of_two_types_are_no_wrong_type_of_a_gradient():
    inputs = {"params": porting.array((6, "k")), "indices": porting.array(("n",), dtype="int64", domain=range(6))}
    report = porting.check(Pair(torch=picked, tf=picked_tf, inputs=inputs), **ASKED)
    assert causes(report, "tf") == ["raises_in_backward"], str(report)


def test_real_numbers_of_two_types_are_one():
    @tf.custom_gradient
    def narrow(x):
        return tf.square(x), lambda dy: dy * tf.constant(2.0) * x

    report = porting.check(Pair(torch=lambda x: x * x, tf=narrow, inputs={"x": porting.array()}), **ASKED)
    assert causes(report, "tf")[0] == "wrong_dtype", str(report)


# A vector before a matrix: for matrices of any shape both forwards mean something, and not the same.


class Reweighted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, factors, g):
        w = torch.softmax((-factors[None, :] * g).sum(1), dim=0)
        mean = (g * w[:, None]).sum(0)
        ctx.save_for_backward(g, w, mean)
        return mean

    @staticmethod
    def backward(ctx, dy):
        g, w, mean = ctx.saved_tensors
        return -(((g * w[:, None]).t() @ g - torch.outer(mean, mean)) @ dy), None


def reweighted_tf(off_diagonal):
    @tf.custom_gradient
    def reweighted(factors, g):
        w = tf.math.softmax(tf.reduce_sum(-factors[tf.newaxis, :] * g, axis=1))
        mean = tf.reduce_sum(g * w[:, tf.newaxis], axis=0)

        def gradient(dy):
            if off_diagonal:
                covariance = tf.transpose(g * w[:, tf.newaxis]) @ g - mean[:, tf.newaxis] * mean
                return -tf.linalg.matvec(covariance, dy), None
            return (mean**2 - tf.reduce_sum(g**2 * w[:, tf.newaxis], axis=0)) * dy, None

        return mean, gradient

    return reweighted


@pytest.mark.parametrize(("right", "accused"), [(True, set()), (False, {"torch", "tf"})])
def test_a_vector_before_a_matrix_is_guessed_where_a_backward_takes_no_others(right, accused):
    report, said = described(Pair(torch=Reweighted, tf=reweighted_tf(right)))
    assert "factors[k], g[n, k]" in said, said
    assert differing(report) == {(side, "vjp") for side in accused}, str(report)
    assert "wrong_value" not in causes(report, "tf")


# A parameter of one axis is summed over the batch: with a vector as the input that is not seen.


class Scales(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a):
        ctx.save_for_backward(x, a)
        return x * a

    @staticmethod
    def backward(ctx, dy):
        x, a = ctx.saved_tensors
        return dy * a, dy * x


class ScalesSummed(Scales):
    @staticmethod
    def backward(ctx, dy):
        dx, da = Scales.backward(ctx, dy)
        return dx, da.reshape(-1, da.shape[-1]).sum(0)


class Scaling(torch.nn.Module):
    op = ScalesSummed

    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        return self.op.apply(x, self.a)


class ScalingUnsummed(Scaling):
    op = Scales


class ScalingLayer(keras.layers.Layer):
    def build(self, shape):
        self.a = self.add_weight(shape=(4,), name="a")

    def call(self, x):
        return x * tf.convert_to_tensor(self.a)


def test_a_gradient_of_a_parameter_that_is_not_summed_is_seen_with_a_batch():
    report, said = described(Pair(torch=ScalingUnsummed(), tf=ScalingLayer()), only=["value", "vjp", "raw_gradient"])
    assert '--input "x=float64[n,4]"' in said
    assert {(r.runner, r.check) for r in report.results if r.status == "differ"} == {("torch", "raw_gradient")}


def test_the_right_one_is_asked_so_too_and_agrees():
    report, said = described(Pair(torch=Scaling(), tf=ScalingLayer()), only=["value", "vjp", "raw_gradient"])
    assert '--input "x=float64[n,4]"' in said
    assert report.exit_code == 0, str(report)


# Places that are rows of coordinates.


class Gather(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, x, I):  # noqa: E741, N803 - as people write it
        ctx.save_for_backward(I)
        ctx.shape = x.shape
        return x[tuple(I.long().unbind(-1))]

    @classmethod
    def backward(cls, ctx, dy):
        (places,) = ctx.saved_tensors
        dx = dy.new_zeros(ctx.shape)
        dx.index_put_(tuple(places.long().unbind(-1)), cls.factor * dy, accumulate=True)
        return dx, None


class Doubled(Gather):
    factor = 2.0


@tf.custom_gradient
def gather_tf(x, I):  # noqa: E741, N803 - as people write it
    return tf.gather_nd(x, I), lambda dy: (tf.scatter_nd(I, dy, tf.shape(x)), None)


@pytest.mark.parametrize("side", [Gather, Doubled])
def test_coordinates_are_guessed_as_whole_numbers_that_fit(side):
    report, said = described(Pair(torch=side, tf=gather_tf, reference="tf"))
    assert '--input "x=float64[4,4]" --input "I=int32[n,2]{0..3}"' in said
    assert differing(report) == ({("torch", "vjp")} if side is Doubled else set()), str(report)


# Numbers of axes that only one framework's function takes.


def weighted(x, weight):
    return torch.nn.functional.linear(x, weight)


def weighted_tf(x, weight):
    return tf.matmul(x, weight, transpose_b=True)


@tf.custom_gradient
def weighted_twice(x, weight):
    return weighted_tf(x, weight), lambda dy: (2 * tf.matmul(dy, weight), tf.matmul(dy, x, transpose_a=True))


@pytest.mark.parametrize("side", [weighted_tf, weighted_twice])
def test_nobody_is_accused_of_axes_that_another_framework_takes(side):
    report, said = described(Pair(torch=weighted, tf=side, reference="torch"), only=["value", "vjp", "shapes"])
    assert '--input "x=float64[n,k]" --input "weight=float64[n,k]"' in said
    assert "In[0] and In[1] ndims must be == 2" in said
    found = {"vjp", "shapes"} if side is weighted_twice else set()
    assert differing(report) == {("tf", check) for check in found}, str(report)


def test_a_fixed_axis_is_found_in_batches_where_vectors_are_refused():
    def last(x):
        return torch.softmax(x, -1)

    def second(x):
        return tf.nn.softmax(x, 1)

    report, said = described(Pair(torch=last, tf=second, reference="torch"))
    assert '--input "x=float64[...,n,k]"' in said
    assert ("tf", "value") in differing(report), str(report)


# Labels are whole numbers where a side asks which they are, and another one computes with real ones.


class Focal(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, logits, label):
        ctx.save_for_backward(logits, label)
        return torch.where(label == 1, -logits, logits).exp()

    @classmethod
    def backward(cls, ctx, dy):
        logits, label = ctx.saved_tensors
        sign = torch.where(label == 1, -1.0, 1.0).to(dy.dtype)
        return cls.factor * dy * sign * (sign * logits).exp(), None


class FocalDoubly(Focal):
    factor = 2.0


def plain_focal(logits, label):
    return ((1 - 2 * label.to(logits.dtype)) * logits).exp()


def test_labels_are_whole_where_real_ones_have_other_outputs():
    report, said = described(Pair(torch=Focal, like=plain_focal))
    assert 'label holds whole numbers by its name; the same is --input "logits=float64[...]"' in said
    assert '--input "label=int64[...]{0..1}"' in said
    assert report.exit_code == 0, str(report)


def test_beside_labels_a_wrong_factor_is_found():
    report, _ = described(Pair(torch=FocalDoubly, like=plain_focal))
    assert causes(report, "torch")[0] == "constant_factor", str(report)


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        return (x - target) ** 2

    @staticmethod
    def backward(ctx, dy):
        x, target = ctx.saved_tensors
        return 2 * dy * (x - target), None


def test_a_target_that_real_numbers_suit_stays_one_whose_gradient_is_missed():
    report, said = described(Pair(torch=Squared, like=lambda x, target: (x - target) ** 2))
    assert "guessed" not in said
    assert causes(report, "torch")[0] == "missing_gradient", str(report)


# Images of one channel, in float32 alone: both sides cast, or refuse float64.


def grey(x):
    assert x.dim() == 3
    assert x.shape[-1] == 1
    return (x.to(torch.float32) / 255.0 - 0.5) / 0.25


def grey_tf(x):
    assert len(x.shape) == 3
    assert x.shape[-1] == 1
    return (tf.cast(x, tf.float32) / 255.0 - 0.5) / 0.25


def test_sides_that_both_cast_are_a_note_where_nobody_said_the_type():
    report = porting.check(Pair(torch=grey, tf=grey_tf), only=["value", "vjp", "raw_gradient"])
    assert 'x=float64[n,k,1]"' in report.described[0]
    assert report.exit_code == 0, str(report)
    assert {r.status for r in report.results if r.check == "raw_gradient" and r.dtype == "float64"} == {"note"}


def test_one_side_that_casts_is_accused():
    def kept(x):
        assert len(x.shape) == 3
        assert x.shape[-1] == 1
        return (x / 255.0 - 0.5) / 0.25

    report = porting.check(Pair(torch=grey, tf=kept), only=["value", "vjp", "raw_gradient"])
    assert {d.runner for d in report.diagnoses if d.cause == "wrong_dtype"} == {"torch"}, str(report)


def test_a_step_in_float32_is_a_note_where_nobody_said_the_type_and_a_wrong_gradient_is_found():
    """It loses no digit, but those of its cotangent; what is described is accused."""

    class Step(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return (x > 0).float()

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy / (1 + x.abs()) ** 2

    def step(power):
        @tf.custom_gradient
        def op(x):
            return tf.cast(x > 0, x.dtype), lambda dy: dy / (1 + tf.abs(x)) ** power

        return op

    right = porting.check(Pair(torch=Step, tf=step(2)))
    assert right.exit_code == 0, str(right)
    assert {r.dtype for r in right.results if r.check == "vjp" and r.compared and r.status == "agree"} == {"float32"}
    (told,) = [r for r in right.results if r.check == "raw_gradient" and r.findings]
    assert (told.runner, told.status) == ("torch", "note"), str(right)
    described = Pair(torch=Step, tf=step(2), inputs={"x": porting.array()})
    assert porting.check(described, only=["vjp", "raw_gradient"]).exit_code == 1
    wrong = porting.check(Pair(torch=Step, tf=step(1)), only=["vjp", "raw_gradient"])
    assert {r.dtype for r in wrong.results if r.check == "vjp" and r.status == "differ"} == {"float32", "float64"}


# Whole numbers by their names, by which all sides have a gradient: they are real ones.


class OfRows(torch.autograd.Function):
    factor = 1.0

    @staticmethod
    def forward(ctx, x, target):
        assert x.dim() == 2
        assert target.shape == (x.shape[0],), "rows"
        ctx.save_for_backward(x, target)
        return x * target[:, None]

    @classmethod
    def backward(cls, ctx, dy):
        x, target = ctx.saved_tensors
        return dy * target[:, None], cls.factor * (dy * x).sum(1) if cls.factor else None


class OfRowsDoubly(OfRows):
    factor = 2.0


class OfRowsAlone(OfRows):
    factor = 0.0


def of_rows_tf(x, target):
    assert len(x.shape) == 2
    assert target.shape == (x.shape[0],), "rows"
    return x * tf.cast(target, x.dtype)[:, None]


@pytest.mark.parametrize(("side", "differs"), [(OfRows, False), (OfRowsDoubly, True)])
def test_the_gradient_by_what_its_name_calls_whole_is_compared(side, differs):
    report, said = described(Pair(torch=side, tf=of_rows_tf))
    assert "target has a gradient on all sides" in said
    assert bool(differing(report)) is differs, str(report)


def test_a_gradient_that_one_side_alone_has_by_it_is_said_not_to_be_compared():
    report, said = described(Pair(torch=OfRowsAlone, tf=of_rows_tf))
    typed = '--input "x=float64[n,5]" --input "target=float64[n]" compares it'
    assert f"one side alone has a gradient by target, so none is compared: {typed}" in said
    assert report.exit_code == 0, str(report)


def test_labels_stay_whole():
    def picked(x, labels):
        assert x.dim() == 2
        return torch.log_softmax(x, -1).gather(1, labels[:, None])[:, 0]

    def picked_tf(x, labels):
        assert len(x.shape) == 2
        return tf.gather(tf.nn.log_softmax(x), labels, batch_dims=1)

    assert "labels=int64[n]{0..4}" in described(Pair(torch=picked, tf=picked_tf))[1]


# An output in float64 whatever comes in, and a backward that then raises in float32.


def counted(x):
    def slope(dy, x):
        return (dy * -x * torch.exp(-x * x)).to(x.dtype)

    return function(lambda x: (x > 0).double(), slope)(x)


@tf.custom_gradient
def counted_tf(x):
    return tf.cast(x > 0, tf.float64), lambda dy: dy * -x * tf.exp(-x * x)


@pytest.mark.parametrize("factor", [1.0, 1.1])
def test_a_type_that_both_answer_in_is_a_note_although_the_other_backward_raises(factor):
    pair = Pair(torch=lambda x: counted(x).to(torch.float64) * 1.0, tf=lambda x: factor * counted_tf(x), name="counted")
    report = porting.check(pair, only=["raw_gradient", "vjp", "value"])
    status = {(r.runner, r.dtype): r.status for r in report.results if r.check == "raw_gradient"}
    assert status["torch", "float32"] == "note", str(report)
    assert status["tf", "float32"] == "differ", str(report)
    wrong = {r.runner for r in report.results if r.status == "differ" and (r.check, r.dtype) == ("vjp", "float64")}
    assert bool(wrong) == (factor != 1.0), str(report)
