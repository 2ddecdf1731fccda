"""Functions as people write them, and as they are translated: to be read, and to be the same tomorrow."""

from pathlib import Path

import pytest
from judged import with_codes_for_sentences

from porting import array
from porting.port.discover import units_of
from porting.port.one import Checking, port
from porting.translate.module import Translator
from porting.translate.read.source import parse_source, read_source

_FOLDER = Path(__file__).parent / "golden"
_TO = {"torch": "tf", "tf": "torch"}
SINGLE = {"fast_sigmoid_spike", "guided_relu"}  # they have a type of their own
_TABLE, _NUMBERS = array((4, 3)), array((5,), dtype="int64", domain=range(4))
INPUTS = {
    "torch-gather_rows": {"table": _TABLE, "index": _NUMBERS},
    "tf-gather_rows": {"table": _TABLE, "indices": _NUMBERS},
}
SOURCES = [path for of in _TO for path in sorted((_FOLDER / of).glob("*.py"))]


def _id(path):
    return f"{path.parent.name}-{path.stem}"


def _name(path):
    """Return the gradient that a file is about: the last one."""
    return Translator(read_source(path), path.parent.name, _TO[path.parent.name]).gradients()[-1]


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_it_reads_as_it_should(path):
    of = path.parent.name
    made = Translator(read_source(path), of, _TO[of]).translate(_name(path))
    assert not made.refused
    assert made.text == (_FOLDER / f"{of}_to_{_TO[of]}" / path.name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_it_keeps_the_comments_and_docstrings(path):
    text = path.read_text(encoding="utf-8")
    of = path.parent.name
    made = Translator(parse_source(text, path), of, _TO[of]).translate(_name(path)).text
    lost = [line for line in text.splitlines() if "# " in line and line.partition("# ")[2] not in made]
    assert lost == []


def test_there_are_twenty_of_each():
    assert all(len(list((_FOLDER / of).glob("*.py"))) >= 20 for of in _TO)


@pytest.mark.slow
@pytest.mark.parametrize("path", SOURCES, ids=_id)
def test_it_is_proven_by_codes_alone(path, monkeypatch):
    with_codes_for_sentences(monkeypatch)
    of = path.parent.name
    (unit,) = [u for u in units_of(path, "", _TO[of]) if u.name == _name(path)]
    how = Checking(dtypes=() if path.stem in SINGLE else ["float64"], inputs=INPUTS.get(_id(path), {}))
    made = port(unit, how=how)
    assert made.status == "proven", made.said
