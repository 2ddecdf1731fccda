"""What is checked against a recording is judged as it is live, and today's oracles and twins are those of then."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from judged import with_codes_for_sentences

from porting import Pair, array, check, record, registry
from porting.cli import own
from porting.cli.main import parser
from porting.diagnosis.match import diagnose
from porting.dtypes import FLOATS, as_dtype
from porting.engine.rehearse import Asked, rehearse
from porting.pairs.stand_in import standing_in
from porting.parity.checks import checks
from porting.parity.plan import Task, UsageError
from porting.parity.run import run
from porting.recordings.file import part_of, read_part, write
from porting.recordings.memory import Recorder, Recording
from porting.recordings.runner import RecordingRunner
from porting.runners import RUNNERS, Case, Outcome, Raised
from porting.runners.tree import pack, unpack
from porting.selftest.planted import planted_faults, right_toys

PINNED = Path(__file__).parent / "catalogue.npz"  # by the versions that pyproject.toml pins

# planted faults of every sort: recorded side -> faults of the other one
FAULTS = {
    "tf": (
        "torch.formula.CosineGrows torch.layout.BatchExpected torch.memory.ShiftedInPlace torch.structure.AlwaysDouble "
        "torch.special.MaskedNan torch.cotangent.ClippedCotangent"
    ),
    "torch": "tf.formula.averaged_twice tf.special.slope_at_zero tf.structure.always_float64",
}


def whole(thing):
    """Pack and unpack, through the arrays' own bytes."""
    arrays = []

    def keep(array):
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        arrays.append(buffer.getvalue())
        return len(arrays) - 1

    return unpack(pack(thing, keep), lambda n: np.load(io.BytesIO(arrays[n]), allow_pickle=False))


@pytest.mark.parametrize("dtype", [*FLOATS, "int64", "bool", "complex64", "complex128"])
def test_arrays_cross_bit_by_bit(dtype):
    for shape in ((), (0,), (1,), (3, 4), (3, 0, 2)):
        x = np.full(shape, -0.0).astype(as_dtype(dtype))
        x.reshape(-1)[:1] = np.array(np.nan if dtype not in {"int64", "bool"} else 1).astype(as_dtype(dtype))
        found = whole(x)
        assert (found.dtype, found.shape, found.tobytes()) == (x.dtype, shape, x.tobytes())


def test_what_is_asked_and_answered_crosses():
    x = np.arange(3.0)
    other = Case(None, "float32", {"x": x}, (x,), statics={"axis": (0, -1), "name": "sum", "low": -np.inf})
    case = Case(None, "float64", {"x": x, "i": np.arange(2)}, (x, x), (x,), use="interleaved", other=other, used=(1,))
    outcome = Outcome(
        (x,), (None, x), None, (), (None,), ("x",), {"promises": ("vmap",), "n": 3, "seen": np.float64(2)}
    )
    for thing in (case, outcome, Outcome(raised=Raised("forward", "ValueError", "no", "a.py:3")), [1, None, True, 1j]):
        assert repr(whole(thing)) == repr(thing)
    for thing in (print, {1, 2}, np.array([None])):
        with pytest.raises(TypeError):
            whole(thing)


def asked(op, key, dtypes):
    """Return what each check says of a side, and the causes."""
    widest = dtypes[-1]
    results = [
        run(Task(op, name, key, "cpu", "eager", dtype), 0)
        for dtype in dtypes
        for name, c in checks().items()
        if key in c.runners and (not c.once or dtype == widest)
    ]
    said = [(r.check, r.dtype, r.status, [f.key for f in r.findings]) for r in results]
    return said, [d.cause for d in diagnose(op, results, 0)]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "name"), [(key, name) for key, names in FAULTS.items() for name in names.split()])
def test_a_planted_fault_is_named_as_live(key, name, tmp_path, monkeypatch):
    """In each sort of fault the recorded side is the right twin in the other framework, and the truth."""
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    other = name.split(".")[0]
    fault = next(fault for fault in planted_faults(other) if fault.name == name)
    right = next(op for op in right_toys(key) if op.name == fault.op.name)
    dtypes = ("float32", "float64") if "structure" in name else ("float64",)

    def op(runner):
        twins = {key: right.twin(key), other: fault.op.twin(other)}
        return standing_in(right.name, key, runner, right.inputs, right.statics, right.contract, twins)

    live = op(RUNNERS[key])
    recorder = Recorder(live)
    for _ in rehearse(live, key, recorder, Asked(dtypes, ("eager",), "", (0,))):
        pass
    write(tmp_path / "toy.npz", {}, [part_of({}, recorder)], "-o")
    side = {name: getattr(RUNNERS[key], name) for name in ("key", "title", "layouts", "uses", "mutable")}
    recording = Recording(read_part(tmp_path / "toy.npz", 0), "now")
    runner = RecordingRunner({**side, "modes": ["eager"], "version": "", "where": ""}, recording)
    replayed = op(runner)
    replayed.answers, replayed.memory = {key: runner}, recording
    with monkeypatch.context() as patched:
        with_codes_for_sentences(patched)
        said, causes = asked(replayed, other, dtypes)
    assert (said, causes) == asked(live, other, dtypes)
    assert causes
    assert all(status != "no verdict" for _, _, status, _ in said)


@pytest.mark.slow
def test_todays_oracles_and_twins_are_those_of_then():
    """One op of each family, made by ``porting record swish lower_bound … -k vjp- --dtype float32 --dtype float64``."""
    ops = _recorded(PINNED)
    report = check(ops, keyword="-vjp-")
    assert {r.status for r in report.results} == {"agree"}, str(report)
    assert {(r.op, r.runner) for r in report.results} == {(op.name, runner) for op in ops for runner in RUNNERS}
    families = {registry.ops()[op.name].family for op in ops}
    assert families == {op.family for op in registry.ops().values()}


def _recorded(path):
    """Return the ops of a recording as the command has them."""
    return own.pair_of(parser().parse_args(["check", "--against", str(path)]))


def test_a_changed_formula_shows(tmp_path, monkeypatch):
    path = tmp_path / "op.npz"
    record("sin_squared", path, dtypes=["float64"], keyword="vjp")
    op = registry.ops()["sin_squared"]
    rule = op.rule
    monkeypatch.setitem(vars(op), "rule", lambda *args, **statics: rule(*args, **statics) * (1 + 1e-9))
    report = check(_recorded(path), runners=["oracle"], isolate=False, only=["vjp"])
    assert [r.status for r in report.results] == ["differ"]
    assert "differs from the oracle" in str(report.results[0])


def test_a_changed_contract_is_named(tmp_path, monkeypatch):
    from dataclasses import replace

    path = tmp_path / "op.npz"
    record("my_elementwise", path, dtypes=["float64"], keyword="-vjp-t")
    op = registry.ops()["my_elementwise"]
    monkeypatch.setitem(vars(op), "contract", replace(op.contract, domain={"x": (-1.0, 1.0)}))
    with pytest.raises(ValueError, match="my_elementwise has changed since \\(domain\\); record it again"):
        check(_recorded(path), runners=["oracle"], isolate=False)


THEIRS = """
import torch

def swish(x):
    return x * torch.sigmoid(x)

def noisy(x):
    return x * torch.sigmoid(x) + 1e-3 * torch.rand_like(x)

def refuses(x):
    if x.ndim != 1:
        raise ValueError("one axis is wanted")
    return x * x
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    (tmp_path / "theirs.py").write_text(THEIRS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_recorded_side_has_its_own_faults(folder):
    """It answers its own checks too: what it draws, what it raises."""
    inputs = {"x": array((..., "n"))}  # said: only a side that runs here has its inputs guessed
    for name, what in (("noisy", {"global_state"}), ("refuses", {"value", "vjp"})):
        record(Pair(torch=f"theirs.py:{name}", inputs=inputs), f"{name}.npz", dtypes=["float64"], isolate=False)
        pair = Pair(torch=f"theirs.py:{name}", against=f"{name}.npz")
        assert pair.sides == {"torch": f"theirs.py:{name}"}  # of one framework: the recording is the truth alone
        report = check(Pair(tf="theirs.py:swish", against=f"{name}.npz"), runners=["torch"], isolate=False)
        live = check(
            Pair(torch=f"theirs.py:{name}", inputs=inputs), runners=["torch"], dtypes=["float64"], isolate=False
        )
        wrong = {r.check for r in report.results if r.found}
        assert what <= wrong
        assert wrong == {r.check for r in live.results if r.found} or name == "noisy"  # which is seeded, live


def test_a_side_that_answers_differently_does_so_again():
    case = Case(None, "float64", {"x": np.ones(2)})
    told = iter([Outcome((np.zeros(1),)), Outcome((np.ones(1),)), Outcome((np.ones(1),))])
    recorder = Recorder()
    first, *others = [recorder.answer(case, lambda _: next(told), again=True) for _ in range(3)]
    assert recorder.answer(case, lambda _: next(told), again=False) is first
    recording = Recording(recorder, "now")
    assert [recording.answer(case) for _ in range(3)] == [first, others[0], others[0]]


@pytest.mark.slow
def test_the_same_framework_may_be_checked_against_its_past(folder):
    record(Pair(torch="theirs.py:swish"), "then.npz", dtypes=["float32", "float64"], isolate=False)
    right = check(Pair(torch="theirs.py:swish", against="then.npz"), isolate=False)
    assert {r.status for r in right.results} <= {"agree", "not applicable"}
    assert sum(r.compared for r in right.results) > 100_000


def test_what_was_not_asked_gets_no_verdict(folder):
    record(Pair(torch="theirs.py:swish"), "vjp.npz", dtypes=["float64"], keyword="-vjp-", isolate=False)
    report = check(Pair(torch="theirs.py:swish", against="vjp.npz"), only=["vjp", "large"], isolate=False)
    said = {r.check: (r.status, r.note) for r in report.results}
    assert said["vjp"] == ("agree", "")
    assert said["large"][0] == "no verdict"
    assert "has no tolerance for this case" in said["large"][1] or "has no answer" in said["large"][1]


def test_the_recorded_side_is_the_reference(folder):
    """Else its own faults would be taken back where the port contradicts itself."""
    record(Pair(torch="theirs.py:swish"), "r.npz", dtypes=["float64"], keyword="-vjp-", isolate=False)
    assert Pair(tf="theirs.py:swish", against="r.npz").reference == "torch"
    assert Pair(torch="theirs.py:swish", against="r.npz").reference is None  # its past is a third party


def test_several_seeds(folder):
    record(Pair(torch="theirs.py:swish"), "s.npz", dtypes=["float64"], keyword="-vjp-", seed=3, cases=2, isolate=False)
    pair = Pair(torch="theirs.py:swish", against="s.npz")
    assert pair.seeds == (3, 4)
    results = [check(pair, only=["vjp"], seed=seed, isolate=False).results[0] for seed in (None, 3, 4)]
    assert [(r.seed, r.status) for r in results] == [(3, "agree"), (3, "agree"), (4, "agree")]
    with pytest.raises(UsageError, match="recorded with seed 3, 4, not with 0"):
        check(pair, seed=0, isolate=False)


def test_a_recording_is_plain(folder):
    record(Pair(torch="theirs.py:swish"), "p.npz", dtypes=["float64"], keyword="-vjp-", isolate=False)
    with np.load("p.npz", allow_pickle=False) as members:
        assert all(members[name].dtype.kind in "iuf" for name in members.files)
        header = bytes(members["header"]).decode()
    assert '"inputs": ["x"]' in header
    assert zipfile.ZipFile("p.npz").testzip() is None
