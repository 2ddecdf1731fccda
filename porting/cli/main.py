"""Entry point: parses, runs one command, and turns every error that is the user's into one line and exit code 2."""

import argparse
import atexit
import logging
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from porting import __version__
from porting.backends import PACKAGES
from porting.cli import (
    bench,
    check,
    completion,
    explain,
    init,
    new,
    overview,
    record,
    selftest,
    show,
    streams,
    survive,
    train,
    translate,
)
from porting.cli import list as listing
from porting.cli import report as reporting
from porting.errors import PortingError

_DESCRIPTION = "Port custom gradients between PyTorch and TensorFlow, and prove the port."
_OURS = "porting: this is a fault of porting itself; please report it with the lines above"
_ENVIRONMENT: Final = {
    "TF_ENABLE_ONEDNN_OPTS": "0", "TF_CPP_MIN_LOG_LEVEL": "1", "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1",
}  # fmt: skip
_DOCUMENTS: Final = ("json", "junitxml", "html", "svg", "markdown")  # that may go to standard output, as `-`
_EPILOG = """without a command: a table of all ops on the installed backends

exit codes: 0 agree, 1 differ, 2 wrong use, 3 internal error, 5 nothing compared, 130 interrupted"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong."""
        self.exit(2, f"{self.prog}: {message}{'' if message.endswith('?') else ';'} see `{self.prog} --help`\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a command that is not there by the name of the nearest one: argparse lists them all."""
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:  # noqa: SLF001 - see above
            near = get_close_matches(value, action.choices, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(action.choices)}"
            self.error(f"no command is called {value!r}; {hint}")
        super()._check_value(action, value)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    root = _Parser(
        "porting", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    root.add_argument("-V", "--version", action="version", version=f"gradport {__version__}")
    completion.add_arguments(root)
    overview.add_arguments(root)
    root.set_defaults(run=overview.run)
    commands = root.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    own = (listing, show, check, reporting, survive, init, record, translate, bench, explain, selftest, train, new)
    for module in own:
        name = module.__name__.rpartition(".")[2]
        about = (module.__doc__ or "").strip().splitlines()[0]
        command = commands.add_parser(name, help=about, description=about)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return root


def script() -> NoReturn:
    """Run the command as a program, and end.

    At its end Python clears every module, which takes a quarter of the time of importing the frameworks. This function
    runs what was registered for the exit, and skips the rest.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)
    streams.outlive_readers()
    code = main()
    if PACKAGES.keys().isdisjoint(sys.modules):
        sys.exit(code)
    atexit._run_exitfuncs()  # noqa: SLF001 - what Python itself calls
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # the reader has gone, or it is closed
            stream.flush()
    os._exit(code)


def _interrupt(*_: object) -> NoReturn:
    """End as Ctrl-C does, with what was done so far; ``timeout`` sends its signal twice."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the program's name; ``sys.argv`` when not given.
    """
    # For this process only: TensorFlow's start-up noise, its rounding order, and one thread, which is what small
    # arrays want (with busy neighbours a second thread makes an op 400 times slower).
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    for package in PACKAGES:
        logging.getLogger(package).setLevel(logging.ERROR)  # each case is traced on its own: no news to a user
    streams.prepare()
    try:
        args = parser().parse_args(arguments)
        with streams.apart({f"--{name}": getattr(args, name, None) for name in _DOCUMENTS}):
            code: int = args.run(args)
        sys.stdout.flush()
    except PortingError as error:
        print(f"porting: {error}", file=sys.stderr)
        if not error.internal:
            return 2
        print(_OURS, file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("porting: interrupted", file=sys.stderr)
        return 130
    except Exception:  # noqa: BLE001 - ours, not the user's: shown in full
        traceback.print_exc()
        print(_OURS, file=sys.stderr)
        return 3
    return code
