"""The argument `check` of a test: calling it runs one check. Nothing heavy is imported before that."""

import warnings
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from porting.parity.plan import Task


class Check:
    """One check of one op on one runner, device, mode and type. Calling it runs it.

    Attributes
    ----------
    properties : dict
        What the test's report says about the last call.
    """

    def __init__(self, task: "Task", side: "tuple[Task, ...]", seed: int, accepted: str) -> None:
        self.task = task
        self.side = side
        self.seed = seed
        self.accepted = accepted
        self.properties: dict[str, str | float] = {}

    def __repr__(self) -> str:
        return f"<check {self.task.id}>"

    def __call__(self) -> None:
        """Raise `AssertionError` if something differs; warn if it may be meant so; skip if nothing can be said."""
        __tracebackhide__ = True
        from porting.testing.answer import answer

        found = answer(self.task, self.side, self.seed, self.accepted)
        self.properties = found.properties
        if found.status == "wrong use":
            pytest.fail(found.text, pytrace=False)
        if found.status in {"no verdict", "not applicable"}:
            pytest.skip(found.text)
        if found.status == "note":
            warnings.warn(found.text, stacklevel=2)
        elif found.text:
            raise AssertionError(found.text)
