"""State outside ctx and closure."""

from dataclasses import replace

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike


@cause(
    rank=14,
    alone=True,
)
def shared_state(e: Evidence) -> str | None:
    """A second call changes the first one's gradient: state is kept outside of ctx or closure.

    What the forward leaves for its backward stands on the class, in a module variable or in a list that all calls
    share. With one call at a time everything looks right; two calls in one graph (a layer used twice) get each
    other's numbers.
    """
    found = e.finding("interleaved")
    if found is None or not e.clean:
        return None
    probe = e.probe(e.dtype)
    case = probe.case("first")
    plain, between = e.ask(case), e.ask(replace(case, use="interleaved", other=probe.case("in between")))
    return found.seen if between is None or plain is None or not alike(plain, between) else None
