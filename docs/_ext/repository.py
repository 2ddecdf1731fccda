"""Makes the links of the repository's pages work in the site.

A link to a file that is no page, ``[oracle](../../porting/oracle/….py)``, leads to a page with that file's source. A
link to the README leads to the page `overview`, which shows it. A comment ``<!-- file: NAME -->`` or ``<!-- from
NAME -->`` becomes the caption of the block below it.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

_LOG = logging.getLogger(__name__)
_OVERVIEW = "overview"
_CAPTION = re.compile(r"^<!-- (?:file:|from) (\S+) -->\n```(\w+)$", re.MULTILINE)
_README = re.compile(r"\]\((?:\.\./)+README\.md(?=[#)])")


def read(app: Sphinx, docname: str, source: list[str]) -> None:
    """Change the text of a page before it is parsed."""
    if docname == _OVERVIEW:
        readme = Path(app.srcdir).parent / "README.md"
        app.env.note_dependency(str(readme))
        text = readme.read_text(encoding="utf-8").replace("# gradport", "# Overview", 1)
        source[0] = re.sub(r"\]\((?=\w)(?!docs/|\w+:)", "](../", text).replace("](docs/", "](")
    to_overview = posixpath.relpath(f"{_OVERVIEW}.md", posixpath.dirname(docname) or ".")
    text = _README.sub(f"]({to_overview}", source[0])
    source[0] = _CAPTION.sub(r"```{code-block} \2\n:caption: \1\n", text)


class SourceLinks(SphinxTransform):
    """Turns a link to a file of the repository into a link to the page with its source."""

    default_priority: ClassVar[int] = 400

    def apply(self, **_: Any) -> None:
        """Replace the downloads that MyST makes of such links."""
        root = Path(self.app.srcdir).parent
        for link in list(self.document.findall(addnodes.download_reference)):
            file = posixpath.normpath(posixpath.join("docs", posixpath.dirname(self.env.docname), link["reftarget"]))
            if file.startswith("..") or not (root / file).is_file():
                _LOG.warning("%s is no file of the repository", link["reftarget"], location=link)
                continue
            self.env.metadata[self.env.docname].setdefault("sources", []).append(file)
            uri = self.app.builder.get_relative_uri(self.env.docname, page_of(file))
            link.replace_self(nodes.reference("", "", *link.children, refuri=uri, internal=True))


def page_of(file: str) -> str:
    """Return the name of the page that shows a file."""
    return f"source/{file}"


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each file of the repository that a page links to."""
    files = {file for metadata in app.env.metadata.values() for file in metadata.get("sources", ())}
    formatter = HtmlFormatter(cssclass="highlight", linenos="inline", lineanchors="line", anchorlinenos=True)
    for file in sorted(files):
        text = (Path(app.srcdir).parent / file).read_text(encoding="utf-8")
        try:
            lexer = get_lexer_for_filename(file)
        except ClassNotFound:
            lexer = TextLexer()
        body = f'<h1>{file}</h1>\n<div class="highlight-python">{highlight(text, lexer, formatter)}</div>'
        # The list of all pages takes more time than all else of a page, and says nothing about a source.
        yield page_of(file), {"title": file, "body": body, "toctree": lambda **_: ""}, "page.html"


def navigate(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Show in the list of all pages what is below the page's own section: the ops and causes are 140 pages."""
    all_pages = context["toctree"]
    context["toctree"] = lambda **options: all_pages(**{**options, "collapse": True})


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.connect("source-read", read)
    app.connect("html-collect-pages", pages)
    app.connect("html-page-context", navigate, priority=400)  # before the theme reads it
    app.add_transform(SourceLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
