"""Writes what a proof costs as a page of the docs, ``docs/checking.md``."""

from itertools import groupby

from porting.backends import TITLES
from porting.bench.checking.result import FLAT, Checking
from porting.bench.checking.steps import SUBJECTS
from porting.bench.checking.text import cell, sentences

_INTRO = """\
# What a proof costs

The time of one check, beside what people use now: PyTorch's `gradcheck` and `gradgradcheck`, slow and fast, and
TensorFlow's `tf.test.compute_gradient`, with their defaults. All run on the same op, in float64, in one thread, in the
same rounds. Each number is the median of ratios within one round: the time of one call over that of one forward and
backward of the op at the same size. Only the ratios carry over to another machine. The page is remade by

```bash
{command}
```

- **check**: one case with new numbers is drawn, the oracle gives its value and gradient, each element's tolerance is
  computed, and the op's value and gradient are compared with them. `porting check` makes dozens of such cases of an op
  in each type. What all of that costs is told below the tables, in imports of the framework.
- **gradcheck**, **compute_gradient**: the gradient is compared with differences of the op's own forward, element by
  element, so the time grows with the square of the elements. `gradcheck, fast` takes one random direction: it does not
  see an error in one element of many. None of them knows what the gradient of a surrogate should be.
- **-**: left out, since one call may take too long; the lines below the tables say how long.

![The cost of a check and of the frameworks' own checkers]({plot})

Measured on {machine}.
"""


def page(found: Checking, plot: str) -> str:
    """Return the page: one table per op, and what else was measured.

    Parameters
    ----------
    found : Checking
        What was measured.
    plot : str
        The picture's name, as the page links it.
    """
    machine = ", ".join(f"{name} {value}" for name, value in found.machine.items())
    parts = [_INTRO.format(command=found.command, plot=plot, machine=machine)]
    head = f"| framework | checker | {' | '.join(f'{size:,}' for size in found.sizes)} |"
    for op, pairs in groupby(found.of, lambda pair: pair[0]):
        lines = [f"## {op}\n", head, f"|---|---|{'---:|' * len(found.sizes)}"]
        for _, backend in pairs:
            at = found.at(op, backend)
            for k, subject in enumerate(SUBJECTS[backend]):
                cells = " | ".join(cell(at.get(size), subject) for size in found.sizes)
                lines.append(f"| {'' if k else TITLES[backend]} | {subject} | {cells} |")
        parts.append("\n".join([*lines, ""]))
    said = "\n".join(f"- {sentence}." for sentence in sentences(found))
    parts.append(f"## Growth, imports, and what was left out\n\nGrowth is fitted up to {FLAT:,} elements.\n\n{said}\n")
    return "\n".join(parts)
