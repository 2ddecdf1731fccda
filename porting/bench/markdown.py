"""Writes a run as the page of the docs that compares the frameworks, ``docs/bench.md``."""

from collections.abc import Sequence
from itertools import groupby

from porting.bench.again import LONGER, TRIES
from porting.bench.bounds import Excepted
from porting.bench.measure import FLOOR, LIMIT
from porting.bench.memory import STACK_SIZE
from porting.bench.result import Bench, Row
from porting.bench.size import written_size
from porting.bench.stack import LAYERS
from porting.bench.subjects import BUILT_IN, COMPOSITION, SUBJECTS, TWIN
from porting.bench.text import kept
from porting.spec import Op

_INTRO = """\
# What the twins cost

Time of one forward and backward in {dtype}, one thread, inputs of random signs; each number is the median of ratios
taken within one round, in which everything that is compared runs once, in a changing order. Only the ratios carry over
to another machine. The page is remade by

```bash
{command}
```

and `porting bench --check` holds such a run to the bounds in `porting/bench/bounds.toml`, each with its reason. What is
then out of its bound, or too noisy to tell, is measured again, {longer} times as long and in a new process, up to
{tries} times; the last measurement stands.

- **/ floor**: the twin's time over that of moving the bytes and nothing else. The forward reads the inputs and writes
  the outputs; the backward reads the inputs again and the cotangents, and writes the gradients. Below 1 comes an op
  that needs less: one whose gradient is the cotangent as it is, say. At {largest} elements.
- **/ limit**: over the larger of the floor and the kernels that the formula cannot do without, of the forward and of
  the backward; the formulas stand in `porting/bench/formulas.toml`. A kernel's time is that of the fastest of NumPy,
  PyTorch and, in its own modes, TensorFlow, on the same numbers in the same rounds. Where nothing is compiled, each
  kernel of the formula is a pass over memory, in place where it can be. In torch-compile and tf-xla sines, exponentials
  and the like count, one pass of arithmetic beside them, and reductions. An op without a formula has the floor as its
  limit. At {largest} elements.
- **/ composition**: over plain ops without a custom gradient, under autograd. Below 1 the custom gradient pays. At
  {sizes} elements.
- **/ built-in**: over the framework's own op with the same value and gradient, where there is one. At the same sizes.
- **growth**: the exponent with which the time grows with the elements, between the two largest sizes: 1 in proportion,
  more where the data leaves the caches, less where calls cost more than the work.
- **kept**: bytes held for the backward, in largest inputs: twin / composition. PyTorch's are the storages that its
  saved-tensor hooks see. TensorFlow's are resident memory while the tape lives: what one more layer adds, for an op
  that makes one tensor of one of the same shape; else what one layer holds. In eager mode; compilers keep less.
- **?**: the machine was too noisy to conclude: the quartiles of the floor, or of the ratio, are too far apart.
  **-**: there is none, or the lines below the table say why not.

Measured on {machine}.
"""


def page(bench: Bench, ops: Sequence[Op], exceptions: Sequence[Excepted] = ()) -> str:
    """Return the page: one table per family, one line per op and mode, and the bounds that some ops do not reach."""
    sizes = sorted({row.size for row in bench.rows})
    said = [written_size(size) for size in sizes]
    text = _INTRO.format(
        dtype=bench.dtype,
        command=bench.command,
        longer=LONGER,
        tries=TRIES,
        largest=said[-1] if said else "no",
        sizes=" · ".join(said) or "no",
        machine=", ".join(f"{name} {value}" for name, value in bench.machine.items()),
    )
    parts = [text]
    for family, members in groupby(ops, lambda op: op.family):
        parts.append(_family(bench, family, list(members), sizes))
    parts += [part for part in (_peaks(bench), _growth(bench), _unreached(exceptions)) if part]
    return "\n".join(parts)


def _family(bench: Bench, family: str, ops: list[Op], sizes: list[int]) -> str:
    lines = [
        f"## {family}\n",
        "| op | mode | / floor | / limit | / composition | / built-in | growth | kept |",
        "|---|---|---|---|---|---|---|---|",
    ]
    troubles: dict[str, list[str]] = {}
    for op in ops:
        mine = [row for row in bench.rows if row.op == op.name]
        link = f"[{op.name}](ops/{op.family}/{op.name}.md)" if op.in_catalogue else op.name
        if not mine:
            lines.append(f"| {link} | not measured | - | - | - | - | - | - |")
        for k, mode in enumerate(dict.fromkeys(row.mode for row in mine)):
            rows = {row.size: row for row in mine if row.mode == mode}
            cells = [_cells(rows, sizes[-1:], against) for against in (FLOOR, LIMIT)]
            cells += [_cells(rows, sizes, against) for against in (COMPOSITION, BUILT_IN)]
            grown = bench.growth(op.name, mode)
            cells.append("-" if grown is None else f"{grown:.2f}")
            held = next((held for row in rows.values() if (held := kept(bench, row))), "-")
            lines.append(f"| {'' if k else link} | {mode} | {' | '.join(cells)} | {held} |")
        for row in mine:
            for subject, reason in row.errors.items():
                where = troubles.setdefault(f"{op.name}, {subject}: {_plain(reason)}", [])
                where.append(f"{row.mode} {written_size(row.size)}")
    notes = [f"- {what} ({', '.join(where)})" for what, where in troubles.items()]
    return "\n".join([*lines, "", *notes, *([""] if notes else [])])


def _cells(rows: dict[int, Row], sizes: list[int], against: str) -> str:
    cells = [_cell(rows.get(size), against) for size in sizes]
    return "-" if set(cells) == {"-"} else " · ".join(cells)


def _cell(row: Row | None, against: str) -> str:
    if row is None or against not in row.ratios:
        return "-"
    return f"{'? ' if against in row.noisy else ''}{row.ratios[against].median:.2f}"


def _plain(reason: str) -> str:
    return reason.replace("|", "/").replace("`", "'").replace("<", "(").replace(">", ")")


def _peaks(bench: Bench) -> str:
    if not bench.peaks:
        return ""
    lines = [
        "## Peak memory of a stack\n",
        f"{LAYERS} layers of {bench.peaks[0].op}, forward and backward, {written_size(STACK_SIZE)} elements; in",
        "tensors of that size, each in a process of its own.\n",
        f"| mode | {' | '.join(SUBJECTS)} | twin / composition |",
        "|---|---|---|---|---|",
    ]
    for peak in bench.peaks:
        cells = [f"{peak.tensors[name]:.1f}" if name in peak.tensors else "-" for name in SUBJECTS]
        both = {TWIN, COMPOSITION} <= set(peak.tensors)
        quotient = f"{peak.tensors[TWIN] / peak.tensors[COMPOSITION]:.2f}" if both else "-"
        lines.append(f"| {peak.mode} | {' | '.join(cells)} | {quotient} |")
    return "\n".join([*lines, ""])


def _growth(bench: Bench) -> str:
    grown = [k for k in bench.kept if k.growth]
    if not grown:
        return ""
    lines = [
        "## Kept memory and iterations\n",
        "The exponent with which the bytes kept for the backward grow with the number of iterations: 0 not at all, 1",
        "in proportion.\n",
        "| op | framework | twin | composition |",
        "|---|---|---|---|",
    ]
    for k in grown:
        cells = [f"{k.growth[name]:.2f}" if name in k.growth else "-" for name in (TWIN, COMPOSITION)]
        lines.append(f"| {k.op} | {k.backend} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _unreached(exceptions: Sequence[Excepted]) -> str:
    if not exceptions:
        return ""
    lines = [
        "## Bounds that are not reached\n",
        "What `porting bench --check` wants and some ops cannot give: the best that each has reached, and why.\n",
    ]
    for (what, sizes, reason), grouped in groupby(exceptions, lambda e: (e.what, e.sizes, e.reason)):
        entries = list(grouped)
        common = entries[0].modes if len({entry.modes for entry in entries}) == 1 else ()
        where = ", ".join([*common, *map(written_size, sizes)])
        reached = [f"{e.ops[0]} {e.best:.2f}" + f" ({', '.join(e.modes)})" * (not common) for e in entries]
        lines.append(f"- {what} ({where}): {', '.join(reached)}. {reason[0].upper()}{reason[1:]}.")
    return "\n".join([*lines, ""])
