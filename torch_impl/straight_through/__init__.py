"""Quantisers, signs and masks whose gradient passes straight through."""

from torch_impl import keep_signatures
from torch_impl.straight_through.dorefa_quantize import dorefa_quantize as dorefa_quantize
from torch_impl.straight_through.fake_quantize import fake_quantize as fake_quantize
from torch_impl.straight_through.gumbel_softmax import gumbel_softmax as gumbel_softmax
from torch_impl.straight_through.lsq_quantize import lsq_quantize as lsq_quantize
from torch_impl.straight_through.ste_ceil import ste_ceil as ste_ceil
from torch_impl.straight_through.ste_clamp import ste_clamp as ste_clamp
from torch_impl.straight_through.ste_floor import ste_floor as ste_floor
from torch_impl.straight_through.ste_heaviside import ste_heaviside as ste_heaviside
from torch_impl.straight_through.ste_round import ste_round as ste_round
from torch_impl.straight_through.ste_sign import ste_sign as ste_sign
from torch_impl.straight_through.ste_ternary import ste_ternary as ste_ternary
from torch_impl.straight_through.top_k_mask import top_k_mask as top_k_mask
from torch_impl.straight_through.vector_quantize import vector_quantize as vector_quantize

keep_signatures(__name__)
