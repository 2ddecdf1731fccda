"""Random numbers: refused."""

from words import Refused

_WHY = "draws random numbers"
SAMPLES = [
    *(Refused(f"torch.{name}(2, 3)", _WHY, to="tf") for name in ("randperm", "poisson")),
    Refused("torch.randint_like(x, 3)", _WHY, to="tf"),
    Refused("torch.randint(0, 3, (2, 3), generator=None)", _WHY, to="tf"),
    Refused("torch.multinomial(p, 2)", _WHY, to="tf"),
    Refused("x * random.random()", _WHY, to="tf"),
    Refused("x * random.random()", _WHY, to="torch", of="tf"),
    Refused("random.uniform(0.0, 1.0)", _WHY, to="tf"),
    Refused("random.uniform(0.0, 1.0)", _WHY, to="torch", of="tf"),
    Refused("F.dropout(x, p=0.5)", _WHY, to="tf"),
    Refused("F.rrelu(x)", _WHY, to="tf"),
    *(
        Refused(f"x.{name}_()", _WHY, to="tf")
        for name in ("exponential", "geometric", "cauchy", "log_normal", "random")
    ),
    *(Refused(f"torch.distributions.{name}(0.0, 1.0)", _WHY, to="tf") for name in ("Normal", "Uniform", "Gumbel")),
    Refused("torch.distributions.Bernoulli(p)", _WHY, to="tf"),
    *(
        Refused(f"np.random.{name}(2, 3)", _WHY, to=to, of=of)
        for name in ("rand", "randn", "uniform", "normal")
        for of, to in (("torch", "tf"), ("tf", "torch"))
    ),
    *(
        Refused(f"tf.random.{name}([2, 3])", _WHY, to="torch")
        for name in ("truncated_normal", "shuffle", "categorical", "gamma", "poisson")
    ),
    *(
        Refused(f"tf.random.stateless_{name}([2, 3], seed=[1, 2])", _WHY, to="torch")
        for name in ("uniform", "normal", "truncated_normal", "gamma")
    ),
    Refused("tf.nn.dropout(x, rate=0.5)", _WHY, to="torch"),
]
