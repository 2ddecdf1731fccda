"""What was said falsely of right code, and what was guessed, the thirteenth time; in its shape."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def differing(report):
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


def causes(report):
    return {(d.runner, d.cause) for d in report.diagnoses}


# A second backward is compared with the first one: what both lose, other checks say.


def noisy(x):
    return tf.sin(x), lambda dy: dy * (tf.sin(x + 1e-8) - tf.sin(x - 1e-8)) / 2e-8


@tf.custom_gradient
def differences(x):
    return noisy(x)


@tf.custom_gradient
def used_up(x):
    y, gradient = noisy(x)
    left = [1.0]
    return y, lambda dy: gradient(dy) * (left.pop() if left else 2.0)


@pytest.mark.parametrize(("side", "found"), [(differences, False), (used_up, True)])
def test_a_second_backward_is_compared_with_the_first(side, found):
    report = porting.check(Pair(torch=torch.sin, tf=side, inputs={"x": porting.array(("n",))}))
    assert (("tf", "retained") in differing(report)) == found, str(report)
    assert (("tf", "overwrites_saved") in causes(report)) == found, str(report)


# Vectors of the null space of a matrix are anybody's: guessed shapes may have one.


def last_of_svd(x):
    centred = x - x.mean(-2, keepdim=True)
    last = torch.linalg.svd(centred.mT @ centred)[0][..., -1:]
    return last @ last.mT


def first_of_eigh(x):
    centred = x - tf.reduce_mean(x, -2, keepdims=True)
    first = tf.linalg.eigh(tf.matmul(centred, centred, transpose_a=True))[1][..., :1]
    return tf.matmul(first, first, transpose_b=True)


def doubled(x):
    return 2 * first_of_eigh(x)


def test_where_no_result_is_unique_there_is_no_verdict():
    report = porting.check(Pair(torch=last_of_svd, tf=first_of_eigh), only=["value", "large"])
    assert not differing(report), str(report)
    assert any("no result is unique" in r.note for r in report.results), str(report)


@pytest.mark.parametrize(("side", "found"), [(first_of_eigh, False), (doubled, True)])
def test_where_one_is_it_is_judged(side, found):
    pair = Pair(torch=last_of_svd, tf=side, inputs={"x": porting.array((7, 3))})
    report = porting.check(pair, only=["value", "vjp"])
    assert (("tf", "value") in differing(report)) == found, str(report)


# What is guessed: numbers that suit, and shapes that the gradients have.


class Margins(torch.autograd.Function):
    @staticmethod
    def forward(ctx, c, a, b):
        p = torch.softmax(-c, -1) * torch.log(a).unsqueeze(-1) + torch.log(b).unsqueeze(-2)
        ctx.save_for_backward(c, a, b, p)
        return p

    @staticmethod
    def backward(ctx, dy):
        c, a, b, p = ctx.saved_tensors
        if not torch.isfinite(p).all():
            raise RuntimeError("Input matrix is not invertible")
        s = torch.softmax(-c, -1)
        dc = -(dy * torch.log(a).unsqueeze(-1) - (dy * torch.log(a).unsqueeze(-1) * s).sum(-1, keepdim=True)) * s
        return dc, (dy * s).sum(-1) / a, dy.sum(-2) / b


@tf.custom_gradient
def margins(c, a, b):
    s, log_a = tf.nn.softmax(-c), tf.math.log(a)[..., None]

    def gradient(dy):
        part = dy * log_a
        dc = -(part - tf.reduce_sum(part * s, -1, keepdims=True)) * s
        return dc, tf.reduce_sum(dy * s, -1) / a, tf.reduce_sum(dy, -2) / b

    return s * log_a + tf.math.log(b)[..., None, :], gradient


def test_margins_are_guessed_to_be_positive_and_as_long_as_the_axes():
    guess = Pair(torch=Margins, tf=margins).guess()
    assert {n: str(a) for n, a in guess.pair.inputs.items()} == {
        "c": "float64[n,m]{0.1..10.0}", "a": "float64[n]{0.1..10.0}", "b": "float64[m]{0.1..10.0}",
    }  # fmt: skip
    assert not differing(porting.check(Pair(torch=Margins, tf=margins), only=["value", "vjp"]))


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        return dy * scale, (dy * x).sum(0, keepdim=True)


@tf.custom_gradient
def scaled(x, scale):
    return x * scale, lambda dy: (dy * scale, tf.reduce_sum(dy * x, 0, keepdims=True))


def test_a_factor_is_guessed_in_the_shape_of_its_gradient():
    report = porting.check(Pair(torch=Scaled, tf=scaled), only=["value", "vjp", "raw_gradient", "shapes"])
    assert not differing(report), str(report)


class Histogram(torch.nn.Module):
    def __init__(self, bins, min, max):  # noqa: A002 - as people write it
        super().__init__()
        self.delta = (max - min) / bins
        self.centres = min + self.delta * (torch.arange(bins) + 0.5)

    def forward(self, x):
        x = x.unsqueeze(0) - self.centres.to(x.dtype).unsqueeze(1)
        return (torch.sigmoid(x + self.delta / 2) - torch.sigmoid(x - self.delta / 2)).sum(1)


class KerasHistogram(tf.keras.layers.Layer):
    def __init__(self, bins, min, max):  # noqa: A002 - as people write it
        super().__init__()
        self.delta = (max - min) / bins
        self.centres = [min + self.delta * (k + 0.5) for k in range(bins)]

    def call(self, x):
        x = x[None] - tf.constant(self.centres, x.dtype)[:, None]
        return tf.reduce_sum(tf.sigmoid(x + self.delta / 2) - tf.sigmoid(x - self.delta / 2), 1)


def test_what_gives_the_same_number_always_is_not_what_is_guessed():
    guess = Pair(torch=Histogram, tf=KerasHistogram).guess()
    assert guess.settings["min"] < guess.settings["max"]
    assert not guess.still


def test_where_nothing_depends_on_a_guess_there_is_no_verdict():
    def zeros(x, k):
        return 0 * x if isinstance(k, int) else 1 / 0

    report = porting.check(Pair(torch=zeros, tf=zeros), only=["value", "vjp"])
    assert {r.status for r in report.results} == {"no verdict"}, str(report)
    assert all("--input" in r.note for r in report.results), str(report)


def test_numbers_of_python_are_guessed_by_their_names():
    def attention(q, k, v, attn_mask, is_causal):
        assert (attn_mask, is_causal) == (None, False)
        return q * k * v

    def quantised(weight, alpha, Qn, Qp):  # noqa: N803 - as people write it
        assert alpha > 0
        assert (Qn, Qp) == (-8, 7)
        return weight * alpha

    assert Pair(torch=attention, tf=attention).guess().settings == {"attn_mask": None, "is_causal": False}
    guess = Pair(torch=quantised, tf=quantised).guess()
    assert guess.settings == {"Qn": -8, "Qp": 7}
    assert str(guess.pair.inputs["alpha"]) in {"float64[]{0.1..10.0}", "float64[1]{0.1..10.0}"}


# Where one shape is read off for all inputs, a sum over what is broadcast is not asked for.


class Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        return dy * scale, (dy * x).sum_to_size(scale.shape)


class OfOneShape(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        x, scale = ctx.saved_tensors
        return dy * scale, dy * x


@tf.custom_gradient
def unsummed(x, scale):
    return x * scale, lambda dy: (dy * scale, dy * x)


@pytest.mark.parametrize(
    ("mine", "other", "found"),
    [
        (Summed, unsummed, True),
        (Summed, tf.multiply, False),
        (OfOneShape, unsummed, False),  # neither says that it may be broadcast
        (torch.mul, unsummed, False),
    ],
)
def test_what_one_side_sums_and_the_other_does_not(mine, other, found):
    report = porting.check(Pair(torch=mine, tf=other), only=["value", "vjp", "broadcast"])
    assert differing(report) == ({("tf", "broadcast")} if found else set()), str(report)
    assert [d.cause for d in report.diagnoses][:1] == (["missing_reduction"] if found else []), str(report)


def test_margins_are_guessed_in_batches():
    def planned(c, a, b):
        batch, n, m = c.shape
        return c * a.view(batch, n, 1) + b.view(batch, 1, m)

    guess = Pair(torch=planned, tf=lambda c, a, b: c * a[:, :, None] + b[:, None, :]).guess()
    assert [a.shape for a in guess.pair.inputs.values()] == [("b", "n", "m"), ("b", "n"), ("b", "m")]


# What is NaN without a NaN being given, what a side is called that computes in float32, what only rounding breaks.


def infinite_outside(x):
    return tf.where(x < 0, tf.constant(float("inf"), x.dtype), tf.math.log(tf.abs(x)))


def hides_nan(x):
    return tf.where(tf.math.is_nan(x), tf.zeros_like(x), tf.math.log(tf.abs(x)))


def test_nan_outside_the_domain_is_no_matter_of_a_nan_that_is_given():
    report = porting.check(Pair(torch=torch.log, tf=infinite_outside), only=["nan_input", "nan_cotangent"])
    found = {f.code for r in report.results for f in r.findings}
    assert not found & {"nan_hidden", "nan_spreads"}, str(report)


def test_a_nan_that_is_hidden_is_still_told():
    report = porting.check(Pair(torch=lambda x: torch.log(x.abs()), tf=hides_nan), only=["nan_input"])
    assert any(f.code == "nan_hidden" for r in report.results if r.runner == "tf" for f in r.findings), str(report)


def expm(G, ts):  # noqa: N803 - as people write it
    return torch.linalg.matrix_exp(G[None] * ts[:, None, None])


def test_the_rounding_of_a_solver_is_no_nonlinearity():
    pair = Pair(
        torch=expm,
        tf=lambda G, ts: tf.linalg.expm(G[None] * ts[:, None, None]),  # noqa: N803 - as people write it
        inputs={"G": porting.array(("n", "n")), "ts": porting.array(("n",))},
        reference="torch",
    )
    report = porting.check(pair, only=["linear"], runners=["torch"])
    assert not any(r.findings for r in report.results), str(report)


def test_a_small_square_of_the_cotangent_still_is():
    class Squared(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.exp(x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return torch.exp(x) * (dy + 1e-10 * dy * dy.abs())

    report = porting.check(Pair(torch=Squared, tf=tf.exp), only=["linear"], runners=["torch"])
    assert ("torch", "linear") in differing(report), str(report)


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        q = torch.softmax(x.float(), 0)
        ctx.save_for_backward(q)
        return -torch.log(q[0] + 1e-9)

    @staticmethod
    def backward(ctx, dy):
        (q,) = ctx.saved_tensors
        first = torch.zeros_like(q)
        first[0] = 1
        return dy * (q - first)


@tf.custom_gradient
def rounded(x):
    q = tf.nn.softmax(tf.cast(x, tf.float32), 0)
    first = tf.one_hot(0, tf.shape(x)[0])
    return -tf.math.log(q[0] + 1e-9), lambda dy: tf.cast(dy * (q - first), x.dtype)


def test_a_side_whose_output_is_float32_computes_in_float32():
    report = porting.check(Pair(torch=Rounded, tf=rounded, inputs={"x": porting.array(("n",))}))
    told = {r.note for r in report.results if "fault of its own" in r.note}
    assert told, str(report)
    assert not any("jump" in note for note in told), told


def test_a_column_is_guessed():
    def column(x, w):
        assert w.shape[1] == 1
        assert w.shape[0] == x.shape[0]
        return x * w

    guess = Pair(torch=column, tf=column).guess()
    assert guess.pair.inputs["x"].kind is None
    assert guess.pair.inputs["w"].shape == ("n", 1)


@tf.custom_gradient
def rounded_in_a_graph(x):
    off = tf.constant(0.0 if tf.executing_eagerly() else 6e-8, x.dtype)  # as a compiler rounds otherwise
    return tf.sin(x), lambda dy: dy * tf.cos(x) * (1 + off)


def test_what_a_graph_rounds_otherwise_is_no_baked_value():
    report = porting.check(Pair(torch=torch.sin, tf=rounded_in_a_graph), only=["value", "vjp", "traced"])
    assert ("tf", "baked_python_value") not in causes(report), str(report)
