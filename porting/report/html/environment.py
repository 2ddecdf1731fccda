"""Templates: jinja2, which the extra `report` brings; everything is escaped unless it was made as HTML here."""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from porting.errors import PortingError

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


class TemplateError(PortingError, ImportError):
    """What templates need is not installed."""


def ensure_templates(option: str) -> None:
    """Refuse before the work what could not be written after it.

    Parameters
    ----------
    option : str
        What the user gave, for the message: ``--html``.

    Raises
    ------
    TemplateError
        If jinja2 is not installed.
    """
    if find_spec("jinja2") is None:
        raise TemplateError(f'{option} needs jinja2: pip install "gradport[report]"')


def rendered(template: str, **names: Any) -> str:
    """Return a template filled in; it raises where it uses a name that is not given."""
    return _environment().get_template(template).render(**names)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {"prose": _prose, "parted": _parted}
    return made


def _prose(text: str) -> "Markup":
    """Return a text with options of the command as code: a line must not end within one."""
    from markupsafe import Markup, escape

    return Markup(_OPTION.sub(r'<code class="option">\g<0></code>', str(escape(text))))  # noqa: S704 - escaped


def _parted(name: str) -> "Markup":
    """Return a name that a narrow column may break after each underscore."""
    from markupsafe import Markup, escape

    return Markup(str(escape(name)).replace("_", "_<wbr>"))  # noqa: S704 - escaped
