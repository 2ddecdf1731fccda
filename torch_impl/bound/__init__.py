"""Bounds whose gradient helps what lies beyond them to come back."""

from torch_impl import keep_signatures
from torch_impl.bound.lower_bound import lower_bound as lower_bound
from torch_impl.bound.upper_bound import upper_bound as upper_bound

keep_signatures(__name__)
