"""Writes the results of a translation run as one HTML page with both sources side by side; the page loads nothing."""

from collections.abc import Iterator
from html import escape
from typing import Final

from porting.port.batch import Ports
from porting.port.one import Port
from porting.report.html.style import coloured, style
from porting.report.ports import MARKS, reasons
from porting.translate.dialects import TITLES

_STATUSES: Final = ("proven", "not proven", "different", "refused")


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
            f"<title>{escape(title)}</title>\n<style>{style('ports')}{hide}</style>\n</head>",
            '<body class="gradport">\n<header>',
            f'<h1>{escape(title)}</h1>\n<p class="sums">{escape(ports.summary)}.</p>',
            f'<p class="dim">{escape(versions)}</p>\n<div class="bar">{bar}</div>\n</header>',
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
    ours = f"<pre>{coloured(done.text)}</pre>" if done.text else f"<p>{nothing}</p>"
    title = TITLES.get(done.to, done.to)
    return (
        f'<article class="{_class(done.status)}"><details{"" if done.status == "proven" else " open"}>\n'
        f'<summary><span class="status">{MARKS[done.status]} {done.status}</span> '
        f"<code>{escape(done.name)}</code> → <code>{escape(done.called)}</code>, line {done.line}</summary>\n"
        f'<ul class="why">{why}</ul>\n<div class="sides">\n'
        f"<figure><figcaption>{escape(done.file)}:{done.line}</figcaption>"
        f"<pre>{coloured(done.source)}</pre></figure>\n"
        f"<figure><figcaption>{escape(title)}</figcaption>{ours}</figure>\n</div>\n</details></article>"
    )


def _class(status: str) -> str:
    return status.replace(" ", "-")
