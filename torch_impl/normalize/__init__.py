"""Normalisations over the last axis, with a hand-written gradient."""

from torch_impl import keep_signatures
from torch_impl.normalize.layer_norm import layer_norm as layer_norm
from torch_impl.normalize.rms_norm import rms_norm as rms_norm

keep_signatures(__name__)
