import torch
import torch.nn.functional as F
from torch.cuda.amp import custom_bwd, custom_fwd


class MishFn(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, inp):
        ctx.save_for_backward(inp)
        return inp.mul(torch.tanh(F.softplus(inp)))

    @staticmethod
    @custom_bwd
    def backward(ctx, grad_out):
        inp, = ctx.saved_tensors
        sig = torch.sigmoid(inp)
        t = F.softplus(inp).tanh()
        return grad_out.mul(t + inp * sig * (1 - t * t))
