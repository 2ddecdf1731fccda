"""What a run is computed from: bytes, ratios, noise, growth, sizes, shapes."""

import numpy as np
import pytest

from porting.bench.floor import Floor
from porting.bench.growth import exponent, iteration_static
from porting.bench.measure import differs
from porting.bench.problem import layout, problem
from porting.bench.ratio import NOISY, noise, ratio, spread
from porting.bench.rounds import interleaved
from porting.bench.run import expected_seconds
from porting.bench.size import parse_size, written_size
from porting.registry import ops
from porting.selftest.toys import TOYS


class Counting:
    """A kit that counts bytes instead of moving them."""

    def __init__(self):
        self.read_bytes = self.written_bytes = 0

    def empty(self, n):
        return np.empty(n, np.float32)

    def copy(self, to, x):
        assert len(to) == len(x)
        self.read_bytes += x.nbytes
        self.written_bytes += to.nbytes

    def add(self, to, x1, x2):
        assert len(to) == len(x1) == len(x2)
        self.read_bytes += x1.nbytes + x2.nbytes
        self.written_bytes += to.nbytes

    def read(self, x):
        self.read_bytes += x.nbytes

    def fill(self, to):
        self.written_bytes += to.nbytes


@pytest.mark.parametrize(
    ("inputs", "outputs", "gradients", "each"),
    [(1, 1, 1, 20), (2, 1, 2, 32), (1, 2, 1, 28), (1, 0, 1, 12), (3, 1, 0, 32), (1, 3, 2, 40)],
)
def test_the_floor_moves_what_must_move(inputs, outputs, gradients, each):
    n, kit = 1000, Counting()
    floor = Floor(4 * n * inputs, 4 * n * outputs, 4 * n * gradients, kit)
    assert floor.bytes == each * n
    kit.read_bytes = kit.written_bytes = 0
    floor.forward()
    assert (kit.read_bytes, kit.written_bytes) == (4 * n * inputs, 4 * n * outputs)
    floor.backward()
    assert kit.read_bytes == 4 * n * (2 * inputs + outputs)
    assert kit.written_bytes == 4 * n * (outputs + gradients)


def test_ratio_is_within_the_round():
    slow_machine = [1.0, 1.0, 10.0, 10.0, 1.0]
    found = ratio([2 * t for t in slow_machine], slow_machine)
    assert (found.median, found.low, found.high) == (2, 2, 2)
    assert spread([1, 2, 3, 4, 5]).median == 3
    assert spread([1, 2, 3, 4, 5]).relative == pytest.approx(2 / 3)
    assert spread([7.0]).relative == 0


def test_noise_gives_no_verdict():
    calm, wild = [1.0, 1.01, 0.99, 1.0, 1.02], [1.0, 2.0, 0.5, 3.0, 1.0]
    assert noise(calm, ratio(calm, calm)) == ""
    assert "floor itself varied" in noise(wild, ratio(wild, wild))
    assert "the ratio varied" in noise(calm, ratio(wild, calm))
    assert f"{NOISY:.0%} allowed" in noise(calm, ratio(wild, calm))
    assert noise(wild, ratio(wild, wild), limit=10) == ""


def test_rounds_are_interleaved_and_within_the_budget():
    order, now = [], [0.0]

    def step(name):
        def run():
            order.append(name)
            now[0] += 1.0

        return run

    times = interleaved({"a": step("a"), "b": step("b")}, 12, budget=14.0, clock=lambda: now[0])
    assert {name: len(found) for name, found in times.items()} == {"a": 7, "b": 7}
    assert set(times["a"]) == {1.0}
    assert order[4:] == list("abbaabbaabbaab")


def test_short_calls_are_repeated_within_a_measurement():
    now = [0.0]

    def step():
        now[0] += 1e-4

    (times,) = interleaved({"a": step}, 3, clock=lambda: now[0]).values()
    assert times == pytest.approx([1e-4] * 3)
    assert now[0] == pytest.approx(1e-4 * (2 + 3 * 10), rel=0.1)


@pytest.mark.parametrize("p", [0, 0.5, 1, 2])
def test_exponent(p):
    assert exponent({n: 3.0 * n**p for n in (10, 20, 40)}) == pytest.approx(p)


def test_sizes():
    assert [parse_size(text) for text in ("2^10", "65536", " 1")] == [1024, 65536, 1]
    assert [written_size(n) for n in (1024, 1000)] == ["2^10", "1000"]
    for text in ("0", "-1", "2^", "x", "1.5", "2^100", ""):
        with pytest.raises(ValueError, match="is no size"):
            parse_size(text)


@pytest.mark.parametrize("op", [*ops().values(), *TOYS.values()], ids=lambda op: op.name)
def test_inputs_have_about_the_size_that_is_asked_for(op):
    for size in (2**10, 2**12):
        found = problem(op, size, "float32")
        assert size / 70 <= found.elements <= size
        assert set(found.inputs) == set(op.inputs)


def test_layouts():
    assert layout(TOYS["mean_square"], 2**12) == ((64, 1), (64,))
    assert layout(TOYS["mean_square"], 2**4) == ((1, 1), (16,))
    assert layout(TOYS["cube"], 2**12)[0] == (2**12,)
    assert layout(TOYS["matmul"], 2**12)[1] == (64, 64, 64)
    assert layout(TOYS["self_product"], 2**14)[1] == (128,)


def test_signs_are_random():
    x = problem(ops()["sin_squared"], 2**12, "float32").inputs["x"]
    assert 0.4 < (x > 0).mean() < 0.6
    assert 0.4 < (x[1:] * x[:-1] > 0).mean() < 0.6


def test_another_function_is_not_compared():
    x = np.linspace(-1, 1, 4096, dtype=np.float32)
    assert differs([x], [x * (1 + 1e-6)], "float32") == ""
    assert "in 100.0% of its elements (number 0)" in differs([x + 1], [x], "float32")
    stray = x.copy()
    stray[:3] = 9
    assert differs([stray], [x], "float32") == ""
    assert "shape [4096], the twin [64, 64]" in differs([x], [x.reshape(64, 64)], "float32")
    assert "2 outputs and gradients, the twin 1" in differs([x, x], [x], "float32")
    assert differs([x * np.nan], [x], "float32")


def test_iterations_are_found_by_name():
    with_iterations = {op.name for op in ops().values() if iteration_static(op)}
    assert with_iterations <= {op.name for op in ops().values() if op.family == "implicit"}


def test_what_larger_sizes_will_take():
    assert expected_seconds([], 2**22) == 0
    assert expected_seconds([(2**10, 0.01)], 2**16) == pytest.approx(0.64)  # at most: a call's own cost counts as work
    call, each = 0.01, 1e-7
    known = [(n, call + each * n) for n in (2**10, 2**16)]
    assert expected_seconds(known, 2**22) == pytest.approx(call + each * 2**22)
