"""Which numbers that a function reads may change between two calls: those that its file sets again."""

import sys

import pytest

from porting.runners.changeable import changeable

SOURCE = """
SET = 2.5
FIXED = 3.0
FLAG = True
TABLE = {"k": 1.0, "name": "a"}


def anneal():
    global SET, FLAG
    SET *= 2
    FLAG = False


class Slopes:
    now = 1.5
    always = 0.5


def sharpen():
    Slopes.now = 3.0


class Context:
    pass


def forward(ctx, c):
    ctx.c = c


class Layer:
    def __init__(self):
        self.k = 2.0
        self.c = 4.0

    def call(self, x):
        return x * self.k * self.c

    def step(self):
        self.k *= 0.5


def spike(x):
    return x * SET * FIXED * FLAG * TABLE["k"] * Slopes.now * Slopes.always


layer = Layer()
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "annealed.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    import annealed

    yield annealed
    del sys.modules["annealed"]


def test_what_a_function_of_the_same_file_sets_again(module):
    found = {name: container[key] for name, container, key in changeable(module.spike)}
    assert found == {"TABLE['k']": 1.0, "SET": 2.5, "Slopes.now": 1.5}


def test_attributes_of_an_object_set_outside_of_its_construction(module):
    found = {name: container[key] for name, container, key in changeable(module.layer)}
    assert found == {"Layer.k": 2.0}
    ((_, container, key),) = changeable(module.layer)
    container[key] = 5.0
    assert module.layer.k == 5.0


def test_without_a_source_nothing_is_known_to_change():
    namespace = {}
    exec(compile(SOURCE, "typed in", "exec"), namespace)  # noqa: S102 - as in a notebook that is gone
    assert [name for name, _, _ in changeable(namespace["spike"])] == ["TABLE['k']"]


LEAST = {float: 1e-5, int: 4.0}
STEPS = {0: 1.0}


def count():
    STEPS[0] += 1


def held(x):
    return x * LEAST[float] * STEPS[0]


def test_a_table_by_types_is_no_setting_and_one_that_is_set_again_is():
    assert [name for name, _, _ in changeable(held)] == ["STEPS[0]"]
