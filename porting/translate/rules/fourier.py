"""Discrete Fourier transforms over the last axis or the last two. Both frameworks scale the inverse, by 1 / length."""

from porting.translate.abstract_value import COMPLEX, FLOAT
from porting.translate.calls import call
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer


class _Transform:
    """One transform: its names, the axes it is of, and whether TensorFlow takes lengths or complex numbers alone."""

    def __init__(self, torch: str, tf: str, *, axes: int, real: bool) -> None:
        self.torch, self.tf, self.axes, self.real = f"torch.fft.{torch}", f"tf.signal.{tf}", axes, real
        n, axis, last, theirs = ("n", "dim", "-1", "axis") if axes == 1 else ("s", "dim", "(-2, -1)", "axes")
        lengths = ", n: fft_length=None" if real else ""
        self.rule = Rule(
            torch=f"{self.torch}(x: input, n: {n}=None, axis: {axis}={last}, norm=None)",
            tf=f"{self.tf}(x: {'input_tensor' if real else 'input'}{lengths}, _name: name=None)",
            numpy=f"np.fft.{torch}(x: a, n: {n}=None, axis: {theirs}={last}, norm=None)",
            kind=FLOAT if torch.startswith("ir") else COMPLEX,
        )
        self.rule.writes("tf")(self.to_tf)
        self.rule.writes("torch")(self.to_torch)

    def to_tf(self, w: Writer, x: Expression, n: Given = None, axis: Given = None, norm: Given = None) -> Expression:
        """Write the call for TensorFlow, which has no argument for axes and no other scale."""
        last = "-1" if self.axes == 1 else "(-2, -1)"
        if axis is not None and w.code(axis).replace("[", "(").replace("]", ")") != last:
            raise w.refuse(f"{self.torch}: over another axis than {last}, where {self.tf} works")
        if norm is not None and w.code(norm) not in {"None", '"backward"', "'backward'"}:
            raise w.refuse(f"{self.torch}: norm={w.code(norm)}; {self.tf} scales the inverse by 1 / length")
        if not self.real:
            if n is not None:
                raise w.refuse(f"{self.torch}: {self.tf} takes no length")
            return call(w, self.tf, x if w.kinds["x"].number != "float" else _complex(w, x))
        return call(w, self.tf, x, n if n is None or self.axes > 1 else w.build("[{n}]", n=n))

    def to_torch(self, w: Writer, x: Expression, n: Given = None) -> Expression:
        """Write the call for PyTorch, which takes the length of one axis as a number."""
        if n is None or self.axes > 1:
            return call(w, self.torch, x, n)
        if not w.is_sequence(n) or len(w.parts(n)) != 1:
            raise w.refuse(f"{self.tf}: fft_length {w.code(n)} is not written out as one length")
        return call(w, self.torch, x, w.parts(n)[0])


def _complex(w: Writer, x: Expression) -> Expression:
    return w.build("tf.complex({x}, tf.zeros_like({x}))", x=x)


RULES = [
    *(
        _Transform(
            f"{name}{'' if axes == 1 else '2'}", f"{name}{'' if axes == 1 else '2d'}", axes=axes, real="r" in name
        ).rule
        for name in ("fft", "ifft", "rfft", "irfft")
        for axes in (1, 2)
    ),
    *(
        Rule(
            torch=f"torch.fft.{name}(x: input, axis: dim=None)",
            tf=f"tf.signal.{name}(x, axis: axes=None, _name: name=None)",
            numpy=f"np.fft.{name}(x, axis: axes=None)",
        )
        for name in ("fftshift", "ifftshift")
    ),
]
