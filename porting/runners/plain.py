"""A runner for a plain composition, differentiated by its own framework: the truth for what replaces it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from porting.runners.base import Case, Outcome
    from porting.runners.protocol import Runner
    from porting.spec import Op


class PlainRunner:
    """Another runner that runs this function in place of the op's twin; everything else is unchanged.

    Parameters
    ----------
    runner : Runner
        The runner of the framework that the function is written in.
    function : callable
        A twin: it takes the inputs by position and the statics by name.
    name : str
        Its name in reports.
    """

    def __init__(self, runner: Runner, function: Callable[..., Any], name: str) -> None:
        self._runner = runner
        self.function = function
        self._bound: tuple[Op, Op] | None = None
        self.title = name

    def __getattr__(self, name: str) -> Any:
        """Return what the other runner has."""
        return getattr(self._runner, name)

    def run(self, case: Case) -> Outcome:
        """Answer a case with the plain function."""
        if self._bound is None or self._bound[0] is not case.op:
            self._bound = case.op, case.op.bind(**{self._runner.key: self.function})
        return self._runner.run(replace(case, op=self._bound[1]))
