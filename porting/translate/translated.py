"""The result of a translation: its text, the refusals, and the arguments of the function."""

from dataclasses import dataclass, field

from porting.translate.argument import Argument


@dataclass
class Translated:
    """One custom gradient, translated.

    Attributes
    ----------
    name : str
        The name of the class or function in the source.
    called : str
        The name of the function in the translation.
    text : str
        The translation, or nothing if it was refused.
    refused : list of (int, str)
        Line and reason.
    notes : list of str
        What a reader should know.
    arguments : list of Argument
        The arguments of the function.
    returned : list of Argument
        The arguments of the function that it returns, if it returns one.
    settings : list of Argument
        Those of its constructor, if it is a module or a layer, and whether it is being trained.
    """

    name: str
    called: str
    text: str = ""
    refused: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    returned: list[Argument] = field(default_factory=list)
    settings: list[Argument] = field(default_factory=list)
