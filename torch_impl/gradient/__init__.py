"""Ops that leave the value alone and change the gradient."""

from torch_impl import keep_signatures
from torch_impl.gradient.add_auxiliary_loss import add_auxiliary_loss as add_auxiliary_loss
from torch_impl.gradient.clip_gradient import clip_gradient as clip_gradient
from torch_impl.gradient.clip_gradient_norm import clip_gradient_norm as clip_gradient_norm
from torch_impl.gradient.guided_relu import guided_relu as guided_relu
from torch_impl.gradient.reverse_gradient import reverse_gradient as reverse_gradient
from torch_impl.gradient.scale_gradient import scale_gradient as scale_gradient

keep_signatures(__name__)
