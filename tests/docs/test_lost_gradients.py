"""The pages of the ops say in which modes a gradient is lost, and the way round, as docs/ops/lost.py writes it."""

import importlib.util
from pathlib import Path

from porting.parity.known import load
from porting.registry import ops

PAGES = Path(__file__).parents[2] / "docs" / "ops"


def script():
    spec = importlib.util.spec_from_file_location("lost", PAGES / "lost.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_page_says_in_which_modes_the_gradient_is_lost():
    lost = script()
    pages = {op: PAGES / op.family / f"{op.name}.md" for op in ops().values()}
    old = [op.name for op, page in pages.items() if page.read_text() != lost.written(op)]
    assert not old, f"python docs/ops/lost.py writes the pages of {', '.join(old)}"


def test_what_is_accepted_as_lost_stands_on_the_page():
    known = {d for d in load() if d.check in {"export", "make-fx", "compile-func", "vectorized-map-outside", "forward"}}
    assert len(known) > 100
    for each in known:
        page = (PAGES / ops()[each.op].family / f"{each.op}.md").read_text()
        assert f"`{each.check}`" in page.partition("## Where the gradient is lost")[2], each.key
