"""The measuring of the checker: peers, sums, exit codes, and what is lost with a process."""

import json
import os
import warnings

import pytest

from porting import registry
from porting.cli import main
from porting.parity import known
from porting.parity.checks import checks
from porting.parity.codes import CODES
from porting.runners import RUNNERS
from porting.selftest import correct, peers_tf, peers_torch, score, survival
from porting.selftest.correct import Correctness, OpRun
from porting.selftest.mutants import mutants
from porting.selftest.planted import Planted, right_toys
from porting.selftest.score import Rate, Score, Trial, peer_cases
from porting.selftest.spread import spread
from porting.selftest.survival import Survival, Verdict
from porting.selftest.toys import TOYS

needs_torch = pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="no PyTorch")
needs_tf = pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="no TensorFlow")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # gradcheck's own import of torch.jit


def right(backend, name):
    return next(op for op in right_toys(backend) if op.name == name)


def torch_sine(change):
    """A sine whose gradient is changed."""
    import torch

    class Sine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.sin(x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return change(torch.cos(x) * dy)

    return TOYS["sine"].bind(torch=Sine.apply)


def tf_sine(change):
    import tensorflow as tf

    @tf.custom_gradient
    def sine(x):
        return tf.sin(x), lambda dy: change(tf.cos(x) * dy)

    return TOYS["sine"].bind(tf=sine)


@needs_torch
class TestPeersOfTorch:
    def accused(self, op, seed=0):
        return {name for name, found in peers_torch.caught(peer_cases(op, seed), seed).items() if found}

    @pytest.mark.parametrize("name", ["sine", "take_rows", "sin_cos", "square", "power"])
    def test_right_toys_are_not_accused(self, name):
        assert self.accused(right("torch", name)) == set()

    def test_a_wrong_gradient_is(self):
        assert self.accused(torch_sine(lambda dx: 2 * dx)) == {"gradcheck fast", "gradcheck slow"}

    def test_a_detached_gradient_is_by_gradgradcheck(self):
        assert self.accused(torch_sine(lambda dx: dx.detach())) == {"gradgradcheck"}

    def test_raising_is_accusing(self):
        assert self.accused(torch_sine(lambda dx: 1 / 0)) == set(peers_torch.PEERS)

    def test_settings_are_put_back(self):
        import torch

        def careless(dx):
            torch.set_default_dtype(torch.float64)
            return dx

        before = RUNNERS["torch"].state()
        self.accused(torch_sine(careless), seed=3)
        assert RUNNERS["torch"].state() == before

    def test_complex_numbers_where_they_are_promised(self):
        real, turned = peer_cases(right("torch", "square"), 0)
        assert (real.inputs["x"].dtype, turned.inputs["x"].dtype) == ("float64", "complex128")
        assert len(peer_cases(right("torch", "sine"), 0)) == 1


@needs_tf
class TestPeerOfTensorFlow:
    def accused(self, op):
        return peers_tf.caught(peer_cases(op, 0), 0)["compute_gradient"]

    @pytest.mark.parametrize("name", ["take_rows", "sin_cos", "square", "power"])
    def test_right_toys_are_not_accused(self, name):
        assert not self.accused(right("tf", name))

    @pytest.mark.parametrize(("factor", "accused"), [(1.001, True), (1.00001, False), (float("nan"), True)])
    def test_the_bound(self, factor, accused):
        assert self.accused(tf_sine(lambda dx: factor * dx)) is accused

    def test_raising_is_accusing(self):
        assert self.accused(tf_sine(lambda dx: 1 / 0))

    def test_every_output_is_tried(self):
        import tensorflow as tf

        @tf.custom_gradient
        def sin_cos(x):  # the second cotangent is not used
            return (tf.sin(x), tf.cos(x)), lambda dy0, _: tf.cos(x) * dy0

        assert self.accused(TOYS["sin_cos"].bind(tf=sin_cos))


def trial(name="torch.a.B", seed=0, *, found=True, named=True, cause="wrong_sign", **more):
    causes = (cause, "other") if named else ("other", cause)
    return Trial("torch", name, "", seed, cause, causes, {"porting": found, "gradcheck slow": False}, **more)


class TestScore:
    def test_rate_counts_runs_and_names(self):
        trials = [trial("a", 0), trial("a", 1), trial("b", 0), trial("b", 1)]
        assert Rate.of(trials, [True, True, True, False]) == Rate(hits=3, runs=4, whole=1, names=2)
        assert Rate.of(trials, [True, True, True, False]).fraction == 0.75

    @pytest.mark.parametrize(
        ("trials", "code"),
        [
            ([trial(seed=k, named=k > 0) for k in range(10)], 0),
            ([trial(seed=k, named=k > 1) for k in range(10)], 1),
            ([trial(seed=k, found=k > 0) for k in range(10)], 1),
            ([trial(), trial(seed=1, error="crashed")], 3),
            ([], 5),
            ([trial("torch.right.cube", cause="", found=False)], 0),
            ([trial("torch.right.cube", cause="", found=True)], 1),
            ([trial(misled=True)], 1),
        ],
    )
    def test_exit_codes(self, trials, code):
        assert Score(tuple(trials)).exit_code == code
        assert Score(tuple(trials), interrupted=True).exit_code == 130

    def test_right_toys_count_as_false_alarms_only(self):
        toy = Trial("torch", "torch.right.cube", "", 0, "", (), {"porting": False, "gradcheck slow": True})
        outcome = Score((trial(), toy))
        assert outcome.detection["gradcheck slow"] == Rate(0, 1, 0, 1)
        assert outcome.false_alarms == {"porting": Rate(0, 1, 0, 1), "gradcheck slow": Rate(1, 1, 1, 1)}

    @needs_torch
    def test_a_fault_that_cannot_be_found_fails(self, monkeypatch, capsys):
        nothing = Planted("torch.made.Nothing", "torch", right("torch", "cube"), "wrong_sign", "nothing is wrong")
        monkeypatch.setattr(score, "_subjects", score._subjects.__wrapped__)  # what is planted is found once
        monkeypatch.setattr(score, "planted_faults", lambda _: [nothing])
        words = ["selftest", "--runner", "torch", "--seeds", "1", "-k", "made"]
        assert main.main(words) == 1
        out = capsys.readouterr().out
        assert "porting          finds planted faults in 0.0% of 1 runs; 0 of 1 with every seed" in out
        assert "nothing 1" in out  # named instead of wrong_sign

    @needs_torch
    def test_a_check_that_fails_is_an_internal_error(self, monkeypatch, capsys):
        def broken(*_, **__):
            raise ZeroDivisionError("our own fault")

        monkeypatch.setattr(score, "check", broken)
        assert main.main(["selftest", "--runner", "torch", "--seeds", "1", "-k", "formula.NoThree"]) == 3
        out = capsys.readouterr().out
        assert "internal error: torch.formula.NoThree, seed 0: ZeroDivisionError: our own fault" in out
        assert "0/1" in out

    @needs_tf
    def test_a_trial_has_all_that_is_asked(self):
        found = score.tried(("tf", "tf.formula.minus_cosine", 3))
        assert (found.seed, found.cause, found.named, found.error) == (3, "wrong_sign", True, "")
        assert found.caught == {"porting": True, "compute_gradient": True}
        assert score.tried(("tf", "tf.right.sine", 3)).caught == {"porting": False, "compute_gradient": False}

    @needs_torch
    def test_ctrl_c_leaves_what_was_done(self):
        def stop(_):
            raise KeyboardInterrupt

        outcome = score.score(["torch"], [0, 1], keyword="right.cube", on_result=stop)
        assert (outcome.interrupted, len(outcome.trials)) == (True, 1)


class TestSpread:
    @pytest.mark.slow
    def test_both_ways_do_all_jobs(self):
        for processes in (1, 2):
            assert set(spread(abs, [-1, -2, -3], processes, [], max)) == {1, 2, 3}

    def test_a_process_that_ends_loses_its_job_alone(self):
        said = list(spread(os._exit, [7, 0], 2, [], lambda job, how: (job, how)))
        assert sorted((job, how.partition(",")[0]) for job, how in said) == [
            (0, "the worker process left with exit code 0"),
            (7, "the worker process left with exit code 7"),
        ]

    def test_warnings_are_not_shown(self):
        with warnings.catch_warnings(record=True) as shown:
            assert list(spread(warnings.warn, ["careful"], 1, [], max)) == [None]
        assert shown == []


def verdict(way, number, killer):
    return Verdict(way, "torch", "cube", number, "twins.py", 1, "2 -> 3", killer)


@needs_torch
class TestSurvival:
    TWIN = ("oracle", "torch", "my_elementwise")

    def number(self, label):
        return next(m.number for m in survival._mutants("torch", "my_elementwise") if m.label == label)

    def test_killed_by_the_first_check_that_differs(self):
        swapped = self.number("return (dx1, dx2) -> return (dx2, dx1)")
        assert survival.judge((self.TWIN, swapped, (), 0)).killer == "vjp"
        alone = survival.judge((("alone", "torch", "my_elementwise"), swapped, (), 0))
        assert alone.killer in {"adjoint", "raw_gradient"}  # no other side to compare the vjp with
        assert alone.file == "torch_impl/published/my_elementwise.py"

    @needs_tf
    def test_a_pair_compares_with_the_other_framework(self):
        swapped = self.number("return (dx1, dx2) -> return (dx2, dx1)")
        assert survival.judge((("pair", "torch", "my_elementwise"), swapped, (), 0)).killer == "vjp"

    def test_what_accuses_the_right_twin_does_not_kill(self):
        swapped = self.number("return (dx1, dx2) -> return (dx2, dx1)")
        exempt = tuple((name, dtype, tuple(CODES)) for name in checks() for dtype in ("float64", "float32"))
        assert survival.judge((self.TWIN, swapped, exempt, 0)).killer == ""
        assert (
            survival.judge((self.TWIN, swapped, [e for e in exempt if e[:2] != ("value", "float32")], 0)).killer == ""
        )
        assert (
            survival.judge((self.TWIN, swapped, [e for e in exempt if e[:2] != ("vjp", "float32")], 0)).killer == "vjp"
        )

    def test_an_accepted_difference_accuses_the_right_twin(self):
        found = survival.check_right((("oracle", "torch", "my_activation"), 0))
        accepted = {
            e.check for e in known.load() if (e.op, e.runner) == ("my_activation", "torch") and e.check in checks()
        }
        assert {name for name, *_ in found.fails} == accepted

    def test_what_is_not_found_of_the_right_twin_kills(self):
        twin = ("oracle", "torch", "my_activation")
        fails = survival.check_right((twin, 0)).fails
        assert ("second_order", "float64", ("not_finite",)) in fails
        (detached,) = [m.number for m in mutants(registry.ops()[twin[2]], "torch") if m.label.endswith("(…).detach()")]
        assert survival.judge((twin, detached, fails, 0)).killer == "second_order"

    def test_every_check_has_its_turn_once_in_each_type(self):
        def of(mode, dtype, *, branches=False, **how):
            rounds = survival._rounds(branches=branches, **how)
            return sorted(name for m, d, names in rounds if (m, d) == (mode, dtype) for name in names)

        each = sorted(name for name, found in checks().items() if not found.once)
        for how in ({"graphs": True, "alone": False}, {"graphs": False, "alone": True}):
            assert of("eager", "float64", **how) == sorted(checks())
            assert of("eager", "float32", **how) == each
        assert of("function", "float64", graphs=True, alone=False) == sorted(checks())
        assert of("eager", "bfloat16", graphs=False, alone=False) == each
        assert not of("function", "float64", graphs=True, alone=True)
        for dtype in ("float64", "float32"):
            assert of("compiled formula", dtype, graphs=False, alone=False, branches=True) == sorted(checks())
            assert not of("compiled formula", dtype, graphs=False, alone=False)

    @pytest.mark.parametrize(
        ("survivors", "code"), [({"oracle": 1, "pair": 3}, 0), ({"oracle": 2}, 1), ({"pair": 4}, 1), ({"alone": 99}, 0)]
    )
    def test_exit_codes(self, survivors, code):
        verdicts = [
            verdict(way, k, "" if k < survivors.get(way, 0) else "vjp") for way in survival.WAYS for k in range(100)
        ]
        assert Survival(tuple(verdicts)).exit_code == code
        failed = Verdict("oracle", "torch", "cube", 100, "twins.py", 1, "2 -> 3", error="crashed")
        assert Survival((*verdicts, failed)).exit_code == 3
        assert Survival(tuple(verdicts), interrupted=True).exit_code == 130

    def test_a_mutant_that_crashes_us_is_shown(self, monkeypatch):
        monkeypatch.setattr(survival, "check", lambda *_, **__: {}[1])
        lost = survival.judge((self.TWIN, 0, (), 0))
        assert (lost.killer, lost.error.partition(" (")[0]) == ("", "KeyError: 1")


@needs_torch
class TestCorrect:
    def test_one_op_after_the_other_then_the_next_seed(self):
        outcome = correct.correct(["torch"], 3, seed=5, keyword="toys.s", jobs=1)
        names = [f"toys.{op.name}" for op in right_toys("torch") if op.name.startswith("s")]
        assert [(run.op, run.seed) for run in outcome.runs] == [(name, 5) for name in names[:3]]
        assert outcome.exit_code == 0, [run.messages for run in outcome.runs]
        assert all(run.compared > 100 and 0 < run.largest < 1 for run in outcome.runs)

    def test_what_differs_is_shown_and_fails(self, monkeypatch, capsys, tmp_path):
        wrong = torch_sine(lambda dx: 2 * dx)
        monkeypatch.setattr(correct, "right_toys", lambda _: [wrong])
        words = ["selftest", "--correct", "1", "--runner", "torch", "-k", "toys", "--json", str(tmp_path / "a.json")]
        assert main.main(words) == 1
        assert "gradient of x differs from the oracle" in capsys.readouterr().out
        (run,) = json.loads((tmp_path / "a.json").read_text())["runs"]
        assert run["op"] == "toys.sine"

    def test_exit_codes(self):
        fine = OpRun("torch", "cube", 0, compared=1)
        assert Correctness((fine,)).exit_code == 0
        assert Correctness((fine, OpRun("torch", "cube", 1, compared=1, messages=("wrong",)))).exit_code == 1
        assert Correctness((fine, OpRun("torch", "cube", 1, error="crashed"))).exit_code == 3
        assert Correctness(()).exit_code == 5
        assert Correctness((fine,), interrupted=True).exit_code == 130
