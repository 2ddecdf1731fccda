"""What is known of a framework in one place."""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Backend:
    """A framework whose gradients are checked.

    Attributes
    ----------
    key, title : str
        The name in commands, keywords and files, ``torch``; the name in sentences, ``PyTorch``.
    runner : str
        The class that answers cases, ``package.module:Class``; it implements `porting.runners.protocol.Runner`.
    folder : Path
        Where ``fixes.toml`` stands: what to do about a cause in this framework, by the cause's name.
    """

    key: str
    title: str
    runner: str
    folder: Path

    @cached_property
    def fixes(self) -> dict[str, str]:
        """The fix for each cause, by its name; without the file there is none."""
        file = self.folder / "fixes.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
