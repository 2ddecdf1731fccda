"""How a notebook shows an object of ours: as the part `report` draws it, which is above all that has such objects.

So this asks for it by name, and only when somebody looks.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

_DRAWN: Final = "porting.report.html.shown"


def html_of(thing: Any) -> str | None:
    """Return a report, an op or a pair as HTML; `None`, for which a notebook shows the text, without jinja2."""
    if find_spec("jinja2") is None:
        return None
    found: str | None = import_module(_DRAWN).shown(thing)
    return found
