"""Refused."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=83,
    alone=True,
    meant="Promise the first derivative only: --contract order=1 (Contract(order=1)).",
)
def second_order_refused(e: Evidence) -> str | None:
    """A second derivative raises, and nothing says that the first is enough.

    Refusing is honest, and better than a wrong number: a contract should then say order=1. A backward that changes what
    it has computed in place raises without meaning to, and so does an operation of the framework that it does not
    differentiate twice.
    """
    found = e.finding("second_order", "raised") if e.clean else None
    return found.what if found else None
