"""Modules of PyTorch that are functions of one tensor, as ``sigmoid = nn.Sigmoid()``."""

from porting.translate.abstract_value import TENSOR, Abstract, Sort
from porting.translate.rule import Rule

_FUNCTION = Abstract(Sort.FUNCTION, items=(TENSOR,))
_MODULES = (
    ("Sigmoid()", "tf.sigmoid"),
    ("ReLU(_inplace: inplace=False)", "tf.nn.relu"),
    ("Tanh()", "tf.tanh"),
    ("LogSigmoid()", "tf.math.log_sigmoid"),
    ("Identity()", "tf.identity"),
)
RULES = []
for _module, _function in _MODULES:
    _rule = Rule(torch=f"torch.nn.{_module}", kind=_FUNCTION)
    _rule.form(_function, "tf")
    RULES.append(_rule)
