"""Writes a picture as a PNG, with nothing in it that changes from one run to the next."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from porting.files import write


def write_picture(path: Path, drawn: Callable[[], Figure], dpi: int) -> None:
    """Draw a figure, and write it beside its place before it is renamed.

    Parameters
    ----------
    path : pathlib.Path
        Where.
    drawn : callable
        Returns the figure.
    dpi : int
        Dots per inch.

    Raises
    ------
    OSError
        If the file cannot be written (an `OutputError`); nothing is left behind.
    """
    with mpl.rc_context():
        mpl.rcdefaults()  # a user's matplotlibrc must not change the picture
        figure, picture = drawn(), BytesIO()
        figure.savefig(picture, format="png", dpi=dpi, metadata={"Software": None})  # a version would change the bytes
        write(path, picture.getvalue(), "--plot")
