"""The pictures on the pages of the ops are drawn from the oracles, and from what was measured of the twins."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from porting.registry import ops
from porting.runners import RUNNERS

PAGES = Path(__file__).parents[2] / "docs" / "ops"
NEWER = 3  # ops that need not be measured yet


@pytest.fixture
def script(monkeypatch):
    """Import one of docs/ops."""
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(PAGES)
    return import_module


def test_each_picture_is_on_its_page_and_shows_value_and_gradient(script):
    draw = script("draw")
    drawn = {op for op in ops().values() if draw.drawable(op)}
    assert len(drawn) > 20
    for op in drawn:
        assert f"]({op.name}.svg)" in (PAGES / op.family / f"{op.name}.md").read_text(), op.name
        picture = (PAGES / op.family / f"{op.name}.svg").read_text()
        assert ">y<" in picture
        assert ">dx for dy = 1<" in picture
        assert (op.name in draw.errors()) == (">error of dx in float32, ulp<" in picture), op.name
    assert set(draw.errors()) <= {op.name for op in drawn}
    assert len(draw.errors()) >= len(drawn) - NEWER
    assert {p.stem for p in PAGES.glob("*/*.svg")} == {op.name for op in drawn}


@pytest.mark.slow
def test_pictures_are_what_the_script_draws(tmp_path, script):
    draw = script("draw")
    for op in ops().values():
        if draw.drawable(op):
            assert draw.save(op, tmp_path).read_bytes() == (PAGES / op.family / f"{op.name}.svg").read_bytes(), op.name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["softsign", "ste_clamp", "safe_sqrt"])
def test_the_twins_are_as_far_off_as_the_pictures_show(name, script):
    for key in ("torch", "tf"):
        if reason := RUNNERS[key].missing():
            pytest.skip(reason)
    shown, measured = script("draw").errors()[name], script("measure_errors").measure(ops()[name])
    for key, arrays in measured.items():
        for array, units in arrays.items():
            now, then = np.array(units, dtype=float), np.array(shown[key][array], dtype=float)
            assert now.shape == then.shape
            assert np.nanmax(np.abs(now - then)) <= 2, (key, array)  # another processor rounds otherwise


def test_errors_are_counted_in_units_of_the_last_place(script):
    largest, stretches = script("measure_errors")._largest, script("measure_errors").STRETCHES
    want = np.ones(stretches * 16)
    got = want.astype(np.float32)
    got[5], got[16], got[35] = np.nextafter(np.float32(1), np.float32(2)), 1 + 3 * 2.0**-23, np.nan
    want[48:64] = np.inf
    assert largest(got, want)[:5] == [1, 3, 1e9, None, 0]
