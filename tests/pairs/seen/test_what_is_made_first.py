"""What is called is made first: by a function that returns one, or of a class that is no module.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

import porting
from porting import Pair
from porting.errors import PairError
from porting.pairs.constructor import makes_a_function

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def slowed(alpha):
    @tf.custom_gradient
    def op(x):
        return tf.identity(x), lambda dy: alpha * dy

    return op


def slowed_twice(alpha):
    def op(x):
        return tf.identity(x), lambda dy: 2 * alpha * dy

    return tf.custom_gradient(op)


def slowed_torch(alpha):
    class Slowed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            return alpha * dy

    return Slowed.apply


def slowed_by_an_object(alpha):
    class Slowing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            return alpha * dy

    return Slowing().apply


class Slowed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return ctx.alpha * dy, None


class SlowedModule(torch.nn.Module):
    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        return Slowed.apply(x, self.alpha)


@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")
@pytest.mark.parametrize("torch_side", [slowed_torch, slowed_by_an_object, Slowed, SlowedModule])
def test_it_is_made_with_a_number(torch_side):
    report, said = described(Pair(torch=torch_side, tf=slowed))
    assert report.exit_code == 0, str(report)
    assert "alpha=0.5" in said, said
    report, _ = described(Pair(torch=torch_side, tf=slowed_twice))
    assert causes(report, "tf")[0] == "constant_factor", str(report)


def test_a_number_may_be_said():
    report, said = described(Pair(torch=slowed_torch, tf=slowed, statics={"alpha": 0.25}))
    assert report.exit_code == 0, str(report)
    assert "alpha=0.25" in said, said


@tf.custom_gradient
def cube(x):
    def grad(dy):
        return 3 * x**2 * dy

    return x**3, grad


def chosen(x, twice):
    def once(x):
        return x

    return once(x) if twice else x


def test_others_make_none():
    assert [makes_a_function(f) for f in (slowed, slowed_twice, slowed_torch, slowed_by_an_object)] == [True] * 4
    assert [makes_a_function(f) for f in (cube, chosen, Slowed, SlowedModule, len)] == [False] * 5


# A class that is no module, with a call.


class Slower:
    def __init__(self, alpha):
        self.alpha = alpha

    def __call__(self, x):
        return Slowed.apply(x, self.alpha)


class SlowerTF:
    def __init__(self, alpha):
        self.alpha = alpha

    def call(self, x):
        return slowed(self.alpha)(x)


class SlowerTwice(SlowerTF):
    def call(self, x):
        return slowed(2 * self.alpha)(x)


def test_an_object_of_a_class_with_a_call_is_made():
    report, said = described(Pair(torch=Slower, tf=SlowerTF))
    assert report.exit_code == 0, str(report)
    assert "alpha=0.5" in said, said
    report, _ = described(Pair(torch=Slower, tf=SlowerTwice))
    assert causes(report, "tf")[0] == "constant_factor", str(report)


class SlowLayer(tf.keras.layers.Layer):
    def __init__(self, alpha=1.5):
        super().__init__()
        self.alpha = alpha

    def call(self, x):
        return slowed(self.alpha)(x)


class SlowLayerTwice(SlowLayer):
    def call(self, x):
        return slowed(2 * self.alpha)(x)


def slowed_by_default(alpha=1.5):
    return slowed(alpha)


@pytest.mark.parametrize("made", [SlowLayer, slowed_by_default])
def test_what_one_side_is_made_with_the_other_one_is_called_with(made):
    report, said = described(Pair(torch=Slowed, tf=made))
    assert report.exit_code == 0, str(report)
    assert "alpha=1.5" in said, said
    assert any(r.compared for r in report.results if r.check == "vjp")


def test_then_a_factor_is_found():
    report, _ = described(Pair(torch=Slowed, tf=SlowLayerTwice))
    assert causes(report, "tf")[0] == "constant_factor", str(report)


class Empty:
    """Is called by nothing."""


def test_a_class_without_one_is_refused():
    with pytest.raises(PairError, match="Empty is a class, but no torch"):
        porting.check(Pair(torch=Empty, tf=slowed))
