"""An argument that is a function in the source is given one that any framework's tensors pass through.

Seen in code of public repositories.
"""

import pytest
from everyday import described
from judged import accused_by

from porting import Pair
from porting.errors import PortingError
from porting.pairs.parse import parse_static, written_static
from porting.pairs.said_by_calls import called_in, functions_in

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Coupling(torch.autograd.Function):
    """x + f(x), computed again in the backward; its gradient is `share` of the true one."""

    share = 1.0

    @staticmethod
    def forward(ctx, x, f):
        ctx.f = f
        ctx.save_for_backward(x)
        return x + f(x)

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            (dx,) = torch.autograd.grad(x + ctx.f(x), x, dy)
        return cls.share * dx, None


class Halved(Coupling):
    share = 0.5


def coupling(x, f):
    @tf.custom_gradient
    def op(x):
        def grad(dy):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x + f(x)
            return tape.gradient(y, x, dy)

        return x + f(x), grad

    return op(x)


def with_torch(func):
    def inner(x):
        return 2 * func(x)

    return inner


def with_tf(func):
    def inner(x):
        return func(x) * 2

    return inner


def of_any_inputs(func):
    def inner(*xs):
        return 2 * func(*xs)

    return inner


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [(Coupling, coupling, "f"), (with_torch, with_tf, "func"), (of_any_inputs, of_any_inputs, "func")],
)
def test_a_function_that_is_called_is_given_a_smooth_one(one, other, name):
    report, said = described(Pair(torch=one, tf=other))
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert f"--static {name}=@porting.functions:smooth" in said


def test_a_wrong_gradient_beside_it_is_found():
    found, report = accused_by(Pair(torch=Halved, tf=coupling), only=["value", "vjp"], dtypes=["float64"])
    assert ("torch", "vjp") in found, str(report)
    assert ("torch", "value") not in found, str(report)


def test_one_of_a_file_is_given_by_its_name(tmp_path):
    file = tmp_path / "cubes.py"
    file.write_text("def cubed(x):\n    return x * x * x\n", encoding="utf-8")
    name, function = parse_static(f"f=@{file}:cubed")
    assert (name, function(2.0), function.__name__) == ("f", 8.0, "cubed")
    assert parse_static(f"f={written_static(function)}") == (name, function)
    found, report = accused_by(
        Pair(torch=Coupling, tf=coupling, statics={"f": function}), only=["value", "vjp"], dtypes=["float64"]
    )
    assert not found, str(report)


@pytest.mark.parametrize(
    ("text", "said"), [("@cubed", "@FILE.py:function"), ("@no_such.py:f", "there is no such file")]
)
def test_one_that_is_not_there_is_told(text, said):
    with pytest.raises(PortingError, match=said):
        parse_static(f"f={text}")


def test_what_is_no_function_is_refused_and_accuses_nobody(tmp_path):
    file = tmp_path / "sizes.py"
    file.write_text("size = [4, 16]\n", encoding="utf-8")
    _, size = parse_static(f"n=@{file}:size")
    pair = Pair(torch=lambda x, n: x * n[0], tf=lambda x, n: x * n[0], statics={"n": size})
    with pytest.raises(PortingError, match="is no function but list"):
        accused_by(pair, only=["value"], dtypes=["float64"])


def test_a_module_is_not_any_function():
    def trained(x, layer, f):
        return sum(p.sum() for p in layer.parameters()) + layer(f(x))

    assert called_in(trained, ["x", "layer", "f"]) == {"layer", "f"}
    assert functions_in(trained, ["x", "layer", "f"]) == {"f"}
