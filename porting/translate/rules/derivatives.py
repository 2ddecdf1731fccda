"""Derivatives that a function asks for itself; see `porting.translate.lower.tapes`."""

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

GRAD = Rule(
    torch="torch.autograd.grad(y: outputs, x: inputs, dy: grad_outputs=None, _retain: retain_graph=None, "
    "create_graph=False, _only: only_inputs=True, _unused: allow_unused=None, _batched: is_grads_batched=False, "
    "_zeros: materialize_grads=False)",
    kind=Abstract(Sort.TUPLE),
)
RULES = [GRAD]


@GRAD.writes("tf")
def _grad(w: Writer, y: Expression, x: Expression, dy: Given = None, create_graph: Given = None) -> Expression:
    if not w.tape:
        raise w.refuse("torch.autograd.grad: stands outside of `with torch.enable_grad():`")
    if create_graph is not None:
        raise w.refuse("torch.autograd.grad: create_graph has no rule")
    outputs, sources, given = (part and _listed(w, part) for part in (y, x, dy))
    sources = sources if w.is_sequence(x) else w.sequence_of(x)
    if given is None:
        return w.build(f"{w.tape}.gradient({{y}}, {{x}})", y=outputs, x=sources)
    return w.build(f"{w.tape}.gradient({{y}}, {{x}}, output_gradients={{dy}})", y=outputs, x=sources, dy=given)


def _listed(w: Writer, part: Expression) -> Expression:
    """Return a tuple as a list: what the frameworks give back has the form that they are given."""
    return w.sequence_of(*w.parts(part)) if w.is_sequence(part) else part
