"""Maps onto the probability simplex that can give exact zeros."""

from torch_impl import keep_signatures
from torch_impl.sparse.entmax15 import entmax15 as entmax15
from torch_impl.sparse.masked_softmax import masked_softmax as masked_softmax
from torch_impl.sparse.sparsemax import sparsemax as sparsemax

keep_signatures(__name__)
