"""A side that raises or does not come back: it alone is accused, and what can be compared still is.

Seen in code of public repositories.
"""

import inspect
import math
import time
from io import StringIO

import numpy as np
import pytest
from everyday import ANY, CHECKS, WIDEST, described
from judged import accused_by, first_cause
from rich.console import Console

import porting
from porting import Pair
from porting.engine.crash import result_of
from porting.engine.isolate import answered
from porting.errors import PairError
from porting.parity.budget import Budget
from porting.parity.plan import Task
from porting.report.text import notes
from porting.runners.base import SECOND, TRIED
from porting.workers.fate import SIGNAL, TIMEOUT
from porting.workers.pool import Ended

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def test_a_gradients_shape_explains_no_forward_that_raises():
    def number(x, alpha):
        return function(lambda x, a: x.clamp(0, a.item()), lambda dy, x, a: (dy, dy.sum().reshape(1)))(x, alpha)

    def any_shape(x, alpha):
        return tf.clip_by_value(x, 0.0, alpha)

    pair = Pair(torch=number, tf=any_shape, inputs={"x": porting.array(("n",)), "alpha": porting.array(("n",))})
    assert first_cause(pair, "torch", **CHECKS) == "raises_in_forward"


# Whose backward raises gives the same value each time.


def raising(dy, x):
    raise ValueError("not written yet")


def test_a_value_is_compared_although_the_backward_raises():
    pair = Pair(torch=function(lambda x: 2 * x, raising), tf=lambda x: 2.001 * x, name="double", inputs=ANY)
    _, report = accused_by(pair, **WIDEST, only=["value", "vjp", "repeated"])
    (value,) = [r for r in report.results if (r.runner, r.check) == ("tf", "value")]
    assert value.status == "differ", str(report)


@tf.custom_gradient
def rebound(x):
    x = tf.sqrt(tf.reduce_sum(x * x, axis=1) + 1e-19)
    return x, lambda dy: dy * (x / (tf.norm(x, axis=1) + 1e-19))


def norm_of_rows(x):
    return torch.sqrt((x * x).sum(1) + 1e-19)


def test_what_raises_for_everyday_inputs_is_no_matter_of_shapes_elsewhere():
    pair = Pair(torch=norm_of_rows, tf=rebound, inputs=ANY, name="norms")
    assert first_cause(pair, "tf", **WIDEST, only=["value", "vjp", "shapes"]) == "raises_in_backward"


class Sleeps(torch.autograd.Function):
    """2 x, whose backward does not come back."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        time.sleep(60)
        return 2 * dy


def double(x):
    return 2 * x


@pytest.mark.slow
def test_a_truth_that_does_not_come_back_accuses_nobody_else():
    where = f"{__name__}:"
    pair = Pair(torch=f"{where}Sleeps", tf=f"{where}double", inputs={"x": porting.array((...,))})
    report = porting.check(pair, only=["vjp"], dtypes=["float64"], isolate=True, timeout=4)
    asked = {r.runner: r for r in report.results if r.check == "vjp"}
    assert asked["torch"].status == "differ"
    assert asked["tf"].status == "no verdict"
    assert "the torch side, which it is compared with" in asked["tf"].note
    assert {d.runner for d in report.diagnoses} == {"torch"}


@pytest.mark.parametrize(("asked", "status"), [(" of like", "no verdict"), (" of torch", "no verdict"), ("", "differ")])
def test_a_plain_version_that_does_not_come_back_is_no_fault_of_what_replaces_it(asked, status):
    task = Task(Pair(tf=lambda x: x, like=lambda x: x), "vjp", "tf", "cpu", "eager", "float64")
    ended = Ended(0, 0, f"forward{asked}", "took longer than 60 s", TIMEOUT, "f.py:3")
    result = result_of(task, ended, 0)
    assert result.status == status
    assert ("the plain version" in result.note) == (asked == " of like")


def test_who_does_not_come_back_from_inputs_that_were_only_tried_is_not_accused():
    pair = Pair(torch=lambda x: x, tf=lambda x: x)
    tasks = [Task(pair, check, "torch", "cpu", "eager", "float64") for check in ("complex_numbers", "value", "vjp")]
    ended = Ended(0, 0, f"forward of {TRIED}", "took longer than 60 s", TIMEOUT, "f.py:3")

    class Stub:
        def run(self, jobs, *_):
            assert len(jobs) == 1
            yield 0, ended

    found = [result for _, result in answered(Stub(), tasks, 0, Budget())]
    assert [result.status for result in found] == ["no verdict"] * 3
    assert "while inputs were tried; say what it takes: --input" in found[0].note
    assert all("no inputs were found in time; say" in result.note for result in found[1:])


@pytest.mark.parametrize(
    ("runner", "where", "status"),
    [
        ("torch", "f.py:3", "no verdict"),
        ("torch", "package/f.py:3", "no verdict"),
        ("tf", "f.py:3", "differ"),
        ("torch", "t.py:3", "differ"),
        ("torch", "", "no verdict"),  # damaged memory shows late: it may be the other side's
    ],
)
def test_who_dies_while_inputs_are_tried_is_told_by_the_file(runner, where, status):
    task = Task(Pair(torch="t.py:op", tf="f.py:op", name="op"), "value", runner, "cpu", "eager", "float32")
    result = result_of(task, Ended(0, 0, "import", "was killed by SIGABRT", SIGNAL, where), 0)
    assert result.status == status


@pytest.mark.parametrize(
    ("sides", "status"), [({"tf": "b.py:f"}, "differ"), ({"torch": "a.py:f", "tf": "b.py:f"}, "no verdict")]
)
def test_a_process_that_ends_at_no_line_blames_nobody_beside_another_side(sides, status):
    task = Task(Pair(sides=sides), "vjp", "tf", "cpu", "eager", "float32")
    result = result_of(task, Ended(0, 0, "backward", "was killed by SIGABRT", SIGNAL, ""), 0)
    assert result.status == status
    assert status == "differ" or "one side at a time" in result.note


@pytest.mark.parametrize(
    ("check", "stage", "status"),
    [
        ("large", "backward", "no verdict"),
        ("second_order", "forward", "no verdict"),
        ("second_order", SECOND, "differ"),
        ("xla", "forward", "no verdict"),
        ("vjp", "backward", "differ"),
    ],
)
def test_a_large_array_or_graph_may_take_long(check, stage, status):
    task = Task(Pair(tf=lambda x: x, torch=lambda x: x), check, "tf", "cpu", "eager", "float64")
    result = result_of(task, Ended(0, 0, stage, "took longer than 60 s", TIMEOUT, "f.py:3"), 0)
    assert result.status == status
    assert ("--timeout" in result.note) == (status == "no verdict")


# A backward that raises is not meant so, and what it says is said once, in its own name.


def printed(report):
    console = Console(width=1000, record=True, file=StringIO())
    console.print(notes(report))
    return console.export_text()


def test_a_backward_that_raises_is_said_once():
    @tf.custom_gradient
    def unfinished(x):
        def backward(dy):
            raise ValueError("not written yet")

        return 2 * x, backward

    pair = Pair(torch=lambda x: 2 * x, tf=unfinished, inputs=ANY, name="double")
    text = printed(
        porting.check(pair, **WIDEST, only=["vjp", "nan_input", "nan_cotangent", "indexed_slices", "finite"])
    )
    assert "NoTruthError" not in text
    assert "may be meant so" not in text
    assert text.count("not written yet") == 1, text  # by the side that is compared with it
    assert "Notes: the backward raises there" in text
    assert "the same error as above" in text


def test_a_backward_that_raises_with_its_numbers_is_said_once():
    def scripted(dy, x):
        raise RuntimeError(f"expected a tensor\nValue: {dy}\nDeclaration: f(Tensor x)")

    pair = Pair(torch=function(lambda x: x * 2, scripted), tf=lambda x: x * 2, inputs=ANY)
    text = printed(porting.check(pair, **WIDEST, only=["vjp", "nan_input", "linear", "whole_range"]))
    assert text.count("expected a tensor") == 1, text
    assert "the same error as above" in text


def test_what_is_raised_in_one_use_is_said_in_full():
    @tf.custom_gradient
    def doubled(x):
        return 2 * x, lambda dy: 2.0 * dy

    pair = Pair(torch=lambda x: 2 * x, tf=doubled, inputs=ANY, name="double")
    text = printed(porting.check(pair, **WIDEST, only=["vjp", "indexed_slices"]))
    assert "double indexed_slices (tf): backward raised TypeError" in text
    assert "tf.convert_to_tensor(dy)" in text


# What two sides would have done wrong is said once, and not of the right side alone.


def test_both_conditions_are_told_once():
    wrong = function(torch.square, lambda dy, x: 3 * x * dy)

    @tf.custom_gradient
    def square_untraced(x):
        return tf.square(x), lambda dy: dy * 2 * tf.convert_to_tensor(x.numpy()) if tf.executing_eagerly() else dy

    report = porting.check(Pair(torch=wrong, tf=square_untraced, inputs=ANY, name="square"), **WIDEST)
    assert len(report.messages) > 1, str(report)
    assert sum("To settle it" in message for message in report.messages) == 1
    assert sum("If PyTorch is right" in message for message in report.messages) == 1


# What is printed.


def test_a_reason_that_holds_whole_arrays_is_cut():
    from porting.parity.finding import Result
    from porting.parity.report import Report
    from porting.report.text import notes

    result = Result(
        "op", "value", "torch", "cpu", "eager", "float64", 0, "no verdict", note=str(np.zeros(4000).tolist())
    )
    said = str(notes(Report((result,))).renderables[1])
    assert len(said) < 800
    assert "all of them with --json" in said


def test_types_are_told_where_they_differ():
    inputs = {"x": porting.array(("n",), dtype="float32"), "p": porting.array(("n",), kind="simplex")}
    _, said = described(Pair(torch=lambda x, p: x * p.float(), inputs=inputs, name="f"))
    assert said.startswith("f(x float32[n], p float64[n])")
    _, said = described(Pair(torch=lambda x, p: x * p, inputs=dict.fromkeys(inputs, porting.array(("n",))), name="f"))
    assert said.startswith("f(x[n], p[n])")


def test_a_pair_is_not_taken_for_an_op_of_ours():
    report = porting.check(Pair(torch=lambda x: x * torch.sigmoid(x), name="swish"), only=["vjp"])
    from rich.console import Console

    from porting.report.verdicts import Verdicts

    console = Console(record=True, width=100)
    console.print(Verdicts(report, ""))
    assert "your own" in console.export_text()


# The error of one type hides that of another one: as written for float32, it may be the only one.


def step_tf(upstream):
    @tf.custom_gradient
    def step(x):
        def vjp(dy, upstream=upstream):
            dx = tf.where(tf.abs(x) < 1, 2 - tf.abs(x), 0.0) + tf.constant(0.0)  # float32, and no other type
            return dx * (upstream or dy)

        return tf.cast(x > 0, x.dtype), vjp

    return step


class Twice:
    """No number, as `None` is not."""


@pytest.mark.parametrize(("upstream", "causes"), [(None, 1), (Twice(), 2)])
def test_an_error_of_float32_is_shown_beside_another_one_of_float64(upstream, causes):
    step = function(lambda x: (x > 0).to(x.dtype), lambda dy, x: dy * torch.where(x.abs() < 1, 2 - x.abs(), 0))
    report = porting.check(Pair(torch=step, tf=step_tf(upstream), inputs=ANY), only=["vjp", "linear"])
    mine = [message for message in report.messages if " tf " in message.partition("·")[0]]
    assert len(mine) == causes, str(report)
    first, last = mine[0], mine[-1]
    assert "float64 · " in last, last
    assert "(wrong_dtype, " in last, last
    if causes > 1:  # what the type as written raises comes first
        assert "float32 · " in first, first
        assert "Twice" in first.partition("\n")[0], first
        assert "(raises_in_backward, " in first, first
        assert "wrong_dtype" not in first, first


# A forward that takes fewer arguments than the other side's.


class Forgetful(torch.autograd.Function):
    @staticmethod
    def forward(ctx, alpha=0.01):
        return torch.where(data < 0, data * alpha, data)  # noqa: F821 - that is the mistake

    @staticmethod
    def backward(ctx, dy):
        return dy


class OfOne(torch.autograd.Function):
    @staticmethod
    def forward(ctx, data):
        return data * 2

    @staticmethod
    def backward(ctx, dy):
        return dy * 2


class OfThree(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, c):
        return a * b * c

    @staticmethod
    def backward(ctx, dy):
        return dy, dy, dy


@pytest.mark.parametrize(
    ("side", "other", "said"),
    [
        (Forgetful, lambda data, alpha=0.01: data, "its forward reads data, which is no argument of it and defined"),
        (OfOne, lambda data, alpha: data, "give its forward the same arguments, or check it by itself, without the"),
        (OfThree, lambda a, b: a, "say what each of them is, --input a=float64[...] --input b=float64[...] --input c="),
    ],
)
def test_arguments_that_a_forward_lacks_are_refused_with_what_to_do(side, other, said):
    with pytest.raises(PairError) as refused:
        porting.check(Pair(torch=side, tf=other, reference="tf"), **WIDEST)
    assert said in str(refused.value)


def undefined_name(x):
    @tf.custom_gradient
    def op(x):
        return tf.identity(x), not_there  # noqa: F821 - as it was seen

    return op(x)


def test_a_name_that_is_not_defined_is_no_question_of_the_inputs():
    pair = Pair(torch=torch.tanh, tf=undefined_name, name="undefined")
    assert (pair.guess(), pair.advice) == (None, "")
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"])
    assert {who for who, _ in found} == {"tf"}, str(report)
    assert report.diagnoses[0].cause == "raises_in_forward"


# A backward that raises for some numbers raises so in the first backward, too.


class OfSmallNumbers(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        if x.abs().max() > 0.1:
            raise OverflowError("math range error")
        return 2 * x * dy


def test_what_raises_at_once_is_not_said_to_raise_in_a_second_backward():
    report = porting.check(Pair(torch=OfSmallNumbers, tf=lambda x: x * x), only=["retained", "vjp"], dtypes=["float64"])
    found = [f for r in report.results if r.runner == "torch" for f in r.findings if r.check == "retained"]
    assert {f.fields.get("how") for f in found} == {None}, str(report)
    assert "overwrites_saved" not in [cause.cause for cause in report.diagnoses], str(report)


def needs_a_length(x):
    if tf.reduce_sum(x) > 0:
        x = x + 0
    return x * math.log(x.shape[0])


def test_the_line_is_told_that_autograph_has_rewritten():
    report = porting.check(Pair(tf=needs_a_length, inputs=ANY), only=["traced"], dtypes=["float64"])
    line = inspect.getsourcelines(needs_a_length)[1] + 3
    (result,) = report.results
    assert {f.fields["where"].rpartition(":")[2] for f in result.findings if f.code == "raised"} == {str(line)}
