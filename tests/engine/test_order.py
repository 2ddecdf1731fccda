"""In worker processes, what takes long is begun first, and the devices are asked once."""

import sys
from typing import ClassVar

from porting.engine import devices
from porting.engine import isolate as isolated
from porting.engine.devices import answer
from porting.parity.plan import Task
from porting.registry import ops
from porting.runners import RUNNERS


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


def test_the_devices_are_asked_once(monkeypatch):
    started = []

    class Answering(Listening):
        def run(self, jobs):
            started.append(jobs)
            return iter([(0, {"cpu": None})])

    monkeypatch.setattr(devices, "Pool", Answering)
    monkeypatch.setattr(devices, "_known", {})
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    asked = [RUNNERS["oracle"], RUNNERS["torch"]]
    for _ in range(2):
        assert devices.devices_elsewhere(asked) == {runner: {"cpu": None} for runner in asked}
    assert started == [["torch"]]


def test_a_worker_says_the_devices():
    assert list(answer("oracle", lambda _: None)) == [{"cpu": None}]
