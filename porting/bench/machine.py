"""Describes what the numbers depend on: the machine, the versions, and the load of other processes."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from porting.runners import RUNNERS


def machine(backends: Sequence[str]) -> dict[str, str]:
    """Return what the numbers depend on."""
    facts = {
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }
    if hasattr(os, "getloadavg"):
        facts["load"] = f"{os.getloadavg()[1]:.1f}"
    return facts | {RUNNERS[key].title: RUNNERS[key].version() for key in backends}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"
