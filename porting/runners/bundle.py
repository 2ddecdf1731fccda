"""The worker as one file: the modules of this package that another interpreter runs, as one text of Python."""

from pathlib import Path
from typing import Final

# Parsed by Python 3.7 and importing nothing but each other, the standard library, NumPy and their framework.
MODULES: Final = (
    "errors",
    "loading",
    "runners.base",
    "runners.bits",
    "runners.changeable",
    "runners.imports",
    "runners.serve",
    "runners.side",
    "runners.state",
    "runners.tf",
    "runners.tf_programs",
    "runners.tf_run",
    "runners.tf_tensors",
    "runners.torch",
    "runners.torch_graph",
    "runners.torch_run",
    "runners.torch_tensors",
    "runners.tree",
    "runners.wire",
    "workers.frames",
)
_NAME: Final = "gradport_worker"  # so that a gradport that is installed there is left alone


def bundle() -> str:
    """Return the text; ``python FILE torch`` would run it."""
    root = Path(__file__).parents[1]
    texts = {_NAME: "", **{f"{_NAME}.{module.partition('.')[0]}": "" for module in MODULES if "." in module}}
    for module in MODULES:
        texts[f"{_NAME}.{module}"] = _renamed((root / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    hello = _renamed((root / "runners" / "hello.py").read_text(encoding="utf-8"))
    return f"SOURCES = {texts!r}\n{hello}"


def _renamed(text: str) -> str:
    return text.replace("from porting.", f"from {_NAME}.")
