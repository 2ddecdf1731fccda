"""Spikes: a step with a surrogate gradient."""

from torch_impl import keep_signatures
from torch_impl.spiking.atan_spike import atan_spike as atan_spike
from torch_impl.spiking.fast_sigmoid_spike import fast_sigmoid_spike as fast_sigmoid_spike
from torch_impl.spiking.lif_step import lif_step as lif_step
from torch_impl.spiking.sigmoid_spike import sigmoid_spike as sigmoid_spike
from torch_impl.spiking.triangular_spike import triangular_spike as triangular_spike

keep_signatures(__name__)
