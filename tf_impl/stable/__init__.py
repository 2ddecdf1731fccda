"""Functions that are right at the ends of the range."""

from tf_impl.stable.artanh import artanh as artanh
from tf_impl.stable.log1p_exp import log1p_exp as log1p_exp
from tf_impl.stable.log_cosh import log_cosh as log_cosh
from tf_impl.stable.logaddexp import logaddexp as logaddexp
from tf_impl.stable.logsumexp import logsumexp as logsumexp
from tf_impl.stable.safe_divide import safe_divide as safe_divide
from tf_impl.stable.safe_log import safe_log as safe_log
from tf_impl.stable.safe_norm import safe_norm as safe_norm
from tf_impl.stable.safe_sqrt import safe_sqrt as safe_sqrt
