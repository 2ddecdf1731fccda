"""Functions that are right at the ends of the range."""

from torch_impl import keep_signatures
from torch_impl.stable.artanh import artanh as artanh
from torch_impl.stable.log1p_exp import log1p_exp as log1p_exp
from torch_impl.stable.log_cosh import log_cosh as log_cosh
from torch_impl.stable.logaddexp import logaddexp as logaddexp
from torch_impl.stable.logsumexp import logsumexp as logsumexp
from torch_impl.stable.safe_divide import safe_divide as safe_divide
from torch_impl.stable.safe_log import safe_log as safe_log
from torch_impl.stable.safe_norm import safe_norm as safe_norm
from torch_impl.stable.safe_sqrt import safe_sqrt as safe_sqrt

keep_signatures(__name__)
