"""Writes the script with which a shell completes the command: commands, options, ops, families, files.

The script is made once and asks nobody: a shell that starts the command at each key would wait a fifth of a second.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from porting.errors import PortingError

_SHELLS: Final = ("bash", "zsh", "fish", "tcsh")


class CompletionError(PortingError):
    """The package that makes the script is not installed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    about = "print the script that completes commands, options and ops in this shell, and end"
    parser.add_argument("--completion", choices=_SHELLS, action=_Print, metavar="SHELL", help=about)


class _Print(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002 - argparse's protocol
        values: Any,
        option_string: str | None = None,  # noqa: ARG002 - likewise
    ) -> None:
        """Print the script, as ``--version`` prints the version."""
        print(script(parser, values))
        parser.exit()


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell.

    Raises
    ------
    CompletionError
        If shtab is not installed.
    """
    try:
        import shtab
    except ModuleNotFoundError:
        raise CompletionError('--completion needs shtab: pip install "gradport[completion]"') from None
    from porting import registry

    names = [*registry.families(), *registry.ops()]
    for action in _actions(parser):
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab's protocol
        elif str(action.metavar).startswith("OP"):  # of files, which it may be as well, the shell knows
            action.choices = names
    return str(shtab.complete(parser, shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of the command and of all commands in it."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask, and shtab asks so too
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - likewise
            for inner in action.choices.values():
                yield from _actions(inner)
        else:
            yield action
