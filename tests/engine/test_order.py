"""In worker processes, what takes long is begun first."""

from typing import ClassVar

from porting.engine import isolated
from porting.engine.devices import answer
from porting.parity.plan import Task
from porting.registry import ops


class Listening:
    """A pool that is told jobs, and runs none."""

    told: ClassVar = []

    def __init__(self, *_, **__): ...

    def __enter__(self):
        return self

    def __exit__(self, *_): ...

    def run(self, jobs, kinds, costs):
        self.told.append(dict(zip(kinds, costs, strict=True)))
        return iter(())


def test_ops_on_whole_arrays_come_first(monkeypatch):
    monkeypatch.setattr(isolated, "Pool", Listening)
    names = ["sin_squared", "sinkhorn"]
    tasks = [Task(ops()[n], c, "oracle", "cpu", "eager", "float64") for n in names for c in ("value", "vjp")]
    assert not list(isolated.run_isolated(tasks, 0, 2, 60, None))
    assert Listening.told[-1]["sinkhorn"] > Listening.told[-1]["sin_squared"] > 0


def test_more_checks_cost_more(monkeypatch):
    monkeypatch.setattr(isolated, "Pool", Listening)
    tasks = [Task(ops()["swish"], "value", "oracle", "cpu", "eager", "float64")]
    tasks += [Task(ops()["sin_squared"], c, "oracle", "cpu", "eager", "float64") for c in ("value", "vjp")]
    assert not list(isolated.run_isolated(tasks, 0, 2, 60, None))
    assert Listening.told[-1]["sin_squared"] > Listening.told[-1]["swish"]


def test_a_worker_says_the_devices():
    assert list(answer("oracle", lambda _: None)) == [{"cpu": None}]
