"""Uniform and normal random numbers, and masks of them: a check gives both frameworks the same ones."""

from typing import Any, Final

from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.fill import OPTIONS, like_of, made_of_shape, new_of, one_shape

_OPTIONS: Final = f"{OPTIONS}, _generator: generator=None"
_TF: Final = "dtype=tf.float32, _seed: seed=None, _name: name=None"
_FUNCTIONS: Final = {"rand": "tf.random.uniform", "randn": "tf.random.normal"}

OF_SHAPE = {name: Rule(torch=f"torch.{name}(*shape, {_OPTIONS})", kind=new_of) for name in _FUNCTIONS}
LIKE = {name: Rule(torch=f"torch.{name}_like(x: input, *, {_OPTIONS})", kind=like_of) for name in _FUNCTIONS}
UNIFORM_IN = Rule(torch="Tensor.uniform(x, low=0, high: to=1, *, _generator: generator=None)")
NORMAL_IN = Rule(torch="Tensor.normal(x, low: mean=0, high: std=1, *, _generator: generator=None)")
BERNOULLI = Rule(torch="torch.bernoulli(x: input, p=None, *, _generator: generator=None)")
UNIFORM = Rule(tf=f"tf.random.uniform(shape, low: minval=0, high: maxval=None, {_TF})", kind=new_of)
NORMAL = Rule(tf=f"tf.random.normal(shape, low: mean=0.0, high: stddev=1.0, {_TF})", kind=new_of)
RULES = [*OF_SHAPE.values(), *LIKE.values(), UNIFORM_IN, NORMAL_IN, BERNOULLI, UNIFORM, NORMAL]


def _of_shape(name: str) -> None:
    function = _FUNCTIONS[name]

    @OF_SHAPE[name].writes("tf")
    def _(w: Writer, shape: Any = (), dtype: Given = None) -> Expression:
        if dtype is None:
            return w.build(f"{function}({{shape}})", shape=one_shape(w, shape))
        return w.build(f"{function}({{shape}}, dtype={{dtype}})", shape=one_shape(w, shape), dtype=dtype)

    @LIKE[name].writes("tf")
    def _like_of(w: Writer, x: Expression, dtype: Given = None) -> Expression:
        dtype = dtype if dtype is not None else w.build("{x}.dtype", x=x)
        return w.build(f"{function}(tf.shape({{x}}), dtype={{dtype}})", x=x, dtype=dtype)


for _name in _FUNCTIONS:
    _of_shape(_name)


def _in_place(rule: Rule, function: str, usual: tuple[str, str]) -> None:
    @rule.writes("tf")
    def _(w: Writer, x: Expression, low: Given = None, high: Given = None) -> Expression:
        if low is None and high is None:
            return w.build(f"{function}(tf.shape({{x}}), dtype={{x}}.dtype)", x=x)
        ends = {"low": low or w.build(usual[0]), "high": high or w.build(usual[1])}
        return w.build(f"{function}(tf.shape({{x}}), {{low}}, {{high}}, {{x}}.dtype)", x=x, **ends)


_in_place(UNIFORM_IN, "tf.random.uniform", ("0", "1"))
_in_place(NORMAL_IN, "tf.random.normal", ("0.0", "1.0"))


@BERNOULLI.writes("tf")
def _bernoulli(w: Writer, x: Expression, p: Given = None) -> Expression:
    if p is None:
        return w.build("tf.cast(tf.random.uniform(tf.shape({x}), dtype={x}.dtype) < {x}, {x}.dtype)", x=x)
    return w.build("tf.cast(tf.random.uniform(tf.shape({x}), dtype={x}.dtype) < {p}, {x}.dtype)", x=x, p=p)


def _in_torch(rule: Rule, name: str, method: str) -> None:
    @rule.writes("torch")
    def _(w: Writer, shape: Any, low: Given = None, high: Given = None, dtype: Given = None) -> Expression:
        if dtype is not None and w.kinds["dtype"].values().number == "int":
            raise w.refuse("tf.random: whole numbers that are drawn are not translated")
        if low is not None or high is not None:
            ends = {"low": low or w.build("0"), "high": high or w.build("1")}
            empty = made_of_shape(w, "torch.empty", shape, dtype)
            return w.build(f"{{empty}}.{method}({{low}}, {{high}})", empty=empty, **ends)
        return made_of_shape(w, f"torch.{name}", shape, dtype)


_in_torch(UNIFORM, "rand", "uniform_")
_in_torch(NORMAL, "randn", "normal_")
