"""New tensors from Python's numbers."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.tensor(0.5)", "tf.constant(0.5)", to="tf"),
    Rewrite("torch.tensor([[1, 2], [3, 4]])", "tf.constant([[1, 2], [3, 4]])", to="tf"),
    Rewrite("torch.tensor([1, 2, 3, 4]) * x", "tf.cast(tf.constant([1, 2, 3, 4]), x.dtype) * x", to="tf"),
    Rewrite("torch.tensor([1, 2.5], dtype=x.dtype, device=x.device)", "tf.constant([1, 2.5], x.dtype)", to="tf"),
    Rewrite("torch.tensor(x.shape)", "tf.convert_to_tensor(x.shape)", to="tf"),
    Rewrite("torch.tensor(x.shape, dtype=x.dtype)", "tf.cast(x.shape, x.dtype)", to="tf"),
    Rewrite("torch.tensor(k, dtype=torch.float32)", "np.array(k, np.float32)", to="numpy"),
    Rewrite("torch.tensor([1, 2])", "np.array([1, 2])", to="numpy"),
    Rewrite("torch.as_tensor(x)", "x", to="tf"),
    Rewrite("torch.as_tensor(n, dtype=x.dtype)", "tf.cast(n, x.dtype)", to="tf"),
    Rewrite("torch.as_tensor([1.0, 2.0], dtype=x.dtype)", "tf.constant([1.0, 2.0], x.dtype)", to="tf"),
    Rewrite("torch.tensor([v[0], v[1]])", "tf.stack([v[0], v[1]])", to="tf"),
    Rewrite("x.new_tensor([1, 2])", "tf.constant([1, 2], x.dtype)", to="tf"),
    Rewrite("x.new_tensor([1, 2])", "np.array([1, 2], x.dtype)", to="numpy"),
    Rewrite("x.new([1, 2])", "tf.constant([1, 2], x.dtype)", to="tf"),
    Rewrite("x.new(x.size()).zero_()", "tf.zeros_like(tf.zeros_like(x))", to="tf"),
    Rewrite("x.new(2, 3).shape", "tf.zeros([2, 3], x.dtype).shape", to="tf"),
    Rewrite("x.new([1, 2])", "np.array([1, 2], x.dtype)", to="numpy"),
    Rewrite("tf.constant(0.5)", "torch.tensor(0.5)", to="torch"),
    Rewrite("tf.constant([1, 2])", "torch.tensor([1, 2])", to="torch"),
    Rewrite("tf.constant([1, 2], dtype=tf.float32)", "torch.tensor([1, 2], dtype=torch.float32)", to="torch"),
    Rewrite("tf.constant(1, x.dtype)", "torch.tensor(1, dtype=x.dtype)", to="torch"),
    Rewrite('tf.constant([1, 2], "float64")', "torch.tensor([1, 2], dtype=torch.float64)", to="torch"),
    Rewrite("tf.constant(0, shape=[2, 3])", "torch.full([2, 3], 0, device=x.device)", to="torch"),
    Rewrite(
        "tf.constant(0.5, tf.float64, [2])", "torch.full([2], 0.5, dtype=torch.float64, device=x.device)", to="torch"
    ),
    Rewrite("tf.constant([1, 2, 3, 4], shape=[2, 2])", "torch.tensor([1, 2, 3, 4]).reshape([2, 2])", to="torch"),
    Rewrite("tf.constant([1, 2], tf.float32)", "np.array([1, 2], dtype=np.float32)", to="numpy", of="tf"),
    Rewrite("tf.convert_to_tensor(x)", "x", to="torch"),
    Rewrite("tf.convert_to_tensor(x, dtype=x.dtype)", "x.to(x.dtype)", to="torch"),
    Rewrite("tf.convert_to_tensor(c)", "torch.tensor(c)", to="torch"),
    Rewrite(
        "tf.convert_to_tensor(value=[1, 2], dtype=tf.float32)", "torch.tensor([1, 2], dtype=torch.float32)", to="torch"
    ),
    Rewrite("tf.convert_to_tensor([v[0], v[1]])", "torch.stack([v[0], v[1]])", to="torch"),
    Rewrite("tf.convert_to_tensor([1.0, 2.0])", "np.asarray([1.0, 2.0])", to="numpy", of="tf"),
    Refused("x.new(y)", "numbers and sizes alone", to="tf"),
    Refused("torch.tensor(x, names=None)", "names is not in its rule", to="tf"),
]
