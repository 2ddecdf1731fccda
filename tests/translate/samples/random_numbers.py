"""Random numbers, which both frameworks are given alike."""

from words import Refused, Rewrite

_OF_X = "tf.random.uniform(tf.shape(x), dtype=x.dtype)"
SAMPLES = [
    Rewrite("torch.rand(2, 3)", "tf.random.uniform([2, 3])", to="tf"),
    Rewrite(
        "torch.rand(x.shape, dtype=x.dtype, device=x.device)", "tf.random.uniform(x.shape, dtype=x.dtype)", to="tf"
    ),
    Rewrite("torch.randn(k, 3)", "tf.random.normal([k, 3])", to="tf"),
    Rewrite("torch.rand_like(x)", _OF_X, to="tf"),
    Rewrite("torch.randn_like(x)", "tf.random.normal(tf.shape(x), dtype=x.dtype)", to="tf"),
    Rewrite("torch.rand_like(x, dtype=torch.float32)", "tf.random.uniform(tf.shape(x), dtype=tf.float32)", to="tf"),
    Rewrite("torch.empty_like(x).uniform_()", _OF_X.replace("x", "tf.zeros_like(x)"), to="tf"),
    Rewrite("x.clone().uniform_(-0.5, c)", "tf.random.uniform(tf.shape(x), -0.5, c, x.dtype)", to="tf"),
    Rewrite("x.clone().normal_(0, c)", "tf.random.normal(tf.shape(x), 0.0, c, x.dtype)", to="tf"),
    Rewrite("x.clone().normal_(std=c)", "tf.random.normal(tf.shape(x), 0.0, c, x.dtype)", to="tf"),
    Rewrite("torch.bernoulli(p)", "tf.cast(tf.random.uniform(tf.shape(p), dtype=p.dtype) < p, p.dtype)", to="tf"),
    Rewrite("p.bernoulli()", "tf.cast(tf.random.uniform(tf.shape(p), dtype=p.dtype) < p, p.dtype)", to="tf"),
    Rewrite("x.clone().bernoulli_(1 - c)", f"tf.cast({_OF_X} < 1 - c, x.dtype)", to="tf"),
    Rewrite("tf.random.uniform([2, 3])", "torch.rand([2, 3], device=x.device)", to="torch"),
    Rewrite("tf.random.uniform(tf.shape(x), dtype=x.dtype)", "torch.rand_like(x)", to="torch"),
    Rewrite("tf.random.normal(tf.shape(x), dtype=x.dtype)", "torch.randn_like(x)", to="torch"),
    Rewrite("tf.random.uniform(tf.shape(x), -c, c, x.dtype)", "torch.empty_like(x).uniform_(-c, c)", to="torch"),
    Rewrite("tf.random.normal(tf.shape(x), 0.0, c, dtype=x.dtype)", "torch.empty_like(x).normal_(0, c)", to="torch"),
    Refused("tf.random.uniform([2], 0, 5, tf.int32)", "whole numbers that are drawn", to="torch"),
    Refused("np.random.rand(2)", "draws random numbers", to="tf"),
]
