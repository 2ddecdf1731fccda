"""Gradients that keep less, because the backward computes it again."""

from tf_impl.structure.recompute import recompute as recompute
from tf_impl.structure.reversible_block import reversible_block as reversible_block
