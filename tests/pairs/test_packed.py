"""Lists and dictionaries of tensors are arguments whose tensors are inputs."""

import pytest
from judged import accused_by

import porting
from porting import Pair
from porting.errors import PairError
from porting.pairs.options import pair_from

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint", "linear", "subsets"]}
LIST = {"xs.0": porting.array(("n",)), "xs.1": porting.array(("n", "m")), "scale": porting.array(())}
DICTIONARY = {"state.h": porting.array(("n",)), "x": porting.array(("n",)), "state.c": porting.array(("n",))}


def weighed_torch(xs, scale):
    return scale * (xs[0] @ xs[1])


def weighed_tf(xs, scale):
    return scale * tf.linalg.matvec(xs[1], xs[0], transpose_a=True)


def weighed_wrongly(xs, scale):
    @tf.custom_gradient
    def inner(x, w, scale):
        y = tf.linalg.matvec(w, x, transpose_a=True)
        return scale * y, lambda dy: (
            2 * scale * tf.linalg.matvec(w, dy), scale * x[:, None] * dy[None], tf.reduce_sum(dy * y),
        )  # fmt: skip

    return inner(*xs, scale)


@pytest.mark.parametrize("side", [weighed_tf, weighed_wrongly])
def test_a_list_of_tensors(side):
    found, report = accused_by(Pair(torch=weighed_torch, tf=side, inputs=LIST, reference="torch"), **ASKED)
    assert bool(found) == (side is weighed_wrongly), str(report)
    assert next(iter(report.described)).startswith("weighed_torch(xs_0[n], xs_1[n, m], scale[])")
    if found:
        (named,) = {f.fields["name"] for r in report.results if r.check == "vjp" for f in r.findings}
        assert named == "xs_0"


def cell_torch(state, x):
    return torch.tanh(state["h"] * x) + state["c"], state["c"] * x


def cell_tf(state, x):
    return tf.tanh(state["h"] * x) + state["c"], state["c"] * x


def test_a_dictionary_of_tensors_whose_parts_stand_apart():
    report = porting.check(Pair(torch=cell_torch, tf=cell_tf, inputs=DICTIONARY), **ASKED)
    assert report.exit_code == 0, str(report)


def test_the_options_are_written_as_they_are_read(tmp_path, monkeypatch):
    (tmp_path / "cells.py").write_text("import torch\n\n\ndef total(xs):\n    return xs[0] + 2 * xs[1]\n")
    monkeypatch.chdir(tmp_path)
    pair = pair_from({"torch": "cells.py:total", "input": ["xs.0=float64[n]", "xs.1=float64[n]"]})
    assert "--input 'xs.0=float64[n]' --input 'xs.1=float64[n]'" in pair.command
    assert porting.check(pair, isolate=False, **ASKED).exit_code == 0


@pytest.mark.parametrize(("names", "said"), [
    (["xs.0", "xs"], "xs is an input, and so is its part xs.0"),
    (["xs.0", "xs_0"], "xs_0 would be called xs_0, as another input is"),
    (["xs.0", "xs.2"], "xs.0, xs.2: the parts of a list are numbered from 0 without gaps"),
    (["xs.0", "xs.h"], "the parts of a list are numbered"),
    (["xs.00", "xs.1x"], "the parts of a list are numbered"),
])  # fmt: skip
def test_parts_that_make_no_argument_are_refused(names, said):
    with pytest.raises(PairError, match=said.replace(".", r"\.")):
        Pair(torch=weighed_torch, inputs={name: porting.array(("n",)) for name in names})


@pytest.mark.parametrize("factor", [1, 2])
def test_a_module_with_parameters_takes_a_list(factor):
    class Total(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(()))

        def forward(self, xs):
            return self.weight * (xs[0] + factor * xs[1])

    inputs = {"xs.0": porting.array(("n",)), "xs.1": porting.array(("n",))}
    pair = Pair(torch=Total(), tf=lambda xs, weight: weight * (xs[0] + xs[1]), inputs=inputs)
    report = porting.check(pair, **ASKED)
    differs = {(r.runner, r.check) for r in report.results if r.status == "differ"}
    assert (("torch", "vjp") in differs) is (factor != 1), str(report)
