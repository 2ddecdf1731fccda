"""Reads the values of the plugin's options and ini keys, and refuses those that do not exist here."""

from collections.abc import Sequence

from porting.dtypes import FLOATS
from porting.parity.plan import ALIASES, DEVICES, UsageError
from porting.runners import RUNNERS
from porting.testing.answer import absent


def ensure_known(*, runners: Sequence[str], devices: Sequence[str], dtypes: Sequence[str]) -> None:
    """Refuse an unknown name.

    Raises
    ------
    UsageError
        If a name is unknown; the message lists the names that exist.
    """
    for what, names, choices in (
        ("runner", runners, tuple(RUNNERS)),
        ("device", devices, (*DEVICES, *ALIASES)),
        ("dtype", dtypes, FLOATS),
    ):
        for name in names:
            if name not in choices:
                raise UsageError(f"no {what} is called {name!r}; there are: {', '.join(choices)}")


def ensure_there(runners: Sequence[str], devices: Sequence[str]) -> None:
    """Refuse a runner or device that the command line asks for and that is not there: a skip would look like success.

    Raises
    ------
    UsageError
        If one is not there; the message says why.
    """
    missing = absent(runners)
    if missing:
        raise UsageError("; ".join(missing))
    usable = [key for key in runners or RUNNERS if key != "oracle" and not absent([key])]
    for device in dict.fromkeys(ALIASES.get(name, name) for name in devices):
        reasons = {key: RUNNERS[key].devices().get(device, "no such device") for key in usable}
        if device != "cpu" and all(reasons.values()):
            said = "; ".join(f"{key}: {reason}" for key, reason in reasons.items())
            raise UsageError(f"no device {device} here ({said or 'no framework runs'})")
