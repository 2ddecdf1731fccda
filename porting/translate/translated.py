"""What a translation gives."""

from dataclasses import dataclass, field

from porting.translate.argument import Argument


@dataclass
class Translated:
    """One custom gradient, translated.

    Attributes
    ----------
    name : str
        Of the class or function in the source.
    called : str
        Of the function in the translation.
    text : str
        The translation, or nothing if it was refused.
    refused : list of (int, str)
        Line and reason.
    notes : list of str
        What a reader should know.
    arguments : list of Argument
        What it is called with.
    returned : list of Argument
        What the function is called with that it returns, if it makes one.
    """

    name: str
    called: str
    text: str = ""
    refused: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    returned: list[Argument] = field(default_factory=list)
