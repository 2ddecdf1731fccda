"""What fresh processes of both frameworks share: the time they have, and how their failures are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from porting.workers.pool import Ended

_allowed = [120.0]


class FreshProcessError(Exception):
    """What was raised in the fresh process, under the same name; or the process died."""


@dataclass(frozen=True)
class Failed:
    """An exception in a fresh process: its stage, type and message, and in what it waited for another process."""

    stage: str
    type: str
    message: str
    during: str = ""


def allow(seconds: float) -> None:
    """Say how long a fresh process may take for an answer: less than who asks has, so that he can tell of it."""
    _allowed[:] = [seconds]


def allowed() -> float:
    """Return how many seconds a fresh process may take for an answer."""
    return _allowed[0]


def told(end: Ended) -> str:
    """Return how a process ended, for people."""
    return f"{end.how}, in {end.stage}" + (f", at {end.where}" if end.where else "")


def raise_failed(asked: Any, said: Failed) -> NoReturn:
    """Raise here, in the stage in which it was raised there, what a fresh process said."""
    asked.stage = said.stage
    raise type(said.type, (FreshProcessError,), {})(said.message)
