"""The kinds of the values that Python's built-in functions return."""

from collections.abc import Sequence

from porting.translate.abstract_value import STATIC, WHOLE, Abstract, Sort
from porting.translate.lower.subscripts import element_of


def kind_of_builtin(called: str, inside: Sequence[Abstract], *, starred: bool) -> Abstract:
    """Return the kind of the value that a built-in function returns.

    Parameters
    ----------
    called : str
        Its name.
    inside : sequence of Abstract
        Of its arguments.
    starred : bool
        Whether an argument is ``*x``.
    """
    elements = tuple(map(element_of, inside))
    match called:
        case "tuple" if inside and inside[0].sort is Sort.SHAPE:
            found = inside[0]
        case "len" | "range" | "int":
            found = WHOLE
        case "float":
            found = Abstract(Sort.STATIC, "float")
        case "zip":
            found = Abstract(Sort.TUPLE, items=(Abstract(Sort.TUPLE, items=() if starred else elements),))
        case "enumerate":
            found = Abstract(Sort.TUPLE, items=(Abstract(Sort.TUPLE, items=(WHOLE, *elements[:1])),))
        case "map":
            found = Abstract(Sort.TUPLE)
        case "list" | "tuple" | "reversed" | "sorted":
            found = inside[0] if inside and inside[0].sort in {Sort.TUPLE, Sort.TENSOR} else STATIC
        case "min" | "max" | "sum" | "abs" | "round" | "pow" | "divmod":
            found = next((k for k in (*inside, *elements) if k.tensor), STATIC)
        case _:
            found = STATIC
    return found
