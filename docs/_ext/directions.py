"""Shows what stands in both frameworks as tabs, one for each direction: the old side first, then the new one.

The pages stay plain Markdown. Of `guide/porting` each snippet is divided into what uses PyTorch only and what uses
TensorFlow only, and the map has its columns in either order. On all pages, blocks below **PyTorch** and **TensorFlow**
become tabs.
"""

import re
from collections.abc import Iterator
from typing import Final

from halves import halves
from sphinx.application import Sphinx

_GUIDE: Final = "guide/porting"
_TITLES: Final = {"torch": "PyTorch", "tf": "TensorFlow"}
_WAYS: Final = (("tf", "torch"), ("torch", "tf"))  # from, to
_MAP: Final = re.compile(r"^\| concept \| PyTorch \| TensorFlow \| the trap \|\n(?:\|.*\n)+", re.MULTILINE)
_SNIPPET: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BLOCK: Final = r"\*\*(?:PyTorch|TensorFlow)\*\*\n\n(?:<!-- .* -->\n)?```.*\n(?:.*\n)*?```\n"
_BLOCKS: Final = re.compile(rf"^{_BLOCK}\n{_BLOCK}", re.MULTILINE)


def read(_: Sphinx, docname: str, source: list[str]) -> None:
    """Put tabs in place of what is to be shown in either direction."""
    if docname == _GUIDE:
        source[0] = _MAP.sub(lambda found: _tabs(dict(_maps(found[0]))), source[0])
        source[0] = _SNIPPET.sub(lambda found: _snippet(found[1]) or found[0], source[0])
    source[0] = _BLOCKS.sub(lambda found: _tabs(_labelled(found[0]), together=False), source[0])


def _tabs(items: dict[str, str], *, together: bool = True) -> str:
    """Return tabs; of those that go together, choosing one chooses all of its title."""
    shown = (
        f":::{{tab-item}} {title}\n{f':sync: {title}' if together else ''}\n\n{text.rstrip()}\n:::\n"
        for title, text in items.items()
    )
    return "::::{tab-set}\n\n" + "\n".join(shown) + "::::\n"


def _labelled(text: str) -> dict[str, str]:
    parts = re.split(r"(?m)^\*\*(PyTorch|TensorFlow)\*\*\n\n", text)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _maps(table: str) -> Iterator[tuple[str, str]]:
    rows = [re.split(r" \| ", line.strip("| \n")) for line in table.strip().splitlines()[2:]]
    for old, new in _WAYS:
        head = f"| concept | {_TITLES[old]}, old | {_TITLES[new]}, new | the trap |\n|---|---|---|---|"
        lines = (
            f"| {concept} | {tf if old == 'tf' else torch} | {torch if old == 'tf' else tf} | {trap} |"
            for concept, torch, tf, trap in rows
        )
        yield _title(old, new), "\n".join([head, *lines])


def _title(old: str, new: str) -> str:
    return f"{_TITLES[old]} → {_TITLES[new]}"


def _snippet(code: str) -> str:
    """Return the tabs of a snippet; nothing if it has one framework only."""
    sides = halves(code)
    if not all(sides.values()):
        return ""
    items = {
        _title(old, new): "\n\n".join(
            f"```{{code-block}} python\n:caption: {_TITLES[key]}, {age}\n\n{sides[key]}\n```"
            for key, age in ((old, "old"), (new, "new"))
        )
        for old, new in _WAYS
    }
    return _tabs({**items, "Both, with the proof": f"```python\n{code}```"}).rstrip()


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
