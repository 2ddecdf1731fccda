"""The ten examples of the four published texts, as printed."""

from torch_impl.published.conditional_op import conditional_op as conditional_op
from torch_impl.published.custom_exp import custom_exp as custom_exp
from torch_impl.published.custom_relu import custom_relu as custom_relu
from torch_impl.published.custom_squared_loss import custom_squared_loss as custom_squared_loss
from torch_impl.published.legendre_polynomial3 import legendre_polynomial3 as legendre_polynomial3
from torch_impl.published.memory_efficient_sigmoid import memory_efficient_sigmoid as memory_efficient_sigmoid
from torch_impl.published.my_activation import my_activation as my_activation
from torch_impl.published.my_complex_op import my_complex_op as my_complex_op
from torch_impl.published.my_elementwise import my_elementwise as my_elementwise
from torch_impl.published.smooth_round import smooth_round as smooth_round
