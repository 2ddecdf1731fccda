"""Spikes: a step with a surrogate gradient."""

from tf_impl.spiking.atan_spike import atan_spike as atan_spike
from tf_impl.spiking.fast_sigmoid_spike import fast_sigmoid_spike as fast_sigmoid_spike
from tf_impl.spiking.lif_step import lif_step as lif_step
from tf_impl.spiking.sigmoid_spike import sigmoid_spike as sigmoid_spike
from tf_impl.spiking.triangular_spike import triangular_spike as triangular_spike
