"""Write a saved result of `porting check --json` as one HTML page that can be sent to anybody."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from porting.errors import PortingError
from porting.files import OutputError, ensure_writable, write

if TYPE_CHECKING:
    from porting.parity.report import Report

_NONE: Final = "is no result of `porting check --json FILE`, which is wanted"
_LARGEST: Final = 512  # MiB of a result: that of the whole catalogue has some ten


class ResultError(PortingError):
    """A file is no result of a check."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting report``."""
    add = parser.add_argument
    add("result", type=Path, metavar="RESULT.json", help="what `porting check --json RESULT.json` wrote")
    add("-o", type=Path, required=True, dest="output", metavar="FILE", help="the page to write")


def run(args: argparse.Namespace) -> int:
    """Read the result, write the page.

    Raises
    ------
    PortingError
        If the file is no result, the page cannot be written there, or jinja2 is missing.
    """
    from porting.report.html.check import page
    from porting.report.html.environment import ensure_templates

    ensure_templates("porting report")
    ensure_writable(args.output, "-o")
    if args.output.exists() and args.result.exists() and args.output.samefile(args.result):
        raise OutputError(f"-o {args.output}: is the result itself; give another file")
    write(args.output, page(_read(args.result)), "-o")
    return 0


def _read(path: Path) -> "Report":
    from porting.parity.report import Report

    try:
        if path.stat().st_size > _LARGEST << 20:
            raise ResultError(f"{path}: {_NONE} (it is larger than {_LARGEST} MiB)")
        return Report.from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{path}: {_NONE} ({error})") from None
