"""The pytest plugin: a test for each check of an op or a pair; ``--porting`` and ``--porting-pairs`` need no test file.

Loading it loads no framework, and not even NumPy.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from porting.errors import PortingError
from porting.testing.asked import Asked
from porting.testing.check import Check

if TYPE_CHECKING:
    from porting.pairs.pair import Pair
    from porting.parity.plan import Target
    from porting.spec import Op

_GIVEN: Final = pytest.StashKey[Asked]()
_LISTS: Final = {
    "runner": "oracle, torch or tf (repeatable); all installed ones by default",
    "device": "cpu or gpu (repeatable); all that are there by default",
    "dtype": "float16, bfloat16, float32 or float64 (repeatable); all for an op, those of its inputs for a pair",
}


def parametrize_checks(
    target: "Target",
    *,
    runners: Sequence[str] = (),
    devices: Sequence[str] = (),
    modes: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    only: Sequence[str] = (),
    expected_failures: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> pytest.MarkDecorator:
    """Make a test function one test per check, each with an id such as ``soft_sign-vjp-torch-cpu-float64``.

    The function takes `check` and calls it. That raises `AssertionError`, with the likely cause, if something differs,
    and skips the test if nothing can be said. Where a framework is not installed, one more test is skipped and says so.

    Parameters
    ----------
    target : Op, Pair, str, or iterable of them
        Ops, pairs, or names of ops and families of the catalogue.
    runners, devices, modes, dtypes, only : sequence of str
        As in `porting.check`. Runners, devices and types that are not given here are those of the options
        (``--porting-runner``), else those of the ini file (``porting_runners``).
    expected_failures : mapping of str to str, optional
        A test id or a part of it (``vjp-torch``), and the reason why it differs. Such a test fails if it does not.
    seed : int, optional
        Inputs and cotangents follow from it; the option's, the ini file's or 0 when not given.

    Returns
    -------
    pytest.MarkDecorator
        For a test function. What cannot be meant is an error when tests are collected.
    """
    asked = Asked(target, runners, devices, modes, dtypes, only, expected_failures or {}, seed)
    return pytest.mark.porting.with_args(asked)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the ini keys."""
    group = parser.getgroup("porting", "checks of paired gradients")
    group.addoption("--porting", action="store_true", help="check the ops of the porting.ops entry points too")
    pairs = "check the pairs of a TOML file, a table [pair.NAME] for each (repeatable)"
    group.addoption("--porting-pairs", action="append", default=[], metavar="FILE", help=pairs)
    for name, about in _LISTS.items():
        group.addoption(f"--porting-{name}", action="append", default=[], help=about)
        parser.addini(f"porting_{name}s", about, type="args", default=[])
    group.addoption("--porting-seed", help="inputs and cotangents follow from it (0)")
    parser.addini("porting_seed", "inputs and cotangents follow from it", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and read the options and the ini file."""
    config.addinivalue_line("markers", "porting: a check of a paired gradient (put there by porting)")
    config.stash[_GIVEN] = _given(config)
    if config.getoption("porting") and not entry_points(group="porting.ops"):
        raise pytest.UsageError("--porting: no installed package has ops (entry points of the group porting.ops)")


def _given(config: pytest.Config) -> Asked:
    options = {f"{name}s": tuple(config.getoption(f"porting_{name}")) for name in _LISTS}
    lists = {name: option or tuple(config.getini(f"porting_{name}")) for name, option in options.items()}
    seed = config.getoption("porting_seed") or config.getini("porting_seed")
    if seed and not seed.isdecimal():
        raise pytest.UsageError(f"porting: seed {seed!r} is not a whole number from 0 up")
    if any(lists.values()):
        from porting.testing.options import ensure_known, ensure_there

        try:
            ensure_known(**lists)
            ensure_there(options["runners"], options["devices"])
        except PortingError as error:
            raise pytest.UsageError(f"porting: {error}") from None
    return Asked((), lists["runners"], lists["devices"], dtypes=lists["dtypes"], seed=int(seed) if seed else None)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a decorated test its checks."""
    for mark in metafunc.definition.iter_markers("porting"):
        if mark.args and isinstance(mark.args[0], Asked):
            rows = _rows(mark.args[0], metafunc.config, "parametrize_checks")
            metafunc.parametrize("check", [pytest.param(check, id=name, marks=marks) for name, check, marks in rows])


def _rows(
    asked: Asked, config: pytest.Config, owner: str
) -> list[tuple[str, Check | None, list[pytest.MarkDecorator]]]:
    """Return name, check and marks of each test."""
    from porting.testing.plan import planned

    try:
        checks, missing = planned(asked, config.stash[_GIVEN])
    except PortingError as error:
        raise pytest.Collector.CollectError(f"{owner}: {error}") from None
    rows: list[tuple[str, Check | None, list[pytest.MarkDecorator]]] = []
    for check in checks:
        strict = pytest.mark.xfail(strict=True, raises=AssertionError, reason=check.accepted)
        rows.append((check.task.id, check, [strict] if check.accepted else []))
    if missing or not checks:
        reason = "; ".join(missing) or "none of the checks asked for applies"
        rows.append(("not-compared", None, [pytest.mark.skip(reason=f"not compared: {reason}")]))
    return rows


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add the ops of other packages, and the pairs of files, to what a session collects, if they are asked for."""
    report = yield
    config = collector.config
    asked = config.getoption("porting") or config.getoption("porting_pairs")
    if isinstance(collector, pytest.Session) and asked and report.passed:
        report.result = [*(report.result or ()), _Ops.from_parent(collector, name="porting", nodeid="porting")]
    return report


class _Ops(pytest.Collector):
    """The node ``porting``."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test per check."""
        asked = {"--porting": (self.config.getoption("porting"), self._theirs)}
        asked["--porting-pairs"] = (self.config.getoption("porting_pairs"), self._pairs)
        for option, targets in ((option, targets) for option, (given, targets) in asked.items() if given):
            try:
                found = targets()
            except PortingError as error:
                raise self.CollectError(f"{option}: {error}") from None
            for name, check, marks in _rows(Asked(found), self.config, option):
                item: _Item = _Item.from_parent(self, name=name, check=check)
                for mark in (pytest.mark.porting, *marks):
                    item.add_marker(mark)
                yield item

    def _theirs(self) -> "list[Op | Pair]":
        from porting import registry

        return [op for op in registry.ops().values() if not op.in_catalogue]

    def _pairs(self) -> "list[Op | Pair]":
        from porting.pairs.listed import listed_pairs

        return [pair for file in self.config.getoption("porting_pairs") for pair in listed_pairs(Path(file))]


class _Item(pytest.Item):
    """One check of an op of another package."""

    def __init__(self, *, check: Check | None, **rest: Any) -> None:
        super().__init__(**rest)
        self.check = check

    def runtest(self) -> None:
        """Run it."""
        if self.check is not None:
            self.check()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what differs, without the way there."""
        return str(excinfo.value) if isinstance(excinfo.value, AssertionError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Say where it is: nowhere in a file."""
        return self.path, 0, self.name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Have the test's report keep what its check says."""
    try:
        return (yield)
    finally:
        check = _check_of(item)
        if check is not None:
            item.user_properties.extend(check.properties.items())


def _check_of(item: pytest.Item) -> Check | None:
    values = getattr(getattr(item, "callspec", None), "params", {})
    found = item.check if isinstance(item, _Item) else values.get("check")
    return found if isinstance(found, Check) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Sum up, op by op."""
    from porting.testing.summary import summary

    lines = summary(report for reports in terminalreporter.stats.values() for report in reports)
    if lines:
        terminalreporter.section("porting")
        for line in lines:
            terminalreporter.line(line)
