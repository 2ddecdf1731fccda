"""Normalisations over the last axis, with a hand-written gradient."""

from tf_impl.normalize.layer_norm import layer_norm as layer_norm
from tf_impl.normalize.rms_norm import rms_norm as rms_norm
