"""The pictures on the pages of the ops are drawn from the oracles, by docs/ops/draw.py."""

import importlib.util
from pathlib import Path

import pytest

from porting.registry import ops

PAGES = Path(__file__).parents[2] / "docs" / "ops"


def script():
    pytest.importorskip("matplotlib")
    spec = importlib.util.spec_from_file_location("draw", PAGES / "draw.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_picture_is_on_its_page_and_shows_value_and_gradient():
    draw = script()
    drawn = {op for op in ops().values() if draw.drawable(op)}
    assert len(drawn) > 20
    for op in drawn:
        assert f"]({op.name}.svg)" in (PAGES / op.family / f"{op.name}.md").read_text(), op.name
        picture = (PAGES / op.family / f"{op.name}.svg").read_text()
        assert ">y<" in picture
        assert ">dx for dy = 1<" in picture
    assert {p.stem for p in PAGES.glob("*/*.svg")} == {op.name for op in drawn}


@pytest.mark.slow
def test_pictures_are_what_the_script_draws(tmp_path):
    draw = script()
    for op in ops().values():
        if draw.drawable(op):
            assert draw.save(op, tmp_path).read_bytes() == (PAGES / op.family / f"{op.name}.svg").read_bytes(), op.name
