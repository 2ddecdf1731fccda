"""Linear algebra of (batches of) matrices."""

from torch_impl import keep_signatures
from torch_impl.linalg.logdet import logdet as logdet
from torch_impl.linalg.matrix_inverse_sqrt import matrix_inverse_sqrt as matrix_inverse_sqrt
from torch_impl.linalg.matrix_sqrt import matrix_sqrt as matrix_sqrt
from torch_impl.linalg.safe_eigh import safe_eigh as safe_eigh
from torch_impl.linalg.solve import solve as solve

keep_signatures(__name__)
