"""A verdict table as an SVG picture, made by the command itself."""

import re
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from porting.files import write

if TYPE_CHECKING:
    from rich.console import RenderableType


def write_svg(path: Path, title: str, *parts: "RenderableType") -> None:
    """Write what a terminal of 88 columns shows; the picture asks no other host for fonts."""
    from rich.console import Console
    from rich.terminal_theme import MONOKAI

    console = Console(record=True, width=88, file=StringIO(), force_terminal=True, color_system="truecolor")
    for part in parts:
        console.print(part)
    svg = console.export_svg(title=title, theme=MONOKAI, unique_id="porting")
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    write(path, svg, "--svg")
