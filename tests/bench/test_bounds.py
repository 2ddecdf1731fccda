"""The bounds: a strict file, and a run held to it."""

from dataclasses import replace

import pytest

from porting.bench.bounds import BoundsError, ensure_classified, load
from porting.bench.judge import NO_VERDICT, OUT, WITHIN, judge
from porting.bench.ratio import Spread
from porting.bench.result import Bench, Kept, Peak, Row
from porting.registry import ops

OPS = list(ops().values())
LAG = 4  # ops that are newer than the last whole run
FILE = """
[noise]
most = 0.2
reason = "r"
[class.tanh]
reason = "r"
ops = ["sin_squared"]
[[bound]]
what = "floor"
modes = ["torch-eager"]
sizes = ["2^10"]
ops = ["tanh"]
most = 3.0
reason = "r"
[[bound]]
what = "kept"
modes = ["torch-eager"]
ops = ["one-input"]
most = 1
reason = "r"
"""
EXCEPTION = """
[[exception]]
what = "floor"
modes = ["torch-eager"]
sizes = ["2^10"]
best = { sin_squared = 8.0 }
reason = "two transcendentals"
"""
ONE = [ops()["sin_squared"]]


def read(tmp_path, text, registered=ONE):
    path = tmp_path / "bounds.toml"
    path.write_text(text)
    return load(registered, path)


def row(value, **more):
    same = Spread(value, value, value)
    return Row("sin_squared", "activation", "torch-eager", 1024, ratios={"floor": same}, **more)


def bench(*rows, **more):
    return Bench(rows, {}, "porting bench", "float32", **more)


def verdicts(bounds, *rows, **more):
    return judge(bench(*rows, **more), bounds, ONE, ONE)


def test_our_own_file_is_whole():
    bounds = load(OPS)
    assert all(b.reason.strip() for b in (*bounds.bounds, *bounds.exceptions))
    assert all(bounds.members(b, OPS) for b in bounds.bounds)
    named = {name for names in bounds.classes.values() for name in names}
    new = [op for op in OPS if op.in_catalogue and not op.contract.shapes and op.name not in named]
    assert len(new) <= LAG, "put them into a class, and measure them"
    assert {b.what for b in bounds.bounds} == {"limit", "composition", "built-in", "kept", "growth", "peak"}


def test_an_op_in_no_class_is_held_to_no_bound(tmp_path):
    bounds = read(tmp_path, FILE.replace('ops = ["sin_squared"]', 'ops = ["swish"]'), [ops()["swish"]])
    ensure_classified(bounds, [ops()["swish"], ops()["soft_dtw"]])
    with pytest.raises(BoundsError, match="sin_squared works element by element and is in no class; put it into one"):
        ensure_classified(bounds, ONE)


def test_within_and_out(tmp_path):
    bounds = read(tmp_path, FILE)
    assert bounds.noisy == 0.2
    kept = (Kept("sin_squared", "torch", {"twin": 1.0}),)
    fine = verdicts(bounds, row(2.9), kept=kept)
    assert [v.verdict for v in fine.verdicts] == [WITHIN, WITHIN]
    assert fine.exit_code == 0
    slow = verdicts(bounds, row(3.1), kept=kept)
    assert str(slow.of(OUT)[0]) == "out: sin_squared torch-eager 2^10 / floor: 3.10, 3 allowed"
    assert slow.exit_code == 1
    fat = verdicts(bounds, row(2.9), kept=(Kept("sin_squared", "torch", {"twin": 2.0}),))
    assert str(fat.of(OUT)[0]) == "out: sin_squared torch-eager kept: 2.00, 1 allowed"


def test_noise_is_never_a_pass(tmp_path):
    found = verdicts(read(tmp_path, FILE), row(2.0, noisy={"floor": "noisy: it varied"}), interrupted=True)
    assert [v.verdict for v in found.verdicts] == [NO_VERDICT]
    assert found.exit_code == 5


def test_a_twin_that_does_not_run_is_out(tmp_path):
    broken = replace(row(1.0), ratios={}, errors={"twin": "RuntimeError: no"})
    found = verdicts(read(tmp_path, FILE), broken, interrupted=True)
    assert str(found.of(OUT)[0]).endswith("/ floor: not measured, 3 allowed (RuntimeError: no)")


def test_what_there_is_not_is_not_wanted(tmp_path):
    bounds = read(tmp_path, FILE.replace('"floor"', '"composition"'))
    left_out = replace(row(1.0), ratios={}, errors={"twin": "left out"})
    smaller = replace(row(1.0), size=64, seconds={"floor": 1.0, "twin": 1.0})
    kept = (Kept("sin_squared", "torch", {"twin": 1.0}),)
    assert not verdicts(bounds, smaller, left_out, kept=kept, interrupted=True).of(OUT)
    compared = replace(smaller, seconds={**smaller.seconds, "composition": 1.0})
    assert [v.place for v in verdicts(bounds, compared, left_out, interrupted=True).of(OUT)] == [
        "sin_squared torch-eager 2^10 / composition"
    ]
    assert verdicts(bounds, left_out, interrupted=True).of(OUT)  # it ran nowhere: nobody knows


def test_peak_and_growth(tmp_path):
    text = FILE + "".join(
        f'[[bound]]\nwhat = "{what}"\nmodes = ["tf-eager"]\nops = ["sin_squared"]\nmost = 0.5\nreason = "r"\n'
        for what in ("peak", "growth")
    )
    found = verdicts(
        read(tmp_path, text),
        row(1.0),
        kept=(Kept("sin_squared", "tf", {"twin": 1.0}, {"twin": 1.0}),),
        peaks=(Peak("sin_squared", "tf-eager", {"twin": 20.0, "composition": 42.0}),),
    )
    assert [(v.verdict, round(v.value, 3)) for v in found.verdicts] == [(WITHIN, 1), (WITHIN, 0.476), (OUT, 1)]


def test_an_exception_holds_instead_with_its_reason(tmp_path):
    bounds = read(tmp_path, FILE + EXCEPTION)
    assert bounds.exceptions[0].best == 8
    found = verdicts(bounds, row(8.5), interrupted=True)
    assert str(found.verdicts[0]) == (
        "within: sin_squared torch-eager 2^10 / floor: 8.50, 10 allowed (two transcendentals; best 8)"
    )
    assert verdicts(bounds, row(10.5)).exit_code == 1
    each = read(tmp_path, FILE + EXCEPTION.replace("8.0", "{ torch-eager = 8.0 }"))
    assert each.exceptions == bounds.exceptions
    strict = read(tmp_path, (FILE + EXCEPTION).replace("most = 0.2", "most = 0.2\ndrift = 1.05"))
    assert verdicts(strict, row(8.5)).exit_code == 1


def test_what_matches_nothing_fails(tmp_path):
    found = verdicts(read(tmp_path, FILE), row(2.0))
    assert found.dead == ("bound matches nothing: kept of one-input in torch-eager",)
    assert found.exit_code == 1
    other = EXCEPTION.replace('"floor"', '"built-in"')
    found = verdicts(read(tmp_path, FILE + other), row(2.0))
    assert "exception matches nothing: built-in of sin_squared in torch-eager" in found.dead
    elsewhere = replace(row(2.0), size=2048)
    assert not [d for d in verdicts(read(tmp_path, FILE), elsewhere).dead if "floor" in d]  # was not asked for


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what = ", "TOML|Invalid"),
        (FILE + "[[limit]]\nmost = 1", "found .*limit"),
        (FILE.replace('reason = "r"\nops = ["sin', 'reason = " "\nops = ["sin'), "class tanh: a reason is wanted"),
        (FILE.replace('what = "floor"', 'what = "flor"'), "bound 1 must have exactly the keys"),
        (FILE.replace("most = 3.0", "best = 3.0"), "bound 1 must have exactly the keys"),
        (FILE.replace('["torch-eager"]\nsizes', '["torch"]\nsizes'), "bound 1: modes says 'torch'"),
        (FILE.replace('ops = ["tanh"]', 'ops = ["tan"]'), "bound 1: ops says 'tan'"),
        (FILE.replace('sizes = ["2^10"]', "sizes = []"), "bound 1: sizes is empty"),
        (FILE.replace("most = 3.0", 'most = "3"'), "bound 1: most must be a number"),
        (FILE.replace('ops = ["sin_squared"]', "ops = []"), "class tanh: ops is empty"),
        (FILE.replace('ops = ["sin_squared"]', 'ops = ["sin_squared", "x"]'), "a class names 'x'"),
        (FILE + '[class.exp]\nreason = "r"\nops = ["sin_squared"]', "sin_squared stands in two classes"),
        (FILE + EXCEPTION.replace("best = {", "most = {"), "exception 1 must have exactly the keys"),
        (FILE + EXCEPTION.replace("sin_squared", "tanh"), "exception 1: ops says 'tanh'"),
        (FILE + EXCEPTION.replace("8.0", '"8"'), "exception 1: the best of sin_squared must be a number"),
        (FILE + EXCEPTION.replace("sin_squared = 8.0", ""), "exception 1: best is empty"),
        (FILE + EXCEPTION.replace("8.0", "{ tf-xla = 8.0 }"), "best of sin_squared must be by modes of the entry"),
        (FILE.replace("most = 0.2", "most = 0.2\nleast = 0"), "noise must have exactly the keys"),
    ],
)
def test_the_file_is_strict(tmp_path, text, said):
    with pytest.raises(BoundsError, match=said):
        read(tmp_path, text)
