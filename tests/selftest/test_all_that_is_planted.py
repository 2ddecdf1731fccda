"""What is planted, with one seed: found, named, not accused; causes follow from codes, not sentences."""

from pathlib import Path

import pytest
from judged import with_codes_for_sentences
from turns import EVERY, turn

from porting.engine.check import check
from porting.runners import RUNNERS
from porting.selftest.planted import planted_faults, planted_pairs, right_siblings, right_toys
from porting.selftest.score import verdict_of

# What is named first with seed 0 instead of what was planted; the whole table has at most three in a hundred.
INSTEAD = {
    "torch.axes.OneTermTransposed": "forward_gradient_disagree",
    "torch.forward.backward_not_adapted": "missing_inner_derivative",
    "torch.partial.NegativeRowsMissing": "forward_gradient_disagree",
    "tf.formula.gradient_of_an_older_forward": "missing_inner_derivative",
    "tf.formula.recomputed_over_the_rows": "mixes_batch",
    "tf.special.difference_quotient": "forward_gradient_disagree",
}
# Not found in float64.
OF_A_TYPE = {
    "torch.forward.NumpyForward",
    "torch.structure.AlwaysDouble",
    "torch.structure.DoubleOutput",
    "torch.structure.MaskInSingle",
    "tf.pairs.types.takes_single_alone",
}

# What is planted there is seen in a graph alone.
OF_A_GRAPH = (".graph.", ".traces.")

NARROW = ("float16", "bfloat16", "float32")


def groups(things, name_of):
    """Name some groups, with what is in them."""
    found = {}
    for thing in things:
        found.setdefault(name_of(thing), []).append(thing)
    return [pytest.param(mine, id=name) for name, mine in found.items()]


def toy(thing):
    """Return the name of what a fault is planted in: its truths and tolerances are kept from one fault to the next."""
    return thing.op.name


def types(thing):
    """Return float64, in which all checks are made, and for a quarter one of the others; the command has all."""
    return ["float64", *(NARROW if thing.name in OF_A_TYPE else in_turn(thing))]


def types_of_pair(thing):
    """Return float64 for most of the pairs, and float32 too for a twelfth; the command has both of all."""
    return [] if EVERY or thing.name in OF_A_TYPE or turn(thing.name, 12) == 0 else ["float64"]


def in_turn(thing):
    """Return one of the narrow types for a quarter of what is planted, none for the others."""
    place = turn(thing.name, 12)
    return NARROW if EVERY else NARROW[place : place + 1]


def modes(thing):
    """Return the eager mode alone for most: another graph of the same toy tells little; the command has all modes."""
    return [] if EVERY or any(of in thing.name for of in OF_A_GRAPH) or turn(thing.name, 4) == 1 else ["eager"]


def file(thing):
    """Return where a pair is written."""
    return thing.name.rpartition(".")[0]


def here(backend):
    return not RUNNERS[backend].missing()


FAULTS = [fault for backend in ("torch", "tf") if here(backend) for fault in planted_faults(backend)]
RIGHT = [thing for backend in ("torch", "tf") if here(backend) for thing in right_siblings(backend)]
PAIRS = planted_pairs()
pytestmark = pytest.mark.filterwarnings("ignore")  # of other people's code, as the command shows it


@pytest.mark.slow
@pytest.mark.parametrize("faults", groups(FAULTS, toy))
def test_a_fault_is_found_and_named_by_codes_alone(faults, monkeypatch):
    with_codes_for_sentences(monkeypatch)
    for fault in faults:
        verdict = verdict_of(fault, check(fault.op, runners=[fault.backend], dtypes=types(fault), modes=modes(fault)))
        assert verdict["caught"]["porting"], fault.name
        assert verdict["causes"][:1] == (INSTEAD.get(fault.name, fault.cause),), (fault.name, verdict["causes"])


@pytest.mark.slow
@pytest.mark.parametrize("things", groups(RIGHT, toy))
def test_a_right_sibling_is_accused_of_nothing(things):
    for thing in things:
        report = check(thing.op, runners=[thing.backend], dtypes=types(thing), modes=modes(thing))
        assert not report.counts["differ"], str(report)


@pytest.mark.slow
@pytest.mark.parametrize("things", groups(PAIRS, file))
def test_pairs(things):
    for thing in things:
        report = check(thing.subject, dtypes=types_of_pair(thing), modes=modes(thing))
        verdict = verdict_of(thing, report)
        assert verdict["caught"]["porting"] == bool(thing.cause), f"{thing.name}: {report}"
        assert not verdict["misled"], f"{thing.name}: {report}"
        if thing.cause:
            assert verdict["causes"][:1] == (INSTEAD.get(thing.name, thing.cause),), (thing.name, verdict["causes"])


def test_few_are_named_otherwise():
    named = {thing.name: thing.cause for thing in (*FAULTS, *PAIRS) if thing.cause}
    assert set(INSTEAD) <= set(named)
    assert all(named[name] != instead for name, instead in INSTEAD.items())
    for backend in ("torch", "tf"):
        mine = [name for name in named if name.startswith(backend)]
        assert sum(name in INSTEAD for name in mine) <= 0.03 * len(mine)


def test_there_are_as_many_as_the_readme_says():
    if not (here("torch") and here("tf")):
        pytest.skip("needs both frameworks")
    mine = [sum(thing.backend == backend for thing in FAULTS) for backend in ("torch", "tf")]
    wrong = [thing for thing in PAIRS if thing.cause]
    toys = sum(len(right_toys(backend)) for backend in ("torch", "tf"))
    right = len(RIGHT) + toys + len(PAIRS) - len(wrong)
    faults = f"{sum(mine) + len(wrong)} faults ({mine[0]} in PyTorch twins, {mine[1]} in TensorFlow twins, {len(wrong)}"
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    assert f"plants {faults} in pairs without an oracle), checks {right} right siblings" in readme


@pytest.mark.skipif(not here("torch"), reason="needs PyTorch")
@pytest.mark.parametrize("seed", [4, 5, 7])
def test_a_right_form_may_lose_as_many_digits_as_stand_in_front_of_the_point(seed):
    """A softmax as exp(x - logsumexp(x)) at x = 30, with the seeds that accused it."""
    (thing,) = (one for one in RIGHT if one.name == "torch.right.blocks.LogarithmOfTheSum")
    report = check(thing.op, runners=["torch"], seed=seed, only=["special_values"])
    assert not report.counts["differ"], str(report)
