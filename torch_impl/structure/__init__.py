"""Gradients that keep less, because the backward computes it again."""

from torch_impl import keep_signatures
from torch_impl.structure.recompute import recompute as recompute
from torch_impl.structure.reversible_block import reversible_block as reversible_block

keep_signatures(__name__)
