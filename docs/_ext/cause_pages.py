"""Writes one page for each cause: what it is, how it comes about, the fix in each framework, the checks that show it.

The pages are written into ``docs/causes`` before the build, as ``<cause>.myst``; git ignores them.
"""

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Final

from names import CHECKS, check_anchor
from sphinx.application import Sphinx

from porting.backends import TITLES
from porting.diagnosis.cause import Cause, causes
from porting.parity.checks import checks
from porting.parity.finding import KINDS

_DOCS: Final = Path(__file__).parents[1]
_TRAPS: Final = "guide/traps"


def page(cause: Cause) -> str:
    """Return the page of a cause."""
    file = Path(inspect.getsourcefile(cause.detect) or "")
    parts = [
        f"# {cause.name}",
        f"**{_markdown(cause.title)}** *({cause.kind})*",
        _markdown(cause.why),
        "## The fix",
        *(f"{TITLES[key]}\n: {_markdown(fix)}" for key, fix in cause.fixes.items()),
    ]
    traps = [f"[{title}](../{docname}.md)" for name, docname, title in _traps() if name == cause.name]
    if traps:
        parts += [
            "## For example",
            f"{_listed(traps)}: the failing code, what the checker says, the fix in both frameworks.",
        ]
    if cause.meant:
        parts += ["## If it is meant so", _markdown(cause.meant)]
    read = _listed([f"[`{name}`](../{CHECKS}.md#{check_anchor(name)})" for name in _checks(file)])
    parts += [
        "## How it is recognised",
        "One side shows it by itself." if cause.alone else "It is seen by comparison with the truth.",
        f"[The detector](../../porting/diagnosis/faults/{file.name}) looks at codes and numbers"
        + (f" of these checks, for this cause or against it: {read}." if read else "."),
        f"`porting explain {cause.name}` shows this page in a terminal.",
    ]
    return "\n\n".join(parts) + "\n"


@cache
def _traps() -> list[tuple[str, str, str]]:
    """Return of each page of a trap the cause that its output names, its place in the docs, and its title."""
    found = []
    for file in sorted((_DOCS / _TRAPS).glob("*.md")):
        text = file.read_text(encoding="utf-8")
        named = re.findall(rf"^ *Likely cause: .* \((\w+), (?:{'|'.join(KINDS)})\)$", text, re.MULTILINE)
        found += [(name, f"{_TRAPS}/{file.stem}", text.partition("\n")[0].removeprefix("# ")) for name in named[:1]]
    return found


def _checks(file: Path) -> list[str]:
    """Return the checks whose names the detector's source has."""
    text = file.read_text(encoding="utf-8")
    words = {node.value for node in ast.walk(ast.parse(text)) if _is_text(node)}
    words |= {"vjp"} if "e.example" in text else set()  # the gradients of everyday cases
    return [name for name in checks() if name in words]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def read(_: Sphinx, docname: str, source: list[str]) -> None:
    """Put the table of all causes where the index of the pages wants it."""
    if docname == "causes/index":
        rows = [f"| [`{c.name}`]({c.name}.myst) | {_markdown(c.title)} | {c.kind} |" for c in _by_name()]
        table = "\n".join(["| cause | what it is | class |", "|---|---|---|", *rows])
        source[0] = source[0].replace("```{causes}\n```", table)


def _by_name() -> list[Cause]:
    return sorted(causes().values(), key=lambda cause: cause.name)


def _markdown(text: str) -> str:
    """Return plain text, in which only code is marked, as Markdown; options become code."""
    parts = re.split(r"(`[^`]*`)", re.sub(r"(?<![\w`-])(--[a-z-]+(?: [A-Z]+| [a-z]+=\d)?)", r"`\1`", text))
    return "".join(part if n % 2 else re.sub(r"([*_<\[|])", r"\\\1", part) for n, part in enumerate(parts))


def write(app: Sphinx) -> None:
    """Write the pages that are not there as they should be, and remove those of causes that are gone."""
    folder = Path(app.srcdir) / "causes"
    wanted = {folder / f"{cause.name}.myst": page(cause) for cause in causes().values()}
    for file in set(folder.glob("*.myst")) - set(wanted):
        file.unlink()
    for file, text in wanted.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.connect("builder-inited", write)
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
