"""What is kept for the backward, in ways that look like a fault and are none."""

# mypy: allow-untyped-defs, allow-untyped-calls

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.sigmoid)
class OutputSaved(twins.SigmoidFunction):
    """The output is saved instead of the input: it carries a graph, so the second derivative is right."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * y * (1 - y)
