"""What a solver that stops early does on one side is told of that side, and of nothing that the other one has.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST, causes
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

# A backward that has nothing to do for a small cotangent gives 0: it is not linear, and the other side is.


def double(dy, x):
    return torch.zeros_like(x) if torch.allclose(dy, torch.zeros_like(dy)) else 2 * dy


@pytest.mark.parametrize("reference", [None, "tf"])
def test_a_gradient_that_grows_with_the_cotangent_is_not_accused_of_the_other_one(reference):
    pair = Pair(torch=function(lambda x: 2 * x, double), tf=lambda x: 2 * x, inputs=ANY, reference=reference)
    found, report = accused_by(pair, **WIDEST, only=["vjp", "cotangent_sizes"])
    assert found == {("torch", "cotangent_sizes")}, str(report)
    assert causes(report, "torch")[:1] == ["not_linear"], str(report)
    assert not causes(report, "tf"), str(report)


def test_what_both_clip_is_compared():
    def clipped(dy, x):
        return 2 * dy.clamp(-1e6, 1e6)

    def clipped_tf(x):
        return 2 * x, lambda dy: 3 * tf.clip_by_value(dy, -1e6, 1e6)

    pair = Pair(torch=function(lambda x: 2 * x, clipped), tf=tf.custom_gradient(clipped_tf), inputs=ANY)
    found, report = accused_by(pair, **WIDEST, only=["cotangent_sizes"])
    assert found == {("torch", "cotangent_sizes"), ("tf", "cotangent_sizes")}, str(report)


# What differs in a tf.function, and without one by the same, is no matter of graphs.


def steps(x):
    return x + tf.cast(tf.abs(x) > 1.0, x.dtype)


def steps_in_graphs(x):
    return x if tf.executing_eagerly() else steps(x)


@pytest.mark.parametrize(("other", "how"), [(steps, set()), (steps_in_graphs, {"function", "function again"})])
def test_a_difference_that_is_there_without_a_graph_is_told_without_one(other, how):
    report = porting.check(Pair(torch=lambda x: 1 * x, tf=other, inputs=ANY), **WIDEST, only=["traced"])
    found = [f for r in report.results for f in r.findings]
    assert found, str(report)
    assert {f.fields["how"] for f in found if "how" in f.fields} == how, str(report)
    assert ("baked_python_value" in causes(report, "tf")) == bool(how), str(report)


# A singular matrix has no finite solution: that is no overflow. The exponential of a large number is one.


def solved(a, b):
    diagonal = torch.diagonal(a, dim1=-2, dim2=-1)
    return torch.linalg.solve_triangular(a + torch.diag_embed((diagonal == 0) * 1.0), b, upper=False)


def test_a_singular_matrix_is_no_overflow():
    free = {"a": porting.array(("n", "n")), "b": porting.array(("n", "k"))}
    pair = Pair(torch=solved, tf=tf.linalg.triangular_solve, inputs=free)
    report = porting.check(pair, only=["value", "vjp", "special_values"])
    assert any(r.status == "differ" for r in report.results), str(report)
    assert "overflow" not in {d.cause for d in report.diagnoses}, str(report)


def test_an_exponential_in_a_sum_is_one():
    pair = Pair(
        torch=lambda x: torch.log(torch.exp(x).sum(-1)),
        tf=lambda x: tf.reduce_logsumexp(x, -1),
        inputs={"x": porting.array(("n", "k"))},
        reference="tf",
    )
    report = porting.check(pair, **WIDEST, only=["value", "vjp", "special_values"])
    assert causes(report, "torch")[:1] == ["overflow"], str(report)
