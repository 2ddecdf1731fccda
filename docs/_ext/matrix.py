"""Shows a saved result as a table, op by side, device, mode and type: ``sphinx-build -D matrix_result=FILE …``."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from porting.dtypes import FLOATS
from porting.parity.finding import Result
from porting.parity.report import Report
from porting.registry import ops
from porting.report.cells import side_title, worst

# The mark of a status, and the word that a reader of the screen says.
_MARKS: Final = {
    "differ": ("✗", "differs"),
    "no verdict": ("?", "no verdict"),
    "known": ("≈", "accepted difference"),
    "note": ("✓", "agrees"),
    "agree": ("✓", "agrees"),
}
_NOTHING: Final = ("·", "not compared")


class ResultError(ValueError):
    """A file is no result of a run; the message names it."""


def result(file: str) -> Report:
    """Read the result of a run.

    Raises
    ------
    ResultError
        If the file is not there, or is no such result.
    """
    try:
        return Report.from_json(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResultError(f"matrix_result={file}: {error}; `porting check --json FILE` writes a result") from error


def table(report: Report, link: str) -> str:
    """Return the table as HTML; `link` is the address of an op's page, with its family and name to be filled in."""
    ways = list(dict.fromkeys((r.runner, r.device, r.mode) for r in report.results))
    dtypes = [dtype for dtype in FLOATS if any(r.dtype == dtype for r in report.results)]
    heads = "".join(f'<th scope="colgroup" colspan="{len(dtypes)}">{escape(side_title(*way))}</th>' for way in ways)
    types = "".join(f'<th scope="col">{dtype}</th>' for _ in ways for dtype in dtypes)
    rows = []
    for name in dict.fromkeys(r.op for r in report.results):
        mine = [r for r in report.results if r.op == name]
        cells = "".join(
            _cell([r for r in mine if (r.runner, r.device, r.mode, r.dtype) == (*way, dtype)])
            for way in ways
            for dtype in dtypes
        )
        op = ops().get(name) if name not in report.pairs else None
        has_page = op is not None and op.in_catalogue
        title = f'<a href="{link.format(family=op.family, name=name)}">{name}</a>' if has_page else escape(name)
        rows.append(f'<tr><th scope="row">{title}</th>{cells}</tr>')
    said = ", ".join(f"{name} {version}" for name, version in report.environment.items())
    return (
        f"<p>{escape(report.summary)}.</p><p>{escape(said)}</p>"
        '<div class="matrix-box" tabindex="0" role="group" aria-label="Matrix"><table class="docutils matrix">'
        f'<thead><tr><th rowspan="2" scope="col">op</th>{heads}</tr><tr>{types}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(results: Sequence[Result]) -> str:
    mark, word = _MARKS.get(worst(results), _NOTHING)
    kind = word.replace(" ", "-")
    said = f'<span aria-hidden="true">{mark}</span><span class="said">{word}</span>'
    return f'<td class="mark {kind}" title="{word}">{said}</td>'


class Matrix(Directive):
    """``{matrix}``: the table of the result that ``matrix_result`` names, or the content if there is none."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table, or the content."""
        env = self.state.document.settings.env
        file = env.config.matrix_result
        if not file:
            said = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, said)
            return list(said.children)
        env.note_dependency(str(Path(file).absolute()))
        try:
            report = result(file)
        except ResultError as error:
            raise self.error(str(error)) from error
        return [nodes.raw("", table(report, "ops/{family}/{name}.html"), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.add_config_value("matrix_result", "", "env", types=frozenset({str}))
    app.add_directive("matrix", Matrix)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
