"""`prepare`, integers that index an axis, `refuses`, and the ends of the types."""

import numpy as np
import pytest

import porting
from porting.parity.probe import Probe
from porting.runners import RUNNERS
from porting.spec import SpecError


def row(**contract):
    @porting.op(**{"shapes": {"x": ("m", "n"), "i": ("k",)}, "domain": {"i": "m"}, **contract})
    def row(x, i):
        if (i < 0).any() or (i >= x.shape[0]).any():
            raise ValueError(f"i={int(i.max())}: wanted 0 <= i < {x.shape[0]}")
        return x[i]

    @row.defvjp
    def row_vjp(dy, y, x, i):
        dx = np.zeros(x.shape, dy.dtype)
        np.add.at(dx, i, dy)
        return dx

    return row


def results(op, check, runner, dtype="float64"):
    report = porting.check(op, runners=[runner], dtypes=[dtype], only=[check])
    (result,) = report.results
    return result.status, "\n".join(map(str, result.findings))


def test_integers_that_index_an_axis_follow_its_length():
    op = row()
    assert op.wrt == ("x",)
    for lengths in ((4, 5, 300), (1, 5, 300)):
        i = Probe(op, "float64").case(lengths=lengths).inputs["i"]
        assert set(i.tolist()) == set(range(lengths[0]))


def test_an_axis_that_shapes_do_not_name_is_refused():
    with pytest.raises(SpecError, match="'q' is no axis that shapes= names"):
        row(domain={"i": "q"})


def test_prepared_inputs_are_what_the_contract_makes_of_them():
    op = row(prepare={"x": lambda x: np.abs(x) + 1})
    for dtype in ("float16", "float64"):
        x = Probe(op, dtype).case().inputs["x"]
        assert x.min() >= 1
        assert x.dtype.name == dtype
    with pytest.raises(SpecError, match="prepare names 'z'"):
        row(prepare={"z": np.abs})


BAD = ({"i": [7, 0]},)


def test_refusal_of_the_oracle():
    assert results(row(refuses=BAD), "refusals", "oracle") == ("agree", "")
    status, said = results(row(refuses=({"i": [1, 0]},)), "refusals", "oracle")
    assert status == "differ"
    assert "the oracle does not refuse i=[1, 0]" in said
    assert results(row(), "refusals", "oracle")[0] == "not applicable"
    with pytest.raises(SpecError, match="refuses is a tuple of calls"):
        row(refuses={"i": [7, 0]})
    with pytest.raises(SpecError, match="refuses names 'j'"):
        row(refuses=({"j": 7},))


@pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="no PyTorch")
def test_refusal_of_a_twin_has_the_same_type_and_the_same_words():
    import torch

    def with_(error):
        def twin(x, i):
            if int(i.max()) >= x.shape[0]:
                raise error
            return x[i]

        return row(refuses=BAD).bind(torch=twin)

    right = f"i=7: wanted 0 <= i < {Probe(row(), 'float64').case().inputs['x'].shape[0]}"
    assert results(with_(ValueError(right)), "refusals", "torch") == ("agree", "")
    for error in (IndexError(right), ValueError("out of range")):
        status, said = results(with_(error), "refusals", "torch")
        assert status == "differ"
        assert f"must raise ValueError: {right}" in said
        assert f"it raised {type(error).__name__}: {error}" in said
    status, said = results(row(refuses=BAD).bind(torch=lambda x, i: x[torch.clamp(i, 0, 0)]), "refusals", "torch")
    assert "it raised nothing" in said


@pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="no PyTorch")
def test_a_product_that_overflows_on_the_way_is_found_with_room_to_spare():
    @porting.op
    def same(x):
        return x

    @same.defvjp
    def same_vjp(dy, y, x):
        return dy

    status, said = results(same.bind(torch=lambda x: x * 1000 / 1000), "whole_range", "torch", "float16")
    assert status == "differ"
    assert "y is not finite where the true one is" in said
    near = same.bind(torch=lambda x: x * 2 / 2)  # fails for the largest numbers alone: nobody's fault
    assert results(near, "whole_range", "torch", "float16") == ("agree", "")
