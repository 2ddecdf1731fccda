"""Reads a Python file without running it; a file that is not Python is refused, with a message of one line."""

import ast
import io
import os
import re
import stat
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from porting.errors import PortingError

LARGEST: Final = 1_000_000  # bytes; parsing takes some seconds then
DEEPEST: Final = 150  # of nested expressions: the parser in libcst has no limit but its stack


class SourceError(PortingError, ValueError):
    """A file cannot be translated at all; the message says what it is and what is wanted."""


@dataclass(frozen=True)
class Source:
    """A file that was read.

    Attributes
    ----------
    path : pathlib.Path
        Where it was read.
    module : libcst.Module
        What it says.
    found : dict of tuple to object
        What was found in it, so that it is looked for once.
    """

    path: Path
    module: cst.Module
    _lines: dict[cst.CSTNode, int]
    found: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def line(self, node: cst.CSTNode | None, within: cst.CSTNode | None = None) -> int:
        """Return the line that a node of the file begins in.

        A node that was changed during reading is searched by its text, in the definition that it is `within`. If it is
        not found, the line of this definition is returned.
        """
        if node is not None and node in self._lines:
            return self._lines[node]
        start = self._lines.get(within, 0) if within is not None else 0
        if node is None or within is None:
            return start
        text = self.module.code_for_node(node).strip().partition("\n")[0]
        name = re.split(r"[(\[]", text)[0]
        lines = self.module.code_for_node(within).splitlines()
        skipped = len(lines) - len(self.module.code_for_node(_without_comments(within)).splitlines())
        for wanted in (text, name):
            found = next((n for n, line in enumerate(lines) if wanted and wanted in line), None)
            if found is not None:
                return start + found - skipped
        return start


def read_source(path: Path) -> Source:
    """Read a file.

    Raises
    ------
    SourceError
        If the file is not there, too large, not Python, or nested too deeply.
    """
    try:
        known = path.stat() if path.exists() else None
        if known is None or not stat.S_ISREG(known.st_mode):
            raise SourceError(f"{path}: {_no_file(path, known)}")
        if known.st_size > LARGEST:
            raise SourceError(
                f"{path}: is larger than {LARGEST // 1_000_000} MB; give the part with the gradient as a file"
            )
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror or error})") from None
    return parse_source(_text(data, path), path)


def _no_file(path: Path, known: os.stat_result | None) -> str:
    if known is None:
        return "there is no such file"
    if path.is_dir():
        return "is a folder; give a file of it, or translate the folder with -o"
    return "is a pipe or a device; a file of Python is wanted"


def parse_source(text: str, path: Path) -> Source:
    """Parse a text that was read.

    Raises
    ------
    SourceError
        If the text is not Python, or nested too deeply.
    """
    if path.suffix == ".ipynb" or (text.lstrip()[:1] == "{" and '"nbformat"' in text):
        raise SourceError(f"{path}: is a notebook; save its code as a .py file")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise SourceError(f"{path}:{error.lineno or 1}: is no Python 3 ({error.msg})") from None
    except (RecursionError, MemoryError):
        raise SourceError(f"{path}: is nested too deeply; write the expression in several lines") from None
    except ValueError as error:  # null bytes, integers of thousands of digits
        raise SourceError(f"{path}: is no Python 3 ({error})") from None
    deep = _too_deep(tree)
    if deep:
        raise SourceError(f"{path}:{deep}: is nested more than {DEEPEST} deep; write the expression in several lines")
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise SourceError(f"{path}: cannot be parsed ({str(error).splitlines()[0]})") from None
    lines = {node: place.start.line for node, place in wrapper.resolve(PositionProvider).items()}
    return Source(path, wrapper.module, lines)


def _without_comments(node: cst.CSTNode) -> cst.CSTNode:
    """Return a definition without the lines above it, which are no part of its position."""
    return node.with_changes(leading_lines=[]) if hasattr(node, "leading_lines") else node


def _text(data: bytes, path: Path) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise SourceError(f"{path}: is no text ({str(error).splitlines()[0]}); Python is wanted, in UTF-8") from None
    if "\0" in text:
        raise SourceError(f"{path}: has null bytes in it; a file of Python is wanted")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _too_deep(tree: ast.Module) -> int:
    """Return the line of what is nested too deeply, or 0; without recursion, of which there would be too much."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return 0
    return next(_lines_of(level), 1)


def _lines_of(nodes: list[ast.AST]) -> Iterator[int]:
    yield from (node.lineno for node in nodes if isinstance(node, ast.expr | ast.stmt))
