"""Writes the results of a translation run as one HTML page with both sources side by side; the page loads nothing."""

import io
import keyword
import tokenize
from collections.abc import Iterator
from html import escape
from typing import Final

from porting.port.batch import Ports
from porting.port.one import Port
from porting.report.ports import MARKS, reasons
from porting.translate.dialects import TITLES

_STATUSES: Final = ("proven", "not proven", "different", "refused")

_STYLE: Final = """
:root { color-scheme: light dark; --back: #fff; --ink: #1f2328; --dim: #59636e; --line: #d1d9e0; --code: #f6f8fa;
  --proven: #1a7f37; --not-proven: #8a6100; --different: #cf222e; --refused: #a40e26;
  --keyword: #a0111f; --text: #0a3069; --remark: #59636e; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --ink: #e6edf3; --dim: #9198a1; --line: #30363d;
  --code: #161b22; --proven: #3fb950; --not-proven: #d29922; --different: #ff7b72; --refused: #ff8e86;
  --keyword: #ff7b72; --text: #a5d6ff; --remark: #9198a1; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 110rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.sums { margin: .25rem 0; } .with, figcaption { color: var(--dim); font-size: .875rem; }
.bar { display: flex; height: .5rem; border-radius: .25rem; overflow: hidden; margin: .75rem 0; gap: 2px; }
fieldset { border: 0; padding: 0; margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .5rem; }
legend { position: absolute; clip-path: inset(50%); }
fieldset label { border: 1px solid var(--line); border-radius: 1rem; padding: .15rem .75rem; cursor: pointer; }
fieldset label:has(:checked) { background: var(--ink); color: var(--back); border-color: var(--ink); }
fieldset label:has(:focus-visible) { outline: 2px solid var(--text); outline-offset: 2px; }
fieldset input { position: absolute; opacity: 0; }
article { border: 1px solid var(--line); border-left: .3rem solid var(--of); border-radius: .375rem; margin: .5rem 0; }
summary { padding: .5rem .75rem; cursor: pointer; overflow-wrap: anywhere; }
summary code { font-weight: 600; } .status { color: var(--of); font-weight: 600; white-space: nowrap; }
.why { margin: 0 .75rem .5rem 2rem; padding: 0; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr)); gap: .75rem;
  padding: 0 .75rem .75rem; }
figure { margin: 0; min-width: 0; }
pre { margin: .25rem 0 0; padding: .75rem; overflow-x: auto; background: var(--code); border-radius: .375rem;
  font: .8125rem/1.45 ui-monospace, monospace; tab-size: 4; }
.k { color: var(--keyword); } .s { color: var(--text); } .c { color: var(--remark); font-style: italic; }
.proven { --of: var(--proven); } .not-proven { --of: var(--not-proven); }
.different { --of: var(--different); } .refused { --of: var(--refused); }
.bar span { background: var(--of); }
@media print { fieldset { display: none; } pre { white-space: pre-wrap; } }
"""


def page(ports: Ports) -> str:
    """Return the page.

    Parameters
    ----------
    ports : Ports
        The results for all gradients.
    """
    counts = ports.counts
    there = [status for status in _STATUSES if counts[status]]
    hide = "".join(
        f"body:has(#show-{_class(status)}:checked) article:not(.{_class(status)}) {{ display: none; }}\n"
        f"body:has(#show-{_class(status)}:checked) section:not(:has(.{_class(status)})) {{ display: none; }}\n"
        for status in there
    )
    title = f"Custom gradients, translated to {TITLES.get(ports.to, ports.to)}"
    versions = ", ".join(f"{TITLES.get(name, name)} {version}" for name, version in ports.environment.items())
    bar = "".join(f'<span class="{_class(s)}" style="flex:{counts[s]}" title="{counts[s]} {s}"></span>' for s in there)
    unread = "".join(f"<li>{escape(why)}</li>" for why in ports.unread)
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}{hide}</style>\n</head>\n<body>\n<header>",
            f'<h1>{escape(title)}</h1>\n<p class="sums">{escape(ports.summary)}.</p>',
            f'<p class="with">{escape(versions)}</p>\n<div class="bar">{bar}</div>\n</header>',
            _filter(ports, there),
            *_files(ports),
            *([f"<section>\n<h2>Not read</h2>\n<ul>{unread}</ul>\n</section>"] if unread else []),
            "</body>\n</html>\n",
        ]
    )


def _filter(ports: Ports, there: list[str]) -> str:
    choices = [("all", "all", len(ports.ports)), *((_class(s), s, ports.counts[s]) for s in there)]
    labels = "".join(
        f'<label><input type="radio" name="show" id="show-{value}"{" checked" * (value == "all")}> '
        f"{text} {count}</label>"
        for value, text, count in choices
    )
    return f"<fieldset><legend>Show</legend>{labels}</fieldset>"


def _files(ports: Ports) -> Iterator[str]:
    """Yield a section for each file."""
    for file in dict.fromkeys(done.file for done in ports.ports):
        articles = "\n".join(_article(done) for done in ports.ports if done.file == file)
        yield f"<section>\n<h2>{escape(file)}</h2>\n{articles}\n</section>"


def _article(done: Port) -> str:
    why = "".join(f"<li>{escape(reason)}</li>" for reason in [*reasons(done), *(f"note: {n}" for n in done.notes)])
    nothing = "Nothing is handed over." if done.status == "different" else "It is refused; nothing is handed over."
    ours = f"<pre>{_coloured(done.text)}</pre>" if done.text else f"<p>{nothing}</p>"
    title = TITLES.get(done.to, done.to)
    return (
        f'<article class="{_class(done.status)}"><details{"" if done.status == "proven" else " open"}>\n'
        f'<summary><span class="status">{MARKS[done.status]} {done.status}</span> '
        f"<code>{escape(done.name)}</code> → <code>{escape(done.called)}</code>, line {done.line}</summary>\n"
        f'<ul class="why">{why}</ul>\n<div class="sides">\n'
        f"<figure><figcaption>{escape(done.file)}:{done.line}</figcaption>"
        f"<pre>{_coloured(done.source)}</pre></figure>\n"
        f"<figure><figcaption>{escape(title)}</figcaption>{ours}</figure>\n</div>\n</details></article>"
    )


def _class(status: str) -> str:
    return status.replace(" ", "-")


def _coloured(text: str) -> str:
    """Return source as HTML, with keywords, strings and comments marked; plain where it cannot be read."""
    lines = text.splitlines(keepends=True)
    made: list[str] = []
    row, column = 1, 0

    def upto(end: tuple[int, int]) -> str:
        """Take the text from where we are to there."""
        nonlocal row, column
        parts = []
        while (row, column) < end and row <= len(lines):
            stop = end[1] if row == end[0] else len(lines[row - 1])
            parts.append(lines[row - 1][column:stop])
            row, column = (row, stop) if row == end[0] else (row + 1, 0)
        return escape("".join(parts))

    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = _KINDS.get(token.type, "k" if keyword.iskeyword(token.string) else "")
            before, here = upto(token.start), upto(token.end)
            made.append(before + (f'<span class="{kind}">{here}</span>' if kind and here else here))
    except (tokenize.TokenError, SyntaxError):  # a part of a file need not be a file
        return escape(text)
    return "".join(made) + upto((len(lines) + 1, 0))


_KINDS: Final = {tokenize.COMMENT: "c", tokenize.STRING: "s"}
