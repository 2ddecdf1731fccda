"""Packs the worker into one file: the modules of this package that another interpreter runs, as one Python text."""

from pathlib import Path
from typing import Final

# Parsed by Python 3.7 and importing nothing but each other, the standard library, NumPy and their framework.
MODULES: Final = (
    "backends.tf.arrays",
    "backends.tf.call",
    "backends.tf.devices",
    "backends.tf.programs",
    "backends.tf.run",
    "backends.tf.runner",
    "backends.tf.tensors",
    "backends.torch.arrays",
    "backends.torch.gpu",
    "backends.torch.graph",
    "backends.torch.run",
    "backends.torch.runner",
    "errors",
    "loading",
    "runners.base",
    "runners.bits",
    "runners.changeable",
    "runners.imports",
    "runners.serve",
    "runners.side",
    "runners.kept_sources",
    "runners.state",
    "runners.tree",
    "runners.wire",
    "workers.frames",
)
_NAME: Final = "gradport_worker"  # so that a gradport that is installed there is left alone


def bundle() -> str:
    """Return the text; ``python FILE torch`` would run it."""
    root = Path(__file__).parents[1]
    packages = {".".join(parts[:n]) for parts in (m.split(".") for m in MODULES) for n in range(1, len(parts))}
    texts = {_NAME: "", **{f"{_NAME}.{package}": "" for package in sorted(packages)}}
    for module in MODULES:
        texts[f"{_NAME}.{module}"] = _renamed((root / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    hello = _renamed((root / "runners" / "hello.py").read_text(encoding="utf-8"))
    return f"SOURCES = {texts!r}\n{hello}"


def _renamed(text: str) -> str:
    return text.replace("from porting.", f"from {_NAME}.")
