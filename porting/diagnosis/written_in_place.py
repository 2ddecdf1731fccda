"""What a backward raises that writes into its cotangent: elements of an expanded one share their memory."""

from porting.diagnosis.evidence import Evidence
from porting.parity.finding import Finding


def is_of_writing(e: Evidence, finding: Finding) -> bool:
    """Whether this is raised for an expanded cotangent, and the side writes into any: into that no framework does.

    Parameters
    ----------
    e : Evidence
        What was found on the side.
    finding : Finding
        Of the check of layouts.
    """
    if finding.code != "raised" or not finding.has(stage="backward", layout="expanded", side="cotangent"):
        return False
    found = [f for r in e.results if r.status == "differ" for f in r.findings if f.code == "overwritten"]
    return any(str(f.fields["name"]) not in e.op.inputs for f in found)
