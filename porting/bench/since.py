"""What has changed between two measurements: ratios whose quartiles are apart."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from porting.bench.ratio import Spread
from porting.bench.result import Bench, Row

_LISTED: Final = 20


def lines(text: str, now: Bench, title: str) -> Iterator[str]:
    """Yield what has changed, for people, under a line that names the earlier run.

    A ratio has changed if its quartiles then and now do not overlap, and neither was too noisy to use. The factor that
    is furthest from 1 comes first.

    Parameters
    ----------
    text : str
        The earlier run, as `Bench.to_json` wrote it.
    now : Bench
        The later one.
    title : str
        What the earlier one is called.

    Raises
    ------
    ValueError
        If the text is no such run.
    """
    then = _rows(text)
    pairs = [(then[place], row) for row in now.rows if (place := (row.op, row.mode, row.size)) in then]
    both = [(row, name, old[name], quotient) for old, row in pairs for name, quotient in _usable(row) if name in old]
    apart = [(row, name, a, b) for row, name, a, b in both if a.high < b.low or b.high < a.low]
    apart.sort(key=lambda each: -max(each[3].median / each[2].median, each[2].median / each[3].median))
    yield f"Since {title}"
    for row, name, a, b in apart[:_LISTED]:
        word = "slower" if b.median > a.median else "faster"
        yield (
            f"  {word}: {row.op} {row.mode} at {row.size:,} elements: over the {name} "
            f"{a.median:.2f} → {b.median:.2f} ({b.median / a.median:.2f} times)"
        )
    if len(apart) > _LISTED:
        yield f"  … and {len(apart) - _LISTED} more"
    alone = len(now.rows) - len(pairs)
    if alone or len(then) > len(pairs):
        yield f"  not compared: {len(then) - len(pairs)} rows were measured only then, {alone} only now"
    yield f"  {len(apart)} of {len(both)} ratios have changed by more than their quartiles"


def _usable(row: Row) -> Iterator[tuple[str, Spread]]:
    return ((name, quotient) for name, quotient in row.ratios.items() if name not in row.noisy)


def _rows(text: str) -> dict[tuple[str, str, int], Mapping[str, Spread]]:
    """Return the ratios of an earlier run that can be used, by op, mode and size."""
    try:
        rows: list[dict[str, Any]] = json.loads(text)["rows"]
        return {
            (row["op"], row["mode"], row["size"]): {
                name: Spread(**quotient) for name, quotient in row["ratios"].items() if name not in row["noisy"]
            }
            for row in rows
        }
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"not a run of porting bench: {error!r}") from None
