"""Writes what a proof costs: the cells and sentences that the terminal and the page share, and the terminal's table."""

from rich.console import Group, RenderableType
from rich.markup import escape

from porting import tables
from porting.backends import TITLES
from porting.bench.checking.result import FLAT, Checking, Place
from porting.bench.checking.steps import SUBJECTS, UNIT

LEGEND = (
    "Each number is the time of one call over that of one forward and backward of the op at the same size, in\n"
    "float64, the median within the round. check: value and gradient of one case are compared with the oracle, by\n"
    "their tolerances. The others are the framework's own checkers, with their defaults. -: see below."
)


def table(found: Checking) -> RenderableType:
    """Return the table, and below it what else was measured and what was left out."""
    shown = tables.table()
    for column in ("op", "framework", "checker"):
        shown.add_column(column, no_wrap=True)
    for size in found.sizes:
        shown.add_column(f"{size:,}", no_wrap=True, justify="right")
    for op, backend in found.of:
        at = found.at(op, backend)
        for k, subject in enumerate(SUBJECTS[backend]):
            first = (op, TITLES[backend]) if k == 0 else ("", "")
            shown.add_row(*first, subject, *(cell(at.get(size), subject) for size in found.sizes))
        shown.add_section()
    return Group(shown, LEGEND, *map(escape, sentences(found)))


def cell(place: Place | None, subject: str) -> str:
    """Return a time in units of one forward and backward; of that itself, in microseconds."""
    if place is not None and subject == UNIT and UNIT in place.seconds:
        return f"{place.seconds[subject] * 1e6:,.0f} us"
    if place is None or subject not in place.units:
        return "-"
    median = place.units[subject].median
    return f"{median:,.0f}" if median >= 10 else f"{median:.1f}"


def sentences(found: Checking) -> list[str]:
    """Return how the cost of a check grows, what all checks cost in imports, and what was left out."""
    said = []
    for op, backend in found.of:
        grown = found.growth(op, backend)
        if grown is not None:
            said.append(f"{op}, {TITLES[backend]}: a check's time grows with n^{grown:.2f} up to {FLAT:,} elements")
    for backend, ops in found.whole.items():
        seconds = found.imports[backend]
        each = ", ".join(f"{op} {took / seconds:.1f}" for op, took in ops.items())
        title = TITLES[backend]
        said.append(f"all checks in all types, over one import of {title} ({seconds:.1f} s): {each}")
    places: dict[str, list[str]] = {}
    for p in found.places:
        for subject, why in p.errors.items():
            places.setdefault(f"{p.op}, {TITLES[p.backend]}, {subject}: {why}", []).append(f"{p.size:,}")
    return said + [f"{what} ({', '.join(sizes)} elements)" for what, sizes in places.items()]
