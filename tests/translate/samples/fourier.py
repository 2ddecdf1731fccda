"""Fourier transforms."""

from words import Refused, Rewrite

ONE_NAME = [("fft", "fft"), ("ifft", "ifft"), ("fft2", "fft2d"), ("ifft2", "ifft2d")]
HALVES = [("rfft", "rfft"), ("rfft2", "rfft2d")]
SAMPLES = [
    *(Rewrite(f"torch.fft.{ours}(torch.complex(x, y))", f"tf.signal.{theirs}(tf.complex(x, y))", to="tf")
      for ours, theirs in ONE_NAME),
    *(Rewrite(f"tf.signal.{theirs}(tf.complex(x, y))", f"torch.fft.{ours}(torch.complex(x, y))", to="torch")
      for ours, theirs in ONE_NAME),
    *(Rewrite(f"torch.fft.{ours}(x)", f"np.fft.{ours}(x)", to="numpy") for ours, _ in (*ONE_NAME, *HALVES)),
    *(Rewrite(f"torch.fft.i{ours}(torch.fft.{ours}(x))", f"np.fft.i{ours}(np.fft.{ours}(x))", to="numpy")
      for ours, _ in HALVES),
    *(Rewrite(f"tf.signal.{name}(x)", f"torch.fft.{name}(x)", to="torch") for name in ("fftshift", "ifftshift")),
    *(Rewrite(f"torch.fft.{name}(x)", f"np.fft.{name}(x)", to="numpy") for name in ("fftshift", "ifftshift")),
    Rewrite("torch.fft.rfft(x)", "tf.signal.rfft(x)", to="tf"),
    Rewrite("torch.fft.rfft(x, 6)", "tf.signal.rfft(x, [6])", to="tf"),
    Rewrite("torch.fft.rfft(x, norm='backward')", "tf.signal.rfft(x)", to="tf"),
    Rewrite("torch.fft.rfft(x, n=k, dim=-1)", "tf.signal.rfft(x, [k])", to="tf"),
    Rewrite("torch.fft.irfft(torch.fft.rfft(v), 4, norm=None)", "tf.signal.irfft(tf.signal.rfft(v), [4])", to="tf"),
    Rewrite("torch.fft.fft(x)", "tf.signal.fft(tf.complex(x, tf.zeros_like(x)))", to="tf"),
    Rewrite("torch.fft.rfft2(x)", "tf.signal.rfft2d(x)", to="tf"),
    Rewrite("torch.fft.rfft2(x, s=(4, 6), dim=(-2, -1))", "tf.signal.rfft2d(x, (4, 6))", to="tf"),
    Rewrite("torch.fft.irfft2(torch.fft.rfft2(x), (3, 4))", "tf.signal.irfft2d(tf.signal.rfft2d(x), (3, 4))", to="tf"),
    Rewrite("torch.fft.fftshift(x, dim=-1)", "tf.signal.fftshift(x, -1)", to="tf"),
    Rewrite("torch.fft.ifftshift(x)", "tf.signal.ifftshift(x)", to="tf"),
    Rewrite("tf.signal.rfft(x)", "torch.fft.rfft(x)", to="torch"),
    Rewrite("tf.signal.rfft(x, fft_length=[6])", "torch.fft.rfft(x, 6)", to="torch"),
    Rewrite("tf.signal.irfft(tf.signal.rfft(v), [4])", "torch.fft.irfft(torch.fft.rfft(v), 4)", to="torch"),
    Rewrite("tf.signal.irfft2d(tf.signal.rfft2d(x))", "torch.fft.irfft2(torch.fft.rfft2(x))", to="torch"),
    Rewrite("tf.signal.fftshift(x, axes=0)", "torch.fft.fftshift(x, 0)", to="torch"),
    Rewrite("torch.fft.rfft(x, 6)", "np.fft.rfft(x, 6)", to="numpy"),
    Rewrite("torch.fft.irfft2(torch.fft.rfft2(x))", "np.fft.irfft2(np.fft.rfft2(x))", to="numpy"),
    Rewrite(
        "torch.fft.irfft(torch.fft.rfft(v) * p[0, :3])",
        "tf.signal.irfft(tf.signal.rfft(v) * tf.complex(p[0, :3], tf.zeros_like(p[0, :3])))", to="tf",
    ),
    Refused("torch.fft.rfft(x, dim=0)", "over another axis than -1", to="tf"),
    Refused('torch.fft.rfft(x, norm="ortho")', 'norm="ortho"', to="tf"),
    Refused("torch.fft.fft(x, 6)", "takes no length", to="tf"),
    Refused("tf.signal.rfft(x, at)", "is not written out as one length", to="torch"),
]  # fmt: skip
