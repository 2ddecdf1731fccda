"""Bounds whose gradient helps what lies beyond them to come back."""

from tf_impl.bound.lower_bound import lower_bound as lower_bound
from tf_impl.bound.upper_bound import upper_bound as upper_bound
