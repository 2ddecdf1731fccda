"""Writes the results of a translation run for the terminal: a table, and what there is to say about each gradient."""

from collections.abc import Iterator
from typing import Final

from rich.table import Table
from rich.text import Text

from porting import tables
from porting.port.batch import Ports
from porting.port.header import grouped
from porting.port.one import Port

_STYLES: Final = {"proven": "green", "not proven": "yellow", "different": "bold red", "refused": "red"}
MARKS: Final = {"proven": "✓", "not proven": "?", "different": "✗", "refused": "-"}


def lines(done: Port) -> Iterator[str]:
    """Yield the messages about one gradient, each with its place in the source.

    Parameters
    ----------
    done : Port
        The result for this gradient.
    """
    here = f"{done.file}:{done.line}"
    if done.status == "refused":
        for line, why in done.refused:
            yield f"{done.file}:{line}: {why} ({done.title} is refused)"
        return
    what = {
        "proven": f"{done.title} is proven: {done.said}",
        "not proven": f"{done.title} is NOT PROVEN: {done.said}",
        "different": f"{done.title}: its translation is different and not handed over: {done.said}",
    }[done.status]
    yield f"{here}: {what}"
    for line, why in done.refused:
        yield f"{done.file}:{line}: {why}"
    for fault in grouped(done.faults):
        yield f"{here}: {done.name} has a fault, and so has its translation: {fault}"
    for fault in grouped(done.mended):
        yield f"{here}: {done.name} has a fault, which its translation has not: {fault}"
    for limit in grouped(done.limits) if done.status != "different" else ():
        yield f"{here}: the translation of {done.name} cannot be used in every way: {limit}"
    if done.back:
        yield f"{here}: {done.name} translated back: {done.back}"


def table(ports: Ports) -> Table:
    """Return one row per gradient, under the name of its file.

    Parameters
    ----------
    ports : Ports
        The results for all gradients.
    """
    made = tables.table()
    made.add_column("line", justify="right", no_wrap=True)
    made.add_column("gradient", overflow="fold")
    made.add_column("", no_wrap=True)
    made.add_column("status", no_wrap=True)
    made.add_column("why", overflow="fold")
    file = ""
    for done in ports.ports:
        if done.file != file:
            file = done.file
            made.add_section()
            made.add_row("", Text(file, style="bold"))
        style = _STYLES[done.status]
        mark, status = Text(MARKS[done.status], style=style), Text(done.status, style=style)
        made.add_row(
            str(done.line), Text(f"{done.title} → {done.called}"), mark, status, Text("\n".join(reasons(done)))
        )
    return made


def reasons(done: Port) -> list[str]:
    """Return the messages about one gradient, besides its status."""
    if done.status == "refused":
        return [f"line {line}: {why}" for line, why in done.refused]
    said = [done.said, *(f"line {line}: {why}" for line, why in done.refused)]
    said += [f"fault of the source, and of the translation: {fault}" for fault in grouped(done.faults)]
    said += [f"fault of the source, not of the translation: {fault}" for fault in grouped(done.mended)]
    if done.status != "different":
        said += [f"limit of the translation: {limit}" for limit in grouped(done.limits)]
    return [*said, *([f"translated back: {done.back}"] if done.back else [])]
