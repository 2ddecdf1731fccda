"""The options ``--save`` and ``--compare``: a run is saved under a name, and compared with one that was."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from porting.report.saved import STORAGE, HistoryError, Saved, ensure_savable, latest, save


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add = parser.add_argument
    add("--save", metavar="NAME", help="save the run under this name, with the next number")
    add("--compare", metavar="NAME", help="say what has changed since the run that was saved last under this name")
    add("--storage", type=Path, default=STORAGE, metavar="FOLDER", help=f"where runs are saved ({STORAGE}, here)")


def before(args: argparse.Namespace, kind: str) -> Saved | None:
    """Return the run to compare with, if one is asked for, and make sure that this one can be saved.

    Raises
    ------
    PortingError
        If it is not there, or the name or the folder cannot be used.
    """
    if args.save:
        ensure_savable(args.storage, kind, args.save)
    return latest(args.storage, kind, args.compare) if args.compare else None


def told(then: Saved | None, compared: Callable[[str, str], Iterable[str]]) -> list[str]:
    """Return the lines on what has changed.

    Parameters
    ----------
    then : Saved, optional
        The run to compare with.
    compared : callable
        Of the earlier run's text and title: the lines.

    Raises
    ------
    HistoryError
        If what is saved is no such run.
    """
    if then is None:
        return []
    try:
        return list(compared(then.text, then.title))
    except ValueError as error:
        raise HistoryError(f"--compare: {then.title}: {error}") from None


def keep(args: argparse.Namespace, kind: str, text: str, *, interrupted: bool) -> str:
    """Save a run if that is asked for, and say where; one that was interrupted is not."""
    if not args.save:
        return ""
    if interrupted:
        return f"not saved as {args.save}: the run was interrupted"
    return f"saved as {save(args.storage, kind, args.save, text)}"
