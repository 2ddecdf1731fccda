"""Functions that are defined by an equation or an iteration, and not differentiated through it."""

from torch_impl import keep_signatures
from torch_impl.implicit.fixed_point import fixed_point as fixed_point
from torch_impl.implicit.ode_rk4_adjoint import ode_rk4_adjoint as ode_rk4_adjoint
from torch_impl.implicit.sinkhorn import sinkhorn as sinkhorn

keep_signatures(__name__)
