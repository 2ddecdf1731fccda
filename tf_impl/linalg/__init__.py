"""Linear algebra of (batches of) matrices."""

from tf_impl.linalg.logdet import logdet as logdet
from tf_impl.linalg.matrix_inverse_sqrt import matrix_inverse_sqrt as matrix_inverse_sqrt
from tf_impl.linalg.matrix_sqrt import matrix_sqrt as matrix_sqrt
from tf_impl.linalg.safe_eigh import safe_eigh as safe_eigh
from tf_impl.linalg.solve import solve as solve
