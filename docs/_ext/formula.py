"""Writes the formulas of the pages as MathML, which browsers render by themselves: no script, no font, no picture.

The pages write formulas as text, ``dx = dy (s + x s (1 - s)) / 2``, so that a terminal can show them too. Factors stand
side by side; a quotient has the product before the slash as its numerator, and one factor as its denominator.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final

_TOKEN: Final = re.compile(
    r"""(?P<text>`[^`]*`|\w+="[^"]*"|"[^"]*"|[A-Za-z]\w*(?:\.\w+)+)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z](?:\w*[A-Za-z\d])?)
    |(?P<sign><-|<=|>=|!=|\.\.\.|\S)""",
    re.VERBOSE,
)
_GREEK: Final = {name: f"&{name};" for name in ("alpha", "beta", "gamma", "epsilon", "pi", "sigma", "tau")}
_GREEK["inf"] = "&infin;"
_FUNCTIONS: Final = frozenset({
    "argmin", "atan", "clip", "cos", "cosh", "det", "diag", "entmax15", "eps", "exp", "fn", "log", "log1p", "max",
    "mean", "min", "round", "sign", "sin", "sinh", "softmax", "softmin", "sparsemax", "sqrt", "tanh",
})  # fmt: skip
_COMMON: Final = ("low", "high")  # what some ops make of their statics
_SIGNS: Final = {"<-": "←", "<=": "≤", ">=": "≥", "!=": "≠", "-": "\N{MINUS SIGN}", "*": "·", ".": "·", "...": "…"}
_CLOSERS: Final = {"(": ")", "[": "]", "|": "|"}
_BRACKETS: Final = re.compile(r'<mrow><mo form="prefix"[^>]*>\(</mo>(.*)<mo form="postfix"[^>]*>\)</mo></mrow>')
_WIDE: Final = 4  # so many spaces begin a remark
_LOW: Final = ' stretchy="false"'
_EQUALS: Final = "<math><mphantom><mo>=</mo></mphantom></math>"  # a line without a sign of its own stands below others
_THIN: Final = '<mspace width="0.17em"></mspace>'


class FormulaError(ValueError):
    """A formula has a bracket too many, or one too few."""


@dataclass(frozen=True)
class Token:
    """A word, a number or a sign, where it ends, and whether space is before it and after it."""

    kind: str
    text: str
    end: int
    before: bool
    after: bool


@dataclass
class Part:
    """A piece of a line: MathML, or words."""

    math: bool
    text: str


def rows(text: str, names: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield for each line of a formula the HTML of its left side, of the rest, and of the remark behind it.

    Raises
    ------
    FormulaError
        If brackets do not match.
    """
    names = {*names, *_COMMON, *re.findall(r"(?m)^(\w+) +=", text)}
    for line in text.rstrip().splitlines():
        indented = line.startswith(" ")
        main, *notes = re.split(rf" {{{_WIDE},}}(?! |=|<-)", line.strip())
        found = None if indented else re.search(r" = | <- ", main)
        at = found.start() if found else 0
        behind = html(main[at:], names)
        yield html(main[:at], names), behind if found else _EQUALS + behind, html(", ".join(notes), names)


def html(text: str, names: Collection[str]) -> str:
    """Return the HTML of a part of a line: words as words, all between them as MathML."""
    parts = _Reader(text, names).parts()
    said = [f'<math displaystyle="true">{part.text}</math>' if part.math else part.text for part in parts]
    return " ".join(said).replace(" ,", ",").replace(" ;", ";")


@dataclass
class _Reader:
    """Reads a part of a line from left to right."""

    source: str
    names: Collection[str]
    at: int = 0
    tokens: list[Token] = field(default_factory=list)

    def __post_init__(self) -> None:
        for found in _TOKEN.finditer(self.source):
            around = self.source[: found.start()][-1:], self.source[found.end() :][:1]
            kind = found.lastgroup or ""
            self.tokens.append(Token(kind, found[0], found.end(), *(not c or c.isspace() for c in around)))

    def parts(self) -> list[Part]:
        """Return words and formulas in turn."""
        found = self._sequence("")
        merged: list[Part] = []
        for part in found:
            if merged and merged[-1].math == part.math:
                merged[-1].text += part.text if part.math else f" {part.text}"
            else:
                merged.append(part)
        return merged

    @property
    def _next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _take(self) -> Token:
        token = self._next
        if token is None:
            raise FormulaError(f"{self.source!r} ends too early")
        self.at += 1
        return token

    def _sequence(self, closer: str) -> list[Part]:
        """Read up to a closing bracket, or to the end."""
        found: list[Part] = []
        chain: list[str] = []  # the factors of a product

        def finish() -> None:
            if chain:
                found.append(Part(math=True, text=_THIN.join(chain)))
                chain.clear()

        while (token := self._next) is not None and not (token.text == closer and not self._opens(token, closer)):
            if token.text == "/" and chain:
                self._take()
                chain[:] = [f"<mfrac>{_bare(chain)}{_bare([self._factor()])}</mfrac>"]
            elif token.kind == "text" or self._is_word(token):
                finish()
                self._take()
                found.append(Part(math=False, text=_words(token.text)))
            elif token.kind == "sign" and token.text not in _CLOSERS:
                finish()
                self._take()
                found.append(self._sign(token, found[-1] if found else None))
            else:
                chain.append(self._factor())
        if closer and self._next is None:
            raise FormulaError(f"{self.source!r} lacks {closer}")
        finish()
        return found

    def _opens(self, token: Token, closer: str) -> bool:
        return closer == "|" and token.before and not token.after

    def _sign(self, token: Token, before: Part | None) -> Part:
        if token.text in {")", "]"}:
            raise FormulaError(f"{self.source!r} has {token.text} too many")
        if token.text in ",;:":
            if before is not None and not before.math:
                return Part(math=False, text=token.text)
            wide = '<mspace width="0.6em"></mspace>' if token.after else ""
            return Part(math=True, text=f'<mo separator="true">{token.text}</mo>{wide}')
        unary = ' form="prefix"' if token.text == "-" and (before is None or not token.after) else ""
        return Part(math=True, text=f"<mo{unary}>{escape(_SIGNS.get(token.text, token.text))}</mo>")

    def _factor(self) -> str:
        return self._followed(self._primary(self._take()))

    def _primary(self, token: Token) -> str:
        if token.text in _CLOSERS:
            return self._bracket(token.text)
        if token.kind == "number":
            return f"<mn>{token.text}</mn>"
        if token.text == "sqrt" and self._adjacent("("):
            self._take()
            return f"<msqrt>{self._inside(')')}</msqrt>"
        return _name(token.text)

    def _followed(self, made: str) -> str:
        """Add arguments, indices, primes, subscripts and exponents."""
        while True:
            if self._adjacent("("):
                self._take()
                made = f"<mrow>{made}{self._bracket('(')}</mrow>"
            elif self._adjacent("["):
                self._take()
                made = f"<mrow>{made}{self._bracket('[')}</mrow>"
            elif self._adjacent("'"):
                self._take()
                made = f"<msup>{made}<mo>&prime;</mo></msup>"
            elif self._adjacent("^") or self._adjacent("_"):
                sign = self._take().text
                kind = "msup" if sign == "^" else "msub"
                made = f"<{kind}>{made}{_bare([self._script(sign)])}</{kind}>"
            else:
                return made

    def _script(self, sign: str) -> str:
        """Read an exponent or a subscript; an exponent may be a call, as in e^min(x, limit)."""
        token = self._next
        if token is not None and token.text == "-":
            self._take()
            return f'<mrow><mo form="prefix">{_SIGNS["-"]}</mo>{self._script(sign)}</mrow>'
        if token is not None and token.kind == "name" and sign == "^":
            return self._factor()
        return self._primary(self._take())

    def _adjacent(self, sign: str) -> bool:
        token = self._next
        return token is not None and token.text == sign and not token.before

    def _bracket(self, opener: str) -> str:
        closer = _CLOSERS[opener]
        inside = self._inside(closer)
        high = "<mfrac>" in inside  # otherwise a font without sizes of its brackets shows one that is too large
        before, after = (f'<mo form="{form}"{"" if high else _LOW}>' for form in ("prefix", "postfix"))
        return f"<mrow>{before}{opener}</mo>{inside}{after}{closer}</mo></mrow>"

    def _inside(self, closer: str) -> str:
        parts = self._sequence(closer)
        self._take()
        said = [part.text if part.math else f"<mtext>&nbsp;{part.text}&nbsp;</mtext>" for part in parts]
        return f"<mrow>{''.join(said)}</mrow>"

    def _is_word(self, token: Token) -> bool:
        """Whether a name is a word of English: none of the op's, of one letter, Greek, a function, or with an index."""
        name = token.text
        known = name in self.names or name in _GREEK or name in _FUNCTIONS or len(name) == 1 or not name.isalpha()
        of_known = name.startswith("d") and (name[1:] in self.names or len(name) == 2)
        if name == "a" and self.at and self.tokens[self.at - 1].text in {"in", "of"} and "a" not in self.names:
            return True
        called = self.source[token.end : token.end + 1] == "("
        return token.kind == "name" and not (known or of_known or called)


def _words(text: str) -> str:
    return f"<code>{escape(text.strip('`'))}</code>" if re.search(r"[`\"._]", text) else escape(text)


def _name(text: str) -> str:
    """Return a name: an index behind an underscore or a digit goes below, the d of a gradient stands before."""
    found = re.fullmatch(r"(d?)([A-Za-z]+?)(?:_([a-z]{1,2}|\d)|(\d))?", text)
    if found is None or text in _FUNCTIONS:
        return f"<mi>{text}</mi>"
    d, base, index, digit = found.groups()
    if not base or text in _GREEK:
        return f"<mi>{_GREEK.get(text, text)}</mi>"
    made = f"<mi>{_GREEK.get(base, base)}</mi>"
    below = "".join(f"<mn>{c}</mn>" if c.isdigit() else f"<mi>{c}</mi>" for c in index or digit or "")
    made = f"<msub>{made}<mrow>{below}</mrow></msub>" if below else made
    return f"<mrow><mi>d</mi>{made}</mrow>" if d else made


def _bare(factors: list[str]) -> str:
    """Return factors as one row, without the round brackets around a single one; those of a tuple stay."""
    found = _BRACKETS.fullmatch(factors[0]) if len(factors) == 1 else None
    if found and "separator" not in factors[0]:
        return found[1]
    return f"<mrow>{_THIN.join(factors)}</mrow>"
