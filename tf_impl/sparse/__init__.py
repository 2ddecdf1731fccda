"""Maps onto the probability simplex that can give exact zeros."""

from tf_impl.sparse.entmax15 import entmax15 as entmax15
from tf_impl.sparse.masked_softmax import masked_softmax as masked_softmax
from tf_impl.sparse.sparsemax import sparsemax as sparsemax
