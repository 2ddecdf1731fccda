"""The intermediate representation of a module of PyTorch or a layer of Keras: its constructor, weights and methods.

In its code ``self.k`` is the variable ``self_k``, so that what is known of it is known as of any other variable.
"""

from dataclasses import dataclass, field
from typing import Final

import libcst as cst

from porting.translate.code import Expression, names_in

Statement = cst.BaseStatement
OBJECT: Final = "self_"  # before the name of an attribute
MODE: Final = "training"


@dataclass(frozen=True)
class Initial:
    """How a weight begins.

    Attributes
    ----------
    kind : {"zeros", "ones", "constant", "normal", "uniform", "truncated", "fans", "orthogonal", "identity", "value"}
        The distribution; ``fans`` has a variance by the lengths of a matrix.
    given : tuple of libcst.BaseExpression
        Its numbers: the constant; mean and standard deviation; both ends; the gain; the tensor that it begins with.
    fan, distribution : str
        Of ``fans``: ``in``, ``out`` or ``avg``, as PyTorch counts for a matrix of outputs by inputs; ``uniform`` or
        ``normal``.
    """

    kind: str
    given: tuple[Expression, ...] = ()
    fan: str = ""
    distribution: str = ""


@dataclass(frozen=True)
class Weight:
    """A parameter, a buffer or a variable.

    Attributes
    ----------
    name : str
        The attribute.
    shape : libcst.BaseExpression or None
        Its shape; nothing if it is that of the tensor it begins with.
    initial : Initial
        How it begins.
    trainable : libcst.BaseExpression or None
        Whether it has a gradient; nothing if it has one in any case.
    """

    name: str
    shape: Expression | None
    initial: Initial
    trainable: Expression | None = None


@dataclass
class Layer:
    """A module or a layer.

    Attributes
    ----------
    name, doc : str
        Of the class.
    parameters : libcst.Parameters
        Of its constructor, without self.
    body : list of libcst.BaseStatement
        The statements of its constructor. Where a weight is made, they call what stands in `made`; where it gets other
        numbers, what stands in `changed`.
    made, changed : dict of str to Weight
        By the name that is called.
    methods : dict of str to libcst.FunctionDef
        What is called, and the methods that it calls, without self.
    call : str
        Which of them is the call.
    optional : set of str
        Weights that may be None.
    comments : sequence of libcst.EmptyLine
        What stands above the class.
    notes : list of str
        What a reader of the translation should know.
    lifted : dict of str to libcst.FunctionDef
        Functions of the module that methods with a custom gradient in them became.
    """

    name: str
    doc: str
    parameters: cst.Parameters
    body: list[Statement]
    made: dict[str, Weight]
    changed: dict[str, Weight]
    methods: dict[str, cst.FunctionDef]
    call: str
    optional: set[str] = field(default_factory=set)
    comments: list[cst.EmptyLine] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lifted: dict[str, cst.FunctionDef] = field(default_factory=dict)

    @property
    def read(self) -> set[str]:
        """The attributes that its code names."""
        every = [*self.body, *self.methods.values()]
        found = {name for node in every for name in names_in(node) if name.startswith(OBJECT)}
        return {name.removeprefix(OBJECT) for name in found}

    @property
    def weights(self) -> list[str]:
        """The names of its weights, in the order in which they are made."""
        return list(dict.fromkeys(weight.name for weight in self.made.values()))
