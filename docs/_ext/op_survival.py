"""The row of an op in a saved result of `porting survive`: ``sphinx-build -D survival_result=FILE …``."""

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.util import logging

from porting.backends import BACKENDS
from porting.spec import Op
from porting.survive.matrix import SCHEMA

_LOG: Final = logging.getLogger(__name__)
_MARKS: Final = {"kept": "✓", "lost silently": "✗", "refused": "!", "not applicable": "·"}
_ACCEPTED: Final = ("≈", "accepted loss")


class SurvivalError(ValueError):
    """A file is no result of `porting survive`; the message names it."""


@cache
def cells(file: str) -> tuple[dict[str, Any], ...]:
    """Read the cells of a result.

    Raises
    ------
    SurvivalError
        If the file is not there, or is no such result.
    """
    wanted = f"`porting survive --json FILE` writes a result of schema {SCHEMA}"
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8"))
        found, known = tuple(data["cells"]), data["schema"] == SCHEMA
        known = known and all(cell["fate"] in _MARKS and cell["op"] and cell["mode"] for cell in found)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SurvivalError(f"survival_result={file}: {error!r}; {wanted}") from error
    if not known:
        raise SurvivalError(f"survival_result={file}: its schema is {data['schema']!r}, or a cell is none; {wanted}")
    return found


def row(op: Op, file: str) -> str:
    """Return the row of an op as HTML, a line for each framework; nothing if there is no result."""
    mine = [cell for cell in cells(file) if cell["op"] == op.name] if file else []
    lines = []
    for key, backend in BACKENDS.items():
        marks = "".join(_cell(cell) for cell in mine if cell["runner"] == key)
        if marks:
            lines.append(f'<dt>{backend.title}</dt><dd><ul class="modes">{marks}</ul></dd>')
    meant = ", ".join(f"{mark} {word}" for word, mark in {**_MARKS, _ACCEPTED[1]: _ACCEPTED[0]}.items())
    return f'<dl class="survival">{"".join(lines)}</dl>\n\n{meant}.\n\n' if lines else ""


def _cell(cell: dict[str, Any]) -> str:
    mark, word = _ACCEPTED if cell.get("accepted") else (_MARKS[cell["fate"]], cell["fate"])
    said = f'<span aria-hidden="true">{mark}</span><span class="said">{word}:</span> {escape(cell["mode"])}'
    return f'<li class="{word.replace(" ", "-")}" title="{word}">{said}</li>'


def look(app: Sphinx) -> None:
    """Warn of a file that is no result, and leave it out."""
    file = app.config.survival_result
    try:
        if file:
            cells(file)
    except SurvivalError as error:
        _LOG.warning("%s", error)
        app.config.survival_result = ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.add_config_value("survival_result", "", "env", types=frozenset({str}))
    app.connect("builder-inited", look)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
