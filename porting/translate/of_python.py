"""What Python's own functions give."""

from collections.abc import Sequence

from porting.translate.kind import STATIC, WHOLE, Kind
from porting.translate.subscripts import element_of


def kind_of_builtin(called: str, inside: Sequence[Kind], *, starred: bool) -> Kind:
    """Return the kind of what a function of Python gives.

    Parameters
    ----------
    called : str
        Its name.
    inside : sequence of Kind
        Of its arguments.
    starred : bool
        Whether an argument is ``*x``.
    """
    elements = tuple(map(element_of, inside))
    match called:
        case "len" | "range" | "int":
            found = WHOLE
        case "float":
            found = Kind("static", "float")
        case "zip":
            found = Kind("tuple", items=(Kind("tuple", items=() if starred else elements),))
        case "enumerate":
            found = Kind("tuple", items=(Kind("tuple", items=(WHOLE, *elements[:1])),))
        case "map":
            found = Kind("tuple")
        case "list" | "tuple" | "reversed" | "sorted":
            found = inside[0] if inside and inside[0].what in {"tuple", "tensor"} else STATIC
        case "min" | "max" | "sum" | "abs" | "round" | "pow" | "divmod":
            found = next((k for k in (*inside, *elements) if k.tensor), STATIC)
        case _:
            found = STATIC
    return found
