"""Each claim of a contract, tested both ways: a true one is kept, a false one is found, a needless waiver is found."""

import numpy as np
import pytest

import porting
from porting.errors import PortingError
from porting.parity.report import EXIT_NOTHING
from porting.runners import RUNNERS
from porting.subject import Subject


def square(**contract):
    @porting.op(**contract)
    def square(x):
        return x * x

    @square.defvjp
    def square_vjp(dy, y, x):
        return 2 * x * dy

    return square


def judged(op, check, runner="oracle", dtype="float64", **how):
    report = porting.check(op, runners=[runner], dtypes=[dtype], only=[check], **how)
    (result,) = report.results
    return result


def said(result):
    return "\n".join(map(str, result.findings))


def test_exact_gradient_agrees():
    assert judged(square(), "gradient_of").status == "agree"


def test_gradient_of_another_function_is_found():
    result = judged(square(gradient_of=lambda x: x**3), "gradient_of")
    assert result.status == "differ"
    assert "is not the derivative of" in said(result)


def test_uniform_relative_error_of_1e_12_is_found():
    @porting.op
    def nearly(x):
        return np.exp(x)

    @nearly.defvjp
    def nearly_vjp(dy, y, x):
        return y * dy * (1 + 1e-12)

    assert judged(nearly, "gradient_of").status == "differ"


def test_needless_unstated_is_found():
    result = judged(square(gradient_of=porting.unstated("I did not look")), "gradient_of")
    assert "gradient_of is unstated, but the gradient is the primal's derivative" in said(result)


def test_needless_waiver_of_linearity_is_found():
    assert "waives linearity" in said(judged(square(linear=False), "linear"))


def test_waiver_of_linearity_that_is_needed_holds():
    @porting.op(gradient_of=porting.unstated("clips"), linear=False)
    def clipped(x):
        return x

    @clipped.defvjp
    def clipped_vjp(dy, y, x):
        return np.clip(dy, -1, 1)

    result = judged(clipped, "linear")
    assert result.status == "waived"
    assert "not linear in the cotangent, as declared" in result.note


def absolute(**contract):
    @porting.op(**contract)
    def absolute(x):
        return np.abs(x)

    @absolute.defvjp
    def absolute_vjp(dy, y, x):
        return np.sign(x) * dy

    return absolute


def test_undeclared_kink_is_found_and_a_declared_one_is_excused():
    result = judged(absolute(), "gradient_of")
    assert "undeclared kink at x = 0" in said(result)
    assert {finding.kind for finding in result.findings} == {"kink convention"}
    assert judged(absolute(kinks={"x": (0.0,)}), "gradient_of").status == "agree"


def test_order_1_wants_a_refusal():
    torch = pytest.importorskip("torch")

    class Once(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return Refuse.apply(2 * x * dy)

    class Refuse(torch.autograd.Function):
        @staticmethod
        def forward(dx):
            return dx.clone()

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, ddx):
            raise NotImplementedError("differentiable once")

    op = square(order=1)
    refusing = judged(op.bind(torch=Once.apply), "second_order", "torch")
    assert refusing.status == "agree", said(refusing)
    answering = judged(op.bind(torch=lambda x: x * x), "second_order", "torch")
    assert "a second derivative was not refused" in said(answering)


def root(**contract):
    @porting.op(domain={"x": (0.0, 9.0)}, **contract)
    def root(x):
        if contract.get("raises") and np.any(x < 0):
            raise ValueError("x is negative")
        return np.sqrt(x + 1e-3) + np.log(9.5 - x)

    @root.defvjp
    def root_vjp(dy, y, x):
        return (0.5 / np.sqrt(x + 1e-3) - 1 / (9.5 - x)) * dy

    return root


def test_samples_stay_inside_the_domain_and_reach_its_ends():
    from porting.parity.probe import Probe

    x = Probe(root(), "float64").case().inputs["x"]
    assert x.min() == 0.0
    assert x.max() == 9.0


def test_outside_the_domain():
    assert judged(root(nonfinite=True), "outside_domain").status == "agree"
    raising = judged(root(raises=ValueError), "outside_domain")
    assert "at x = 10, outside the domain, ValueError must be raised, got nothing" in said(raising)
    assert judged(root(), "outside_domain").status == "not applicable"


def test_oracle_that_gives_nan_is_found():
    @porting.op
    def product(x):
        return x * np.exp(-x * x)

    @product.defvjp
    def product_vjp(dy, y, x):
        return dy * (np.exp(-x * x) - 2 * x * y * np.exp(x * x) * np.exp(-x * x))

    assert "the oracle's gradient is NaN at x = 30" in said(judged(product, "special_values"))


def test_op_without_a_twin_is_a_finding():
    result = judged(square(), "vjp", "torch")
    assert "square has no torch twin: bind one with square.bind(torch=function)" in said(result)


def broken(value=lambda x: x * x, vjp=lambda dy, x: 2 * x * dy):
    @porting.op
    def broken(x):
        return value(x)

    @broken.defvjp
    def broken_vjp(dy, y, x):
        return vjp(dy, x)

    return broken


@pytest.mark.parametrize(
    ("op", "words"),
    [
        (broken(value=lambda x: x.nonsense), "the oracle raised AttributeError"),
        (broken(vjp=lambda dy, x: x[7, 7]), "the oracle raised IndexError"),
        (broken(vjp=lambda dy, x: (dy, dy)), "the vjp returned 2 gradients, 1 are wanted"),
        (broken(vjp=lambda dy, x: np.sum(dy * x)), "the oracle's gradient of x has shape [], its input [3, 4]"),
        (porting.op(lambda x: x), "has no vjp yet"),
    ],
)
def test_broken_oracle_is_a_finding(op, words):
    assert words in said(judged(op, "gradient_of"))


def test_target_that_is_no_op_is_refused():
    with pytest.raises(PortingError, match="check wants ops, pairs, or names"):
        porting.check([3])


def test_mode_that_a_runner_lacks_is_not_compared():
    report = porting.check("sin_squared", runners=["torch"] if not RUNNERS["torch"].missing() else [], modes=["xla"])
    assert report.exit_code == EXIT_NOTHING
    assert "has no mode xla" in str(report)


def test_nothing_compared_is_exit_5():
    report = porting.check(square(), runners=["oracle"], keyword="outside_domain")
    assert report.exit_code == EXIT_NOTHING


class TestDeclaration:
    """Signature mistakes are refused when the op is defined, with the right form in the message."""

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ("@op\ndef f(x, k=1): return x", "'k' has a default, so it is a static: put it after *"),
            ("@op\ndef f(*xs): return xs", r"name every argument instead of \*xs"),
            ("@op\ndef f(): return 1", "an op has at least one input"),
            ("@op\ndef f(x, *, k): return x", "the static 'k' has no default"),
            ("@op(kinks={'z': (0.,)})\ndef f(x): return x", "kinks names 'z', which is not among x"),
            ("@op(order=3)\ndef f(x): return x", "order=3"),
            ("@op(kinks={'x': 0.0})\ndef f(x): return x", "kinks of 'x': a tuple of numbers"),
            ("@op(kinks=(0.0,))\ndef f(x): return x", "kinks wants a mapping by argument"),
            ("@op(domain={'x': (3, 1)})\ndef f(x): return x", r"domain of 'x': \(low, high\) with low < high"),
            ("@op(domain={'x': 2})\ndef f(x): return x", "domain of 'x': "),
            ("@op(domain={'x': range(0)})\ndef f(x): return x", "domain of 'x': "),
            ("@op(statics={'k': 2.0})\ndef f(x, *, k): return x", "statics of 'k': a tuple of values"),
            ("@op(wrt='x')\ndef f(x): return x", "wrt is a tuple of names"),
            ("@op(domain={'x': (0, 1)}, raises=ValueError, nonfinite=True)\ndef f(x): return x", "exclude each other"),
            ("@op(linaer=False)\ndef f(x): return x", "fields of Contract"),
            ("@op(raises=ValueError)\ndef f(x): return x", "give domain= as well"),
            ("@op(gradient_of=lambda a, b: a)\ndef f(x): return x", "gradient_of must take the op's inputs"),
            ("@op(gradient_of=unstated(' '))\ndef f(x): return x", "wants a reason"),
            (
                "@op\ndef f(x): return x\n@f.defvjp\ndef f_vjp(dy, x): return dy",
                r"the vjp must be f_vjp\(dy, y, x\), got f_vjp\(dy, x\)",
            ),
            ("@op\ndef f(x, *, k=2.0): return x\n@f.defvjp\ndef f_vjp(dy, y, x, *, k=3.0): return dy", r"k=2\.0"),
            ("@op\ndef f(x): return x\nf.bind(jax=f)", "'jax' is no backend; use torch= or tf="),
            ("@op\ndef f(x): return x\nf.bind(torch='nowhere')", 'neither a function nor "package.module:function"'),
        ],
    )
    def test_is_refused(self, source, words):
        from porting.spec import SpecError, op, unstated

        with pytest.raises(SpecError, match=words):
            exec(source, {"__name__": "mistakes", "op": op, "unstated": unstated})  # noqa: S102 - the mistakes above

    def test_contract_is_frozen(self):
        contract = square(kinks={"x": (0.0,)}).contract
        with pytest.raises(AttributeError):
            contract.order = 1
        with pytest.raises(TypeError):
            contract.kinks["x"] = ()

    def test_bind_returns_a_new_op(self):
        op = square()
        bound = op.bind(torch=abs)
        assert bound is not op
        assert bound.twin("torch") is abs
        with pytest.raises(LookupError, match="bind one"):
            op.twin("torch")


def test_an_op_does_not_change():
    with pytest.raises(AttributeError, match=r"^square\.truth cannot be set: an op does not change; bind\(\) makes"):
        square().truth = "torch"
    pair = porting.Pair(torch=lambda x: x, tf=lambda x: x)
    assert {type(pair.on(key)) for key in pair.compared} == {Subject}
