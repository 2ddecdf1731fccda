import torch


class CrossEntropyFunction(torch.autograd.Function):
    @staticmethod
    def forward(logits, labels):
        log_p = logits.log_softmax(-1)
        return (-(labels * log_p).sum(-1)).mean()

    @staticmethod
    def setup_context(ctx, inputs, output):
        logits, ctx.labels = inputs
        ctx.save_for_backward(logits)

    @staticmethod
    def backward(ctx, dy):
        (logits,) = ctx.saved_tensors
        log_p = logits.log_softmax(-1)
        n = torch.tensor(logits.shape[0], dtype=logits.dtype)
        return dy * (torch.exp(log_p) - ctx.labels) / n, None


def cross_entropy(logits, labels):
    """Mean cross entropy; labels are rows of a one."""
    labels = labels.detach()
    return CrossEntropyFunction.apply(logits, labels)
